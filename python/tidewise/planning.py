"""Plans missions in this process, with the results of `tidewise plan`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tidewise._keywords import all_but, by_keywords, python_errors
from tidewise._load import core
from tidewise._words import Progress, Reporter, run_command, warn_of
from tidewise.errors import InputError
from tidewise.mission import Mission, reword_for_mission
from tidewise.run import Run, open_run
from tidewise.run_files import output_folder

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tidewise._types import Baselines, Computing, File, Moment, Realizations, Span
    from tidewise.environment import Environment

# Keys of a mission by the last part of their names, which is an argument of plan().
_KEY_OF_OPTION = {
    key.rpartition(".")[2]: key
    for key in core.mission_key_names()
    if key.startswith(("planner.", "rollout."))
}


@by_keywords()
def example(name: str, folder: File | None = None) -> Path:
    """Copy a sample forecast and mission (`tidewise example`).

    Parameters
    ----------
    name : str
        "washington", a real coast with a forecast, missions and synthetic tracks; "norway",
        currents down to 1000 m and a glider that chooses how deep to dive; "double-gyre",
        "ensemble", "wind-driven-gyre" or "onboard".
    folder : path, optional
        The folder to copy to, by default named like the example. Existing files stay.

    Returns
    -------
    pathlib.Path
        The folder.

    Raises
    ------
    InputError
        If the name is unknown, or files of other content are there.

    Examples
    --------
    >>> folder = example("washington", "coast")
    >>> sorted(path.name for path in folder.glob("*.toml"))
    ['batch.toml', 'washington.toml']
    """
    target = Path(name if folder is None else folder)
    run_command(core.example, {"name": name, "out": target})
    return target


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
    """Find a mission's best policy, evaluate and simulate it, with the bits of `tidewise plan`.

    Other Python threads go on meanwhile. Ctrl-C ends it at the next level and leaves no files.

    Parameters
    ----------
    mission : Mission or path
        The mission, or its file.
    out : path, optional
        The run's folder; temporary if not given, until Run.save.
    arrival_at_least : float, optional
        Find the smallest penalty for late arrival that gives at least this arrival probability.
    all_departures : bool
        With decide_every: let a mission depart at every level, by a pass for each step of the hold.
    mode : {"continuous", "chain", "none"}, optional
        Simulate flights with exact positions, by transitions of the model, or not at all.
    realizations : "all", int or list of int, optional
        Realizations to fly in: all, their number, or a list.
    flights, seed : int, optional
        Flights of "chain", and their seed.
    baselines : {"all", "none"}, optional
        Baseline controllers to simulate.
    deadlines : list of date, span or float, optional
        Times by which arrivals are counted.
    backend : {"auto", "cpu", "cuda"}, optional
        The processor.
    threads : int, optional
        Number of threads; all cores if not given.
    devices : int, list of int or "all", optional
        Numbers of the GPUs that share a mission.
    device : int, optional
        Number of one GPU.
    device_memory : str or int, optional
        Maximum of a GPU's memory, "8GB".
    engine, landing, subgrid_radius, block_size : optional
        Settings of the transition counts ([planner] of docs/missions.md).
    margin : float, optional
        Distance from obstacles, land and the border within which a place costs the plan nothing [m,
        or 1].
    log : path, optional
        Add the prediction to this file, for tw.score.
    overwrite : bool
        Replace a run in `out`.
    progress : bool or callable
        True for a bar (tqdm), or a function of (work, done, total, unit).

    Returns
    -------
    Run
        The run; its `report` is the terminal's text.

    Warns
    -----
    PlanWarning
        For each warning of the command.

    Raises
    ------
    InputError
        If the mission is impossible in its environment.
    RunError
        If planning or writing fails.

    Examples
    --------
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
    """Plan a mission with all of its settings; other arguments as in plan().

    Parameters
    ----------
    asked : core.MissionFile
        The mission and its settings.
    counts : core.Counts, optional
        Transition counts that missions of this vehicle in this environment share. With them the
        same bits are found in less time.
    """
    flown = None
    with python_errors(reword_for_mission), Reporter(progress) as report:
        if out is not None:
            core.require_place(Path(out), asked, mission.environment.core, overwrite)
        planned = core.plan(mission.environment.core, asked, report, counts)
        messages = list(planned.warnings)
        if asked.flies:
            flown = core.fly(planned, asked, report)
            messages += flown.warnings
        folder, keeper = output_folder(out)
        # A temporary environment lives as long as the run; save() copies it.
        extra = {"with_environment": out is not None, "log": "" if log is None else str(Path(log))}
        report = planned.save(folder, flown, **extra)
    warn_of(dict.fromkeys(messages))
    run = Run(folder)
    # A temporary folder's name has no meaning.
    run.report = report if out is not None else re.sub(r"(?m)^Written to .*\n", "", report)
    run._plan, run._flown = planned, flown
    run._kept = [keeper, mission.environment]
    return run


def open(path: File, environment: Environment | File | None = None) -> Run:  # noqa: A001
    """Open a run's folder, as `tidewise plan`, `tidewise rollout` or Run.save wrote it.

    Parameters
    ----------
    path : path
        The folder; nothing is read yet.
    environment : Environment or path, optional
        The environment, if it is not where the mission names it.

    Returns
    -------
    Run
        The run.

    Raises
    ------
    InputError
        If the folder holds no run.

    Examples
    --------
    >>> open("no/such/run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidewise.errors.InputError: no/such/run: there is no such folder; name one that ...
    """
    return open_run(path, environment)
