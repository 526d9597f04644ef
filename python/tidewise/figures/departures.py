"""Durations and arrivals of flights by their departure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

from tidewise.figures import palette
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, put_letter, trim_page

if TYPE_CHECKING:
    import xarray as xr

    from tidewise.run import Run

_MARKS = {
    "best": ("best", "#b3482f", "solid"),
    "earliest_arrival": ("there first", "#0b6a9c", "--"),
}


def draw_departures(run: Run, found: xr.Dataset | None = None, width: float = PAGE_WIDTH) -> Figure:
    """Draw time under way and share of arrivals by departure; mark best and earliest arrival.

    Parameters
    ----------
    run : Run
        The run.
    found, width : optional
        As in Pictures.departures.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    found = run.departures() if found is None else found
    dated = np.issubdtype(found.departure.dtype, np.datetime64)
    unit = "h" if run.units.metric else run.units.time.name
    x = _in_units(run, found.departure.values)
    with palette.styled():
        figure = make_page(width, 9.0)
        times, shares = figure.subplots(2, sharex=True)
        certain = not run._has_probability
        full = 1.0 if certain else 100.0
        if not certain:
            times.fill_between(x, found.time_p05, found.time_p95, color="#9fb6cf", alpha=0.6, lw=0)
        times.plot(x, found.time, color=palette.INK, lw=1.0, marker=".", ms=3)
        times.set_ylabel(f"under way ({unit})")
        window = "" if certain else " and 90 % window"
        put_letter(times, 0, f"duration of flights that arrive: mean{window}")
        shares.plot(x, full * found.arrival_rate, color=palette.INK, lw=1.0, marker=".", ms=3)
        shares.set_ylabel("share of simulated missions" if certain else "flights (%)")
        shares.set_ylim(-0.04 * full, 1.04 * full)
        put_letter(shares, 1, "flights that arrive")
        for axes in (times, shares):
            axes.spines[["top", "right"]].set_visible(False)
        if dated:
            locator = AutoDateLocator()
            shares.xaxis.set_major_locator(locator)
            shares.xaxis.set_major_formatter(ConciseDateFormatter(locator))
            shares.set_xlabel("departure (UTC)")
        else:
            shares.set_xlabel(run.units.time.label("departure"))
        _mark(run, [times, shares], found)
        put_caption(
            figure,
            f"{found.sizes['departure']} departures of one policy, which ends at the same time "
            "for all: later ones have less time to arrive.",
        )
        trim_page(figure)
    return figure


def _in_units(run: Run, departures: np.ndarray) -> np.ndarray:
    if np.issubdtype(np.asarray(departures).dtype, np.datetime64):
        return departures
    return np.asarray(run.units.time.show(departures), float)


def _mark(run: Run, panels: list[Axes], found: xr.Dataset) -> None:
    """Draw lines through both panels; a single one if the best departure also arrives first."""
    marks = {name: found.attrs[name] for name in _MARKS if name in found.attrs}
    if not marks:
        return
    if marks.get("earliest_arrival") == marks["best"]:
        del marks["earliest_arrival"]
    for name, departure in marks.items():
        label, colour, style = _MARKS[name]
        for axes in panels:
            line = axes.axvline(_in_units(run, departure), color=colour, ls=style, lw=1.0, zorder=1)
        line.set_label(label)
    key, _ = panels[-1].get_legend_handles_labels()
    panels[0].legend(
        handles=key, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, borderpad=0
    )
