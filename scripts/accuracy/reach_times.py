#!/usr/bin/env python3
"""Flown and promised times beside the exact optimum and beside hj_reachability (docs/trust/reach_times.md).

    python3 -m venv venv && venv/bin/pip install './python[plot]' -r scripts/accuracy/requirements.txt
    venv/bin/python scripts/accuracy/reach_times.py --tidewise build/cpu/app/tidewise

Plans one realization of a double gyre on several grids, by both landing rules, flies each plan from
eight starts, and solves for the same arrival times by hj_reachability (WENO5). Errors are against
Pontryagin's extremals, integrated to 1e-11. Seconds are medians of --rounds rounds, in which all
cases with 32 headings take turns. Writes the figures, the picture and, to its output, the table. With --small a check
of a few seconds that all of it works, hj_reachability left out where it is not installed. Ends with
status 1 where a figure is not as docs say.
"""

import argparse
import itertools
import json
import math
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np

import extremals
import gyre
import report
from mission import Mission
from tidewise_runs import Program

ROOT = Path(__file__).resolve().parents[2]
HEADINGS = 32
FINE_HEADINGS = 128


def tidewise_cases(small):
    """(cells a side, cells that the vehicle makes in a step, headings, rule) of each plan."""
    if small:
        return [(50, 1, HEADINGS, "area"), (100, 1, HEADINGS, "area"), (100, 4, HEADINGS, "cell")]
    sizes = [(50, 1), (100, 1), (200, 1), (400, 1), (100, 4), (200, 4), (400, 4)]
    plans = [(*size, HEADINGS, rule) for rule in ("area", "cell") for size in sizes]
    return [*plans, (200, 1, FINE_HEADINGS, "area"), (400, 1, FINE_HEADINGS, "area")]


def relative(times, optimum):
    """Errors against the optimum; None for a flight that did not arrive."""
    return [None if t is None else t / best - 1 for t, best in zip(times, optimum)]


def measure_tidewise(case, environment, program, mission, optimum, row):
    """Adds a round to the row of a case, and to a new one its flights."""
    cells, pace, headings, rule = case
    row.setdefault("seconds", []).append(program.plan(environment, mission, headings, rule))
    if "flown" in row:
        return
    promised, flown = program.fly(mission)
    row.update(planner="tidewise", landing=rule, cells=cells, cells_a_step=pace,
               step=pace * gyre.LENGTH / cells, headings=headings,
               promised=relative(promised, optimum), flown=relative(flown, optimum))


def measure_level_set(solver, nodes, optimum, row):
    """The same for hj_reachability; its first solution compiles, which is told apart."""
    if "compiling" not in row:
        row["compiling"] = solver.solve()
    row.setdefault("seconds", []).append(solver.solve())
    if "flown" in row:
        return
    row["compiling"] = max(0.0, row["compiling"] - row["seconds"][0])
    row.update(planner="hj_reachability", nodes=nodes,
               promised=relative(solver.promised(), optimum),
               flown=relative(solver.flown(), optimum))


def say(words):
    print(words, file=sys.stderr, flush=True)


def measure(arguments, mission, optimum, level_set):
    """The rows of all cases, after each round."""
    cases = tidewise_cases(arguments.small)
    nodes = [] if level_set is None else [51] if arguments.small else [26, 51, 101, 201, 401]
    rows = [{} for _ in [*cases, *nodes]]
    with tempfile.TemporaryDirectory(prefix="reach_times.") as folder:
        program = Program(arguments.tidewise, Path(folder), arguments.threads)
        solvers = [level_set.ArrivalTimes(count, mission) for count in nodes]
        for lap in range(1 if arguments.small else arguments.rounds):
            for case, row in zip(cases, rows):
                if lap > 0 and case[2] != HEADINGS:
                    continue  # once, for its flights
                environment = Path(folder) / f"{case[0]}_{case[1]}.h5"
                if not environment.exists():
                    step = case[1] * gyre.LENGTH / case[0]
                    levels = math.ceil(mission.horizon / step) + 1
                    gyre.write_environment(environment, case[0], step, levels)
                measure_tidewise(case, environment, program, mission, optimum, row)
                say(f"round {lap + 1}, {case}: {row['seconds'][-1]:.3g} s")
            for solver, count, row in zip(solvers, nodes, rows[len(cases):]):
                measure_level_set(solver, count, optimum, row)
                say(f"round {lap + 1}, hj_reachability {count}: {row['seconds'][-1]:.3g} s")
            for row in rows:
                row["median_seconds"] = statistics.median(row["seconds"])
            yield rows


def least_errors_by_steps(cases, mission, optimum):
    """What it costs to know, through a step, the flow of its beginning alone, by step."""
    steps = sorted({pace * gyre.LENGTH / cells for cells, pace, *_ in cases})
    return [{"step": step,
             "errors": relative([extremals.least_time(start, mission, step)[0]
                                 for start in mission.starts], optimum)} for step in steps]


def extrapolated(rows, optimum):
    """hj_reachability's errors on its three finest grids, taken to spacing 0 by their own order."""
    coarse, middle, fine = (np.array(row["promised"]) for row in rows[-3:])
    ratio = np.abs(middle - coarse).mean() / np.abs(fine - middle).mean()
    limit = fine + (fine - middle) / (ratio - 1)
    return {"order": math.log2(ratio), "errors": limit.tolist()}


def check_reference(mission):
    """In still water the fastest way is straight, with and without steps."""
    jet, gyre.JET = gyre.JET, 0.0
    try:
        start = mission.starts[0]
        straight = math.dist(start, mission.target) - mission.radius
        for step in (None, 0.5):
            time, _ = extremals.least_time(start, mission, step)
            if abs(time - straight) > 1e-4:
                raise RuntimeError(f"still water: {time} instead of {straight}")
    finally:
        gyre.JET = jet


def failures(results):
    """A line for each figure that is not as docs say."""
    flown = [row for row in results["rows"] if row["planner"] == "tidewise"
             and row["landing"] == "area" and row["headings"] == HEADINGS]
    least = {entry["step"]: entry["errors"] for entry in results["by_steps"]}
    for row in flown:
        name = f"by area, {row['cells']} cells, {row['cells_a_step']} a step"
        if None in row["flown"]:
            yield f"{name}: not every flight arrives"
        elif any(error < best - 1e-3 for error, best in zip(row["flown"], least[row["step"]])):
            yield f"{name}: a flight is faster than any can be"
    ones = [row for row in flown if row["cells_a_step"] == 1 and None not in row["flown"]]
    means = [statistics.mean(row["flown"]) for row in ones]
    if any(finer >= coarser for coarser, finer in itertools.pairwise(means)):
        yield "by area: finer grids do not fly better"
    if means and ones[-1]["cells"] == 400 and max(ones[-1]["flown"]) > 0.003:
        yield "by area, 400 cells, 1 a step: a flight is more than 0.3 % late"
    elif means and means[-1] > 0.005:
        yield "by area: flights are more than 0.5 % late on the finest grid"
    for row in results["rows"]:
        bound = 0.001 if row.get("nodes", 0) > 51 else 0.003
        if row.get("nodes", 0) >= 51 and np.abs(row["promised"]).max() > bound:
            yield f"hj_reachability, {row['nodes']} nodes: not within {bound} of the optimum"


def compare(arguments):
    """The results after each round."""
    try:
        import level_set
    except ImportError as error:
        if not arguments.small:
            raise SystemExit(f"reach_times.py: {error}; install what scripts/accuracy/"
                             "requirements.txt names, or take --small") from None
        say(f"hj_reachability is LEFT OUT: {error}")
        level_set = None
    mission = Mission(starts=Mission.starts[::2]) if arguments.small else Mission()
    check_reference(mission)
    optimum = [extremals.least_time(start, mission)[0] for start in mission.starts]
    by_steps = least_errors_by_steps(tidewise_cases(arguments.small), mission, optimum)
    for rows in measure(arguments, mission, optimum, level_set):
        results = {"mission": vars(mission),
                   "flow": {"side": gyre.LENGTH, "jet": gyre.JET, "swing": gyre.SWING,
                            "period": gyre.PERIOD},
                   "threads": arguments.threads,
                   "versions": {} if level_set is None else level_set.describe(),
                   "optimum": optimum, "by_steps": by_steps, "rows": rows}
        level_rows = [row for row in rows if row["planner"] == "hj_reachability"]
        if len(level_rows) > 2:
            results["extrapolated"] = extrapolated(level_rows, optimum)
        yield results


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="the check of a few seconds")
    parser.add_argument("--again", action="store_true",
                        help="measure nothing: table and picture from what --out has")
    parser.add_argument("--out", type=Path, default=ROOT / "bench/results/accuracy_reach.json",
                        help="figures; not written with --small")
    parser.add_argument("--picture", type=Path, default=ROOT / "docs/figures/work_precision.png")
    arguments = parser.parse_args()
    if arguments.again:
        results = json.loads(arguments.out.read_text())
    else:
        for results in compare(arguments):
            if not arguments.small:  # what was measured stays, whatever comes
                arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    print(report.table(results))
    if not arguments.small:
        import picture

        picture.draw(results, arguments.picture)
    wrong = list(failures(results))
    print("\n".join(f"WRONG {line}" for line in wrong) or "All as docs say.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
