#!/usr/bin/env python3
"""Estimated and flown times compared with the exact optimum (docs/trust/reach_times.md).

    scripts/accuracy/reach_times.py [--cells 50,100] [--tidewise build/cpu/app/tidewise]

Plans one realization of a double gyre on each grid, with steps in which the vehicle makes one cell, and
flies the plan from eight starts. The optimum is the best extremal of Pontryagin's principle. Prints a
table of errors in per cent. Ends with status 1 if a figure contradicts the page. Needs numpy, scipy
and xarray.
"""

import argparse
import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import xarray
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

ROOT = Path(__file__).resolve().parents[2]
# The flow: a mean and one mode whose coefficient is SWING sin(2 pi t / PERIOD), from the stream functions
# U L / (2 pi) sin(pi x / L) sin(n pi y / L), n = 2 and 1. The vehicle's speed is 1.
LENGTH, JET, SWING, PERIOD = 100.0, 1.2, 0.5, 250.0
STARTS = ((20, 50), (15, 30), (20, 75), (40, 20), (45, 80), (70, 85), (35, 60), (88, 25))
TARGET, RADIUS, HORIZON, REWARD = (78, 56), 5, 80, 100.0
HEADINGS = 3600  # of the scan for the first heading
SCAN_STEP = 0.25  # a divisor of each step of a plan
TOLERANCE = 1e-11
_MISSION = f"""[environment]
file = "gyre.h5"
[vehicle]
speeds = [1.0]
headings = 32
[mission]
start = {list(map(float, STARTS[0]))}
target = {list(map(float, TARGET))}
target_radius = {RADIUS}
arrival_reward = {REWARD}
[planner]
backend = "cpu"
[rollout]
mode = "none"
baselines = "none"
"""


def stream_velocity(x, y, waves):
    a, b = math.pi * x / LENGTH, math.pi * y / LENGTH
    return -JET / 2 * waves * np.sin(a) * np.cos(waves * b), JET / 2 * np.cos(a) * np.sin(waves * b)


def coefficient(t):
    return SWING * np.sin(2 * math.pi * t / PERIOD)


def velocity(x, y, t):
    (u0, v0), (u1, v1) = stream_velocity(x, y, 2), stream_velocity(x, y, 1)
    return u0 + coefficient(t) * u1, v0 + coefficient(t) * v1


def rates(t, state):
    """Rates of x, y and the heading, which turns by Zermelo's formula (1931)."""
    x, y, heading = state
    u, v = velocity(x, y, t)
    a, b = math.pi * x / LENGTH, math.pi * y / LENGTH
    k, swing = JET / 2 * math.pi / LENGTH, coefficient(t)
    u_x = -k * np.cos(a) * (2 * np.cos(2 * b) + swing * np.cos(b))
    u_y = k * np.sin(a) * (4 * np.sin(2 * b) + swing * np.sin(b))
    v_x = -k * np.sin(a) * (np.sin(2 * b) + swing * np.sin(b))
    c, s = np.cos(heading), np.sin(heading)
    return np.array([u + c, v + s, s * s * v_x + 2 * s * c * u_x - c * c * u_y])


def rates_from(begin, step):
    """The rates in the exact flow, or with steps in the flow of the step's beginning."""
    return rates if step is None else lambda _, state: rates(begin, state)


def distance(state):
    return np.hypot(state[0] - TARGET[0], state[1] - TARGET[1]) - RADIUS


def scan(start, step):
    """The initial heading of the extremal that enters the disc first"""
    headings = np.linspace(0, 2 * math.pi, HEADINGS, endpoint=False)
    state = np.array([np.full(HEADINGS, start[0]), np.full(HEADINGS, start[1]), headings])
    arrival, before = np.full(HEADINGS, np.inf), distance(state)
    for t in np.arange(0, HORIZON, SCAN_STEP):
        derivative, h = rates_from(t if step is None else t // step * step, step), SCAN_STEP
        a = derivative(t, state)
        b = derivative(t + h / 2, state + h / 2 * a)
        c = derivative(t + h / 2, state + h / 2 * b)
        d = derivative(t + h, state + h * c)
        state = state + h / 6 * (a + 2 * b + 2 * c + d)
        now = distance(state)
        new = (now <= 0) & np.isinf(arrival)
        arrival[new] = t + h * before[new] / (before[new] - now[new])
        before = now
        if arrival.min() < t - 1:  # by linear interpolation: a later one may be a little better
            return headings[np.argmin(arrival)]
    raise RuntimeError(f"no extremal from {start} reaches the target in {HORIZON}")


def follow(start, heading, step):
    """(time, state) at which the extremal enters the disc; the time is the horizon if it does not"""

    def entering(_, state):
        return distance(state)

    entering.terminal = True
    state, length = np.array([*start, heading]), step or HORIZON
    for begin in np.arange(0, HORIZON, length):
        piece = solve_ivp(rates_from(begin, step), (begin, begin + length), state, method="DOP853",
                          events=entering, rtol=TOLERANCE, atol=TOLERANCE, max_step=0.5)
        state = piece.y[:, -1]
        if len(piece.t_events[0]):
            return piece.t_events[0][0], state
    return HORIZON, state


def min_time(start, step=None):
    """The minimum time from `start` at time 0. With `step`, the minimum in a flow that is constant during each
    step, for a vehicle that may turn at any moment: no flight by levels is faster.

    Errors: RuntimeError if the final heading is not perpendicular to the disc's rim, as it is on an optimum."""
    middle, width = scan(start, step), 4 * math.pi / HEADINGS
    best = minimize_scalar(lambda heading: follow(start, heading, step)[0], method="bounded",
                           bounds=(middle - width, middle + width),
                           options={"xatol": 1e-10 if step is None else 1e-6})
    time, (x, y, heading) = follow(start, best.x, step)
    inward = np.array([TARGET[0] - x, TARGET[1] - y]) / RADIUS
    if math.hypot(*(inward - [math.cos(heading), math.sin(heading)])) > 1e-3:
        raise RuntimeError(f"the path from {start} ends at an angle to the rim")
    return time


def write_environment(path, cells, step):
    """A level holds the velocity at its time, at cell centres."""
    centres = (np.arange(cells) + 0.5) * (LENGTH / cells)
    times = np.arange(math.ceil(HORIZON / step) + 1) * step
    x, y = np.meshgrid(centres, centres)
    fields = {"coefficient": (("time", "mode", "realization"), coefficient(times)[:, None, None])}
    for name, waves, axes in (("mean", 2, ("y", "x")), ("mode", 1, ("mode", "y", "x"))):
        for letter, field in zip("uv", stream_velocity(x, y, waves)):
            shape = (len(times), *(1,) * (len(axes) - 2), *field.shape)
            fields[f"{letter}_{name}"] = ("time", *axes), np.broadcast_to(field, shape)
    axes = {"time": times, "mode": [0], "realization": [0], "y": centres, "x": centres}
    environment = xarray.Dataset(
        {name: (dims, field.astype("f4"), {"units": "1"}) for name, (dims, field) in fields.items()},
        {name: (name, values, {"units": "1"}) for name, values in axes.items()})
    environment.to_netcdf(path, format="NETCDF4")


def time_to_rim(t, x, y):
    """Remaining time of a flight that ended in a cell next to the disc, straight at speed 1: the smallest s >= 0 with
    |d - s (u, v)| = radius + s."""
    dx, dy = TARGET[0] - x, TARGET[1] - y
    c = dx * dx + dy * dy - RADIUS**2
    if c <= 0:
        return 0.0
    u, v = velocity(x, y, t)
    a, b = u * u + v * v - 1, dx * u + dy * v + RADIUS
    return float(c / (b + np.sqrt(b * b - a * c)))


def plan_and_fly(tidewise, folder, cells):
    """(estimated times, flown times, seconds of the solve); a flight that does not arrive takes infinity"""

    def run(*words):
        subprocess.run([tidewise, *words, "--overwrite", "-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    write_environment(folder / "gyre.h5", cells, LENGTH / cells)
    (folder / "mission.toml").write_text(_MISSION)
    run("plan", "mission.toml", "--out", "run")
    seconds = json.loads((folder / "run/summary.json").read_text())["seconds"]["solve"]
    estimated, flown = [], []
    for start in STARTS:
        run("rollout", "run", "--at-xy", "{},{}".format(*start), "--mode", "continuous", "--out", "flight")
        value = json.loads((folder / "flight/summary.json").read_text())["value_at_start"]
        estimated.append(REWARD - value)
        with xarray.open_dataset(folder / "flight/trajectories.nc", decode_times=False) as flight:
            t, x, y = (float(flight[name][0, -1]) for name in ("time", "x", "y"))
            flown.append(t + time_to_rim(t, x, y) if int(flight["outcome"][0]) == 0 else math.inf)
    return np.array(estimated), np.array(flown), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", default="50,100", help="a side, with commas; the page has up to 400")
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise", type=Path)
    arguments = parser.parse_args()
    optimum = np.array([min_time(start) for start in STARTS])
    wrong, means = [], []
    print("| cells | estimated | flown | greatest | s |\n| --- |" + " --- |" * 4)
    with tempfile.TemporaryDirectory(prefix="reach_times.") as folder:
        for cells in map(int, arguments.cells.split(",")):
            estimated, flown, seconds = plan_and_fly(arguments.tidewise.absolute(), Path(folder), cells)
            late = flown / optimum - 1
            print(f"| {cells}² | {100 * (estimated / optimum - 1).mean():+.2f} | {100 * late.mean():+.3f} "
                  f"| {100 * late.max():+.3f} | {seconds:.2g} |", flush=True)
            means.append(late.mean())
            min_times = np.array([min_time(start, LENGTH / cells) for start in STARTS])
            if not np.isfinite(flown).all():
                wrong.append(f"{cells} cells: not every flight arrives")
            elif ((flown - min_times) / optimum < -1e-3).any():
                wrong.append(f"{cells} cells: a flight is faster than is possible")
            elif late.max() > (0.003 if cells >= 400 else 0.03):
                wrong.append(f"{cells} cells: a flight is too late")
    if any(finer >= coarser for coarser, finer in itertools.pairwise(means)):
        wrong.append("finer grids do not fly better")
    if means[-1] > 0.005:
        wrong.append("flights are more than 0.5 % late on the finest grid")
    print("\n".join(f"WRONG {line}" for line in wrong) or "As on the page.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
