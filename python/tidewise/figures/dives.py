"""The dives of one flight: depths over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from tidewise.errors import InputError
from tidewise.figures import layers, palette
from tidewise.figures.mission import choose_flights
from tidewise.figures.moments import call_origin
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, trim_page
from tidewise.figures.profiles import Profile, profiles_of

if TYPE_CHECKING:
    from tidewise.run import Run

_HEIGHT = 6.0  # [cm]
_LINE = 0.012  # [part of the greatest depth] thickness of a fixed depth


def draw_dives(run: Run, realization: int | None = None, width: float = PAGE_WIDTH) -> Figure:
    """Draw depths over time after departure, a box for each range of steps with one profile.

    Parameters
    ----------
    run : Run
        The run.
    realization, width : optional
        As in Pictures.dives.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If the run has no flights, its vehicle does not choose among profiles, or the realization
        does not exist.
    """
    profiles = require_choice(run)
    number = _median(run) if realization is None else int(choose_flights(run, realization, 1)[0])
    times = np.asarray(run.units.time.show(run.flights.times(number)), float)
    profile_of_step = run.flights.dives(np.array([number]))[0]
    depths = _depth_ranges(profiles)
    deepest = max(last for _, last in depths)
    changes = np.flatnonzero(profile_of_step[1:] != profile_of_step[:-1]) + 1
    with palette.styled():
        figure = make_page(width, _HEIGHT)
        axes = figure.subplots()
        for first, last in zip([0, *changes], [*changes, len(profile_of_step)], strict=True):
            top, bottom = depths[profile_of_step[first]]
            axes.fill_between(
                times[[first, last]],
                top - _LINE * deepest * (top == bottom),
                bottom + _LINE * deepest * (top == bottom),
                color=palette.profile_colour(int(profile_of_step[first])),
                lw=0,
            )
        axes.set_xlim(0, times[-1])
        axes.set_ylim(deepest * 1.02, -0.02 * deepest)
        axes.set_xlabel(run.units.time.label("time after departure"))
        if any(profile.depths is None for profile in profiles):
            axes.set_yticks([n + 0.5 for n in range(len(profiles))], [p.name for p in profiles])
        else:
            axes.set_ylabel("depth (m)")
        ends = run.flights.arrays
        median = ", the median flight" * (realization is None)
        axes.set_title(f"dives of realization {ends.realization[number]}{median}", loc="left")
        layers.put_profiles(figure, profiles)
        put_caption(
            figure,
            "Boxes: range of depths of the planned dive in each step; the bottom "
            "may end a dive above." + call_origin(run, run.mission.departure),
        )
        trim_page(figure)
    return figure


def require_choice(run: Run) -> list[Profile]:
    """Return the profiles to choose from. Raises InputError if there is no choice."""
    profiles = profiles_of(run)
    if profiles:
        return profiles
    raise InputError(
        f"dives: {run.folder} has a single profile; draw a run of several vehicle.profiles"
    )


def _median(run: Run) -> int:
    """Return the flight of the median arrival; the first one if none arrives."""
    ends = run.flights.arrays
    arrived = np.flatnonzero(ends.arrived)
    if len(arrived) == 0:
        return 0
    by_time = arrived[np.argsort(ends.duration[arrived], kind="stable")]
    return int(by_time[(len(by_time) - 1) // 2])


def _depth_ranges(profiles: list[Profile]) -> list[tuple[float, float]]:
    """Return the ranges of depths; rows of height 1 if any profile has no depths."""
    if any(profile.depths is None for profile in profiles):
        return [(float(n), float(n + 1)) for n in range(len(profiles))]
    return [profile.depths for profile in profiles if profile.depths is not None]
