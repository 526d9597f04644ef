"""Regions at a level: by probability of arrival, by delay, and the corridor of flights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from tidewise.errors import InputError
from tidewise.figures import layers, palette
from tidewise.figures.frame import Frame
from tidewise.figures.moments import call_moment, call_origin
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, trim_page

if TYPE_CHECKING:
    import xarray as xr

    from tidewise.run import Run

_CHANCES = {0.1: "dotted", 0.5: "dashed", 0.9: "solid"}
_CHANCE = "#0b6a9c"
_BAND = "#e69f00"
_CORRIDOR = "#cc79a7"


def draw_reach(run: Run, level: int | None = None, width: float = PAGE_WIDTH) -> Figure:
    """Draw contours of the probability of arrival at 10, 50 and 90 %, the band and the corridor.

    A vehicle inside the band arrives less than an hour (one unit of time) later than expected. The
    corridor is the smallest region that holds 90 % of the flights under way. `Run.reach` computes
    both if its file does not exist.

    Parameters
    ----------
    run : Run
        The run.
    level, width : optional
        As in Pictures.reach.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If the policy does not have the level.
    """
    found = run.reach()
    level = _halfway(run) if level is None else level
    if not 0 <= level < found.sizes["time"]:
        raise InputError(
            f"level {level}: the policy of {run.folder} has the levels 0 to "
            f"{found.sizes['time'] - 1}; choose one of them"
        )
    at_level = found.isel(time=level)
    with palette.styled():
        frame = Frame(run)
        figure = make_page(width, min((width - 4.0) * frame.aspect + 2.4, 1.1 * width))
        axes = figure.subplots()
        key = _draw_regions(axes, frame, run, at_level)
        chance = at_level.arrival_probability.values
        closed = run.environment.mask(level) if run.has_environment else np.isnan(chance)
        layers.draw_obstacles(axes, frame, closed)
        layers.draw_goal(axes, frame, run)
        frame.label(axes)
        axes.set_title(f"within reach at level {level}, {call_moment(run, level)}", loc="left")
        axes.legend(handles=key, loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False)
        put_caption(
            figure,
            f"By the plan's own model, exactly. {layers.name_goal(run)}; "
            f"{layers.name_closed([np.asarray(closed)])}." + call_origin(run),
        )
        trim_page(figure)
    return figure


def _halfway(run: Run) -> int:
    step = run.grid.time_step
    expected = run.expected.time if run.expected else np.nan
    midway = int(expected / step / 2) if np.isfinite(expected) else 0  # NaN: no flight arrives
    return min(run.mission.departure + midway, len(run.grid.time) - 1)


def _draw_regions(axes: Axes, frame: Frame, run: Run, at_level: xr.Dataset) -> list:
    """Draw the regions. Returns entries of the key."""
    key: list = []
    if "flight_density" in at_level:
        density = at_level.flight_density.values
        if np.nanmax(density, initial=0.0) >= 1.0:
            axes.contourf(frame.x, frame.y, density, [1.0, np.inf], colors=[_CORRIDOR], alpha=0.45)
            key.append(Patch(color=_CORRIDOR, alpha=0.45, label="90 % of flights"))
    if "delay" in at_level:
        late = at_level.delay.values
        if np.nanmin(late, initial=np.inf) <= 1.0:
            axes.contour(frame.x, frame.y, late, [1.0], colors=[_BAND], linewidths=1.4)
            label = "one hour late" if run.units.metric else "late by 1"
            key.append(Line2D([], [], color=_BAND, lw=1.4, label=label))
    chance = at_level.arrival_probability.values
    for least, style in _CHANCES.items():
        if np.nanmin(chance, initial=1.0) < least <= np.nanmax(chance, initial=0.0):
            axes.contour(
                frame.x, frame.y, chance, [least], colors=[_CHANCE], linestyles=style, linewidths=1
            )
        label = f"{100 * least:.0f} % arrive"
        key.append(Line2D([], [], color=_CHANCE, ls=style, lw=1, label=label))
    return key
