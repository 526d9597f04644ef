#!/usr/bin/env python3
"""Measures what learning on the way is worth (docs/trust/learning.md): flies open policies, vehicles
that learn and clairvoyants through the same oceans, writes a table and a picture.

  scripts/accuracy/learning_study.py FOLDER [--tidewise PROGRAM] [--data FOLDER] [--only WORD …]

What is there already in FOLDER is kept: a study that was stopped goes on. Needs matplotlib for the
picture alone."""

import argparse
import json
import math
import pathlib
import subprocess
import sys

import xarray

GYRE = """[environment]
file = "{environment}"
[vehicle]
speeds = [1.0]
headings = 32
[mission]
start = [25.5, 10.5]
target = [25.5, 40.5]
[rollout]
baselines = "none"
[output]
directory = "{run}"
"""

WIND_DRIVEN = """[environment]
file = "{environment}"
[vehicle]
speeds = [0.7]
headings = 32
[mission]
start = [500000.0, 200000.0]
target = [500000.0, 800000.0]
target_radius = 20000.0
[rollout]
baselines = "none"
[output]
directory = "{run}"
"""

WASHINGTON = """[environment]
file = "{environment}"
[vehicle]
speeds = [0.5]
headings = 32
[mission]
start_lonlat = [-126.0, 46.8]
target_lonlat = [-124.95, 48.45]
target_radius = 3000.0
[rollout]
baselines = "none"
[output]
directory = "{run}"
"""

# name: how to make it, {data} the folder of shared data
ENVIRONMENTS = {
    "gyre": "env double-gyre --nx 50 --ny 50 --nt 66 --modes 5 --realizations 1001",
    "gyre_other": "env double-gyre --nx 50 --ny 50 --nt 66 --modes 5 --realizations 200 --seed 2",
    "gyre_slow": "env double-gyre --nx 50 --ny 50 --nt 66 --modes 5 --realizations 1001 --speed 2",
    "wind_driven": ("env wind-driven-gyre --nx 50 --ny 50 --nt 60 --modes 6 --realizations 1001 "
                    "--level-step 24883.2s"),
    "washington": "env import {data}/rtofs_washington_2024.nc --spacing 3km --step 3h --lagged 4",
}

# run: the environment that it plans on, and its mission
RUNS = {
    "gyre": GYRE,
    "gyre_two_modes": GYRE,
    "gyre_slow": GYRE,
    "wind_driven": WIND_DRIVEN,
    "washington": WASHINGTON,
}

LEARNED = "--replan-every 5 --observation-error 0.1"

ON_THE_COAST = "--replan-every 4 --observation-error 0.05"

# name of the case: run, options, how many flights, what it shows
CASES = {
    "gyre": ("gyre", LEARNED, 200, "double gyre, the truth left out of the ensemble"),
    "wind_driven": ("wind_driven", "--replan-every 5 --observation-error 0.05", 200,
                    "wind-driven gyre, the truth left out"),
    **{f"washington_{k}": ("washington", f"{ON_THE_COAST} --time {k}", 0,
                           f"Washington, leaving at level {k}") for k in range(16)},
    "gyre_two_modes": ("gyre_two_modes", LEARNED + " --truth gyre.h5", 60,
                       "2 of the truth's 5 modes"),
    "gyre_slow": ("gyre_slow", LEARNED + " --truth gyre_other.h5", 60,
                  "a forecast of 80 % of the flow"),
    "gyre_too_sure": ("gyre", "--replan-every 5 --observation-error 0.5 --assumed-error 0.05", 60,
                      "error 0.5, taken for 0.05"),
    **{f"washington_near_{k}": ("washington", f"{ON_THE_COAST} --at=-125.5,47.2 "
                                f"--time {k}", 0,
                                f"Washington, a nearer start, leaving at level {k}")
       for k in range(0, 24, 3)},
    "gyre_every_2": ("gyre", "--replan-every 2 --observation-error 0.1", 60,
                     "a plan every 2 steps in place of 5"),
    "gyre_error_05": ("gyre", "--replan-every 5 --observation-error 0.5", 60,
                      "error 0.5, known"),
    "gyre_other": ("gyre", LEARNED + " --truth gyre_other.h5", 60, "truths of another sample"),
    "gyre_two_modes_modest": ("gyre_two_modes", LEARNED + " --assumed-error 0.4 --truth gyre.h5",
                              60, "2 of 5 modes, error taken for 0.4"),
    "gyre_too_modest": ("gyre", LEARNED + " --assumed-error 1", 60, "error 0.1, taken for 1"),
    "gyre_every_10": ("gyre", "--replan-every 10 --observation-error 0.1", 60,
                      "a plan every 10 steps"),
}


class Study:
    def __init__(self, arguments):
        self.folder = pathlib.Path(arguments.folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.program = str(pathlib.Path(arguments.tidewise).resolve())
        self.data = str(pathlib.Path(arguments.data).resolve())
        self.threads = arguments.threads

    def tidewise(self, words):
        print("tidewise", " ".join(words), flush=True)
        done = subprocess.run([self.program, *words], cwd=self.folder, text=True,
                              capture_output=True)
        if done.returncode != 0:
            sys.exit(f"tidewise {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def environment(self, name):
        file = self.folder / f"{name}.h5"
        if not file.exists():
            if name == "gyre_two_modes":
                self.environment("gyre")
                with xarray.open_dataset(self.folder / "gyre.h5", decode_cf=False) as gyre:
                    gyre.isel(mode=slice(0, 2)).to_netcdf(file)
                return
            words = [word.format(data=self.data) for word in ENVIRONMENTS[name].split()]
            self.tidewise([*words, "--out", f"{name}.h5", "-q"])

    def run(self, name):
        if (self.folder / name / "summary.json").exists():
            return
        self.environment(name)
        (self.folder / f"{name}.toml").write_text(
            RUNS[name].format(environment=f"{name}.h5", run=name))
        self.tidewise(["plan", f"{name}.toml", "--overwrite", "-q"])

    def case(self, name):
        summary = self.folder / "cases" / name / "summary.json"
        if not summary.exists():
            run, options, flights, _ = CASES[name]
            self.run(run)
            words = options.split()
            if "--truth" in words:
                self.environment(words[words.index("--truth") + 1].removesuffix(".h5"))
            if flights > 0:
                words += ["--realizations", str(flights)]
            out = self.tidewise(["rollout", run, "--mode", "adaptive", *words, "--threads",
                                 str(self.threads), "--out", f"cases/{name}", "-q"])
            (self.folder / f"{name}.txt").write_text(out)
        return json.loads(summary.read_text())


def with_error(mean, error, digits):
    return "–" if mean is None else f"{mean:.{digits}f} ± {error:.{digits}f}"


def row(name, knowledge, unit):
    """A line of the table."""
    figures = [knowledge["open"], knowledge["adaptive"], knowledge["bound"]]
    n = knowledge["open"]["trajectories"]
    cells = [CASES[name][3], str(n)]
    cells += [f"{100 * f['arrival_rate']:.1f}" for f in figures]
    cells += [with_error(f["time"]["mean"] / unit, f["time"]["standard_error"] / unit, 1)
              for f in figures]
    gain = knowledge["adaptive_gain"]["time"]
    cells.append(with_error(gain["mean"] / unit, gain["standard_error"] / unit, 2))
    closed = knowledge["regret_closed"]
    cells.append(with_error(100 * closed["mean"], 100 * closed["standard_error"], 0))
    cells.append(f"{knowledge['learning']['consistency']:.2f}")
    return "| " + " | ".join(cells) + " |"


HEAD = ("| case | flights | arrive, %: open | learning | clairvoyant | time: open | learning | "
        "clairvoyant | learning saves | regret closed, % | chi-square |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")


def pooled_row(study, names, label, unit):
    """Several departures of one ensemble as one line: means over all flights; errors from departure
    to departure, for flights that leave together share an ocean."""
    parts = [study.case(name)["knowledge"] for name in names]
    n = sum(part["open"]["trajectories"] for part in parts)

    def mean(values):
        m = sum(values) / len(values)
        spread = math.sqrt(sum((v - m) ** 2 for v in values) / (len(values) - 1))
        return m, spread / math.sqrt(len(values))

    kinds = ("open", "adaptive", "bound")
    cells = [label, str(n)]
    cells += [f"{100 * mean([p[k]['arrival_rate'] for p in parts])[0]:.1f}" for k in kinds]
    for k in kinds:
        cells.append(with_error(*(v / unit for v in mean([p[k]["time"]["mean"] for p in parts])), 1))
    saved = [p["adaptive_gain"]["time"]["mean"] for p in parts]
    gap = [p["bound_gain"]["time"]["mean"] for p in parts]
    cells.append(with_error(*(v / unit for v in mean(saved)), 2))
    share = mean(saved)[0] / mean(gap)[0]
    rest = mean([s - share * g for s, g in zip(saved, gap)])[1]
    cells.append(with_error(100 * share, 100 * rest / mean(gap)[0], 0))
    cells.append(f"{mean([p['learning']['consistency'] for p in parts])[0]:.2f}")
    return "| " + " | ".join(cells) + " |"


def tracks(study, folder):
    """x, y and total reward of the flights of a folder: (flight, point), (flight)."""
    import h5py
    with h5py.File(study.folder / folder / "trajectories.nc") as nc:
        return nc["x"][:], nc["y"][:], nc["total_reward"][:]


def draw_ways(study, axes):
    """One truth's three ways: where learning gains as much as it does in the median of the flights
    in which it gains."""
    import h5py
    import numpy as np
    if not (study.folder / "cases" / "gyre_bound").exists():
        study.tidewise(["bound", "gyre", "--realizations", "200", "--out", "cases/gyre_bound",
                        "--threads", str(study.threads), "-q"])
    ways = {"open policy": tracks(study, "gyre"), "learning": tracks(study, "cases/gyre"),
            "clairvoyant": tracks(study, "cases/gyre_bound")}
    gain = ways["learning"][2][:200] - ways["open policy"][2][:200]
    gaining = [n for n in np.argsort(gain) if 0 < gain[n] < 100]
    truth = int(gaining[len(gaining) // 2])
    with h5py.File(study.folder / "gyre.h5") as file:
        level = 10
        flow = [file[f"{c}_mean"][level] + np.tensordot(file["coefficient"][level, :, truth],
                                                        file[f"{c}_mode"][level], 1) for c in "uv"]
        x, y = file["x"][:], file["y"][:]
    axes.quiver(x[::3], y[::3], flow[0][::3, ::3], flow[1][::3, ::3], color="0.75")
    for (name, (px, py, reward)), color in zip(ways.items(), ("tab:blue", "tab:green", "tab:orange")):
        axes.plot(px[truth], py[truth], ".-", color=color, label=f"{name}, {100 - reward[truth]:.1f}")
    axes.plot([25.5], [10.5], "ks")
    axes.plot([25.5], [40.5], "k*", markersize=12)
    axes.set_aspect("equal")
    axes.set_xlabel("x, cells")
    axes.set_ylabel("y, cells")
    axes.legend(title="steps to the target", loc="upper left", fontsize=8)
    axes.set_title(f"Truth {truth}, its flow at level {level}", fontsize=10)


def draw(study, names, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, (ways, axes) = plt.subplots(1, 2, figsize=(12, 5), width_ratios=(1, 1.15))
    draw_ways(study, ways)
    least = -60  # what lies beyond is written, not drawn
    for place, name in enumerate(reversed(names)):
        knowledge = study.case(name)["knowledge"]
        closed = knowledge["regret_closed"]
        mean, error = 100 * closed["mean"], 100 * closed["standard_error"]
        color = "tab:green" if mean > 0 else "tab:red"
        axes.barh(place, max(mean, least), color=color, alpha=0.75)
        if mean > least:
            axes.errorbar(mean, place, xerr=error, color="black", capsize=3)
        lost = 100 * (knowledge["open"]["arrival_rate"] - knowledge["adaptive"]["arrival_rate"])
        note = f"{mean:.0f} ± {error:.0f}, chi-square {knowledge['learning']['consistency']:.2g}"
        if lost > 0:
            note += f", {lost:.0f} % of arrivals lost"
        axes.text(max(mean + error, 0) + 2, place, note, fontsize=7, va="center")
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlim(least, 110)
    axes.set_yticks(range(len(names)), [CASES[name][3] for name in reversed(names)], fontsize=8)
    axes.set_xlabel("regret closed, % (bars: standard error)")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", help="cases whose names begin so")
    arguments = parser.parse_args()
    study = Study(arguments)
    names = [name for name in CASES
             if not arguments.only or any(name.startswith(word) for word in arguments.only)]
    lines = [HEAD]
    coast = [name for name in names if name.startswith("washington")]
    for name in names:
        summary = study.case(name)
        if name not in coast:
            unit = 3600 if name.startswith("wind_driven") else 1
            lines.append(row(name, summary["knowledge"], unit))
            print(lines[-1], flush=True)
    near = [name for name in coast if "near" in name]
    far = [name for name in coast if name not in near]
    for some, label in ((far, "Washington"), (near, "Washington, a nearer start")):
        if len(some) > 1:
            lines.append(pooled_row(
                study, some, f"{label}: {len(some)} departures, each member left out", 3600))
    table = "\n".join(lines) + "\n"
    (study.folder / "table.md").write_text(table)
    print(table)
    drawn = [name for name in names if name not in coast]
    if "gyre" in drawn:
        draw(study, drawn, study.folder / "learning.png")


if __name__ == "__main__":
    main()
