#!/usr/bin/env python3
"""Replanning with observations compared with the open policy (docs/trust/learning.md, "Wrong forecasts").

    python scripts/accuracy/replanning_study.py --flights 60

Plans in a small double gyre and flies through truths of another seed: as the forecast expects them,
with a multiple of its spread, or with a constant error of each mode. Flights by the open policy and
flights that observe and replan have the same truths. Prints the mean time that replanning saves, with
standard errors, and the numbers of flights that it wins and loses. Needs h5py and numpy.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

MISSION = """[environment]
file = "forecast.h5"
[vehicle]
speeds = [1.0]
[mission]
start = [12.5, 5.5]
target = [12.5, 19.5]
[output]
directory = "plan"
"""
GYRE = "--nx 24 --ny 24 --nt 40 --modes 3".split()
LEARNING = "--mode adaptive --every 4 --error 0.1 --no-bound".split()
# Name: factor on the truth's coefficients, constant error in standard deviations of each mode.
CASES = {"as expected": (1, 0), "twice the spread": (2, 0), "a constant error": (1, 2)}


def write_truth(path, factor, offset, rng):
    """Changes the coefficients of an environment file."""
    with h5py.File(path, "r+") as file:
        coefficient = file["coefficient"][:]
        deviation = coefficient.std(axis=2).mean(axis=0)
        sign = rng.choice([-1, 1], size=coefficient.shape[1:])
        file["coefficient"][...] = factor * coefficient + offset * sign * deviation[:, None]


def flights(folder):
    """True for each flight that arrives, and the durations."""
    with h5py.File(folder / "trajectories.nc") as file:
        time = file["time"][:]
        return file["outcome"][:] == 0, np.nanmax(time, axis=1) - time[:, 0]


def compared(open_flights, learning):
    """A row of the table: a flight that does not arrive loses against one that does."""
    (arrives, time), (learning_arrives, learning_time) = open_flights, learning
    both = arrives & learning_arrives
    saved = (time - learning_time)[both]
    won = (saved > 0.05).sum() + (learning_arrives & ~arrives).sum()
    lost = (saved < -0.05).sum() + (arrives & ~learning_arrives).sum()
    error = saved.std(ddof=1) / np.sqrt(len(saved))
    return (
        f"{100 * arrives.mean():.0f} % | {100 * learning_arrives.mean():.0f} % | "
        f"{saved.mean():+.2f} ± {error:.2f} | {won} | {lost}"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--flights", type=int, default=60)
    parser.add_argument("--program", default="tidewise")
    parser.add_argument("--more", default="", help="options of the learning flights")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def run(*words):
            subprocess.run([options.program, *words], cwd=folder, check=True, capture_output=True)

        (folder / "mission.toml").write_text(MISSION, encoding="utf-8")
        count = ["--realizations", str(options.flights)]
        run("env", "double-gyre", "--out", "forecast.h5", *GYRE, "--realizations", "60")
        run("plan", "mission.toml", "--baselines", "none")
        print("truth | open arrives | replanning arrives | saved [steps] | won | lost")
        for case, (factor, offset) in CASES.items():
            run("env", "double-gyre", "--out", "truth.h5", *GYRE, *count, "--seed", "2", "--overwrite")
            write_truth(folder / "truth.h5", factor, offset, rng)
            truth = ["--environment", "truth.h5", "--baselines", "none", "--overwrite"]
            run("rollout", "plan", *truth, "--out", "open")
            run("rollout", "plan", *truth, *LEARNING, *options.more.split(), "--out", "learning")
            row = compared(flights(folder / "open"), flights(folder / "learning"))
            print(f"{case} | {row}", flush=True)


if __name__ == "__main__":
    main()
