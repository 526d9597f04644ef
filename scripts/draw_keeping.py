#!/usr/bin/env python3
"""Draws docs/figures/keeping.svg: a vehicle that stays in a place, and one that follows a drifter.

    scripts/draw_keeping.py [--tidewise PROGRAM]

Plans both missions on a small double gyre and draws a hundred of the flights of each, with the time within the
target, or the distance, that the run's summary says. Needs h5py.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/figures/keeping.svg"
CELLS, LEVELS, FLIGHTS = 60, 80, 100
SIDE, GAP, TOP = 380, 30, 34  # of a panel, between panels, above them [px]
PLACE, RADIUS = (30.5, 20.5), 3.0
STAY_WINDOW, FOLLOW_WINDOW = (22, 12, 18), (9, 7, 36)  # west, south, cells
TRACK = ((0, 14.0, 14.0), (40, 34.0, 16.0), (79, 44.0, 34.0))  # level, x, y

MISSION = """[environment]
file = "ocean.h5"
[vehicle]
speeds = [0.4, 0.8]
[mission]
"""
STAY = f'objective = "stay"\nstart = {list(PLACE)}\ntarget = {list(PLACE)}\ntarget_radius = {RADIUS}\n'
FOLLOW = f'objective = "follow"\nstart = {list(TRACK[0][1:])}\nfollow = "drifter.csv"\n'


def plan(program, folder, name, mission):
    (folder / f"{name}.toml").write_text(MISSION + mission)
    words = [program, "plan", f"{name}.toml", "--out", name, "--overwrite", "-q"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    summary = json.loads((folder / name / "summary.json").read_text())
    with h5py.File(folder / name / "trajectories.nc") as file:
        ways = [
            [(x, y) for x, y in zip(xs, ys) if x == x]
            for xs, ys in zip(file["x"][:FLIGHTS], file["y"][:FLIGHTS])
        ]
    return summary, ways


def panel(left, title, window, ways, over):
    """Flights in a window of the lower left 45 × 45 cells, and what lies over them."""
    scale = SIDE / 45
    west, south, cells = window
    box = (left + west * scale, TOP + SIDE - (south + cells) * scale, cells * scale, cells * scale)

    def at(x, y):
        return f"{left + x * scale:.1f},{TOP + SIDE - y * scale:.1f}"

    lines = [f'<text x="{left}" y="{TOP - 12}">{title}</text>']
    lines.append(
        f'<svg x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" '
        f'viewBox="{" ".join(f"{number:.1f}" for number in box)}">'
        f'<rect x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="#eef4f8"/>'
    )
    for way in ways:
        points = " ".join(at(x, y) for x, y in way)
        lines.append(f'<polyline points="{points}" stroke="#24567f" stroke-opacity="0.18"/>')
    return "\n".join([*lines, over(at, scale), "</svg>"])


def disc(at, scale):
    x, y = at(*PLACE).split(",")
    return f'<circle cx="{x}" cy="{y}" r="{RADIUS * scale:.1f}" stroke="#c4501b" stroke-width="2"/>'


def track(at, _):
    points = " ".join(at(x, y) for _, x, y in TRACK)
    return f'<polyline points="{points}" stroke="#c4501b" stroke-width="2" stroke-dasharray="6 4"/>'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise", type=Path)
    parser.add_argument("--out", default=PICTURE, type=Path)
    arguments = parser.parse_args()
    program = arguments.tidewise.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = ["--nx", CELLS, "--ny", CELLS, "--nt", LEVELS, "--modes", 3, "--realizations", 200]
        words = [program, "env", "double-gyre", "--out", "ocean.h5", "-q", *map(str, size)]
        subprocess.run(words, cwd=folder, check=True)
        rows = "\n".join(",".join(map(str, fix)) for fix in TRACK)
        (folder / "drifter.csv").write_text(f"level,x,y\n{rows}\n")
        stay, stayed = plan(program, folder, "stay", STAY)
        follow, followed = plan(program, folder, "follow", FOLLOW)
    within = 100 * stay["rollout"]["within"]["mean"]
    away = follow["rollout"]["distance"]["mean"]
    width, height = 2 * SIDE + GAP, TOP + SIDE
    arguments.out.write_text(
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" fill="none" '
                f'viewBox="0 0 {width} {height}"><style>text {{ font: 15px sans-serif; fill: #222 }} '
                "polyline, circle { vector-effect: non-scaling-stroke }</style>",
                f'<rect width="{width}" height="{height}" fill="#fff"/>',
                panel(0, f"stay: within the disc {within:.0f} % of the time", STAY_WINDOW, stayed, disc),
                panel(SIDE + GAP, f"follow: {away:.2g} cells from the drifter", FOLLOW_WINDOW, followed, track),
                "</svg>\n",
            ]
        )
    )


if __name__ == "__main__":
    main()
