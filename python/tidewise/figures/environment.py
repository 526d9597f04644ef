"""The environment at a level: its mean, its spread, one realization, and the scalar field."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tidewise.figures import layers, palette
from tidewise.figures.frame import Frame
from tidewise.figures.moments import call_moment, call_origin, middle_level
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, put_letter, trim_page
from tidewise.figures.profiles import at_profile, name_dives
from tidewise.statistics import mode_variances
from tidewise.units import unit_name

if TYPE_CHECKING:
    from tidewise.run import Run

_CHARACTER = 0.16  # [cm] width of a character of 8 points


def draw_environment(
    run: Run,
    level: int | None = None,
    realization: int = 0,
    width: float = PAGE_WIDTH,
    profile: str | None = None,
) -> Figure:
    """Draw the mean flow, its standard deviation, a realization, and the scalar field if any.

    Parameters
    ----------
    run : Run
        The run.
    level, realization, width, profile : optional
        As in Pictures.environment.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If level, realization or profile do not exist.
    """
    run = at_profile(run, profile)
    forecast = run.environment
    level = middle_level(run) if level is None else level
    forecast.require_level(level)
    forecast.require_realization(realization)
    mean = forecast.mean_arrays(level)
    realized = forecast.realization_arrays(level, realization)
    deviation = run.units.speed.show(_deviation(run, level))
    mask = forecast.mask(level)
    dives = f", {name_dives(run)}" if name_dives(run) else ""
    with palette.styled():
        frame = Frame(run)
        count = 4 if forecast.has_scalar else 3
        side_by_side = count == 3 or frame.aspect > 1.35
        rows, columns = (1, count) if side_by_side else (2, 2)
        panel = (width - 1.5) / columns
        figure = make_page(width, rows * (panel * frame.aspect + 2.0) + 2.0)
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        norm = layers.speed_norm(frame, [mean, realized])
        layers.draw_flow(panels[0], frame, *mean, norm)
        put_letter(panels[0], 0, "mean")
        spread = Normalize(0.0, float(np.nanmax(deviation)) or 1.0)
        layers.draw_field(panels[1], frame, deviation, palette.SPREAD, spread)
        put_letter(panels[1], 1, "standard deviation")
        layers.draw_flow(panels[2], frame, *realized, norm)
        put_letter(panels[2], 2, f"realization {realization}")
        label = frame.units.speed.label("flow speed")
        _draw_bar(figure, panels[0], layers.mappable(norm, palette.FLOW), label)
        spread_label = frame.units.speed.label("deviation")
        _draw_bar(figure, panels[1], layers.mappable(spread, palette.SPREAD), spread_label)
        _draw_bar(figure, panels[2], layers.mappable(norm, palette.FLOW), label)
        if forecast.has_scalar:
            _draw_scalar(figure, panels[3], run, frame, level, realized, int(panel / _CHARACTER))
        for n, axes in enumerate(panels):
            layers.draw_obstacles(axes, frame, mask)
            frame.label(axes, left=n % columns == 0, bottom=n >= count - columns)
        put_caption(
            figure,
            f"Level {level}, {call_moment(run, level)}{dives}. Standard deviation over "
            f"{forecast.realization_count} realizations: root of the summed variances of u and v. "
            + (f"Streamlines in (d): realization {realization}. " if forecast.has_scalar else "")
            + f"{layers.name_closed([mask]).capitalize()}."
            + call_origin(run),
        )
        trim_page(figure)
    return figure


def _deviation(run: Run, level: int) -> np.ndarray:
    """Return (y, x): √(var u + var v) over all realizations, NaN in closed cells."""
    forecast = run.environment
    covariance = mode_variances(forecast.coefficients(level), forecast.weights())
    u = np.stack([forecast.mode(level, m)[0] for m in range(forecast.mode_count)])
    v = np.stack([forecast.mode(level, m)[1] for m in range(forecast.mode_count)])
    variance = sum(np.einsum("myx,mn,nyx->yx", w, covariance, w, optimize=True) for w in (u, v))
    return np.sqrt(np.maximum(variance, 0.0))


def _draw_scalar(
    figure: Figure, axes: Axes, run: Run, frame: Frame, level: int, flow, characters: int
) -> None:
    attributes = run.environment.dataset["scalar_mean"].attrs
    name = str(attributes.get("long_name", "scalar field"))
    field = run.environment.scalar(level)
    low, high = float(np.nanmin(field)), float(np.nanmax(field))
    norm = Normalize(low, high if high > low else low + 1.0)
    layers.draw_field(axes, frame, field, palette.SCALAR, norm)
    layers.draw_streamlines(axes, frame, flow[0], flow[1], density=0.8)
    put_letter(axes, 3, textwrap.fill(name, characters - 4))
    unit = unit_name(str(attributes.get("units", "1"))).replace(" ", "\u00a0")
    label = textwrap.fill(f"{name} ({unit})", characters)
    _draw_bar(figure, axes, layers.mappable(norm, palette.SCALAR), label)


def _draw_bar(figure: Figure, axes: Axes, colours, label: str) -> None:
    figure.colorbar(
        colours, ax=axes, label=label, location="bottom", aspect=28, pad=0.02, shrink=0.9
    )
