"""Missions planned: what `tidewise plan` does, in this process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tidewise._load import core
from tidewise._words import Progress, Reporter, warn_of
from tidewise.mission import Mission
from tidewise.run import Run, _place_for

# The keys that plan() takes by the last part of their names.
_KEY_OF_OPTION = {
    key.rpartition(".")[2]: key
    for key in core.mission_key_names()
    if key.startswith(("planner.", "rollout."))
}


def plan(
    mission: Mission | str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = False,
    arrival_at_least: float | None = None,
    all_departures: bool = False,
    **options: Any,
) -> Run:
    """Find a mission's best policy, evaluate it exactly and fly it; the bits are `tidewise plan`'s.

    mission: a Mission, or the path of a mission file. Options are the keys of [planner] and
    [rollout]
    in docs/missions.md: backend ("auto", "cpu", "cuda"), threads, device, devices, device_memory,
    engine, landing; mode ("continuous", "chain", "none"), realizations, flights, seed, baselines,
    deadlines. out: the run's folder; without it the run is temporary until it is saved.
    arrival_at_least: find the mildest price of being late by which it arrives with this
    probability. all_departures: with decide_every, let every level be one that a mission departs
    from, by as many passes as steps are held. progress: True for a bar (tqdm), or a function of (work, done, total, unit).

    Other Python threads go on meanwhile; Ctrl-C ends it at the next level, and nothing is left.
    Warnings are PlanWarning. Errors: InputError and RunError, with the terminal's line.

    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> mission = Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    >>> plan(mission, backend="cpu", mode="none").has_flights
    False
    """
    if not isinstance(mission, Mission):
        mission = Mission.read(mission)
    keys = {
        _KEY_OF_OPTION.get(name, f"planner.{name}"): value for name, value in options.items()
    }
    asked = mission.with_settings(keys)
    asked.arrival_at_least = arrival_at_least
    asked.all_departures = all_departures
    flown = None
    with Reporter(progress) as report:
        planned = core.plan(mission.environment.core, asked, report)
        said = list(planned.warnings)
        if asked.flies:
            flown = core.fly(planned, asked, report)
            said += flown.warnings
    folder, keeper = _place_for(out)
    # A temporary environment stays where it is as long as the run does; save() takes it along.
    planned.save(folder, flown, with_environment=out is not None)
    warn_of(dict.fromkeys(said), 3)
    run = Run(folder)
    run._plan, run._flown = planned, flown
    run._kept = [keeper, mission.environment]
    return run


def open(  # noqa: A001 (as of files)
    path: str | os.PathLike[str], environment: str | os.PathLike[str] | None = None
) -> Run:
    """Open what `tidewise plan`, `tidewise rollout` or Run.save left; nothing is read yet.

    `environment` names the environment's file where it is not where the mission says. Errors:
    InputError for a folder that holds no run.

    >>> open("no/such/run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidewise.errors.InputError: no/such/run: there is no such folder; name one that ...
    """
    return Run(Path(path), Path(environment) if environment is not None else None)
