"""The policy at a level: best headings as arrows over the value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tidewise.errors import InputError
from tidewise.figures import layers, palette
from tidewise.figures.frame import Frame
from tidewise.figures.moments import call_moment, call_origin
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, trim_page
from tidewise.figures.profiles import profiles_of

if TYPE_CHECKING:
    from tidewise.run import Run

_ARROWS = 30  # number along the longer side


def draw_policy(run: Run, level: int | None = None, width: float = PAGE_WIDTH) -> Figure:
    """Draw thinned arrows, whose length is the speed, over the value; mark closed cells and target.

    Parameters
    ----------
    run : Run
        The run.
    level, width : optional
        As in Pictures.policy.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If the run has no policy.h5, or the level does not exist.
    """
    level = run.mission.departure if level is None else level
    levels = run.policy.sizes["time"]
    if not 0 <= level < levels:
        raise InputError(
            f"level {level}: the policy of {run.folder} has the levels 0 to {levels - 1}; choose "
            "one of them"
        )
    action = run.policy["action"][level].values.astype(int)
    value = run.policy["value"][level].values.astype(float)
    closed, target = _closed_and_target(run, action, value)
    with palette.styled():
        frame = Frame(run)
        # A square domain takes most of the page's width; the height of the page limits a tall one.
        figure = make_page(width, min((width - 4.0) * frame.aspect + 2.4, 1.1 * width))
        axes = figure.subplots()
        shown, norm, extend = _value_shown(run, value, closed | target)
        layers.draw_field(axes, frame, shown, palette.VALUE, norm)
        _draw_arrows(axes, frame, run, action)
        layers.draw_obstacles(axes, frame, closed)
        outlined = _draw_target_cells(axes, frame, target)
        layers.draw_goal(axes, frame, run)
        frame.label(axes)
        axes.set_title(f"policy at level {level}, {call_moment(run, level)}", loc="left")
        figure.colorbar(
            layers.mappable(norm, palette.VALUE),
            ax=axes,
            label=_value_label(run),
            extend=extend,
            aspect=35,
            pad=0.02,
        )
        layers.put_profiles(figure, profiles_of(run))
        by_dive = ", coloured by its dive" * bool(profiles_of(run))
        put_caption(
            figure,
            "Colours: expected total reward from here on. Arrows: heading and speed through the "
            f"water of the best action{by_dive}, thinned. Disc: start; "
            f"star{' and outline' * outlined}: target; grey cells: closed." + call_origin(run),
        )
        trim_page(figure)
    return figure


def _closed_and_target(
    run: Run, action: np.ndarray, value: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return masks (y, x) from policy.h5: cells without an action, and cells of the target."""
    idle = action < 0
    # The value of a failure can also be 0.
    x, y = np.meshgrid(run.grid.x - run.target[0], run.grid.y - run.target[1])
    reach = max(run.mission.target_radius, np.hypot(run.grid.dx, run.grid.dy))
    target = idle & (value == 0.0) & (np.hypot(x, y) <= reach * (1 + 1e-9))
    # At the last level all cells except the target have no action and the value of a failure.
    failed = idle & ~target
    return (np.zeros_like(failed) if failed[~target].all() else failed), target


def _value_shown(
    run: Run, value: np.ndarray, excluded: np.ndarray
) -> tuple[np.ndarray, Normalize, str]:
    """Return displayed values, NaN where excluded, a scale for most of them, and its open ends."""
    scale = run.units.time.scale if run.mission.objective == "time" else 1.0
    if run.mission.objective in ("energy", "net_energy"):
        scale = run.units.energy.scale
    shown = np.where(excluded, np.nan, value) / scale
    finite = shown[np.isfinite(shown)]
    if len(finite) == 0:
        return shown, Normalize(0.0, 1.0), "neither"
    # Values drop where failure is likely; these cells must not take most of the colours.
    failure = run.mission.failure_price / scale
    likely = finite[finite > 0.75 * finite.max() + 0.25 * failure]
    low, high = float(likely.min(initial=finite.max())), float(finite.max())
    low = float(np.quantile(likely, 0.05)) if len(likely) else low
    if not high > low:
        low, high = low - 0.5, high + 0.5
    return shown, Normalize(low, high), "min" if finite.min() < low else "neither"


def _value_label(run: Run) -> str:
    if run.mission.objective == "time":
        return run.units.time.label("value")
    if run.mission.objective in ("energy", "net_energy"):
        return run.units.energy.label("value")
    return "value (–)"


def _draw_arrows(axes: Axes, frame: Frame, run: Run, action: np.ndarray) -> None:
    stride = max(1, round(max(action.shape) / _ARROWS))
    rows = np.arange(stride // 2, action.shape[0], stride)
    columns = np.arange(stride // 2, action.shape[1], stride)
    chosen = action[np.ix_(rows, columns)]
    has_action = chosen >= 0
    if not has_action.any():
        return
    heading = run.policy["heading"].values[chosen[has_action]]
    speed = run.policy["speed"].values[chosen[has_action]]
    fastest = float(run.policy["speed"].values.max())
    column, row = np.meshgrid(columns, rows)
    x, y = frame.x[column[has_action]], frame.y[row[has_action]]
    if not fastest > 0:
        return
    # The longest arrow nearly reaches its neighbour.
    length = 0.85 * stride * abs(frame.x[1] - frame.x[0]) / fastest
    colours = _arrow_colours(run, chosen[has_action])
    # Without a rim, coloured arrows vanish on the colours of the value.
    rim = {} if isinstance(colours, str) else {"edgecolors": "white", "linewidths": 0.45}
    # The method of a map's axes would rotate vectors to its plane; these are in it already.
    Axes.quiver(
        axes,
        x,
        y,
        speed * np.cos(heading) * length,
        speed * np.sin(heading) * length,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        pivot="mid",
        facecolors=colours,
        **rim,
        width=0.0026 if rim else 0.0016,
        headwidth=4.0,
        headlength=4.5,
        headaxislength=4.0,
        minlength=0.5,
        zorder=3,
    )


def _arrow_colours(run: Run, actions: np.ndarray) -> str | list[str]:
    """Return colours by the profile of each action, if the vehicle chooses among several."""
    if not profiles_of(run):
        return palette.INK
    profiles = run.policy["profile"].values.astype(int)[actions]
    return [palette.profile_colour(int(n)) for n in profiles]


def _draw_target_cells(axes: Axes, frame: Frame, target: np.ndarray) -> bool:
    """Outline the target's cells. Returns False if the star covers all of them."""
    if target.sum() < 10:
        return False
    half_x = abs(frame.x[1] - frame.x[0]) / 2
    half_y = abs(frame.y[1] - frame.y[0]) / 2
    padded = np.pad(target, 1)
    across = padded[1:-1, 1:] != padded[1:-1, :-1]  # (y, x + 1): edges between columns
    along = padded[1:, 1:-1] != padded[:-1, 1:-1]  # (y + 1, x): edges between rows
    edges_x = np.append(frame.x - half_x, frame.x[-1] + half_x)
    edges_y = np.append(frame.y - half_y, frame.y[-1] + half_y)
    rows, columns = np.nonzero(across)
    axes.vlines(edges_x[columns], edges_y[rows], edges_y[rows + 1], color=palette.INK, lw=0.7)
    rows, columns = np.nonzero(along)
    axes.hlines(edges_y[rows], edges_x[columns], edges_x[columns + 1], color=palette.INK, lw=0.7)
    return True
