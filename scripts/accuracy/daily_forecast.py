#!/usr/bin/env python3
"""Flights on a daily forecast, compared with the forecast itself (docs/trust/accuracy.md, "Daily forecasts").

    python scripts/accuracy/daily_forecast.py --missions 10

Takes each eighth time of the three-hourly file off Washington as a daily forecast, imports it with
steps of a day and with those that the import chooses, plans random missions on both, and flies each
policy once more through the daily file: linear between its own points and times, by the classical
Runge-Kutta method in steps of ten minutes. This flight uses only the policy and the positions of its
cells from Tidewise. 'tidewise rehearse' flies the policy through the same file, and must agree. Needs
h5py, numpy and scipy. Ends with status 1 if a flight by the chosen steps is off by more than 2 % and 20
minutes, or a rehearsal by more than 0.1 % and 12 minutes.
"""

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from scipy.interpolate import RegularGridInterpolator
from scipy.io import netcdf_file

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT.parent / "shared/data/rtofs_washington_2024.nc"
STEP = 600.0  # of the independent flight [s]
RADIUS = 4500.0  # of targets [m]
FLIGHT_TOLERANCE = 0.02, 1 / 3  # share, hours, for flights: the independent flight ends with whole steps
REHEARSAL_TOLERANCE = 0.001, 0.2  # share, hours, for rehearsals
_MISSION = """[environment]
file = "{file}"
[vehicle]
speeds = [{speed}]
headings = 32
[mission]
objective = "time"
start = [{start[0]}, {start[1]}]
target = [{target[0]}, {target[1]}]
target_radius = {radius}
[rollout]
realizations = "all"
baselines = "none"
[output]
directory = "{run}"
"""


class Source:
    """The daily forecast: each eighth time of the real file, from 03:00 on."""

    def __init__(self, path):
        with netcdf_file(SOURCE, "r", mmap=False) as file, netcdf_file(path, "w") as thin:
            for name, length in file.dimensions.items():
                thin.createDimension(name, len(self._days(file)) if name == "time" else length)
            for name, variable in file.variables.items():
                data = variable.data[::8] if variable.dimensions[0] == "time" else variable.data
                copy = thin.createVariable(name, data.dtype, variable.dimensions)
                copy[:] = data
                for key, value in variable._attributes.items():
                    setattr(copy, key, value)
            seconds = (self._days(file) - self._days(file)[0]) * 86400.0
            lat, lon = (file.variables[name].data.astype(float) for name in ("lat", "lon"))
            fields = [file.variables[name].data[::8].astype(float) for name in ("water_u", "water_v")]
        wet = np.all([np.abs(field[0]) < 50 for field in fields], axis=0)
        axes = seconds, lat, lon
        self._flow = [RegularGridInterpolator(axes, np.where(wet, field, 0)) for field in fields]
        self._wet = RegularGridInterpolator((lat, lon), wet.astype(float))
        self._is_wet = RegularGridInterpolator((lat, lon), wet.astype(float), method="nearest")

    @staticmethod
    def _days(file):
        return file.variables["time"].data.astype(float)[::8]

    def flow(self, lon, lat, seconds):
        """The current (east, north) [m/s], from wet points only."""
        share = max(float(self._wet((lat, lon))), 1e-9)
        return [float(component((seconds, lat, lon))) / share for component in self._flow]

    def is_wet(self, lon, lat):
        return float(self._is_wet((lat, lon))) > 0.5


class Policy:
    """Actions by place and level, and the map projection."""

    def __init__(self, run):
        with h5py.File(run / "policy.h5") as file:
            self.action, self.time = file["action"][...], file["time"][...].astype(float)
            self.heading, self.speed = file["heading"][...], file["speed"][...]
            self.x, self.y = file["x"][...], file["y"][...]
            self._map = [RegularGridInterpolator((self.y, self.x), file[name][...].astype(float))
                         for name in ("lon", "lat", "meridian_convergence")]
        self.step = self.time[1] - self.time[0]

    def place(self, x, y):
        """(longitude, latitude, convergence [rad])"""
        lon, lat, convergence = (float(component((y, x))) for component in self._map)
        return lon, lat, math.radians(convergence)

    def velocity(self, x, y, seconds):
        """Velocity through the water to true east and north, or None without an action."""
        cell = (int(seconds // self.step), round((y - self.y[0]) / (self.y[1] - self.y[0])),
                round((x - self.x[0]) / (self.x[1] - self.x[0])))
        action = self.action[cell]
        if action < 0:
            return None
        angle = self.heading[action] - self.place(x, y)[2]
        return self.speed[action] * math.cos(angle), self.speed[action] * math.sin(angle)


def fly(policy, source, start, target):
    """Hours to the target, or None."""

    def rate(x, y, seconds):
        lon, lat, convergence = policy.place(x, y)
        east, north = np.add(through_water, source.flow(lon, lat, seconds))
        c, s = math.cos(convergence), math.sin(convergence)
        return east * c - north * s, north * c + east * s

    (x, y), seconds = start, 0.0
    try:
        while seconds < policy.time[-1]:
            if seconds % policy.step == 0:
                through_water = policy.velocity(x, y, seconds)
                if through_water is None:
                    return None
            a = rate(x, y, seconds)
            b = rate(x + STEP / 2 * a[0], y + STEP / 2 * a[1], seconds + STEP / 2)
            c = rate(x + STEP / 2 * b[0], y + STEP / 2 * b[1], seconds + STEP / 2)
            d = rate(x + STEP * c[0], y + STEP * c[1], seconds + STEP)
            x += STEP / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
            y += STEP / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
            seconds += STEP
            if math.hypot(x - target[0], y - target[1]) <= RADIUS:
                return seconds / 3600
            if not source.is_wet(*policy.place(x, y)[:2]):
                return None
    except ValueError:  # beyond the file
        return None
    return None


def plan(tidewise, folder, environment, mission):
    """(predicted hours, simulated hours or None if the flight does not arrive, folder of the run)"""
    run = folder / f"{environment.stem}_run"
    text = _MISSION.format(file=environment, run=run, radius=RADIUS, **mission)
    (folder / "mission.toml").write_text(text)
    subprocess.run([tidewise, "-q", "plan", folder / "mission.toml", "--overwrite"], check=True,
                   capture_output=True)
    summary = json.loads((run / "summary.json").read_text())
    predicted = -summary["value_at_start"] / 3600
    with h5py.File(run / "trajectories.nc") as file:
        arrived = file["outcome"][0] == 0
        return predicted, float(np.nanmax(file["time"][0])) / 3600 if arrived else None, run


def rehearse(tidewise, run, source):
    """Hours of the program's own rehearsal, or None if it does not arrive."""
    command = [tidewise, "-q", "rehearse", run, "--source", source, "--json"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    end = json.loads(text)["members"][0]["rehearsal"]
    return end["time"] / 3600 if end["outcome"] == "arrived" else None


def missions(environment, count):
    """Starts and targets in open water, 50 to 140 km apart, that can be reached in four days."""
    draw = random.Random(1)
    with h5py.File(environment) as file:
        closed, x, y = (file[name][...] for name in ("obstacle_mask", "x", "y"))
    while count > 0:
        ends = []
        while len(ends) < 2:
            j, i = draw.randrange(8, len(y) - 8), draw.randrange(6, len(x) - 6)
            if closed[j - 2 : j + 3, i - 2 : i + 3].max() == 0:
                ends.append((float(x[i]), float(y[j])))
        speed, apart = draw.choice([0.25, 0.35, 0.5]), math.dist(*ends)
        if 50e3 < apart < 140e3 and apart / speed < 4.2 * 86400:
            count -= 1
            yield {"start": ends[0], "target": ends[1], "speed": speed}


def is_near(hours, true, allowed):
    """True if both arrive within a tolerance of each other, or neither arrives."""
    if hours is None or true is None:
        return hours is true
    return abs(hours - true) <= max(allowed[0] * true, allowed[1])


def text(hours):
    return "–" if hours is None else f"{hours:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise", type=Path)
    parser.add_argument("--missions", type=int, default=10)
    arguments = parser.parse_args()
    wrong = []
    time_errors = {"a day": [], "chosen": []}
    columns = " | ".join(f"{step}: {what}" for step in time_errors for what in ("predicted", "flown", "true", "rehearsed"))
    print(f"| km | m/s | {columns} |\n| --- | --- |" + " --- |" * 8)
    with tempfile.TemporaryDirectory(prefix="daily_forecast.") as name:
        folder = Path(name)
        source = Source(folder / "daily.nc")
        environments = {"a day": folder / "day.h5", "chosen": folder / "chosen.h5"}
        for step, file in environments.items():
            subprocess.run([arguments.tidewise, "-q", "env", "import", folder / "daily.nc", "--out",
                            file, "--spacing", "3km", *(["--step", "1d"] if step == "a day" else [])],
                           check=True, capture_output=True)
        for mission in missions(environments["chosen"], arguments.missions):
            row = []
            for step, file in environments.items():
                predicted, flown, run = plan(arguments.tidewise, folder, file, mission)
                true = fly(Policy(run), source, mission["start"], mission["target"])
                rehearsed = rehearse(arguments.tidewise, run, folder / "daily.nc")
                row += [predicted, flown, true, rehearsed]
                if not is_near(rehearsed, true, REHEARSAL_TOLERANCE):
                    wrong.append(f"{text(rehearsed)} h rehearsed, {text(true)} h true")
                if flown and true:
                    time_errors[step].append(abs(flown / true - 1))
                if step == "chosen" and not (flown and is_near(flown, true, FLIGHT_TOLERANCE)):
                    wrong.append(f"{text(flown)} h flown, {text(true)} h true")
            apart = math.dist(mission["start"], mission["target"]) / 1000
            print(f"| {apart:.0f} | {mission['speed']} | {' | '.join(map(text, row))} |", flush=True)
    for step, errors in time_errors.items():
        if errors:
            print(f"{step}: flown times off by {statistics.median(errors):.1%} in the median, "
                  f"{max(errors):.1%} at most", file=sys.stderr)
    print("\n".join(f"WRONG {line}" for line in wrong) or "All as in the documents.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
