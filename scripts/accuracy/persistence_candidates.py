#!/usr/bin/env python3
"""Plans that may fly better in an ocean that stays, beside the published one (docs/trust/persistence.md).

  scripts/accuracy/persistence_candidates.py [--tidewise build/cpu/app/tidewise] [--cells 50]
  scripts/accuracy/persistence_candidates.py --ten "gyre 2.5" [--ten wind]

README's ocean and mission and two more, on a grid of so many cells a side (README's has 200) and as many
levels. 100 realizations plan, 1000 others are flown through. Candidates: margins, ten times the price of
failing, and plans by realizations that differ from their mean by more than they do. Prints a table; gains
are of the mean total reward, with the standard error over flights, each beside the published plan's in
the same realization. With --ten the candidates fly the ten missions of persistence.py on one of its
oceans, and the standard error is over missions. Needs h5py and numpy.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy
import persistence

PLANNED, FLOWN = 100, 1000
ARRIVAL, FAILURE = 100.0, -1000.0
MISSIONS = {"README's": ((50, 20), (50, 80)), "across": ((20, 80), (80, 20)), "southwards": ((50, 80), (50, 16))}
# (cells of margin, times the price of failing, times the spread)
CANDIDATES = {
    "as published": (0, 1, 1),
    "margin of one cell": (1, 1, 1),
    "of two": (2, 1, 1),
    "of three": (3, 1, 1),
    "price of failing x 10": (0, 10, 1),
    "price x 10, margin of one cell": (1, 10, 1),
    "spread x 1.5": (0, 1, 1.5),
    "spread x 2": (0, 1, 2),
    "spread x 2, margin of one cell": (1, 1, 2),
    "spread x 3": (0, 1, 3),
}


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments), "-q"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")


def spread_out(planned, times, folder):
    """A copy of the environment whose realizations differ so many times as much from their mean."""
    if times == 1:
        return planned
    wide = folder / f"planned_{times}.h5"
    if not wide.exists():
        shutil.copy(planned, wide)
        with h5py.File(wide, "r+") as file:
            file["coefficient"][...] = times * file["coefficient"][...]
    return wide


def fly(program, candidate, places, cells, folder):
    """Outcome and total reward, with the mission's own prices, of each flight."""
    margin, price, spread = candidate
    planned = spread_out(folder / "planned.h5", spread, folder)
    start, target = ([cells * part // 100 + 0.5 for part in place] for place in places)
    (folder / "mission.toml").write_text(
        f'[environment]\nfile = "{planned}"\n[vehicle]\nspeeds = [0.5, 1.0]\nheadings = 16\n'
        f"[mission]\nstart = {start}\ntarget = {target}\ntarget_radius = 0.5\n"
        f"arrival_reward = {ARRIVAL}\nfailure_penalty = {FAILURE}\n"
        f"[planner]\nmargin = {margin}\nfailure_factor = {price}\n"
        f'[rollout]\nmode = "none"\nbaselines = "none"\n'
    )
    plan, flown = folder / "plan", folder / "flown"
    for old in (plan, flown):
        shutil.rmtree(old, ignore_errors=True)
    run(program, "plan", folder / "mission.toml", "--out", plan, "--overwrite")
    run(program, "rollout", plan, "--environment", folder / "others.h5", "--mode", "continuous", "--out", flown, "--overwrite")
    with h5py.File(flown / "trajectories.nc") as file:
        outcome, time = file["outcome"][:], numpy.nanmax(file["time"][:], axis=1)
    return outcome, numpy.where(outcome == 0, ARRIVAL - time, FAILURE)


def fly_ten(program, ocean):
    """A table of the candidates on the ten missions of persistence.py."""
    found = {words: [] for words in CANDIDATES}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        missions, speed, spacing = persistence.ocean_to_plan(program, ocean, 10, folder)
        for start, target in missions:
            for words, (margin, price, spread) in CANDIDATES.items():
                planned = spread_out(folder / "planned.h5", spread, folder)
                more = f"[planner]\nfailure_factor = {price}\n"
                text = persistence.mission_text(planned, speed, start, target, more)
                flown, _ = persistence.plan_and_fly(
                    program, text, margin * spacing, folder / "others.h5", folder)
                found[words].append(flown)
    published = numpy.array([one["objective"] for one in found["as published"]])
    print(f"\n{persistence.OCEANS[ocean]}, ten missions\n\n"
          "| plan | arrive | onto an obstacle | late | objective | gained |\n| --- | --- | --- | --- | --- | --- |")
    for words, flown in found.items():
        objective = numpy.array([one["objective"] for one in flown])
        gain = objective - published
        share = [f"{100 * numpy.mean([one[of] for one in flown]):.2f} %" for of in ("arrive", "obstacle", "late")]
        print(f"| {words} | {' | '.join(share)} | {objective.mean():.1f} "
              f"| {gain.mean():+.1f} ± {gain.std(ddof=1) / len(gain) ** 0.5:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--cells", type=int, default=50)
    parser.add_argument("--ten", choices=("gyre 1", "gyre 2.5", "wind"), action="append", default=[])
    arguments = parser.parse_args()
    for ocean in arguments.ten:
        fly_ten(str(pathlib.Path(arguments.tidewise).resolve()), ocean)
    if arguments.ten:
        return
    program, cells = str(pathlib.Path(arguments.tidewise).resolve()), arguments.cells
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = folder / "whole.h5"
        run(program, "env", "double-gyre", "--nx", cells, "--ny", cells, "--nt", cells, "--modes", 4,
            "--realizations", PLANNED + FLOWN, "--out", whole)
        for part, which in (("planned", f"0-{PLANNED - 1}"), ("others", f"{PLANNED}-{PLANNED + FLOWN - 1}")):
            run(program, "env", "select", whole, "--realizations", which, "--out", folder / f"{part}.h5")
        for mission, places in MISSIONS.items():
            print(f"\n{mission}\n\n| plan | arrive | onto an obstacle | late | objective | gained |\n"
                  "| --- | --- | --- | --- | --- | --- |")
            published = None
            for words, candidate in CANDIDATES.items():
                outcome, reward = fly(program, candidate, places, cells, folder)
                published = reward if published is None else published
                gain = reward - published
                share = [f"{100 * numpy.mean(outcome == kind):.1f} %" for kind in (0, 1, 3)]
                print(f"| {words} | {' | '.join(share)} | {reward.mean():.1f} "
                      f"| {gain.mean():+.1f} ± {gain.std(ddof=1) / len(gain) ** 0.5:.1f} |", flush=True)


if __name__ == "__main__":
    main()
