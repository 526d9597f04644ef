#!/usr/bin/env python3
"""Prints the tables of docs/reproduction.md from the runs that scripts/reproduce.sh leaves.

    mission_table.py FOLDER

Needs nothing but Python. Times are in steps; energies in what one step at full speed takes.
"""

import json
import pathlib
import sys

STEP = 6220.8  # [s] between levels of the published ocean
MISSIONS = {"time": "(i) time", "energy": "(ii) energy", "net_energy": "(iii) net energy"}
LITERATURE = {"time": 61.25, "energy": 108.7, "net_energy": -190.0}
KNOWN = {"": "the whole forecast", "_mean": "its mean alone", "_still": "no flow"}


def read(run: pathlib.Path) -> dict:
    path = run / "summary.json"
    if not path.is_file():
        sys.exit(f"mission_table.py: {path} is not there; scripts/reproduce.sh makes it")
    return json.loads(path.read_text())


def in_unit(value, objective: str) -> str:
    """A time in steps, an energy as it is."""
    if value is None:
        return "–"
    return f"{value / STEP:.1f}" if objective == "time" else f"{value:.1f}"


def spread(rollout: dict, objective: str) -> str:
    figures = rollout[objective]
    low, middle, high = (in_unit(figures[p], objective) for p in ("p05", "p50", "p95"))
    return f"{in_unit(figures['mean'], objective)} ({low}, {middle}, {high})"


def outcome_table(folder: pathlib.Path) -> None:
    print("| mission | literature | expected by the plan | flown: mean (p05, p50, p95) | arrived | time flown, steps |")
    print("| --- | --- | --- | --- | --- | --- |")
    for objective, name in MISSIONS.items():
        summary = read(folder / f"gyre_{objective}")
        expected, rollout = summary["expected"], summary["rollout"]
        print(
            f"| {name} | {LITERATURE[objective]:g} | {in_unit(expected[objective], objective)} "
            f"| {spread(rollout, objective)} | {100 * rollout['arrival_rate']:.2f} % "
            f"| {spread(rollout, 'time')} |"
        )


def worth_table(folder: pathlib.Path) -> None:
    print("| mission | planned with | promised | expected in the flow | arrival expected | flown | arrived |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for objective, name in MISSIONS.items():
        for flow, known in KNOWN.items():
            run = folder / f"gyre_{objective}{flow}"
            promised = read(run)["expected"]
            summary = read(run / "in_the_flow" if flow else run)
            expected, rollout = summary["expected"], summary["rollout"]
            print(
                f"| {name} | {known} | {in_unit(promised[objective], objective)} "
                f"| {in_unit(expected[objective], objective)} | {100 * expected['arrival_probability']:.2f} % "
                f"| {in_unit(rollout[objective]['mean'], objective)} | {100 * rollout['arrival_rate']:.2f} % |"
            )


def waiting_table(folder: pathlib.Path) -> None:
    print("| c_t, full-speed steps a step | energy but for c_t, flown | time flown, steps: mean (p05, p50, p95) | arrived |")
    print("| --- | --- | --- | --- |")
    for cost, run in ((0.0, "gyre_energy"), (0.02, "gyre_energy_hurried")):
        rollout = read(folder / run)["rollout"]
        without = rollout["energy"]["mean"] - cost * rollout["time"]["mean"] / STEP
        print(f"| {cost:g} | {without:.1f} | {spread(rollout, 'time')} | {100 * rollout['arrival_rate']:.2f} % |")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    print("### The three missions\n")
    outcome_table(folder)
    print("\n### What knowing the flow is worth\n")
    worth_table(folder)
    print("\n### A small cost of time against waiting\n")
    waiting_table(folder)


if __name__ == "__main__":
    main()
