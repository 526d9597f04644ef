#!/usr/bin/env python3
"""What plans promise, beside what flights keep, on real forecasts and on double gyres.

  scripts/accuracy/promises.py [--data ../shared/data] [--tidewise build/cpu/app/tidewise]
                               [--out bench/results/accuracy_promises.json] [--only WORD]

Every mission says as little as a mission can: forecast, vehicle, start, target and the target's
radius. Each is planned by both rules of landing and flown through all realizations, twice: one
realization from start to end, and a fresh one at every step, for which the coefficients of each
level are shuffled among the realizations. What a plan is worth is held against what needs none.
Prints the tables of docs/trust/accuracy.md. Needs h5py and numpy.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

RTOFS = "rtofs_washington_2024.nc"
WIND = "wind_ensemble_21_members_2015.nc"

# What it is, and how it is made: arguments of `env import` or `env double-gyre`.
ENVIRONMENTS = {
    "lagged": ("9 lagged members, 3 km, 3 h", RTOFS, ["--spacing", "3km", "--lagged", "4"]),
    "coarse": ("5 lagged members, 6 km, 3 h", RTOFS, ["--spacing", "6km", "--lagged", "2"]),
    "one": ("one forecast, 3 km, 3 h", RTOFS, ["--spacing", "3km"]),
    "fine": ("one forecast, 1 km, 1 h", RTOFS, ["--spacing", "1km", "--step", "1h"]),
    "own": ("one forecast, its own 9 km, 3 h", RTOFS, []),
    "wind": ("21 members of wind, 25 km, 3 h", WIND, ["--spacing", "25km", "--step", "3h"]),
    "gyre 1": ("double gyre, 1 cell a step", None, ["--speed", "1", "--realizations", "1000"]),
    "gyre 2.5": ("double gyre, 2.5 cells a step", None, ["--speed", "2.5", "--realizations", "1000"]),
}

HARBOR, STRAIT, SHELF, OFFING = (-126.0, 46.8), (-124.95, 48.45), (-125.5, 47.2), (-126.2, 48.9)
PUSH, NEAR_PUSH, SOUTH = (-124.85, 47.9), (-125.25, 47.6), (-124.6, 46.9)

# Environment, speed [m/s or cells a step], from, to, radius [m or cells].
MISSIONS = [
    ("lagged", 0.5, HARBOR, STRAIT, 3000),
    ("lagged", 1.0, HARBOR, STRAIT, 3000),
    ("lagged", 0.35, SHELF, STRAIT, 3000),
    ("lagged", 0.25, SHELF, PUSH, 3000),
    ("lagged", 0.15, NEAR_PUSH, PUSH, 3000),
    ("coarse", 0.5, OFFING, SOUTH, 6000),
    ("coarse", 0.3, SHELF, PUSH, 6000),
    ("one", 0.5, HARBOR, STRAIT, 3000),
    ("one", 0.25, SHELF, PUSH, 3000),
    ("one", 0.15, NEAR_PUSH, PUSH, 3000),
    ("one", 1.0, OFFING, SOUTH, 3000),
    ("fine", 0.5, SHELF, PUSH, 3000),
    ("fine", 0.8, HARBOR, STRAIT, 3000),
    ("own", 0.4, OFFING, STRAIT, 9000),
    ("wind", 8.0, (-127.0, 37.0), (-122.5, 42.5), 50000),
    ("wind", 12.0, (-128.0, 43.0), (-123.0, 37.0), 50000),
    ("gyre 1", 1.0, (100.5, 40.5), (100.5, 160.5), 1.5),
    ("gyre 1", 1.0, (40.5, 60.5), (120.5, 100.5), 1.5),
    ("gyre 2.5", 1.0, (100.5, 40.5), (100.5, 160.5), 1.5),
    ("gyre 2.5", 1.0, (40.5, 60.5), (120.5, 100.5), 1.5),
]


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")


def shuffle(source, target):
    """The same ocean, but each level's realizations in an order of their own."""
    shutil.copy(source, target)
    random = numpy.random.default_rng(1)
    with h5py.File(target, "r+") as file:
        coefficient = file["coefficient"]  # (time, mode, realization)
        for k in range(coefficient.shape[0]):
            level = coefficient[k]
            coefficient[k] = level[:, random.permutation(level.shape[1])]


def make_environment(program, name, data, folder):
    _, source, options = ENVIRONMENTS[name]
    made = folder / f"{name}.h5"
    if source is None:
        run(program, "env", "double-gyre", "--out", made, *options, "-q")
    else:
        run(program, "env", "import", data / source, "--out", made, *options, "-q")
    shuffle(made, folder / f"{name} shuffled.h5")
    return made


def write_mission(path, environment, mission):
    _, speed, start, target, radius = mission
    degrees = "" if mission[0].startswith("gyre") else "_lonlat"
    path.write_text(
        f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [{speed}]\n[mission]\n'
        f"start{degrees} = {list(start)}\ntarget{degrees} = {list(target)}\n"
        f"target_radius = {float(radius)}\n"
    )


def flights(summary):
    rollout = summary["rollout"]
    return {
        "arrive": rollout["arrival_rate"],
        "time": rollout["time"]["mean"],
        "obstacle": rollout["failures"]["obstacle"] / rollout["trajectories"],
    }


def measure(program, mission, environment, landing, folder):
    file, out, fresh = folder / "mission.toml", folder / "run", folder / "fresh"
    for old in (out, fresh):
        shutil.rmtree(old, ignore_errors=True)
    write_mission(file, environment, mission)
    run(program, "plan", file, "--out", out, "--overwrite", "--set", f"planner.landing={landing}", "-q")
    shuffled = environment.with_name(environment.stem + " shuffled.h5")
    run(program, "rollout", out, "--environment", shuffled, "--out", fresh, "--overwrite", "--baselines", "none", "-q")
    summary = json.loads((out / "summary.json").read_text())
    size = summary["problem"]
    baselines = summary["baselines"]
    best = baselines["best"]
    return {
        "mission": mission,
        "landing": landing,
        "promised": {
            "arrive": summary["expected"]["arrival_probability"],
            "time": summary["expected"]["time"],
        },
        "flown": flights(summary),
        "fresh": flights(json.loads((fresh / "summary.json").read_text())),
        "baseline": {"name": best, **flights({"rollout": baselines[best]})} if best else None,
        "problem": {key: size[key] for key in ("nx", "ny", "levels", "realizations")},
        "solve_seconds": summary["seconds"]["solve"],
    }


def table(results):
    """Markdown: a line a mission and rule."""
    unit = {True: (1, ""), False: (3600, " h")}
    lines = [
        "| ocean | speed | rule | promised | flown | off | fresh draws | off | best without a plan |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for result in results:
        name = result["mission"][0]
        by, suffix = unit[name.startswith("gyre")]

        def say(part):
            if part is None:
                return "none arrives"
            time = "" if part["time"] is None else f"{part['time'] / by:.1f}{suffix}, "
            return f"{time}{100 * part['arrive']:.1f} %"

        def off(part):
            if part["time"] is None or result["promised"]["time"] is None:
                return "-"
            return f"{100 * (result['promised']['time'] / part['time'] - 1):+.1f} %"

        baseline = result["baseline"]
        lines.append(
            f"| {ENVIRONMENTS[name][0]} | {result['mission'][1]} | {result['landing']} | "
            f"{say(result['promised'])} | {say(result['flown'])} | {off(result['flown'])} | "
            f"{say(result['fresh'])} | {off(result['fresh'])} | "
            f"{say(baseline)}{', ' + baseline['name'] if baseline else ''} |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--only", default="", help="environments whose name holds this")
    options = parser.parse_args()
    results = []
    made = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for mission in MISSIONS:
            if options.only not in mission[0]:
                continue
            if mission[0] not in made:
                made[mission[0]] = make_environment(options.tidewise, mission[0], options.data, folder)
            for landing in ("area", "cell"):
                results.append(measure(options.tidewise, mission, made[mission[0]], landing, folder))
                print(table(results[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    print(table(results))
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
