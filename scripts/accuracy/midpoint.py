#!/usr/bin/env python3
"""What a step to second order would bring a plan (docs/trust/accuracy.md, "A midpoint in the plan").

    scripts/accuracy/midpoint.py [--missions 18] [--steps 3,6,12] [--data ../shared/data] [--tidewise build/cpu/app/tidewise]

Random missions on one forecast off Washington, planned by plain loops on cells of 4 km (landings by area, 24 headings, one
certain flow) with steps of 3, 6 and 12 h, in three ways that differ in where a step leads from a cell's centre:

    straight   (v + a) Δt, as the program plans
    midpoint   (I + ½ Δt ∇v) (v + a) Δt, second order
    followed   by Runge-Kutta of fourth order through the step's flow, 16 parts

Each policy is flown through the same flow by Runge-Kutta. Needs numpy and h5py.
"""

import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SPEEDS = (0.25, 0.35, 0.5)  # [m/s]
HEADINGS = 24
PARTS = 16  # of a step, in flights
WAYS = ("straight", "midpoint", "followed")


class Ocean:
    """Mean flow in cells a second on an even grid; positions are in cells."""

    def __init__(self, path):
        with h5py.File(path) as file:
            x, time = file["x"][:2], file["time"][:]
            self.cell, self.step = float(x[1] - x[0]), float(time[1] - time[0])
            self.levels = len(time)
            self.flow = np.stack([file["u_mean"][()], file["v_mean"][()]], axis=-1).astype(float) / self.cell
            mask = file["obstacle_mask"][()] != 0
            self.closed = mask if mask.ndim == 3 else np.broadcast_to(mask, self.flow.shape[:3])
            self.flow[self.closed] = np.nan_to_num(self.flow[self.closed])
        self.rows, self.columns = self.closed.shape[1:]

    def at(self, k, p):
        """Bilinear between cell centres, each point of p (…, xy)."""
        x = np.clip(p[..., 0], 0, self.columns - 1.001)
        y = np.clip(p[..., 1], 0, self.rows - 1.001)
        i, j = x.astype(int), y.astype(int)
        f, g = (x - i)[..., None], (y - j)[..., None]
        v = self.flow[k]
        return ((1 - g) * ((1 - f) * v[j, i] + f * v[j, i + 1]) + g * ((1 - f) * v[j + 1, i] + f * v[j + 1, i + 1]))

    def followed(self, k, p, a, parts, after=None):
        """Where p is after a step, by Runge-Kutta; after(q, share) is told each part's end."""
        dt = self.step / parts
        for n in range(parts):
            k1 = self.at(k, p) + a
            k2 = self.at(k, p + dt / 2 * k1) + a
            k3 = self.at(k, p + dt / 2 * k2) + a
            k4 = self.at(k, p + dt * k3) + a
            q = p + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            if after and after(p, q, n):
                return q
            p = q
        return p


def met(p, q, target, radius):
    """The share of the way from p to q (…, xy) after which it meets the disc; infinity where it does not."""
    r, w = p - target, q - p
    a, b, c = (w * w).sum(-1), (r * w).sum(-1), (r * r).sum(-1) - radius**2
    root = b * b - a * c
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(c <= 0, 0.0, (-b - np.sqrt(root)) / a)
    return np.where((c <= 0) | ((root >= 0) & (share >= 0) & (share <= 1)), share, np.inf)


def landings(ocean, k, way, own):
    """Where each action leads from each centre: (action, y, x, xy)."""
    centres = np.stack(np.meshgrid(np.arange(ocean.columns), np.arange(ocean.rows)), axis=-1).astype(float)
    v = ocean.flow[k]
    if way == "straight":
        return centres + (v + own[:, None, None]) * ocean.step
    if way == "midpoint":
        total = v + own[:, None, None]
        dy, dx = np.gradient(v, axis=(0, 1))
        return centres + ocean.step * (total + ocean.step / 2 * (dx * total[..., :1] + dy * total[..., 1:]))
    return np.stack([ocean.followed(k, centres, a, PARTS) for a in own])


def plan(ocean, way, speed, targets, radius):
    """Values and actions of all missions of a speed: (mission, level, y, x)."""
    angle = 2 * np.pi * np.arange(HEADINGS) / HEADINGS
    own = speed / ocean.cell * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    lost = -10 * ocean.step * ocean.levels
    value = np.full((len(targets), ocean.rows, ocean.columns), float(lost))
    actions = np.full((len(targets), ocean.levels, ocean.rows, ocean.columns), -1, dtype=np.int8)
    values = np.empty(actions.shape, dtype=np.float32)
    centres = np.stack(np.meshgrid(np.arange(ocean.columns), np.arange(ocean.rows)), axis=-1).astype(float)
    for k in range(ocean.levels - 2, -1, -1):
        to = landings(ocean, k, way, own)
        i, j = np.floor(to[..., 0]).astype(int), np.floor(to[..., 1]).astype(int)
        f, g = to[..., 0] - i, to[..., 1] - j
        inside = (i >= 0) & (j >= 0) & (i < ocean.columns - 1) & (j < ocean.rows - 1)
        i, j = np.clip(i, 0, ocean.columns - 2), np.clip(j, 0, ocean.rows - 2)
        barred = ~inside
        for m, target in enumerate(targets):
            v = np.where(ocean.closed[k + 1], lost, value[m])
            ahead = ((1 - g) * ((1 - f) * v[j, i] + f * v[j, i + 1]) + g * ((1 - f) * v[j + 1, i] + f * v[j + 1, i + 1]))
            worth = np.where(barred, lost, ahead - ocean.step)
            near = np.abs(centres - target).max(-1) < 2 + np.abs(to - centres).max()
            share = met(np.broadcast_to(centres, to.shape)[:, near], to[:, near], target, radius)
            worth[:, near] = np.where(np.isfinite(share), -share * ocean.step, worth[:, near])
            best = worth.argmax(0)
            actions[m, k] = best
            value[m] = np.take_along_axis(worth, best[None], 0)[0]
            values[m, k] = value[m]
    return values, actions, own


def fly(ocean, actions, own, start, target, radius):
    """Hours to the target; None where it is not met."""
    p = np.array(start, dtype=float)
    for k in range(ocean.levels - 1):
        i, j = int(round(p[0])), int(round(p[1]))
        if not (0 < i < ocean.columns - 1 and 0 < j < ocean.rows - 1) or ocean.closed[k, j, i]:
            return None
        arrived = []

        def judge(a, b, n):
            share = float(met(a, b, target, radius))
            if np.isfinite(share):
                arrived.append((n + share) / PARTS)
            return bool(arrived)

        p = ocean.followed(k, p, own[actions[k, j, i]], PARTS, judge)
        if arrived:
            return (k + arrived[0]) * ocean.step / 3600
    return None


def draw(rng, ocean, speed):
    """Start and target in open water [cells]."""
    while True:
        a, b = (rng.uniform((4, 4), (ocean.columns - 5, ocean.rows - 5)) for _ in range(2))
        a = np.round(a)  # a promise is that of a centre
        open_water = all(not ocean.closed[0, int(round(p[1])), int(round(p[0]))] for p in (a, b))
        seconds = np.hypot(*(a - b)) * ocean.cell / speed
        if open_water and np.hypot(*(a - b)) > 8 and seconds < 0.6 * ocean.levels * ocean.step:
            return a, b


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missions", type=int, default=18)
    parser.add_argument("--steps", default="3,6,12", help="hours")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--tidewise", type=Path, default=ROOT / "build/cpu/app/tidewise")
    options = parser.parse_args()
    print("| step | way | promise beside flight, median | most | hours flown beside the first row | not flown |")
    print("| --- | --- | --- | --- | --- | --- |")
    first = None
    with tempfile.TemporaryDirectory() as folder:
        for hours in options.steps.split(","):
            path = Path(folder) / f"{hours}h.h5"
            subprocess.run([options.tidewise, "env", "import", options.data / "rtofs_washington_2024.nc", "--spacing", "4km",
                            "--step", f"{hours}h", "--out", path, "-q"], check=True)
            ocean = Ocean(path)
            rng = np.random.default_rng(28)
            missions = [(SPEEDS[n % 3], *draw(rng, ocean, SPEEDS[n % 3])) for n in range(options.missions)] \
                if first is None else missions
            for way in WAYS:
                flown, off = {}, []
                for speed in SPEEDS:
                    own_missions = [n for n, mission in enumerate(missions) if mission[0] == speed]
                    if not own_missions:
                        continue
                    values, actions, own = plan(ocean, way, speed, [missions[n][2] for n in own_missions], 0.5)
                    for m, n in enumerate(own_missions):
                        _, start, target = missions[n]
                        hours_flown = fly(ocean, actions[m], own, start, target, 0.5)
                        i, j = int(round(start[0])), int(round(start[1]))
                        promised = -float(values[m, 0, j, i]) / 3600
                        if hours_flown is not None and promised < ocean.levels * ocean.step / 3600:
                            flown[n] = hours_flown
                            off.append(abs(promised / hours_flown - 1))
                if first is None:
                    first = flown
                both = [flown[n] / first[n] for n in flown if n in first]
                print(f"| {hours} h | {way} | {100 * statistics.median(off):.1f} % | {100 * max(off):.1f} % | "
                      f"{statistics.median(both):.3f} | {len(missions) - len(flown)} |", flush=True)


main()
