"""The mission at several times: flow, obstacles and flights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from tidewise._keywords import renamed
from tidewise.errors import InputError
from tidewise.figures import layers, palette
from tidewise.figures.flight_colours import FlightColours, choose_flight_colours
from tidewise.figures.frame import Frame
from tidewise.figures.moments import call_moment, call_origin, default_steps, nearest_steps
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, put_letter, trim_page
from tidewise.figures.profiles import at_profile, name_dives
from tidewise.flights import KEEPING

if TYPE_CHECKING:
    from tidewise.run import Run

DEFAULT_MAX_FLIGHTS = 400
_TALL = 1.35  # height divided by width from which panels stand side by side


@renamed(most_flights="max_flights")
def draw_mission(
    run: Run,
    times: Sequence[float] | None = None,
    realization: int | None = None,
    max_flights: int = DEFAULT_MAX_FLIGHTS,
    width: float = PAGE_WIDTH,
    profile: str | None = None,
) -> Figure:
    """Draw streamlines over speed of the flow, obstacles, and trajectories by the objective.

    Trajectories are coloured by profile if the vehicle chooses among several.

    Parameters
    ----------
    run : Run
        The run.
    times, realization, max_flights, width, profile : optional
        As in Pictures.mission.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If the run has no flights, or realization or profile do not exist.
    """
    run = at_profile(run, profile)
    if realization is not None:
        run.environment.require_realization(realization)
    steps = nearest_steps(run, times) if times else default_steps(run)
    colours = choose_flight_colours(run)
    numbers = choose_flights(run, realization, max_flights)
    paths = run.flights.paths(numbers)
    levels = [run.mission.departure + step for step in steps]
    legs = colours.legs(run, numbers)
    flows = [flow_at(run, level, realization) for level in levels]
    with palette.styled():
        frame = Frame(run)
        norm = layers.speed_norm(frame, flows)
        rows, columns = _arrange(len(steps), frame.aspect)
        figure = make_page(width, _height(width, rows, columns, frame.aspect))
        panels = figure.subplots(rows, columns, squeeze=False)
        for n, (step, level, flow) in enumerate(zip(steps, levels, flows, strict=True)):
            axes = panels.flat[n]
            layers.draw_flow(axes, frame, *flow, norm)
            layers.draw_obstacles(axes, frame, run.environment.mask(level), over_paths=True)
            flight_colours = colours.of(numbers, opacity_of(numbers))
            layers.draw_flights(axes, frame, paths, flight_colours, step, legs)
            layers.draw_goal(axes, frame, run)
            below_is_empty = n + columns >= len(steps)
            frame.label(axes, left=n % columns == 0, bottom=below_is_empty)
            put_letter(axes, n if len(steps) > 1 else None, _title(run, level))
        for axes in panels.flat[len(steps) :]:
            axes.remove()
        _put_colour_bars(figure, panels, norm, colours, frame)
        layers.put_profiles(figure, colours.profiles)
        put_caption(figure, describe_flights(run, numbers, realization, levels))
        trim_page(figure)
    return figure


def flow_at(run: Run, level: int, realization: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return u and v of the mean flow or of a realization."""
    if realization is None:
        return run.environment.mean_arrays(level)
    return run.environment.realization_arrays(level, realization)


def choose_flights(run: Run, realization: int | None, max_count: int) -> np.ndarray:
    """Return indices of flights to show. Raises InputError if none flew in that realization."""
    if realization is None:
        return run.flights.chosen(max_count)
    if run.mission.rollout_mode == "chain":
        raise InputError(
            f"realization {realization}: flights of {run.folder} draw a new realization each step "
            "(rollout.mode chain), so none belongs to it; leave --realization out"
        )
    numbers = np.flatnonzero(run.flights.arrays.realization == realization)
    if len(numbers) == 0:
        raise InputError(
            f"realization {realization}: no flight of {run.folder} flew through it; choose one of "
            f"{run.flights.arrays.realization.min()} to {run.flights.arrays.realization.max()}"
        )
    return numbers[:max_count]


def describe_flights(
    run: Run, numbers: np.ndarray, realization: int | None, levels: Iterable[int]
) -> str:
    """Return the caption: the contents, the number of flights, and the colours at these levels."""
    total = len(run.flights.all_ends.steps)
    failed = int(total - run.flights.all_ends.succeeded(run.mission.objective).sum())
    did, did_not = (
        ("lasted until the end", "did not last until the end")
        if run.mission.objective in KEEPING
        else ("arrived", "did not arrive")
    )
    flow = "mean flow" if realization is None else f"flow of realization {realization}"
    if dives := name_dives(run):
        flow += f" {dives}"
    shown = (
        f"all {total} flights" if len(numbers) == total else f"{len(numbers)} of {total} flights"
    )
    text = f"Streamlines and speed of the {flow}; {shown} shown."
    if realization is not None:
        succeeded = run.flights.arrays.succeeded(run.mission.objective)[numbers]
        end = did if succeeded.all() else f"{did_not} (grey)"
        text = f"Streamlines and speed of the {flow}, and the flight through it, which {end}."
    elif failed:
        text += f" Grey lines: {did_not} ({failed} of {total} flights)."
    if run.planned_on:
        text += f" Planned in {run.planned_on}."
    origin = call_origin(run, run.mission.departure)
    closed = layers.name_closed(run.environment.mask(level) for level in levels)
    return f"{text} {layers.name_goal(run)}; {closed}.{origin}"


def _title(run: Run, level: int) -> str:
    return call_moment(run, level, run.mission.departure)


def opacity_of(numbers: np.ndarray) -> float:
    """Return the opacity: more flights are more transparent."""
    return float(np.clip(6.0 / np.sqrt(max(len(numbers), 1)), 0.5, 0.95))


def _arrange(count: int, aspect: float) -> tuple[int, int]:
    """Return rows and columns of panels; panels of tall domains stand side by side."""
    max_columns = 4 if aspect > _TALL else 2
    columns = min(count, max_columns) if count != 3 or aspect > _TALL else 3
    return -(-count // columns), columns


def _height(width: float, rows: int, columns: int, aspect: float) -> float:
    """Return the height of the page [cm]: panels, their titles, colour bars and caption."""
    panel = (width - 1.3) / columns - 0.25
    return rows * (panel * aspect + 0.65) + 2.9


def _put_colour_bars(
    figure: Figure, panels: np.ndarray, norm, colours: FlightColours, frame: Frame
) -> None:
    columns = panels.shape[1]
    half = max(1, columns // 2)
    left = [axes for axes in panels[:, :half].flat if axes.figure is not None]
    right = [axes for axes in panels[:, half:].flat if axes.figure is not None] or left
    style: dict[str, Any] = {"location": "bottom", "aspect": 32, "pad": 0.02, "shrink": 0.9}
    if colours.norm is None:
        style["aspect"] = 60
        left = right = [axes for axes in panels.flat if axes.figure is not None]
    speed = layers.mappable(norm, palette.FLOW)
    figure.colorbar(speed, ax=left, label=frame.units.speed.label("flow speed"), **style)
    if colours.norm is not None:
        flights = layers.mappable(colours.norm, palette.FLIGHT)
        figure.colorbar(flights, ax=right, label=colours.label, extend=colours.extend, **style)
