#!/usr/bin/env python3
"""Draw times and speed-ups of `tidewise research bench published --json FILE` (Fig. 8 of the paper).

Usage: draw_published.py FILE.json PICTURE.png
"""

import json
import sys

import matplotlib.pyplot as plt

SWEEPS = {"states": 600, "actions": 820, "realizations": 1000}  # speed-ups that the paper reports


def main(source, picture):
    with open(source, encoding="utf-8") as file:
        points = json.load(file)["points"]
    figure, axes = plt.subplots(2, len(SWEEPS), figsize=(10, 5.2), sharex="col")
    for (sweep, published), (times, speedups) in zip(SWEEPS.items(), axes.T):
        rows = [point for point in points if point["sweep"] == sweep]
        x = [row[sweep] for row in rows]
        times.loglog(x, [row["sequential_seconds"] for row in rows], "o-", label="one core")
        times.loglog(x, [row["gpu_seconds"] for row in rows], "s-", label="GPU")
        speedups.loglog(x, [row["speedup"] for row in rows], "o-k", label="here")
        speedups.axhline(published, color="tab:red", ls="--", label=f"paper: {published}")
        speedups.set_ylim(50, 2000)
        speedups.set_xlabel(sweep)
        speedups.legend()
    axes[0, 0].set_ylabel("time [s]")
    axes[1, 0].set_ylabel("speed-up")
    axes[0, 0].legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=80)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
