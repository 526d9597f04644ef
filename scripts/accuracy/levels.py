#!/usr/bin/env python3
"""What tells of flights that are off because levels are far apart (docs/trust/accuracy.md, "Change from level to level").

    scripts/accuracy/levels.py [--missions 12] [--data ../shared/data] [--tidewise build/cpu/app/tidewise]

Imports the three-hourly file off Washington, and each eighth of its times, by steps of 3 to 24 hours, of levels that
hold means or the flow of their own times, and resamples two of them by `env resample`; plans random missions (missions.py) and rehearses them in the file that was
imported. Along each flight it measures, as shares of a step's length, how far a step is bent (planner/run/way.h), how
much the flow changes there from level to level, and the second difference of that. Prints a row an import, and in how
many of all pairs a mission that is off by more than 2 % has more of each than one that is not, what was resampled left out.
Needs h5py, numpy, SciPy.
"""

import argparse
import json
import math
import random
import shutil
import tempfile
from pathlib import Path

import h5py
import numpy as np

import missions

MEASURES = ("bend", "change", "second difference")
WHOLE, DAILY = 0, 1  # of missions.oceans()
IMPORTS = [(WHOLE, step, sample, False) for sample in ("mean", "begin") for step in (3, 6, 12, 24)]
IMPORTS += [(DAILY, 6, "mean", False)]
IMPORTS += [(DAILY, 24, sample, resampled) for sample in ("mean", "begin") for resampled in (False, True)]


class Flow:
    """The mean flow of an environment's levels, bilinear between cells."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.x, self.y, self.time = (file[axis][:] for axis in ("x", "y", "time"))
            self._field = np.nan_to_num(np.stack([file["u_mean"][:], file["v_mean"][:]]))
        self.step = self.time[1] - self.time[0]

    def at(self, level, place):
        """(u, v) [m/s]."""
        rows, columns = self._field.shape[2:]
        i, j = ((c - axis[0]) / (axis[1] - axis[0]) for c, axis in zip(place, (self.x, self.y)))
        west, south = int(np.clip(i, 0, columns - 2)), int(np.clip(j, 0, rows - 2))
        across, along = i - west, j - south
        square = self._field[:, level, south : south + 2, west : west + 2]
        return square @ [1 - across, across] @ [1 - along, along]


def measure(flow, run):
    """The three measures of a run's first flight, in its whole steps."""
    with h5py.File(run / "trajectories.nc") as file:
        x, y, time, heading, speed = (file[name][0] for name in ("x", "y", "time", "heading", "speed"))
    length, sums = 0.0, np.zeros(3)
    for n in range(int(np.isfinite(x).sum()) - 2):
        level = round((time[n] - flow.time[0]) / flow.step)
        if level + 1 == len(flow.time):
            break
        here, there = np.array([x[n], y[n]]), np.array([x[n + 1], y[n + 1]])
        own = speed[n] * np.array([math.cos(heading[n]), math.sin(heading[n])])
        change = flow.at(level + 1, there) - flow.at(level, there)
        before = flow.at(level, there) - flow.at(max(level - 1, 0), there)
        length += max(np.hypot(*(there - here)), speed[n] * flow.step)
        sums += [
            np.hypot(*(there - here - (flow.at(level, here) + own) * flow.step)),
            np.hypot(*change) * flow.step,
            np.hypot(*(change - before)) * flow.step / 8 if level else 0,
        ]
    return sums / length if length else np.full(3, math.nan)


def off(one, other):
    """By which share of the time one is off the other; 9 where one alone arrives."""
    both = one["arrival_rate"] > 0 and other["arrival_rate"] > 0
    return abs(one["time"] / other["time"] - 1) if both else 9


def fly(program, ocean, whole, words, resampled, count, folder):
    """Per mission: off the file that was imported, off the whole file, and the measures."""
    environment, extent = missions.bring_in(program, ocean, None, folder, words)
    if resampled:
        program("env", "resample", environment, "--out", folder / "resampled.h5", "-q")
        environment = folder / "resampled.h5"
    flow, run, mission = Flow(environment), folder / "run", folder / "mission.toml"
    under_its_name = folder / "whole" / ocean[1][0].name  # as the environment's history has it
    under_its_name.parent.mkdir(exist_ok=True)
    shutil.copy(whole, under_its_name)
    rng = random.Random(2026)
    found = []
    for _ in range(4 * count):
        start, target, speed = missions.draw(rng, extent, ocean[3], ocean[4])
        mission.write_text(f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [{speed}]\n[mission]\n'
                           f'start = {list(start)}\ntarget = {list(target)}\n[rollout]\nbaselines = "none"\n')
        if len(found) == count or program("plan", mission, "--out", run, "--overwrite", "-q", may_refuse=True) is None:
            continue
        if json.loads((run / "summary.json").read_text())["expected"]["arrival_probability"] < 0.5:
            continue
        said = [program("rehearse", run, "--source", source, "--json", may_refuse=True) for source in (ocean[1][0], under_its_name)]
        if None in said:
            continue
        own, other = map(json.loads, said)
        found.append((off(own["flights"], own["rehearsal"]), off(other["flights"], other["rehearsal"]), measure(flow, run)))
    return found


def tell(values, bad):
    """In how many of all pairs the one that is bad has the greater value, for each measure."""
    return [float(np.mean(values[bad][:, None, m] > values[~bad][None, :, m])) for m in range(3)]


def main():
    """Reads the words, measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missions", type=int, default=12)
    parser.add_argument("--data", type=Path, default=missions.ROOT.parent / "shared/data")
    parser.add_argument("--tidewise", default=str(missions.ROOT / "build/cpu/app/tidewise"))
    words = parser.parse_args()
    pooled = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        oceans = list(missions.oceans(words.data, folder))
        for source, step, sample, resampled in IMPORTS:
            given = ["--step", f"{step}h", "--sample", sample]
            found = fly(missions.Program(words.tidewise), oceans[source], oceans[WHOLE][1][0], given, resampled, words.missions, folder)
            own, other, values = (np.array(column) for column in zip(*found))
            shares = ", ".join(f"{value:.2f}" for value in np.nanmedian(values, axis=0))
            print(f"| {oceans[source][0]}; {step} h, {sample}{', resampled' * resampled} | {100 * np.median(own):.1f} %, {100 * np.quantile(own, 0.9):.0f} % | "
                  f"{(own > 0.02).sum()} of {len(own)} | {100 * np.median(other):.1f} % | {shares} |", flush=True)
            pooled += [(sample, *one) for one in found if np.isfinite(one[2]).all() and not resampled]
    for word, those in (("all", pooled), ("means", [one for one in pooled if one[0] == "mean"])):
        told = tell(np.array([one[3] for one in those]), np.array([one[1] > 0.02 for one in those]))
        print(f"{word}: " + ", ".join(f"{name} {share:.2f}" for name, share in zip(MEASURES, told)))
    bent = [one[1] > 0.02 for one in pooled if one[3][0] > 0.1]
    print(f"bent by more than a tenth: {len(bent)} missions, of which {sum(bent)} are off by more than 2 %")


if __name__ == "__main__":
    main()
