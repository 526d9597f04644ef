#!/usr/bin/env python3
"""Whether a posterior of 'tidewise observe' errs as much as its spread says.

  scripts/accuracy/measure_learning.py [--realizations N] [--every K]

On a small double gyre, each K-th realization in turn is the truth: it is taken out of the ensemble, the plan's
flight through it gives ten legs' currents, with noise of the error that is claimed, and the posterior's mean flow is
compared with the truth's. Prints root mean squares over the truths, early (while it was observed), later and late,
and chi-square over its degrees of freedom. TIDEWISE names another program than build/cpu's. Needs h5py.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

PROGRAM = os.environ.get("TIDEWISE") or Path(__file__).resolve().parents[2] / "build/cpu/app/tidewise"
ERROR = 0.05  # of an observed component [cells a step]
LEGS = 10
MISSION = """[environment]
file = "gyre.h5"
[vehicle]
speeds = [0.8, 1.6]
headings = 12
[mission]
start = [15.5, 6.5]
target = [15.5, 24.5]
target_radius = 1.5
departure = 2
[output]
directory = "flow"
"""
SCHEMES = {
    "square root": [],
    "perturbed": ["--method", "perturbed"],
    "localised, 20 steps": ["--localisation", "20"],
    "localised, 40 steps": ["--localisation", "40"],
}


def tidewise(*words):
    subprocess.run([PROGRAM, *words, "-q"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def flow(file, level, realization=None):
    """The flow of a realization, or of the ensemble's mean: (component, y, x)."""
    coefficient = file["coefficient"][level].astype(float)
    coefficient = coefficient.mean(1) if realization is None else coefficient[:, realization]
    return np.stack([file[f"{c}_mean"][level] + np.tensordot(coefficient, file[f"{c}_mode"][level], 1) for c in "uv"])


def write_track(flights, realization, random):
    x, y, time, heading, speed = (flights[name][realization] for name in ("x", "y", "time", "heading", "speed"))
    legs = min(LEGS, int(np.isfinite(x).sum()) - 2)  # the last one may end within a step
    with open("track.csv", "w") as track:
        track.write(f"time,x,y,u,v\n{time[0]},{x[0]},{y[0]},,\n")
        for n in range(legs):
            step = time[n + 1] - time[n]
            u = (x[n + 1] - x[n]) / step - speed[n] * np.cos(heading[n]) + ERROR * random.standard_normal()
            v = (y[n + 1] - y[n]) / step - speed[n] * np.sin(heading[n]) + ERROR * random.standard_normal()
            track.write(f"{time[n + 1]},{x[n + 1]},{y[n + 1]},{u},{v}\n")


def measure(realizations, every):
    random = np.random.default_rng(5)
    tidewise("env", "double-gyre", "--out", "gyre.h5", "--nx", "30", "--ny", "30", "--nt", "45", "--modes", "3",
             "--realizations", str(realizations))
    Path("m.toml").write_text(MISSION)
    tidewise("plan", "m.toml", "--overwrite", "--baselines", "none")
    parts = {"early": range(2, 12), "later": range(12, 24), "late": range(24, 45)}
    squares = {}
    chi_square = {}
    with h5py.File("gyre.h5") as gyre, h5py.File("flow/trajectories.nc") as flights:
        for truth in range(0, realizations, every):
            write_track(flights, truth, random)
            others = ",".join(str(r) for r in range(realizations) if r != truth)
            tidewise("env", "select", "gyre.h5", "--out", "others.h5", "--realizations", others)
            for scheme, options in SCHEMES.items():
                tidewise("observe", "others.h5", "--track", "track.csv", "--error", str(ERROR),
                         "--out", "posterior.h5", *options)
                with h5py.File("posterior.h5") as posterior, h5py.File("others.h5") as forecast:
                    fit = [float(np.ravel(posterior.attrs[name])[0])
                           for name in ("observations_chi_square", "observations_degrees_of_freedom")]
                    chi_square.setdefault(scheme, []).append(fit)
                    for part, levels in parts.items():
                        for k in levels:
                            true = flow(gyre, k, truth)
                            squares.setdefault((scheme, part), []).append(
                                [((flow(forecast, k) - true) ** 2).sum(0).mean(), posterior["spread_before"][k] ** 2,
                                 ((flow(posterior, k) - true) ** 2).sum(0).mean(), posterior["spread_after"][k] ** 2])
    print(f"{'':28} forecast: error spread   posterior: error spread")
    for (scheme, part), values in squares.items():
        before, spread, after, left = np.sqrt(np.mean(values, 0))
        print(f"{scheme + ', ' + part:28} {before:15.3f} {spread:6.3f} {after:18.3f} {left:6.3f}")
    for scheme, fits in chi_square.items():
        total = np.sum(fits, 0)
        print(f"{scheme}: chi-square / degrees of freedom {total[0] / total[1]:.2f}, {len(fits)} truths")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--realizations", type=int, default=60)
    parser.add_argument("--every", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        measure(options.realizations, options.every)


if __name__ == "__main__":
    main()
