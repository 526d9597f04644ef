"""Histograms of durations and energies of flights, with their quantiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from tidewise.errors import InputError
from tidewise.figures import palette
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, put_letter, trim_page
from tidewise.flights import KEEPING
from tidewise.statistics import spread_of
from tidewise.units import Unit, format_among

if TYPE_CHECKING:
    from tidewise.run import Run

ARRIVES_NOWHERE = "a mission that stays or follows arrives nowhere"
_MAX_BINS = 45


@dataclass(frozen=True)
class _Quantity:
    name: str
    unit: Unit
    values: np.ndarray  # (arrived flight), environment's units
    step: float  # distance between possible values; 0 if they are continuous


def require_arrivals(run: Run) -> None:
    """Raise InputError if no flight arrived."""
    if run.mission.objective in KEEPING:
        raise InputError(
            f"{run.folder}: {ARRIVES_NOWHERE}, so there is nothing to count; look at the mission's "
            "picture"
        )
    ends = run.flights.all_ends
    if not ends.arrived.any():
        raise InputError(
            f"{run.folder}: none of its {len(ends.steps)} flights arrived, so there is nothing to "
            "count; look at the mission's picture, or give it more time"
        )


def draw_histograms(run: Run, width: float = PAGE_WIDTH) -> Figure:
    """Draw arrival time and energy over the flights that arrived, also net energy and harvest.

    Lines mark mean, p05, p50 and p95, and realizations have their weights. If the forecast has no
    error, bars are numbers of flights, and lines mark only mean and median.

    Parameters
    ----------
    run : Run
        The run.
    width : float
        Width of the page [cm].

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If no flight arrived.
    """
    require_arrivals(run)
    ends = run.flights.all_ends
    weights = run.flight_weights()
    no_error = not run._has_probability
    share = np.ones(len(weights)) if no_error else 100.0 * weights / weights.sum()
    quantities = _quantities(run)
    rows = -(-len(quantities) // 2)
    with palette.styled():
        figure = make_page(width, rows * 5.6 + 1.0)
        panels = figure.subplots(rows, 2, squeeze=False)
        for n, quantity in enumerate(quantities):
            _draw_histogram(panels.flat[n], quantity, share[ends.arrived])
            _mark(panels.flat[n], quantity, weights[ends.arrived], no_error)
            put_letter(panels.flat[n], n, quantity.name)
        for axes in panels[:, 0]:
            axes.set_ylabel("simulated missions" if no_error else "share of all flights (%)")
        for axes in panels.flat[len(quantities) :]:
            axes.remove()
        put_caption(figure, _describe(run, None if no_error else float(share[ends.arrived].sum())))
        trim_page(figure)
    return figure


def _quantities(run: Run) -> list[_Quantity]:
    ends, units = run.flights.all_ends, run.units
    arrived = ends.arrived
    duration = ends.duration[arrived]
    in_steps = np.allclose(duration, ends.steps[arrived] * run.grid.time_step, rtol=1e-6)
    quantities = [
        _Quantity("arrival time", units.time, duration, run.grid.time_step if in_steps else 0.0),
        _Quantity("energy", units.energy, ends.energy[arrived], 0.0),
    ]
    # The scalar field of other missions has no unit that can be shown.
    if run.mission.objective == "net_energy" and np.any(ends.harvested != 0.0):
        quantities.append(_Quantity("net energy", units.energy, ends.net_energy[arrived], 0.0))
        quantities.append(_Quantity("harvested energy", units.energy, ends.harvested[arrived], 0.0))
    return quantities


def _draw_histogram(axes: Axes, quantity: _Quantity, share: np.ndarray) -> None:
    shown = quantity.unit.show(quantity.values)
    axes.hist(
        shown,
        bins=quantity.unit.show(_edges(quantity)),
        weights=share,
        color="#9fb6cf",
        edgecolor="white",
        linewidth=0.3,
    )
    axes.set_xlabel(quantity.unit.label(quantity.name))
    axes.spines[["top", "right"]].set_visible(False)


def _edges(quantity: _Quantity) -> np.ndarray:
    """Return edges of bins; bins of discrete values are whole steps wide and centred on them."""
    low, high = float(quantity.values.min()), float(quantity.values.max())
    if quantity.step > 0:
        span = round((high - low) / quantity.step)
        steps = -(-(span + 1) // _MAX_BINS)
        return low + quantity.step * (steps * np.arange(span // steps + 2) - 0.5)
    if not high > low:
        margin = 0.01 * abs(low) or 0.5
        return np.array([low - margin, low + margin])
    count = int(np.clip(2 * np.cbrt(len(quantity.values)), 8, _MAX_BINS))
    return np.linspace(low, high, count + 1)


def _mark(axes: Axes, quantity: _Quantity, weights: np.ndarray, no_error: bool) -> None:
    """Draw lines through the histogram, each with its name and number in a row above it."""
    unit, spread = quantity.unit, spread_of(quantity.values, weights)
    lines = [
        ("p05", spread.p05, (0, (1, 1.5)), palette.INK),
        ("p50", spread.p50, "solid", palette.INK),
        ("mean", spread.mean, (0, (5, 2)), "#b3482f"),
        ("p95", spread.p95, (0, (1, 1.5)), palette.INK),
    ]
    if no_error:
        lines = lines[1:3]
    top = axes.get_ylim()[1]
    axes.set_ylim(0.0, 1.42 * top)
    across = blended_transform_factory(axes.transData, axes.transAxes)
    low, high = axes.get_xlim()
    for n, (name, value, dashes, colour) in enumerate(lines):
        at = float(unit.show(value))
        height = 0.97 - 0.075 * n
        axes.plot(
            [at, at],
            [0.0, height],
            transform=across,
            color=colour,
            linewidth=0.9,
            linestyle=dashes,
            scalex=False,
            scaley=False,
        )
        leftwards = at > 0.5 * (low + high)
        axes.annotate(
            f"{name} {format_among(at, high - low)}",
            (at, height),
            xycoords=across,
            xytext=(-3 if leftwards else 3, 0),
            textcoords="offset points",
            ha="right" if leftwards else "left",
            va="top",
            fontsize=7,
            color=colour,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.3},
            zorder=5,
        )


def _describe(run: Run, percent: float | None) -> str:
    ends = run.flights.all_ends
    arrived = f"{int(ends.arrived.sum())} of {len(ends.steps)}"
    if percent is None:
        text = f"{arrived} simulated missions arrived; medians and means are theirs, no probability"
    else:
        text = f"{arrived} flights arrived ({percent:.4g} %); quantiles and means are theirs"
    weighted = run.mission.rollout_mode != "chain" and run.environment.weights() is not None
    text += ", by the weights of the realizations." if weighted else "."
    return text + (f" Planned in {run.planned_on}." if run.planned_on else "")
