#!/usr/bin/env python3
"""Plans missions on the real files as a new user would, and holds each promise against its flights.

  scripts/accuracy/real_missions.py --data ../shared/data --out results.json [--markdown table.md]

Every mission says as little as a mission can: forecast, vehicle, start, target and the target's
radius. Each is planned by both rules of landing and flown through all of its realizations. The
double gyres are flown both ways: fresh draws at every step, and one realization throughout.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

RTOFS = "rtofs_washington_2024.nc"
WIND = "wind_ensemble_21_members_2015.nc"

# Environments: name, file, options of `env import`, what it is.
ENVIRONMENTS = {
    "lagged": (RTOFS, ["--spacing", "3km", "--lagged", "4"], "RTOFS, 9 lagged members, 3 km, 3 h"),
    "lagged-6km": (RTOFS, ["--spacing", "6km", "--lagged", "2"], "RTOFS, 5 lagged members, 6 km, 3 h"),
    "one": (RTOFS, ["--spacing", "3km"], "RTOFS, one forecast, 3 km, 3 h"),
    "one-1km": (RTOFS, ["--spacing", "1km"], "RTOFS, one forecast, 1 km, 3 h"),
    "one-own": (RTOFS, [], "RTOFS, one forecast, its own grid, 3 h"),
    "wind": (WIND, ["--spacing", "25km", "--step", "3h"], "21-member wind, 25 km, 3 h"),
    "wind-own": (WIND, [], "21-member wind, its own grid, 6 h"),
}

LANDINGS = ("area", "cell")
HARBOR, STRAIT = (-126.0, 46.8), (-124.95, 48.45)
SHELF, PUSH, OFFING, SOUTH = (-125.5, 47.2), (-124.85, 47.9), (-126.2, 48.9), (-124.6, 46.9)

# Missions: environment, speed [m/s], from, to, radius [m].
MISSIONS = [
    ("lagged", 0.5, HARBOR, STRAIT, 3000),
    ("lagged", 1.0, HARBOR, STRAIT, 3000),
    ("lagged", 0.35, SHELF, STRAIT, 3000),
    ("lagged", 0.25, SHELF, PUSH, 3000),
    ("lagged", 0.15, SHELF, PUSH, 3000),
    ("lagged-6km", 0.5, OFFING, SOUTH, 6000),
    ("lagged-6km", 0.3, SHELF, PUSH, 6000),
    ("one", 0.5, HARBOR, STRAIT, 3000),
    ("one", 0.25, SHELF, PUSH, 3000),
    ("one", 0.15, SHELF, PUSH, 3000),
    ("one", 1.0, OFFING, SOUTH, 3000),
    ("one-1km", 0.5, SHELF, PUSH, 3000),
    ("one-1km", 0.8, HARBOR, STRAIT, 3000),
    ("one-own", 0.4, OFFING, STRAIT, 9000),
    ("wind", 5.0, (-127.0, 37.0), (-122.5, 42.5), 30000),
    ("wind-own", 8.0, (-128.0, 43.0), (-123.0, 37.0), 100000),
]


def run(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")


def mission_text(environment, speed, start, target, radius):
    return (
        f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [{speed}]\n[mission]\n'
        f"start_lonlat = {list(start)}\ntarget_lonlat = {list(target)}\ntarget_radius = {radius}.0\n"
    )


def outcome(folder):
    found = json.loads((folder / "summary.json").read_text())
    flown = found["rollout"]
    best = None
    for name, other in found.get("baselines", {}).get("of", {}).items():
        best = best_of(best, name, other)
    return found, flown, best


def best_of(best, name, other):
    key = (other["arrival_rate"], -(other["time"] or {"mean": 0})["mean"])
    return max(best, (key, name, other)) if best else (key, name, other)


def fly(program, folder, environment, mission, landing):
    file = folder / "mission.toml"
    file.write_text(mission_text(environment, *mission))
    out = folder / landing
    run(program, ["plan", file, "--out", out, "--set", f"planner.landing={landing}", "-q"])
    return json.loads((out / "summary.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for key, (file, choices, _) in ENVIRONMENTS.items():
            run(options.tidewise, ["env", "import", options.data / file, "--out", folder / f"{key}.h5", *choices, "-q"])
        for mission in MISSIONS:
            for landing in LANDINGS:
                found = fly(options.tidewise, folder, folder / f"{mission[0]}.h5", mission[1:], landing)
                results.append({"mission": mission, "landing": landing, "summary": found})
                print(mission, landing, json.dumps({k: found.get(k) for k in ("expected",)}), flush=True)
    options.out.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
