"""A simulation in the forecast's own files, with the flights in the environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tidewise.errors import InputError
from tidewise.figures import layers, palette
from tidewise.figures.frame import Frame
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, trim_page
from tidewise.mission_echo import Position

if TYPE_CHECKING:
    from tidewise.run import Run

_OTHER_FLIGHTS = (0.25, 0.25, 0.25, 0.35)
_MAX_POINTS = 200  # maximum per track; more would not be visible


def draw_rehearsal(run: Run, path: str | Path | None = None, width: float = PAGE_WIDTH) -> Figure:
    """Draw tracks of `tidewise rehearse`: rehearsals as lines, the run's flights dashed.

    A member and its flight share a colour; other flights are grey. The flow behind is the mean at
    the departure.

    Parameters
    ----------
    run : Run
        The run.
    path, width : optional
        As in Pictures.rehearsal.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If the file does not exist, or holds no rehearsal.
    """
    path = run.folder / "rehearsal.geojson" if path is None else Path(path)
    tracks = _read_tracks(path)
    level = run.mission.departure
    flow, mask = run.environment.mean_arrays(level), run.environment.mask(level)
    with palette.styled():
        frame = Frame(run)
        figure = make_page(width, min((width - 4.0) * frame.aspect + 2.4, 1.1 * width))
        axes = figure.subplots()
        norm = layers.speed_norm(frame, [flow])
        layers.draw_flow(axes, frame, *flow, norm)
        layers.draw_obstacles(axes, frame, mask)
        for kind, style in (("flight", (0, (3, 2))), ("rehearsal", "solid")):
            lines = [_on_plane(run, line) for line in tracks[kind]]
            colours = palette.FLIGHT(np.linspace(0.0, 1.0, max(len(lines), 2))[: len(lines)])
            of_members = kind == "rehearsal" or bool(tracks["member"])
            axes.add_collection(
                LineCollection(
                    [frame.place(line) for line in lines],
                    colors=colours if of_members else _OTHER_FLIGHTS,
                    linewidths=0.9 if of_members else 0.5,
                    linestyles=[style],
                    zorder=3,
                ),
                autolim=False,
            )
        layers.draw_goal(axes, frame, run)
        frame.label(axes)
        axes.legend(
            handles=[
                Line2D(
                    [], [], color=palette.INK, lw=0.9, label="rehearsal, in the forecast's files"
                ),
                Line2D([], [], color=palette.INK, lw=0.9, ls=(0, (3, 2)), label="flight"),
            ],
            loc="best",
        )
        figure.colorbar(
            layers.mappable(norm, palette.FLOW),
            ax=axes,
            label=run.units.speed.label("flow speed"),
            aspect=35,
            pad=0.02,
        )
        put_caption(
            figure,
            f"{_counted(tracks['rehearsal'], 'rehearsal')} and "
            f"{_counted(tracks['flight'], 'flight')} of one policy"
            f"{_who_share_colours(tracks)}. {layers.name_goal(run)}; {layers.name_closed([mask])}.",
        )
        trim_page(figure)
    return figure


def _counted(lines: list[np.ndarray], noun: str) -> str:
    return f"{len(lines)} {noun}{'s' * (len(lines) != 1)}"


def _who_share_colours(tracks: dict[str, list[np.ndarray]]) -> str:
    return "; a member and its flight share a colour" if tracks["member"] else ""


def _read_tracks(path: Path) -> dict[str, list[np.ndarray]]:
    """Return tracks by kind, (point, 2) in degrees; `member`: flights whose member is named."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; make it with 'tidewise rehearse'")
    tracks: dict[str, list[np.ndarray]] = {"flight": [], "rehearsal": [], "member": []}
    try:
        for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
            kind = feature["properties"]["kind"]
            if kind in ("flight", "rehearsal"):
                tracks[kind].append(_points_of(feature["geometry"]))
            if kind == "flight" and "member" in feature["properties"]:
                tracks["member"].append(tracks[kind][-1])
    except (ValueError, KeyError, TypeError):
        tracks["rehearsal"] = []
    if not tracks["rehearsal"]:
        raise InputError(f"{path}: holds no rehearsal; make it again with 'tidewise rehearse'")
    return tracks


def _points_of(geometry: dict) -> np.ndarray:
    points = geometry["coordinates"]
    if geometry["type"] == "Point":
        points = [points]
    elif geometry["type"] == "MultiLineString":  # cut at 180°
        points = [point for piece in points for point in piece]
    return np.asarray(points, float).reshape(-1, 2)


def _on_plane(run: Run, track: np.ndarray) -> np.ndarray:
    """Return a thinned track, (point, 2) in x and y; both ends are kept."""
    count = min(len(track), _MAX_POINTS)
    chosen = np.unique(np.linspace(0, len(track) - 1, count).astype(int))
    return np.array(
        [
            run.grid.position_on_plane(Position(float(lon), float(lat), True))
            for lon, lat in track[chosen]
        ]
    )
