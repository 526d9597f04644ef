"""The first modes of the velocity, each multiplied by its coefficient's standard deviation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from tidewise._keywords import renamed
from tidewise.figures import layers, palette
from tidewise.figures.frame import Frame
from tidewise.figures.moments import call_moment, call_origin, middle_level
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, put_letter, trim_page
from tidewise.figures.profiles import at_profile, name_dives
from tidewise.statistics import mode_variances

if TYPE_CHECKING:
    from tidewise.run import Run


@renamed(most_modes="max_modes")
def draw_modes(
    run: Run,
    level: int | None = None,
    max_modes: int = 4,
    width: float = PAGE_WIDTH,
    profile: str | None = None,
) -> Figure:
    """Draw streamlines over speed of the first modes at a level.

    Each mode is multiplied by the standard deviation of its coefficient, so that all are velocities
    and share one colour bar; the title has its share of the variance.

    Parameters
    ----------
    run : Run
        The run.
    level, max_modes, width, profile : optional
        As in Pictures.modes.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If level or profile do not exist.
    """
    run = at_profile(run, profile)
    forecast = run.environment
    level = middle_level(run) if level is None else level
    forecast.require_level(level)
    variance = np.diag(mode_variances(forecast.coefficients(level), forecast.weights()))
    energy = np.array([_mean_square(forecast.mode(level, m)) for m in range(forecast.mode_count)])
    share = variance * energy / (np.sum(variance * energy) or 1.0)
    count = min(max_modes, forecast.mode_count)
    dives = f", {name_dives(run)}" if name_dives(run) else ""
    flows = []
    for m in range(count):
        u, v = forecast.mode(level, m)
        flows.append((np.sqrt(variance[m]) * u, np.sqrt(variance[m]) * v))
    with palette.styled():
        frame = Frame(run)
        columns = min(count, 4 if frame.aspect > 1.35 else 2)
        rows = -(-count // columns)
        panel = (width - 1.5) / columns
        figure = make_page(width, rows * (panel * frame.aspect + 0.7) + 2.6)
        panels = figure.subplots(rows, columns, squeeze=False)
        norm = layers.speed_norm(frame, flows)
        mask = forecast.mask(level)
        for m, flow in enumerate(flows):
            axes = panels.flat[m]
            layers.draw_flow(axes, frame, *flow, norm)
            layers.draw_obstacles(axes, frame, mask)
            frame.label(axes, left=m % columns == 0, bottom=m + columns >= count)
            put_letter(axes, m, f"mode {m + 1}: {100 * share[m]:.1f} %")
        for axes in panels.flat[count:]:
            axes.remove()
        figure.colorbar(
            layers.mappable(norm, palette.FLOW),
            ax=[axes for axes in panels.flat if axes.figure is not None],
            label=frame.units.speed.label("speed of one standard deviation"),
            location="bottom",
            aspect=60,
            pad=0.02,
            shrink=0.8,
        )
        put_caption(
            figure,
            f"Level {level}, {call_moment(run, level)}{dives}: the first {count} of "
            f"{forecast.mode_count} modes, each times the standard deviation of its coefficient; "
            "titles: its share of the variance. "
            f"{layers.name_closed([mask]).capitalize()}." + call_origin(run),
        )
        trim_page(figure)
    return figure


def _mean_square(flow: tuple[np.ndarray, np.ndarray]) -> float:
    u, v = flow
    return float(np.nanmean(u**2 + v**2))
