"""The work-precision picture of docs/trust/reach_times.md."""

import statistics

from matplotlib.ticker import FuncFormatter

from tidewise.figures import page, palette
from tidewise.saving import save_figure

_DOTS = 130  # an inch
_FLOOR = 1e-3  # [%]: what is better is drawn here, as a triangle
# Okabe and Ito's colours, which no kind of colour-blindness confuses; marks tell them apart as well.
_LINES = {"area": ("#0072B2", "o", "by area"), "cell": ("#D55E00", "s", "by cell"),
          "hj": ("#009E73", "D", "hj_reachability")}
_DASHES = {1: "-", 4: (0, (1.5, 1.5)), None: "-"}


def _series(results):
    """(kind, cells a step) -> rows."""
    lines = {}
    for row in results["rows"]:
        if row.get("headings", 32) != 32:
            continue
        kind = row.get("landing", "hj"), row.get("cells_a_step")
        lines.setdefault(kind, []).append(row)
    return lines


def _points(rows, what):
    """(seconds, mean size of the error in %) of those where all arrive."""
    for row in rows:
        if None not in row[what]:
            yield row["median_seconds"], 100 * statistics.mean(map(abs, row[what]))


def _draw_panel(axes, results, what):
    for (kind, pace), rows in sorted(_series(results).items(), key=str):
        points = list(_points(rows, what))
        if not points:
            continue
        colour, mark, name = _LINES[kind]
        label = name if pace is None else f"{name}, {pace} cell{'s' * (pace > 1)} a step"
        seconds, errors = zip(*((s, max(error, _FLOOR)) for s, error in points))
        marked = [n for n, (_, error) in enumerate(points) if error >= _FLOOR]
        axes.plot(seconds, errors, color=colour, linestyle=_DASHES[pace], linewidth=1.1,
                  marker=mark, markersize=3.5, markevery=marked, label=label)
        below = [s for s, error in points if error < _FLOOR]
        axes.plot(below, [_FLOOR] * len(below), color=colour, linestyle="", marker="v",
                  markersize=5)
    axes.set(xscale="log", yscale="log", xlabel="planning (s)")
    axes.set_ylim(_FLOOR * 0.7, 20)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(color="#e3e3e3", linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)


def draw(results, path):
    with palette.styled():
        figure = page.make_page(page.PAGE_WIDTH, 9.5)
        panels = figure.subplots(1, 2, sharey=True)
        for number, (axes, what) in enumerate(zip(panels, ("flown", "promised"))):
            _draw_panel(axes, results, what)
            page.put_letter(axes, number, f"error of the {what} time (%)")
        figure.legend(*panels[1].get_legend_handles_labels(), frameon=False, ncols=3,
                      loc="outside upper center")
        page.put_caption(figure, (
            "One realization of a double gyre, 32 headings, mean size of the errors of eight starts; each "
            "line goes from coarse to fine grids. Seconds of the solution alone by two threads, medians. Plans from which "
            "not all flights arrive have no point. A triangle is an error below 0.001 %."))
        page.trim_page(figure)
        save_figure(figure, path, _DOTS)
