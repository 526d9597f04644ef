"""Moments of a mission: choice of levels, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tidewise.run import Run



def default_steps(run: Run, count: int = 4) -> list[int]:
    """Return numbers of steps after departure, spread evenly up to the last arrival."""
    last = last_flown_step(run)
    return sorted({max(1, round(last * n / count)) for n in range(1, count + 1)})


def last_flown_step(run: Run) -> int:
    """Return the number of steps to the last arrival, or to the last end if no flight arrived."""
    ends = run.flights.arrays
    counted = ends.steps[ends.arrived] if ends.arrived.any() else ends.steps
    return max(1, int(counted.max(initial=1)))


def last_step(run: Run) -> int:
    """Return the number of steps to the mission's end; the environment may be longer."""
    levels = len(run.grid.time) - 1 - run.mission.departure
    return levels if run.mission.horizon is None else min(run.mission.horizon, levels)


def nearest_steps(run: Run, times: Sequence[float]) -> list[int]:
    """Return the steps nearest to `times`, both after departure [environment's units]."""
    return [int(np.clip(round(t / run.grid.time_step), 0, last_step(run))) for t in times]


def middle_level(run: Run) -> int:
    """Return the time level halfway through the mission."""
    return run.mission.departure + last_step(run) // 2


def call_moment(run: Run, level: int, since: int = 0) -> str:
    """Return the time of a level as text, counted from the level `since`."""
    return f"t = {run.units.time.text(float(run.grid.time[level] - run.grid.time[since]))}"


def call_origin(run: Run, level: int = 0) -> str:
    """Return a sentence with the date of t = 0; empty if the time axis has no date."""
    if run.grid.dates is None:
        return ""
    when = run.grid.dates[level]
    text = (
        np.datetime_as_string(when, unit="m").replace("T", " ")
        if isinstance(when, np.datetime64)
        else when.strftime("%Y-%m-%d %H:%M")
    )
    return f" t\u00a0=\u00a00 is {text} UTC."
