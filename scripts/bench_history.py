#!/usr/bin/env python3
"""Makes a page of every benchmark's figures in all versions of bench/results/*.json in git.

  scripts/bench_history.py OUT.html

Each figure is shown with the commit that recorded it, its day, and the machine that it was measured on. Figures
of different machines, or of a benchmark that has changed, are not joined by a line. scripts/build_docs.sh puts
the page into the site.
"""

import html
import json
import statistics
import subprocess
import sys
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, MARGIN = 320, 90, 14  # of a picture [px]

STYLE = """body{font:15px/1.45 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}
section{border-top:1px solid #ddd;margin-top:2rem}figure{display:inline-block;margin:.6rem 1rem .6rem 0;vertical-align:top}
figcaption{max-width:320px;font-size:13px}table{border-collapse:collapse;font-size:13px}
td,th{border-bottom:1px solid #eee;padding:.15rem .7rem .15rem 0;text-align:left}
svg{background:#fafafa}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}svg{background:#222}}"""


@dataclass(frozen=True)
class Figure:
    """A median of some runs, with their minimum and maximum."""

    name: str
    unit: str
    title: str
    machine: str
    median: float
    least: float
    most: float


@dataclass(frozen=True)
class Point:
    commit: str
    date: str
    figure: Figure


def figures_of(record):
    """All figures of a record: those of its sides, or of each of its worlds."""
    if isinstance(record, list):
        return [figure for part in record for figure in figures_of(part)]
    if not isinstance(record, dict):
        return []
    title, machine = record.get("title", ""), record.get("machine", "")
    samples_of_figures = []
    for side in record.get("sides", []):
        samples = side.get("samples") or [side["median"]]
        samples_of_figures.append((side["name"], record.get("unit", "s"), samples))
    for world in record.get("worlds", []):
        for figure in world.get("figures", []):
            samples = figure.get("seconds") or figure.get("cpu_seconds")
            if samples:
                samples_of_figures.append((f"{world['name']}: {figure['name']}", "s", samples))
    return [
        Figure(name, unit, title, machine, statistics.median(samples), min(samples), max(samples))
        for name, unit, samples in samples_of_figures
    ]


def git(root, *words):
    return subprocess.run(
        ["git", *words], cwd=root, capture_output=True, text=True, check=True
    ).stdout


def history(root, path):
    """{name: points} of a record, the oldest first; a point for each new measurement."""
    points = {}
    commits = [line.split() for line in git(root, "log", "--format=%h %cs", "--", path).splitlines()]
    for commit, date in reversed(commits):
        try:
            record = json.loads(git(root, "show", f"{commit}:{path}"))
        except (subprocess.CalledProcessError, json.JSONDecodeError):
            continue  # the commit removed the file, or it was no record yet
        for figure in figures_of(record):
            known = points.setdefault(figure.name, [])
            if not known or known[-1].figure != figure:
                known.append(Point(commit, date, figure))
    return points


def picture(points):
    """An SVG of medians with the ranges of their runs, from 0 up."""
    top = max(point.figure.most for point in points) or 1.0
    step = (WIDTH - 2 * MARGIN) / max(len(points) - 1, 1)

    def at(n, value):
        return MARGIN + n * step, HEIGHT - MARGIN - value / top * (HEIGHT - 2 * MARGIN)

    parts = [f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    numbered = list(enumerate(points))
    for _, joined in groupby(numbered, lambda one: (one[1].figure.machine, one[1].figure.title)):
        line = " ".join(
            "{:.1f},{:.1f}".format(*at(n, point.figure.median)) for n, point in joined
        )
        parts.append(f'<polyline points="{line}" fill="none" stroke="#2a78c2" stroke-width="1.5"/>')
    for n, point in numbered:
        (x, high), (_, low) = at(n, point.figure.most), at(n, point.figure.least)
        parts.append(
            f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="#2a78c2" stroke-opacity=".4"/>'
        )
        x, y = at(n, point.figure.median)
        words = html.escape(f"{point.figure.median:.4g} {point.figure.unit}, {point.commit}")
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#2a78c2"><title>{words}</title></circle>')
    return "".join(parts) + "</svg>"


def rows(points):
    cells = "".join(
        f"<tr><td>{p.date}</td><td><code>{p.commit}</code></td><td>{p.figure.median:.4g}</td>"
        f"<td>{p.figure.least:.4g} … {p.figure.most:.4g}</td><td>{html.escape(p.figure.machine)}</td></tr>"
        for p in reversed(points)
    )
    return (
        "<table><tr><th>day</th><th>commit</th><th>median</th><th>runs</th><th>machine</th></tr>"
        f"{cells}</table>"
    )


def section(path, series):
    first = next(iter(series.values()))[-1].figure
    figures = "".join(
        f"<figure>{picture(points)}<figcaption>{html.escape(name)} [{html.escape(points[-1].figure.unit)}]: "
        f"<b>{points[-1].figure.median:.4g}</b></figcaption></figure>"
        for name, points in series.items()
    )
    tables = "".join(
        f"<h4>{html.escape(name)} [{html.escape(points[-1].figure.unit)}]</h4>{rows(points)}"
        for name, points in series.items()
    )
    return (
        f"<section><h2>{html.escape(path)}</h2><p>{html.escape(first.title)}</p>{figures}"
        f"<details><summary>Commits and machines</summary>{tables}</details></section>"
    )


def page(root):
    sections = []
    for path in sorted((root / "bench/results").glob("*.json")):
        name = path.relative_to(root).as_posix()
        if series := history(root, name):
            sections.append(section(name, series))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Figures over time</title>'
        f"<style>{STYLE}</style><h1>Figures over time</h1>"
        "<p>Every benchmark whose record lies in <code>bench/results</code>, as often as it was recorded. A point is the "
        "median of the runs of one commit's record, the stroke behind it what they lay between; a line joins points of one "
        "machine and one size of the benchmark. Less is better.</p>" + "".join(sections) + "</html>\n"
    )


def main(words):
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__.strip())
        return 0 if words in (["--help"], ["-h"]) else 2
    out = Path(words[0])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(ROOT), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
