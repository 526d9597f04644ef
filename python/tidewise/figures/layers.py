"""Layers of maps: flow, obstacles, start and target, flights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Colormap, ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch

from tidewise.figures import palette
from tidewise.figures.frame import Frame
from tidewise.figures.profiles import Profile

if TYPE_CHECKING:
    from tidewise.run import Run

_STILL = 0.03  # [part of the greatest speed]: minimum speed for streamlines
_BEYOND = 2  # value of a mask: closed, since the forecast ends there


def draw_field(
    axes: Axes, frame: Frame, field: np.ndarray, colours: Colormap, norm: Normalize
) -> AxesImage:
    """Draw a field (y, x) in colours, cell by cell; NaN is left blank."""
    return axes.imshow(
        np.ma.masked_invalid(field),
        origin="lower",
        extent=frame.extent,
        cmap=colours,
        norm=norm,
        interpolation="nearest",
        zorder=0,
    )


def draw_streamlines(
    axes: Axes, frame: Frame, u: np.ndarray, v: np.ndarray, density: float = 1.1
) -> list[Artist]:
    """Draw thin streamlines with small heads. Returns the artists, which can be removed."""
    if not np.nanmax(np.hypot(u, v), initial=0.0) > 0.0:
        return []
    return _streamlines(axes, frame, u, v, density=_streamline_density(frame, density))


def draw_short_streamlines(
    axes: Axes, frame: Frame, u: np.ndarray, v: np.ndarray, count: int = 18
) -> list[Artist]:
    """Draw pieces of streamlines from fixed places, so that they do not jump in an animation."""
    if not np.nanmax(np.hypot(u, v), initial=0.0) > 0.0:
        return []
    longer = max(frame.aspect, 1.0)
    columns = max(2, round(count / longer))
    rows = max(2, round(count * min(frame.aspect, 1.0) if frame.aspect < 1 else count))
    x = np.linspace(frame.x[0], frame.x[-1], 2 * columns + 1)[1::2]
    y = np.linspace(frame.y[0], frame.y[-1], 2 * rows + 1)[1::2]
    seeds = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
    length = 0.8 / max(columns, rows)
    return _streamlines(
        axes, frame, u, v, density=4, start_points=seeds, maxlength=length, minlength=0.01
    )


def _streamlines(axes: Axes, frame: Frame, u, v, **options) -> list[Artist]:
    before = set(axes.patches)
    speed = np.hypot(u, v)
    # In slow water a streamline would circle on the spot and become a blot.
    still = ~(speed > _STILL * np.nanmax(speed))
    # The method of a map's axes would rotate vectors to its plane; these are in it already.
    lines = Axes.streamplot(
        axes,
        frame.x,
        frame.y,
        np.ma.masked_where(still, u),
        np.ma.masked_where(still, v),
        color=palette.STREAMLINE,
        linewidth=0.35,
        arrowsize=0.45,
        zorder=2,
        **options,
    )
    lines.lines.set_alpha(0.65)
    heads = [p for p in axes.patches if p not in before and isinstance(p, FancyArrowPatch)]
    for head in heads:
        head.set_alpha(0.65)
    return [lines.lines, *heads]


def draw_flow(
    axes: Axes, frame: Frame, u: np.ndarray, v: np.ndarray, norm: Normalize, density: float = 1.1
) -> list[Artist]:
    """Draw streamlines over speed; `norm` in displayed units."""
    speed = frame.units.speed.show(np.hypot(u, v))
    image = draw_field(axes, frame, speed, palette.FLOW, norm)
    return [image, *draw_streamlines(axes, frame, u, v, density)]


def draw_obstacles(
    axes: Axes, frame: Frame, mask: np.ndarray, over_paths: bool = False
) -> list[Artist]:
    """Draw closed cells in grey, those beyond the forecast in violet. Returns the artists.

    mask: (y, x), as of Environment.mask, or bool. If cells have longitudes, a line marks the coast.
    over_paths: draw transparent cells, since a moving obstacle may cover earlier paths.
    """
    image = axes.imshow(
        np.ma.masked_equal(mask.astype(float), 0.0),
        origin="lower",
        extent=frame.extent,
        cmap=ListedColormap([palette.CLOSED, palette.BEYOND]),
        norm=Normalize(1.0, _BEYOND),
        interpolation="nearest",
        alpha=0.85 if over_paths else 1.0,
        zorder=3.5 if over_paths else 2.5,
    )
    closed = np.ma.masked_where(mask == _BEYOND, mask == 1)
    if not frame.grid.is_geographic or not closed.any() or closed.all():
        return [image]
    coast = {"levels": [0.5], "colors": palette.INK, "linewidths": 0.5, "zorder": 3.6}
    return [image, axes.contour(frame.x, frame.y, closed.astype(float), **coast)]


def name_closed(masks: Iterable[np.ndarray]) -> str:
    """Return the caption's text about colours of closed cells."""
    beyond = any((mask == _BEYOND).any() for mask in masks)
    return "grey cells: closed" + "; violet cells: beyond the forecast" * beyond


def name_goal(run: Run) -> str:
    """Return the caption's text about draw_goal()."""
    if run.mission.objective != "follow":
        return "Disc: start; star: target"
    return "Disc: start" + "; line: what is followed" * bool(run.followed)


def draw_goal(axes: Axes, frame: Frame, run: Run) -> None:
    """Draw the start as a disc, the target as a star with its circle, and a followed track."""
    west, east, _, _ = run.grid.extent
    has_target = run.mission.objective != "follow"
    if has_target and run.mission.target_radius > 0.02 * (east - west):
        centre = frame.place(run.target)
        radius = float(frame.place(run.mission.target_radius))
        axes.add_patch(
            Circle(tuple(centre), radius, fill=False, edgecolor=palette.INK, lw=0.7, zorder=5)
        )
    if run.followed:
        x, y = frame.place(run.followed).T
        axes.plot(x, y, color=palette.INK, lw=1.2, zorder=5)
    places = [(run.start, "o", 5.0, palette.START)]
    if has_target:
        places.append((run.target, "*", 9.5, palette.TARGET))
    for position, marker, size, colour in places:
        x, y = frame.place(position)
        axes.plot(
            [x],
            [y],
            marker=marker,
            markersize=size,
            markerfacecolor=colour,
            markeredgecolor=palette.INK,
            markeredgewidth=0.7,
            linestyle="none",
            zorder=6,
        )


def draw_flights(
    axes: Axes,
    frame: Frame,
    paths: Sequence[np.ndarray],
    colours: np.ndarray,
    steps: int,
    legs: Sequence[np.ndarray] | None = None,
) -> list[Artist]:
    """Draw paths until `steps` steps after departure, with dots for flights under way.

    colours: (path, RGBA). legs: colours of each path's legs, (leg, RGBA), in place of `colours`.
    """
    if not paths:
        return []
    pieces, line_colours, head_colours = [path[: steps + 1] for path in paths], colours, colours
    if legs is not None:
        pieces, line_colours = _by_colour(pieces, legs)
        head_colours = np.array(
            [
                leg_colours[min(steps, len(leg_colours) - 1)] if len(leg_colours) else colour
                for leg_colours, colour in zip(legs, colours, strict=True)
            ]
        )
    # Fewer flights get thicker lines.
    width = float(np.clip(18.0 / np.sqrt(len(paths)), 0.45, 0.9))
    lines = LineCollection(
        [frame.place(piece) for piece in pieces],
        colors=line_colours,
        linewidths=width,
        capstyle="round",
        zorder=3,
    )
    axes.add_collection(lines, autolim=False)
    flying = [n for n, path in enumerate(paths) if len(path) > steps + 1]
    if not flying:
        return [lines]
    x, y = frame.place(np.array([paths[n][steps] for n in flying])).T
    heads = axes.scatter(
        x,
        y,
        s=1.6 if len(paths) > 50 else 6.0,
        c=head_colours[flying],
        edgecolors=palette.INK,
        linewidths=0.12 if len(paths) > 50 else 0.3,
        zorder=4,
    )
    return [lines, heads]


def _by_colour(
    paths: Sequence[np.ndarray], legs: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return paths cut where the colour of their legs changes, and the colour of each piece."""
    pieces, colours = [], []
    for path, leg_colours in zip(paths, legs, strict=True):
        drawn = leg_colours[: len(path) - 1]
        if len(drawn) == 0:
            continue
        changes = np.flatnonzero((drawn[1:] != drawn[:-1]).any(1)) + 1
        for first, last in zip([0, *changes], [*changes, len(drawn)], strict=True):
            pieces.append(path[first : last + 1])
            colours.append(drawn[first])
    return pieces, np.reshape(colours, (-1, 4))


def put_profiles(figure: Figure, profiles: Sequence[Profile]) -> None:
    """Draw a key of the profiles' colours above the panels."""
    if not profiles:
        return
    keys = [
        Line2D([], [], color=palette.profile_colour(n), lw=1.8, label=profile.text)
        for n, profile in enumerate(profiles)
    ]
    figure.legend(handles=keys, loc="outside upper right", ncols=min(len(keys), 4), frameon=False)


def mappable(norm: Normalize, colours: Colormap) -> ScalarMappable:
    """Return the basis of a colour bar that several panels share."""
    return ScalarMappable(norm=norm, cmap=colours)


def speed_norm(frame: Frame, flows: Sequence[tuple[np.ndarray, np.ndarray]]) -> Normalize:
    """Return a scale from 0 to the maximum speed of these flows, in displayed units."""
    fastest = max(float(np.nanmax(np.hypot(u, v), initial=0.0)) for u, v in flows)
    return Normalize(0.0, frame.units.speed.show(fastest) or 1.0)


def _streamline_density(frame: Frame, density: float) -> tuple[float, float]:
    """Return line densities in proportion to the lengths of the sides."""
    return (
        (density, density * frame.aspect) if frame.aspect < 1 else (density / frame.aspect, density)
    )
