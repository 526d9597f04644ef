#!/usr/bin/env python3
"""What a margin that flights choose is worth, in realizations that neither planned nor chose.

  scripts/accuracy/persistence.py [--data ../shared/data] [--tidewise build/cpu/app/tidewise]
                                  [--out bench/results/accuracy_persistence.json] [--only WORD] [--bound N]

Each ocean is made with realizations to plan by and others to fly through. Ten missions on each, at
random but for the published three, are planned without a margin and with planner.margin = "auto";
both policies fly through the others' realizations, as do, through the first --bound of them,
clairvoyants, who know each beforehand (tidewise bound). On Washington, whose
ensemble has nine members, one member after the other is left out and flown through. Prints the
tables of docs/trust/persistence.md. Needs h5py and numpy.
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
PLANNED, FLOWN = 150, 1000

SIZE = ["--modes", 4, "--realizations", PLANNED + FLOWN]
GYRE = ["double-gyre", "--nx", 50, "--ny", 50, "--nt", 70, *SIZE]
THREE = [([25.5, 10.5], [25.5, 40.5]), ([10.5, 40.5], [40.5, 10.5]), ([25.5, 40.5], [25.5, 8.5])]
PUBLISHED = [([100.5, 40.5], [100.5, 160.5]), ([40.5, 160.5], [160.5, 40.5]), ([100.5, 160.5], [100.5, 32.5])]
# (of `env`, the vehicle's speed, the least way in cells of a random mission, missions that are given)
GYRES = {
    "gyre 1": ([*GYRE, "--speed", 1], 1.0, 20, THREE),
    "gyre 2.5": ([*GYRE, "--speed", 2.5], 1.0, 20, THREE),
    "published": (["double-gyre", *SIZE], 1.0, 80, PUBLISHED),
    "wind": (["wind-driven-gyre", "--nx", 60, "--ny", 60, "--nt", 100, *SIZE], 1.5, 15, []),
}
OCEANS = {
    "gyre 1": "double gyre, 1 cell a step",
    "gyre 2.5": "double gyre, 2.5 cells a step",
    "published": "the published double gyre, 200 × 200",
    "wind": "wind-driven gyre of 60 × 60 cells, 1.5 m/s",
    "washington": "off Washington, nine lagged members, 3 km",
}


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")


def rng(name):
    return numpy.random.default_rng(sum(map(ord, name)))


def closed(path):
    """(time, y, x), or (y, x)."""
    with h5py.File(path) as file:
        mask = file["obstacle_mask"][...] if "obstacle_mask" in file else None
        ny, nx = len(file["y"]), len(file["x"])
        spacing = float(file["x"][1] - file["x"][0])
        origin = float(file["x"][0]), float(file["y"][0])
    return mask, ny, nx, spacing, origin


def random_missions(path, name, count, least):
    """Starts and targets in open water, at least so many cells apart."""
    mask, ny, nx, spacing, (x0, y0) = closed(path)
    shut = numpy.zeros((ny, nx), bool) if mask is None else (mask != 0).reshape(-1, ny, nx).any(0)
    random = rng(name)
    missions = []
    while len(missions) < count:
        a, b = (tuple(int(n) for n in random.integers(2, (nx - 2, ny - 2))) for _ in range(2))
        if shut[a[1], a[0]] or shut[b[1], b[0]] or numpy.hypot(a[0] - b[0], a[1] - b[1]) < least:
            continue
        place = lambda p: [x0 + spacing * p[0], y0 + spacing * p[1]]
        missions.append((place(a), place(b)))
    return missions, spacing


def mission_text(environment, speed, start, target, more=""):
    return (
        f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [{speed}]\nheadings = 24\n'
        f"[mission]\nstart = {start}\ntarget = {target}\n{more}"
        '[rollout]\nbaselines = "none"\n'
    )


def figures(rollout):
    """Of flights, as summary.json has them; what is null there is no number."""
    flights = rollout["trajectories"]
    known = lambda value: numpy.nan if value is None else value
    return {
        "arrive": rollout["arrival_rate"],
        "time": known(rollout["time"]["mean"]),
        "obstacle": rollout["failures"]["obstacle"] / flights,
        "outside": (rollout["failures"]["out_of_domain"] + rollout["failures"]["out_of_forecast"])
        / flights,
        "late": rollout["failures"]["out_of_time"] / flights,
        "objective": rollout["mean_total_reward"],
        "error": known(rollout["standard_error"]),
        "flights": flights,
    }


def plan_and_fly(program, text, margin, others, folder):
    """The flights through `others` of the policy, and its summary."""
    file, out, flown = folder / "mission.toml", folder / "run", folder / "flown"
    for old in (out, flown):
        shutil.rmtree(old, ignore_errors=True)
    file.write_text(text)
    run(program, "plan", file, "--out", out, "--overwrite", "--set", f"planner.margin={margin}", "-q")
    run(program, "rollout", out, "--environment", others, "--out", flown, "--overwrite", "-q")
    summary = json.loads((out / "summary.json").read_text())
    return figures(json.loads((flown / "summary.json").read_text())["rollout"]), summary


def clairvoyants(program, others, count, folder):
    """What who knows so many of `others` beforehand comes to; `gain`: of the mean total reward, beside
    the run that was planned last in the same realizations."""
    with h5py.File(others) as file:
        count = min(count, file["coefficient"].shape[2])
    known = folder / "known"
    shutil.rmtree(known, ignore_errors=True)
    run(program, "bound", folder / "run", "--environment", others, "--realizations", count,
        "--out", known, "-q")
    knowledge = json.loads((known / "summary.json").read_text())["knowledge"]
    return {**figures(knowledge["bound"]), "gain": knowledge["bound_gain"]["total_reward"]["mean"]}


def measure(program, name, text, others, spacing, folder, known):
    """Without a margin, and with the one that flights through the planned realizations chose; and
    clairvoyants in `known` realizations, unless that is 0."""
    found = {}
    for key, margin in (("none", 0.0), ("auto", '"auto"')):
        found[key], summary = plan_and_fly(program, text, margin, others, folder)
        found[key]["promised"] = summary["expected"]["arrival_probability"]
        found[key]["seconds"] = summary["seconds"]["total"]
    margins = summary.get("margins", [])
    if known:
        bound = clairvoyants(program, others, known, folder)
        found["bound"] = {**bound, "objective": found["auto"]["objective"] + bound["gain"]}
    found["auto"]["kept"] = sum(one["margin"] for one in margins if one["kept"]) / spacing
    line = ", ".join(
        f"{key} {100 * one['arrive']:.1f} % ({100 * one['obstacle']:.1f} % onto an obstacle) "
        f"{one['objective']:.1f}"
        for key, one in found.items()
    )
    print(f"  {name}: {line}; kept {found['auto']['kept']:.0f} cells", flush=True)
    return found


def select(program, whole, realizations, out):
    out.unlink(missing_ok=True)
    run(program, "env", "select", whole, "--out", out, "--realizations", realizations, "-q")
    return out


def ocean_to_plan(program, ocean, count, folder):
    """(missions, speed, a cell's width) on an ocean of gyres, whose realizations to plan by are left in
    folder/planned.h5 and those to fly through in folder/others.h5"""
    made, speed, least, published = GYRES[ocean]
    whole = folder / "whole.h5"
    run(program, "env", *made, "--out", whole, "-q")
    select(program, whole, f"0-{PLANNED - 1}", folder / "planned.h5")
    select(program, whole, f"{PLANNED}-{PLANNED + FLOWN - 1}", folder / "others.h5")
    missions, spacing = random_missions(whole, ocean, count, least)
    whole.unlink()
    return [*published, *missions][:count], speed, spacing


def measure_gyre(program, ocean, count, folder, known):
    missions, speed, spacing = ocean_to_plan(program, ocean, count, folder)
    results = []
    for start, target in missions:
        text = mission_text(folder / "planned.h5", speed, start, target)
        found = measure(program, f"{start} → {target}", text, folder / "others.h5", spacing, folder, known)
        results.append({"start": start, "target": target, "found": found})
    return results


def measure_washington(program, data, count, folder, known):
    whole = folder / "washington.h5"
    run(program, "env", "import", data / RTOFS, "--out", whole, "--spacing", "3km", "--lagged", 4, "-q")
    missions, spacing = random_missions(whole, "washington", count, 40)
    with h5py.File(whole) as file:
        members = file["coefficient"].shape[2]
    results = []
    for start, target in missions:
        of_members = []
        for out in range(members):
            left = ",".join(str(r) for r in range(members) if r != out)
            planned = select(program, whole, left, folder / "planned.h5")
            others = select(program, whole, f"{out}-{out}", folder / "others.h5")
            text = mission_text(planned, 0.35, start, target)
            of_members.append(
                measure(program, f"{start} → {target}, {out}", text, others, spacing, folder, known)
            )
        mean = {
            key: {
                figure: float(numpy.nanmean([one[key][figure] for one in of_members]))
                for figure in of_members[0][key]
            }
            for key in of_members[0]
        }
        results.append({"start": start, "target": target, "found": mean})
    return results


def summarize(results):
    rows = {}
    for key in results[0]["found"]:
        of_key = [one["found"][key] for one in results]
        rows[key] = {
            figure: float(numpy.mean([one.get(figure, numpy.nan) for one in of_key]))
            for figure in ("arrive", "time", "obstacle", "outside", "late", "objective", "promised",
                           "seconds")
        }
        gain = numpy.array(
            [one["found"][key]["objective"] - one["found"]["none"]["objective"] for one in results]
        )
        rows[key]["gain"] = float(gain.mean())
        rows[key]["gain_error"] = float(gain.std(ddof=1) / numpy.sqrt(len(gain)))
    return rows


def show(title, results):
    print(f"\n{title}, {len(results)} missions\n")
    print("| margin | arrive | after | onto an obstacle | leave | late | objective | gained | promised | s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for key, row in summarize(results).items():
        print(
            f"| {key} | {100 * row['arrive']:.1f} % | {row['time']:.4g} | {100 * row['obstacle']:.1f} % "
            f"| {100 * row['outside']:.1f} % | {100 * row['late']:.1f} % | {row['objective']:.1f} "
            f"| {row['gain']:+.1f} ± {row['gain_error']:.1f} | {100 * row['promised']:.1f} % "
            f"| {row['seconds']:.1f} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--only", choices=OCEANS, action="append")
    parser.add_argument("--missions", type=int, default=10)
    parser.add_argument("--bound", type=int, default=100, help="realizations of clairvoyants, 0: none")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.tidewise).resolve())
    all_results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ocean in arguments.only or OCEANS:
            title, count = OCEANS[ocean], arguments.missions
            print(f"{title}:", flush=True)
            if ocean == "washington":
                results = measure_washington(program, arguments.data, count, folder, arguments.bound)
            else:
                count = min(count, 3) if ocean == "published" else count
                results = measure_gyre(program, ocean, count, folder, arguments.bound)
            all_results[ocean] = results
            show(title, results)
    if arguments.out:
        arguments.out.write_text(json.dumps(all_results, indent=1) + "\n")


if __name__ == "__main__":
    main()
