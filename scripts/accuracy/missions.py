#!/usr/bin/env python3
"""Promise, flights and rehearsal of random missions on real forecasts (docs/trust/accuracy.md, "Random missions").

    scripts/accuracy/missions.py [--missions 40] [--ocean WORD] [--import WORDS] [--for-vehicle] [--data ../shared/data]
                                 [--tidewise build/cpu/app/tidewise] [--out FILE.json] [-- KEY=VALUE …]

Four oceans, each imported by nothing but its files, and on each random missions of three vehicles, planned by nothing
but speed, start and target (WORDS go to `env import`, as in --import="--spacing 4km"; with --for-vehicle each vehicle has
an environment that was imported with its --vehicle-speed; KEY=VALUE sets more of the missions). Each policy is rehearsed through the source files by
`tidewise rehearse`, which shares no code with the flights. Prints a row an ocean, and those missions that are off
without a warning. Needs numpy, h5py and SciPy.
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
from scipy.io import netcdf_file

ROOT = Path(__file__).resolve().parents[2]
FLIGHTS, PROMISE = 0.02, 0.03  # shares of the time that rehearsal and flights may be off by
POINTS = 0.03  # of arrival
SHORTEST, LONGEST = 8, 0.6  # of the source's points between start and target; of the forecast's length, in still water
GLIDERS, AIRSHIPS = (0.25, 0.35, 0.5), (6.0, 9.0, 12.0)  # [m/s]


def thinned(source, path):
    """Each eighth time of a classic NetCDF file, from 03:00 on."""
    with netcdf_file(source, "r", mmap=False) as file, netcdf_file(path, "w") as thin:
        for name, length in file.dimensions.items():
            times = len(range(0, len(file.variables["time"].data), 8))
            thin.createDimension(name, times if name == "time" else length)
        for name, variable in file.variables.items():
            data = variable.data[::8] if variable.dimensions[0] == "time" else variable.data
            copy = thin.createVariable(name, variable.data.dtype, variable.dimensions)
            copy[:] = data
            for key, value in variable._attributes.items():
                setattr(copy, key, value)
    return path


def oceans(data, folder):
    """Name, source files, what names the velocity where the import does not find it, metres between the source's points
    and speeds of each ocean."""
    rtofs = data / "rtofs_washington_2024.nc"
    u, v = (data / f"depth/nemo_norwegian_sea_2000_{component}.nc" for component in "UV")
    yield "RTOFS, 3 h", [rtofs], [], 7600, GLIDERS
    yield "RTOFS, a level a day", [thinned(rtofs, folder / "daily.nc")], [], 7600, GLIDERS
    yield "NEMO, a level in five days", [u, v], ["--u", f"{u}:uo", "--v", f"{v}:vo"], 14000, GLIDERS
    yield "wind, 21 members, 6 h", [data / "wind_ensemble_21_members_2015.nc"], [], 97000, AIRSHIPS


class Program:
    """The program, quietly."""

    def __init__(self, path):
        self.path = path

    def __call__(self, *words, may_refuse=False):
        """What it prints; None where it refuses its input and may do so."""
        made = subprocess.run([self.path, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if made.returncode == 2 and may_refuse:
            return None
        if made.returncode:
            sys.exit(f"missions.py: {' '.join(map(str, words))}: {made.stderr.strip()}")
        return made.stdout


def draw(rng, environment, width, speeds):
    """A start and a target in the plane, with a speed: far enough to be a way, near enough to be made."""
    x, y, hours = environment
    while True:
        places = [(rng.uniform(x[1], x[-2]), rng.uniform(y[1], y[-2])) for _ in range(2)]
        speed = rng.choice(speeds)
        distance = math.dist(*places)
        if SHORTEST * width <= distance <= LONGEST * hours * 3600 * speed:
            return *places, speed


def bring_in(program, ocean, speed, folder, words):
    """The environment of an ocean and the x, y [m] and hours that it has; for a vehicle, where it has a speed."""
    name, sources, names, _, _ = ocean
    file = folder / f"ocean_{speed}.h5"
    given = ["--vehicle-speed", speed] if speed else []
    program("env", "import", *(names or sources), *given, *words, "--out", file, "-q")
    with h5py.File(file) as environment:
        x, y, time = (environment[axis][:].tolist() for axis in ("x", "y", "time"))
    return file, (x, y, (time[-1] - time[0]) / 3600)


def measure(program, ocean, missions, folder, words, settings, for_vehicle):
    """Each mission's promise, flights and rehearsal, with what `plan` warns of."""
    name, sources, _, width, speeds = ocean
    run = folder / "run"
    files = {speed: bring_in(program, ocean, speed if for_vehicle else None, folder, words) for speed in speeds}
    extent = files[speeds[-1]][1]
    rng = random.Random(2026)
    found = []
    while len(found) < missions:
        start, target, speed = draw(rng, extent, width, speeds)
        mission = folder / "mission.toml"
        mission.write_text(
            f'[environment]\nfile = "{files[speed][0]}"\n[vehicle]\nspeeds = [{speed}]\n'
            f"[mission]\nstart = {list(start)}\ntarget = {list(target)}\n"
        )
        given = [word for setting in settings for word in ("--set", setting)]
        if program("plan", mission, "--out", run, "--overwrite", "-q", *given, may_refuse=True) is None:
            continue  # on land
        summary = json.loads((run / "summary.json").read_text())
        if summary["expected"]["arrival_probability"] < 0.5:
            continue  # a way that is barred
        rehearsed = program("rehearse", run, "--source", *sources, "--json", may_refuse=True)
        if rehearsed is None:
            continue  # in a cell at the rim, beyond the source's own points
        rehearsal = json.loads(rehearsed)
        found.append({
            "ocean": name, "start": start, "target": target, "speed": speed,
            "promise": {"arrival_rate": summary["expected"]["arrival_probability"], "time": summary["expected"]["time"]},
            "flights": rehearsal["flights"], "rehearsal": rehearsal["rehearsal"], "warnings": summary["warnings"],
        })
    return found


def off(one, other):
    """By which share of the time, and by how many points of arrival, one is off the other."""
    points = one["arrival_rate"] - other["arrival_rate"]
    both = one["arrival_rate"] > 0 and other["arrival_rate"] > 0
    return (one["time"] / other["time"] - 1 if both else math.nan), points


def report(missions):
    """The table of docs/trust/accuracy.md, and who is off in silence."""
    print("| ocean | missions | flights beside rehearsal, % | within 2 % | promise beside flights, % | within 3 % and 3 points | of the rest warned of |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    silent = []
    for ocean in dict.fromkeys(one["ocean"] for one in missions):
        here = [one for one in missions if one["ocean"] == ocean]
        flown = [off(one["flights"], one["rehearsal"]) for one in here]
        promised = [off(one["promise"], one["flights"]) for one in here]
        good = [abs(time) <= FLIGHTS and points == 0 for time, points in flown]
        kept = [abs(time) <= PROMISE and abs(points) <= POINTS for time, points in promised]
        rest = [one for one, well in zip(here, kept) if not well]
        warned = [one for one in rest if one["warnings"]]
        silent += [one for one in rest if not one["warnings"]]

        def spread(pairs):
            sizes = sorted(100 * abs(time) for time, _ in pairs if not math.isnan(time))
            return f"{statistics.median(sizes):.1f} (at most {sizes[-1]:.1f})" if sizes else "–"

        print(f"| {ocean} | {len(here)} | {spread(flown)} | {sum(good)} | {spread(promised)} | {sum(kept)} | {len(warned)} of {len(rest)} |")
    for one in silent:
        print(f"silent: {one['ocean']}, {one['speed']} m/s, {one['start']} to {one['target']}: promise {one['promise']}, flights {one['flights']}")


def main():
    """Reads the words, measures and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missions", type=int, default=40)
    parser.add_argument("--ocean", default="", help="only those whose name holds this word")
    parser.add_argument("--import", dest="imported", default="", help="further words of env import")
    parser.add_argument("--for-vehicle", action="store_true", help="import with each vehicle's --vehicle-speed")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--tidewise", default=str(ROOT / "build/cpu/app/tidewise"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("settings", nargs="*", help="KEY=VALUE of every mission")
    words = parser.parse_args()
    program = Program(words.tidewise)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for ocean in oceans(words.data, Path(folder)):
            if words.ocean in ocean[0]:
                found += measure(program, ocean, words.missions, Path(folder), words.imported.split(), words.settings, words.for_vehicle)
                print(f"{ocean[0]}: {words.missions} missions", file=sys.stderr)
    report(found)
    if words.out:
        words.out.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
