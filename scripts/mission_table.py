#!/usr/bin/env python3
"""Prints the tables of docs/trust/reproduction.md from the runs of scripts/reproduce.sh.

    mission_table.py FOLDER

Needs nothing but Python. Times are in steps; energies in those of one step at full speed.
"""

import json
import pathlib
import sys

STEP = 6220.8  # [s] between levels of the published ocean
MISSIONS = {"time": "(i) time", "energy": "(ii) energy", "net_energy": "(iii) net energy"}
LITERATURE = {"time": 61.25, "energy": 108.7, "net_energy": -190.0}
KNOWN = {"": "the whole forecast", "_mean": "only its mean", "_still": "no flow"}
LANDING = {"": "area", "_by_cell": "cell, as published"}

WAITING = (
    ("F/2, F", 0.0, "gyre_energy"),
    ("F/2, F", 0.1, "gyre_energy_c_t_0.1"),
    ("F/2, F", 0.3, "gyre_energy_c_t_0.3"),
    ("0, F/2, F", 0.0, "gyre_energy_drifting"),
    ("0, F/2, F", 0.02, "gyre_energy_drifting_c_t_0.02"),
    ("0, F/2, F", 0.1, "gyre_energy_drifting_c_t_0.1"),
)


def read(run: pathlib.Path) -> dict:
    path = run / "summary.json"
    if not path.is_file():
        sys.exit(f"mission_table.py: {path} is missing; make it with scripts/reproduce.sh")
    return json.loads(path.read_text())


def flights(run: pathlib.Path) -> dict:
    """Figures of a plan; for a plan made in another flow, those of its simulation in the environment."""
    simulated = run / "in_the_flow"
    return read(simulated if simulated.is_dir() else run)["rollout"]


def in_unit(value, objective: str) -> str:
    """A time in steps, or an energy unchanged."""
    if value is None:
        return "–"
    return f"{value / STEP:.1f}" if objective == "time" else f"{value:.1f}"


def spread(rollout: dict, objective: str) -> str:
    figures = rollout[objective]
    low, middle, high = (in_unit(figures[p], objective) for p in ("p05", "p50", "p95"))
    return f"{in_unit(figures['mean'], objective)} ({low}, {middle}, {high})"


def arrived(rollout: dict) -> str:
    return f"{100 * rollout['arrival_rate']:.2f} %"


def outcome_table(folder: pathlib.Path) -> None:
    """The published plan and Tidewise's, with both landings."""
    print("| mission | literature | landing by | expected by the plan | flown: mean (p05, p50, p95) | steps flown | arrived |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for objective, name in MISSIONS.items():
        for ending, landing in LANDING.items():
            run = folder / f"gyre_{objective}{ending}"
            rollout = flights(run)
            print(
                f"| {name} | {LITERATURE[objective]:g} | {landing} "
                f"| {in_unit(read(run)['expected'][objective], objective)} "
                f"| {spread(rollout, objective)} | {spread(rollout, 'time')} | {arrived(rollout)} |"
            )


def knowledge_table(folder: pathlib.Path) -> None:
    """Results of planners with different knowledge of the flow, simulated in the environment."""
    print("| mission | planned with | predicted | simulated | arrived | hit an obstacle | out of time | mean reward |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for objective, name in MISSIONS.items():
        for ending, words in KNOWN.items():
            run = folder / f"gyre_{objective}{ending}"
            predicted = read(run)["expected"][objective]
            rollout = flights(run)
            failures = rollout["failures"]
            print(
                f"| {name} | {words} | {in_unit(predicted, objective)} "
                f"| {in_unit(rollout[objective]['mean'], objective)} | {arrived(rollout)} "
                f"| {failures['obstacle']} | {failures['out_of_time']} "
                f"| {in_unit(rollout['mean_total_reward'], objective)} |"
            )


def waiting_table(folder: pathlib.Path) -> None:
    """Results with a small cost of time."""
    print("| speeds | c_t a step | energy without it | steps flown: mean (p05, p50, p95) | arrived |")
    print("| --- | --- | --- | --- | --- |")
    for speeds, cost, run in WAITING:
        rollout = flights(folder / run)
        without = rollout["energy"]["mean"] - cost * rollout["time"]["mean"] / STEP
        print(
            f"| {speeds} | {cost:g} | {without:.1f} | {spread(rollout, 'time')} | {arrived(rollout)} |"
        )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    print("### The three missions\n")
    outcome_table(folder)
    print("\n### Value of knowing the flow\n")
    knowledge_table(folder)
    print("\n### A small cost of time against waiting\n")
    waiting_table(folder)


if __name__ == "__main__":
    main()
