"""Missions planned: what `tidewise plan` does, in this process."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tidewise._keywords import all_but, by_keywords, python_errors
from tidewise._load import core
from tidewise._words import Progress, Reporter, run_command, warn_of
from tidewise.errors import InputError
from tidewise.mission import Mission, said_of_mission
from tidewise.run import Run, _place_for, open_run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tidewise._types import Baselines, Computing, File, Moment, Realizations, Span
    from tidewise.environment import Environment

# The keys that plan() takes by the last part of their names.
_KEY_OF_OPTION = {
    key.rpartition(".")[2]: key
    for key in core.mission_key_names()
    if key.startswith(("planner.", "rollout."))
}


@by_keywords()
def example(name: str, folder: File | None = None) -> Path:
    """Copy a sample forecast and mission, and return their folder (`tidewise example`).

    name: "washington", a real coast with a forecast, missions and synthetic tracks; "norway",
    currents down to 1000 m and a glider that chooses how deep to dive; "double-gyre", "ensemble",
    "wind-driven-gyre" or "onboard". folder: one of that name if not given; existing files stay.
    Errors: InputError for an unknown name, and for files of other content.

    >>> folder = example("washington", "coast")
    >>> sorted(path.name for path in folder.glob("*.toml"))
    ['batch.toml', 'washington.toml']
    """
    place = Path(name if folder is None else folder)
    run_command(core.example, {"name": name, "out": place})
    return place


@by_keywords()
def plan(
    mission: Mission | File,
    *,
    out: File | None = None,
    arrival_at_least: float | None = None,
    all_departures: bool = False,
    mode: Literal["continuous", "chain", "none"] | None = None,
    realizations: Realizations | None = None,
    flights: int | None = None,
    seed: int | None = None,
    baselines: Baselines | None = None,
    deadlines: Sequence[Moment | Span | float] | None = None,
    engine: Literal["lattice", "direct", "paper"] | None = None,
    landing: Literal["area", "cell"] | None = None,
    margin: float | None = None,
    subgrid_radius: int | None = None,
    block_size: int | None = None,
    device: int | None = None,
    log: File | None = None,
    overwrite: bool = False,
    progress: Progress = False,
    **options: Unpack[Computing],
) -> Run:
    """Find a mission's best policy, evaluate it exactly and fly it; the bits are `tidewise plan`'s.

    - mission: a Mission, or the path of a mission file. out: the run's folder; without it the run
      is temporary until it is saved. overwrite: replace a run that is in that folder. Its `report`
      is what the terminal says. log: add the prediction to this file, for tw.score.
    - arrival_at_least: find the mildest price of being late by which it arrives with this
      probability. all_departures: with decide_every, let every level be one that a mission departs
      from, by as many passes as steps are held.
    - mode: flights are "continuous", as a vehicle would see; "chain", as the model has it, so many
      flights by this seed; or "none". realizations: "all", how many, or which; baselines: "all" or
      "none" of what needs no plan; deadlines: dates, spans or levels to count arrivals by.
    - backend: "auto", "cpu" or "cuda"; threads of the processor; devices: which GPU, or those
      that share a mission; device: the same as one number; device_memory: the most of it, such as
      "8GB".
    - engine, landing, subgrid_radius, block_size: how transitions are counted ([planner] of
      docs/missions.md). margin: how far from obstacles, land and the border a place costs the plan
      nothing [m or 1].

    progress: True for a bar (tqdm), or a function of (work, done, total, unit). Other Python
    threads go on meanwhile; Ctrl-C ends it at the next level, and nothing is left. Warnings are
    PlanWarning. Errors: InputError and RunError.

    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> mission = Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    >>> plan(mission, backend="cpu", mode="none").has_flights
    False
    """
    own = ["mission", "out", "overwrite", "progress"]
    own += ["arrival_at_least", "all_departures", "log"]
    given = all_but(locals(), "own", *own)
    keys = {_KEY_OF_OPTION[name]: value for name, value in given.items()}
    if not isinstance(mission, Mission):
        mission = Mission.read(mission)
    asked = mission.with_settings(keys)
    try:
        asked.arrival_at_least = arrival_at_least
    except TypeError:
        raise InputError(
            f"arrival_at_least is {arrival_at_least!r}; it must be a number from 0 to 1"
        ) from None
    asked.all_departures = all_departures
    return plan_as_asked(mission, asked, out=out, log=log, overwrite=overwrite, progress=progress)


def plan_as_asked(
    mission: Mission,
    asked: Any,
    *,
    out: File | None,
    log: File | None = None,
    overwrite: bool = False,
    progress: Progress = False,
    counts: Any = None,
) -> Run:
    """Plan a mission with all of its settings; the other arguments are those of `plan`.

    Parameters
    ----------
    asked : core.MissionFile
        The mission and its settings.
    counts : core.Counts, optional
        Transition counts that missions of this vehicle in this environment share. With them the
        same bits are found in less time.
    """
    flown = None
    with python_errors(said_of_mission), Reporter(progress) as report:
        if out is not None:
            core.require_place(Path(out), asked, mission.environment.core, overwrite)
        planned = core.plan(mission.environment.core, asked, report, counts)
        said = list(planned.warnings)
        if asked.flies:
            flown = core.fly(planned, asked, report)
            said += flown.warnings
        folder, keeper = _place_for(out)
        # A temporary environment stays where it is as long as the run does; save() takes it along.
        report = planned.save(
            folder, flown, with_environment=out is not None, log="" if log is None else str(Path(log))
        )
    warn_of(dict.fromkeys(said))
    run = Run(folder)
    # A temporary folder's name means nothing to whoever reads it.
    run.report = report if out is not None else re.sub(r"(?m)^Written to .*\n", "", report)
    run._plan, run._flown = planned, flown
    run._kept = [keeper, mission.environment]
    return run


def open(path: File, environment: Environment | File | None = None) -> Run:  # noqa: A001
    """Open what `tidewise plan`, `tidewise rollout` or Run.save left; nothing is read yet.

    `environment` names the environment's file where it is not where the mission says. Errors:
    InputError for a folder that holds no run.

    >>> open("no/such/run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidewise.errors.InputError: no/such/run: there is no such folder; name one that ...
    """
    return open_run(path, environment)
