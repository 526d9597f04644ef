"""A run's folder: policy, flights, summary, and their environment."""

from __future__ import annotations

import datetime
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tidewise._html import html_table
from tidewise._keywords import (
    all_but,
    by_keywords,
    kind_of,
    whole_number,
    without_temporary,
)
from tidewise._load import core
from tidewise._temporary import shown_path
from tidewise._words import Progress, date_text, is_moment, run_command
from tidewise.comparison import Comparison, table_of_comparison
from tidewise.environment import Environment, file_of, open_netcdf
from tidewise.errors import InputError
from tidewise.flights import Flights
from tidewise.grid import Grid, read_grid
from tidewise.learning import Knowledge, number_of
from tidewise.mission import settings_of
from tidewise.mission_echo import MissionEcho, Position, read_mission_echo
from tidewise.pictures import Pictures
from tidewise.run_files import copy_run, format_of, output_folder, require_no_run
from tidewise.statistics import read_departures
from tidewise.steering import NoAction, Steering, why_not
from tidewise.summary import Expected, read_summary
from tidewise.tracks import run_with_tracks
from tidewise.units import Units, choose_units
from tidewise.views import View, temporary_page

if TYPE_CHECKING:
    import xarray as xr
    from typing_extensions import Unpack

    from tidewise._types import (
        Baselines,
        Computing,
        File,
        Moment,
        Observing,
        Place,
        Point,
        Realizations,
        Replanning,
        RouteFormat,
        Span,
    )
    from tidewise.tracks import Track


def open_run(path: File, environment: Environment | File | None = None) -> Run:
    """Open a run's folder, as tidewise.open() does.

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
    """
    return Run(path, environment)


_OF_A_POLICY = ("x", "y", "time", "action", "value", "heading", "speed")
_OF_ENERGY = ("energy", "net_energy", "weighted")  # objectives that count energy
_LESS_SURE = 0.01  # loss of arrival probability up to which a delay is given
_OF_FLIGHTS = ("x", "y", "time", "energy", "harvested", "outcome", "realization", "total_reward")


# Former arguments for places and times.
_FORMER_NAMES = {"start": "use at", "start_xy": "use at_xy", "departure": "use time"}


def _read_reach(path: Path) -> xr.Dataset:
    """Read a file of `tidewise reach`; times to go in seconds become hours."""
    with open_netcdf(path) as opened:
        reach = opened.load()
    if reach.time_to_go.attrs.get("units") == "s":
        hours = (reach.time_to_go / 3600).assign_attrs(reach.time_to_go.attrs | {"units": "h"})
        reach["time_to_go"] = hours
    from tidewise._policy import REACHED

    return reach[[name for name in REACHED if name in reach]]


@dataclass(frozen=True)
class Refinement:
    """Refined headings and speeds of a run: the data set of refined.h5, and the gain."""

    path: Path
    report: str

    @property
    def dataset(self) -> xr.Dataset:
        """Heading, speed and gain, (time, y, x)."""
        return open_netcdf(self.path)

    def __str__(self) -> str:
        """Return the report, as the terminal prints it."""
        return self.report


class Run:
    """A run: its policy, predictions and flights, as plan() and open() return it.

    Data sets are lazy: xarray reads values when they are used.

    Parameters
    ----------
    folder : path
        The run's folder, or its policy.h5.
    environment : Environment or path, optional
        The environment, if it is not where the mission names it.

    Raises
    ------
    InputError
        If the folder holds no run.

    Examples
    --------
    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> mission = Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    >>> run = plan(mission)
    >>> run.expected.arrival_probability > 0.9
    True
    >>> run.policy.value.dims
    ('time', 'y', 'x')
    """

    def __init__(self, folder: File, environment: Environment | File | None = None) -> None:
        """Open a run's folder; nothing is read yet."""
        if not isinstance(folder, (str, os.PathLike)):
            raise InputError(f"run: is {kind_of(folder)}; give the path of a run's folder")
        folder = Path(folder)
        self.folder = folder.parent if folder.is_file() else folder
        named = environment is not None
        self._environment_path = file_of(environment, "environment") if named else None
        # Objects to keep alive: temporary folders, the environment.
        self._kept: list[Any] = [environment]
        self._plan = None  # the compiled plan, if it was planned in this process
        self._flown = None
        self.report: str | None = None  # the terminal's report of a run made in this process
        if not self.folder.is_dir():
            raise InputError(
                f"{folder}: there is no such folder; name one that 'tidewise plan' wrote"
            )
        if not self.has_policy and not self.has_flights:
            raise InputError(
                f"{folder}: holds neither policy.h5 nor trajectories.nc, so it is no run; name a "
                "folder that 'tidewise plan' wrote"
            )

    @property
    def _called(self) -> str:
        """Return the folder for messages, or a description of a temporary folder."""
        return without_temporary(str(self.folder))

    @property
    def has_policy(self) -> bool:
        """True if the folder holds a policy; a folder of 'tidewise rollout' has none."""
        return (self.folder / "policy.h5").is_file()

    @property
    def has_flights(self) -> bool:
        """True if the policy was simulated."""
        return (self.folder / "trajectories.nc").is_file()

    @property
    def has_environment(self) -> bool:
        """True if the environment's file exists."""
        return self._find_environment() is not None

    @cached_property
    def policy(self) -> xr.Dataset:
        """The contents of policy.h5 as a Dataset.

        ``action`` and ``value`` (time, y, x), ``heading`` and ``speed`` (action_index); of a
        vehicle with several profiles also ``profile`` (action_index). ``time`` is datetime64 where
        times count from a date. Headings are counter-clockwise from the plane's +x [rad];
        `headings` has true headings in degrees. After reach() the Dataset also has its results.
        """
        if not self.has_policy:
            raise InputError(
                f"{self._called}: holds no policy.h5; a rollout keeps that of its run; name the run"
            )
        policy = _open(self.folder / "policy.h5", _OF_A_POLICY)
        from tidewise._policy import PolicyDataset  # after the error that xarray is missing

        policy.__class__ = PolicyDataset
        path = self.folder / "reach.nc"
        if not self._is_of_policy(path):
            return policy
        reach = self._with_delay(_read_reach(path))
        return policy.assign({name: (v.dims, v.values, v.attrs) for name, v in reach.items()})

    def _with_delay(self, reach: xr.Dataset) -> xr.Dataset:
        """Add the delay: expected arrival from each state minus expected arrival from the start."""
        departure, times = self.summary.get("departure") or {}, reach.time.values
        expected = self.expected
        if expected is None or expected.keeps or "time" not in departure:
            return reach
        hour = 3600.0 if reach.time_to_go.attrs["units"] == "h" else 1.0
        if np.issubdtype(times.dtype, np.datetime64):
            departed = np.datetime64(departure["date"].rstrip("Z"))
            elapsed = (times - departed) / np.timedelta64(1, "h")
        elif np.issubdtype(times.dtype, np.number):
            elapsed = (times - departure["time"]) / hour
        else:
            return reach  # dates of another calendar
        delay = reach.time_to_go + elapsed[:, None, None] - expected.time / hour
        is_as_likely = reach.arrival_probability >= expected.arrival_probability - _LESS_SURE
        delay = delay.where(is_as_likely & (elapsed >= 0)[:, None, None]).astype(np.float32)
        delay.attrs = {
            "units": reach.time_to_go.attrs["units"],
            "long_name": "arrival after the one expected from the start",
        }
        return reach.assign(delay=delay)

    def _is_of_policy(self, reach: Path) -> bool:
        sources = [self.folder / name for name in ("policy.h5", "trajectories.nc")]
        newest = max((file.stat().st_mtime for file in sources if file.is_file()), default=0.0)
        return reach.is_file() and reach.stat().st_mtime >= newest

    @cached_property
    def headings(self) -> xr.DataArray:
        """Heading of the best action of each cell and level.

        Returns
        -------
        xarray.DataArray
            (time, y, x); if the mission has via points (leg, time, y, x), legs from 1. Degrees
            clockwise from true north if the environment has longitudes, else counter-clockwise
            from +x. NaN where there is no action, and where the vehicle drifts. Coordinates:
            ``time`` (datetime64 in UTC if times count from a date), ``y``, ``x``, and ``lon``
            and ``lat`` (y, x).

        Examples
        --------
        >>> run.headings.dims
        ('time', 'y', 'x')
        """
        import xarray as xr

        if self.legs == 1:
            return self._headings_of(self.policy)
        legs = range(1, self.legs + 1)
        headings = xr.concat([self._headings_of(self.policy, leg) for leg in legs], "leg")
        return headings.assign_coords(leg=np.array(legs))

    def _headings_of(self, part: xr.Dataset, leg: int = 1) -> xr.DataArray:
        """Return `headings` of one leg for a part of the policy; only that part is read."""
        action = part["action" if leg == 1 else f"action_leg_{leg}"].astype(int)
        chosen = action.clip(min=0)
        degrees = np.degrees(part["heading"])[chosen].astype(np.float32)
        name = "heading, counter-clockwise from +x"
        if "meridian_convergence" in part:
            degrees = 90.0 - degrees + part["meridian_convergence"].astype(np.float32)
            name = "heading, clockwise from true north"
        is_steered = (action >= 0) & (part["speed"][chosen] > 0)
        headings = (degrees % 360.0).where(is_steered).transpose(*action.dims).rename("heading")
        places = {name: part[name] for name in ("lon", "lat") if name in part.variables}
        headings = headings.assign_coords(places)
        headings.attrs = {"units": "degree", "long_name": name}
        return headings

    def sel(self, lon: float, lat: float) -> xr.Dataset:
        """Return the policy and its headings at the cell nearest to a longitude and a latitude.

        Parameters
        ----------
        lon, lat : float
            Degrees east and north; x and y if the environment has no longitudes.

        Returns
        -------
        xarray.Dataset
            `policy` with ``heading_degrees``, along time.

        Raises
        ------
        InputError
            If the position is outside.

        Examples
        --------
        >>> run.sel(20.5, 8.5).heading_degrees.dims
        ('time',)
        """
        cell = self.grid.sel(self.policy, lon, lat)
        return cell.assign(heading_degrees=self._headings_of(cell))

    def bearing(self, level: int, *, leg: int = 1) -> np.ndarray:
        """Return the true heading of the best action at a level, as `headings` has it.

        Parameters
        ----------
        level : int
            The time level.
        leg : int
            The leg, from 1.

        Returns
        -------
        ndarray
            (y, x) [degrees clockwise from true north].

        Raises
        ------
        InputError
            If the environment has no longitudes, and so no north.
        """
        if "meridian_convergence" not in self.policy:
            raise InputError(
                f"{self._called}: its policy.h5 has no meridian_convergence, since its environment "
                "has no lon and lat; headings are counter-clockwise from +x"
            )
        self._leg(leg)  # raises an error if the leg does not exist
        return self._headings_of(self.policy.isel(time=level), leg).values

    @cached_property
    def trajectories(self) -> xr.Dataset:
        """The contents of trajectories.nc as a Dataset (trajectory, obs).

        Variables: x, y, time, heading, speed, energy and harvested; with longitudes also lon, lat
        and bearing [degrees clockwise from true north]. ``time`` is datetime64 if there is a date.
        """
        if not self.has_flights:
            raise InputError(
                f"{self._called}: holds no trajectories.nc, since nothing was flown; fly it "
                "by rollout(), or with 'tidewise rollout'"
            )
        return _open(self.folder / "trajectories.nc", _OF_FLIGHTS)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The contents of summary.json, with dates as text."""
        return read_summary(self.folder / "summary.json")

    @property
    def uncertainty(self) -> str:
        """The meaning of the spread of the forecast's realizations.

        "none" (the forecast is taken as exact), "lagged" (copies of one forecast at other times),
        "ensemble", "error_model", "guess" or "contradicted" (by observations). With the first two
        and the last, shares of flights are not probabilities. Raises InputError if there is no
        summary.
        """
        problem = self.summary.get("problem")
        single = isinstance(problem, dict) and problem.get("realizations") == 1
        return str(self.summary.get("uncertainty") or ("none" if single else "ensemble"))

    @cached_property
    def expected(self) -> Expected | None:
        """The prediction of the model; None if the summary has none."""
        figures = self.summary.get("expected")
        if not figures:
            return None
        means = ("arrival_probability", "time", "energy", "net_energy")
        keeping = {name: figures.get(name) for name in ("within", "distance")}
        return Expected(*(number_of(figures.get(name)) for name in means), **keeping)

    @property
    def legs(self) -> int:
        """Number of legs: one, and one more for each via point."""
        return self._policy.legs

    def actions_at(self, level: int, *, leg: int = 1) -> np.ndarray:
        """Return the action of each cell at a level, without a copy.

        Parameters
        ----------
        level : int
            The time level.
        leg : int
            The leg, from 1.

        Returns
        -------
        ndarray of int16
            (y, x); -1 where no action is taken.

        Examples
        --------
        >>> run.actions_at(0).shape
        (40, 40)
        """
        return self._leg(leg).actions_at(level)

    def values_at(self, level: int, *, leg: int = 1) -> np.ndarray:
        """Return the expected total reward of each cell at a level, without a copy.

        Parameters
        ----------
        level : int
            The time level.
        leg : int
            The leg, from 1.

        Returns
        -------
        ndarray of float32
            (y, x).
        """
        return self._leg(leg).values_at(level)

    @cached_property
    def _policy(self):
        if self._plan is not None:
            return self._plan.policy
        if not self.has_policy:
            self.policy  # noqa: B018 (raises the reason)
        return core.Policy.open(self.folder / "policy.h5")

    def _leg(self, number: int):
        """Return a leg; legs are cached, since each caches the level that was read last."""
        number = whole_number("leg", number, 1)
        if number not in self._legs:
            self._legs[number] = self._policy.leg(number)
        return self._legs[number]

    @cached_property
    def _legs(self) -> dict[int, Any]:
        return {}

    @by_keywords(**dict.fromkeys(("lon", "lat"), "use at=(lon, lat)"))
    def act(
        self,
        at: Point | None = None,
        *,
        at_xy: Point | None = None,
        time: Moment | float,
        leg: int = 1,
    ) -> Steering | NoAction:
        """Return the policy's action at a place and a time.

        Parameters
        ----------
        at : (float, float), optional
            (lon, lat) if the environment has them, else x and y. Degrees given as x and y are
            refused.
        at_xy : (float, float), optional
            x and y on the plane, also if the environment has longitudes.
        time : date or float
            A date if times count from one, else in the environment's units. Between two levels
            the earlier one's action is in force.
        leg : int
            The vehicle's leg of a mission with via points, from 1.

        Returns
        -------
        Steering or NoAction
            The action; if there is none, a NoAction with the reason, whose bool() is False.

        Raises
        ------
        InputError
            If place, time or leg do not exist.

        Examples
        --------
        >>> run.act((20.5, 8.5), time=0).speed
        1.0
        >>> if not (action := run.act((-3.0, 8.5), time=0)):
        ...     print(action.reason)
        outside
        """
        if (at is None) == (at_xy is None):
            raise InputError("act: takes at or at_xy, a place; give one of them")
        place = f"at={at}" if at_xy is None else f"at_xy={at_xy}"
        x, y = self._on_plane(at, at_xy)
        level = self._level_of(time)
        policy = self._leg(leg)
        asked = f"{place} at time={time}"
        if not 0 <= level < len(self.grid.time):
            return self._too_early_or_late(level, asked)
        action = policy.at(level, x, y)
        if action is None:
            return why_not(self._status(level, x, y, leg), asked)
        bearing = None
        if self.grid.is_geographic:
            column = int(
                np.clip(round((x - self.grid.x[0]) / self.grid.dx), 0, len(self.grid.x) - 1)
            )
            row = int(np.clip(round((y - self.grid.y[0]) / self.grid.dy), 0, len(self.grid.y) - 1))
            bearing = float(self.bearing(level, leg=leg)[row, column])
        value = policy.value(level, x, y)
        dive = action.profile or None
        return Steering(action.heading, action.speed, bearing, value, level, dive)

    def _on_plane(self, at: Point | None, at_xy: Point | None) -> tuple[float, float]:
        given = at if at_xy is None else at_xy
        try:
            first, second = (float(number) for number in given)  # type: ignore[union-attr]
        except (TypeError, ValueError) as error:
            raise InputError(
                f"act: {given!r} is no place; give two numbers, as (lon, lat)"
            ) from error
        if at is not None and self.grid.is_geographic:
            return self.grid.position_on_plane(Position(first, second, True))
        if self.grid.are_likely_degrees(first, second):
            raise InputError(
                f"act: at_xy=({first}, {second}) is a longitude and latitude in the domain of "
                f"{self._called}, whose x and y are lengths on its plane; give them as at"
            )
        return first, second

    def _level_of(self, time: Any) -> int:
        """Return the nearest level of a time, also before the first level and after the last."""
        grid = self.grid
        if grid.dates is not None and not isinstance(time, (int, float)):
            try:
                date = np.datetime64(date_text(time).rstrip("Z") if is_moment(time) else _utc(time))
            except ValueError as error:
                raise InputError(
                    f"time={time!r}: is no date; write it as 2024-10-29T12:00"
                ) from error
            elapsed = (date - grid.dates[0].astype("datetime64[s]")) / np.timedelta64(1, "s")
        else:
            try:
                elapsed = float(time)
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"time={time!r}: times of {self._called} are numbers [{grid.time_units}] after "
                    "its first level; give one"
                ) from error
        if not np.isfinite(elapsed):
            raise InputError(f"time={time!r}: is no time; give a date or a finite number")
        return int(np.floor(elapsed / grid.time_step + 1e-9))

    def _too_early_or_late(self, level: int, asked: str) -> NoAction:
        if level < 0:
            first = _moment(self.grid.time[0] if self.grid.dates is None else self.grid.dates[0])
            text = f"before the forecast's first level, {first}; wait until then"
            return NoAction("before the forecast", f"{asked}: {text}")
        if not self.has_environment or level < self.environment.level_count:
            return why_not("past the end", asked)
        last = _moment(self.environment.dataset["time"].values[-1])
        text = f"after the forecast's last level, {last}; plan on a later one"
        return NoAction("after the forecast", f"{asked}: {text}")

    def _status(self, level: int, x: float, y: float, leg: int) -> str:
        """Return the status of `tidewise lookup` for a place without an action, or "unknown"."""
        time = self.policy["time"].values[level]
        if self.grid.dates is not None:
            time = (self.grid.dates[level] - np.datetime64(0, "s")) / np.timedelta64(1, "s")
        status = self._lookup(at_xy=(x, y), time=float(time), leg=leg)["status"]
        known = status != "no action" or self.mission.environment_file.is_file()
        return status if known else "unknown"

    def _lookup(self, leg: int, **options: Any) -> dict[str, Any]:
        options |= {"policy": self.folder, "leg": leg if leg > 1 else None, "json": True}
        return run_command(core.lookup, options)[1]

    @by_keywords(
        **_FORMER_NAMES,
        truth="use environment, the one to fly in",
        observation_error="use error",
        replan_every="use every",
    )
    def rollout(
        self,
        at: Place | None = None,
        time: Moment | float | None = None,
        *,
        at_xy: Point | None = None,
        environment: Environment | File | None = None,
        mode: Literal["continuous", "chain", "none", "adaptive"] | None = None,
        realizations: Realizations | None = None,
        flights: int | None = None,
        seed: int | None = None,
        baselines: Baselines | None = None,
        every: int | None = None,
        error: float | None = None,
        assumed_error: float | None = None,
        inflation: float | None = None,
        relaxation: float | None = None,
        localisation: float | None = None,
        no_bound: bool = False,
        out: File | None = None,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Computing],
    ) -> Run:
        """Fly the policy from another place or time, or in another forecast (`tidewise rollout`).

        Parameters
        ----------
        at, at_xy : point or list of points, optional
            The start, as in Mission; the mission's if not given.
        time : date or float, optional
            The departure, a date or a level; the mission's if not given.
        environment : Environment or path, optional
            The environment for flights and evaluation; the run's if not given.
        mode : {"continuous", "chain", "none", "adaptive"}, optional
            As in plan(). "adaptive": vehicles observe currents, correct the run's forecast
            and replan.
        realizations, flights, seed, baselines, backend, threads, devices, device_memory : optional
            As in plan().
        error : float, optional
            Required for "adaptive": standard deviation of each component of the flow observed in
            a step.
        every : int, optional
            "adaptive": steps from one plan to the next; 5.
        assumed_error : float, optional
            "adaptive": the error that the vehicle assumes; `error` if not given.
        inflation, relaxation, localisation : float, optional
            "adaptive": as in Environment.observe; localisation in levels.
        no_bound : bool
            "adaptive": leave out flights of clairvoyant vehicles.
        out : path, optional
            Folder of the flights; temporary if not given.
        overwrite : bool
            Replace flights in `out`.
        progress : bool or callable
            As in plan().

        Returns
        -------
        Run
            The flights, a run without a policy. For "adaptive", its `knowledge` has the gain of
            learning.

        Raises
        ------
        InputError
            If the policy does not cover start or departure.
        RunError
            If flying or writing fails.

        Examples
        --------
        >>> len(run.rollout((12.5, 10.5), time=5).flights)
        20
        >>> options = {"error": 0.1, "every": 8, "realizations": 4}
        >>> learning = run.rollout(mode="adaptive", **options).knowledge
        >>> list(learning.flights.index)
        ['open', 'learning', 'clairvoyant']
        """
        return self._fly_again(core.rollout, **all_but(locals(), "self"))

    @by_keywords(**_FORMER_NAMES, truth="use environment, the one to fly in")
    def bound(
        self,
        at: Place | None = None,
        time: Moment | float | None = None,
        *,
        at_xy: Point | None = None,
        environment: Environment | File | None = None,
        realizations: Realizations | None = None,
        out: File | None = None,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Computing],
    ) -> Run:
        """Measure the gain of a perfect forecast (`tidewise research bound`).

        A policy for each single realization is planned and simulated, next to the run's policy.

        Parameters
        ----------
        at, at_xy, time, environment, realizations, backend, threads, devices : optional
            As in rollout().
        device_memory : optional
            As in rollout().
        out, overwrite, progress : optional
            As in rollout().

        Returns
        -------
        Run
            Its `knowledge` has the figures; its trajectories are the clairvoyant flights.

        Raises
        ------
        InputError
            If the policy does not cover start or departure.
        RunError
            If planning or writing fails.

        Examples
        --------
        >>> known = run.bound(realizations=5)
        >>> bool(known.knowledge.gains.time["clairvoyant"] > 0)
        True
        """
        return self._fly_again(core.bound, **all_but(locals(), "self"))

    @by_keywords()
    def departures(
        self,
        at: Place | None = None,
        *,
        at_xy: Point | None = None,
        environment: Environment | File | None = None,
        first: Moment | int | None = None,
        last: Moment | int | None = None,
        every: int | None = None,
        realizations: Realizations | None = None,
        progress: Progress = False,
        **options: Unpack[Computing],
    ) -> xr.Dataset:
        """Simulate the policy from each departure, to choose one (`tidewise departures`).

        Parameters
        ----------
        at, at_xy, environment, realizations, backend, threads, devices, device_memory : optional
            As in rollout().
        first, last : date or int, optional
            The earliest and the latest departure, dates or levels.
        every : int, optional
            Levels from one departure to the next; 1.
        progress : bool or callable
            As in plan().

        Returns
        -------
        xarray.Dataset
            (departure): ``arrival_rate``, ``time`` (mean), ``time_p05`` and ``time_p95`` [h where
            the environment is in metres], ``energy``, ``total_reward`` and ``level``; departures
            are datetime64 if times count from a date. Attributes: ``best``, the earliest
            departure that is as good as the one with the best mean; ``no_different``, all
            departures that do not differ from it beyond the noise; ``earliest_arrival``. If no
            flight arrives, there are no attributes.

        Raises
        ------
        InputError
            If the policy does not cover a departure.

        Examples
        --------
        >>> found = run.departures(first=0, last=8, every=4)
        >>> found.level.values.tolist()
        [0, 4, 8]
        >>> bool((found.arrival_rate <= 1).all())
        True
        """
        arguments = all_but(locals(), "self", "at", "at_xy", "first", "last", "progress")
        arguments |= self._place_option(at, at_xy) | {"from": first, "to": last}
        arguments["name"] = _names_of([environment])
        _, figures = self._command(core.departures, progress, **arguments)
        return read_departures(figures, self.units.metric)

    @by_keywords(geojson="give the file in out")
    def reach(
        self,
        out: File | Sequence[File] | None = None,
        *,
        threads: int | None = None,
        overwrite: bool = False,
        progress: Progress = False,
    ) -> xr.Dataset:
        """Compute exactly from which places and times the policy arrives (`tidewise reach`).

        It takes about as long as the plan. A second call reads the file of the first one.

        Parameters
        ----------
        out : path or list of paths, optional
            A .nc file, and a .geojson file for the regions; reach.nc in the run's folder if not
            given.
        threads : int, optional
            Number of threads; all cores if not given.
        overwrite : bool
            Replace files of another kind.
        progress : bool or callable
            As in plan().

        Returns
        -------
        xarray.Dataset
            (time, y, x), NaN on land: ``arrival_probability``; ``time_to_go`` [h where the
            environment is in metres] and ``energy_to_go``, means given arrival; ``delay``, the
            arrival minus the one expected from the start, NaN before the departure and where
            arrival is less probable; ``flight_density``, 1 or more in the smallest region that
            holds 90 % of the flights under way.

        Raises
        ------
        InputError
            If a file of another kind is in the place.

        Examples
        --------
        >>> found = run.reach()
        >>> bool((found.arrival_probability <= 1).any())
        True
        """
        is_single = out is None or isinstance(out, (str, os.PathLike))
        files = [Path(file) for file in ([out] if is_single else out) if file is not None]
        path = next((file for file in files if file.suffix != ".geojson"), self.folder / "reach.nc")
        if path not in files:
            files.append(path)
        if len(files) > 1 or not self._is_of_policy(path):
            arguments = {"out": files, "threads": threads, "overwrite": overwrite}
            self._command(core.reach, progress, **arguments)
            self.__dict__.pop("policy", None)  # its data set now includes reach.nc
        return self._with_delay(_read_reach(path))

    def _fly_again(
        self,
        command: Callable[..., Any],
        at: Any,
        at_xy: Any,
        environment: Environment | File | None,
        out: File | None,
        progress: Progress,
        **options: Any,
    ) -> Run:
        options |= self._place_option(at, at_xy)
        folder, keeper = output_folder(out)
        options |= {"environment": environment, "name": _names_of([environment]), "out": folder}
        if command is core.rollout:
            options["details"] = True
        report, _ = self._command(command, progress, **options)
        flown = Run(folder, self._environment_path)
        flown.report = report
        flown._kept = [keeper, self, environment]
        return flown

    def _place_option(self, at: Any, at_xy: Any) -> dict[str, Any]:
        """Return the command's option for a place. Earlier versions took a time as `at`."""
        if at_xy is not None:
            return {"at_xy": tuple(at_xy)}
        if at is None:
            return {}
        if isinstance(at, str) or is_moment(at) or np.ndim(at) == 0:
            raise InputError(f"at={at!r}: is a time, but at is a place; use time={at!r}")
        return {"at" if self.grid.is_geographic else "at_xy": tuple(at)}

    @by_keywords()
    def surfacing(
        self,
        at: Point | None = None,
        *,
        at_xy: Point | None = None,
        time: Moment | float | None = None,
        after: Span | float | None = None,
        leg: int = 1,
        log: File | None = None,
    ) -> dict[str, Any]:
        """Predict where a vehicle that follows the policy surfaces next.

        Parameters
        ----------
        at, at_xy : point, optional
            Position of the vehicle, as in act(); the mission's start if neither is given.
        time : date or number, optional
            Time at this position, as in act(); the mission's departure if not given.
        after : duration, optional
            Time until it surfaces, such as "6h"; the time between two decisions if not given.
        leg : int
            The vehicle's leg, as in act().
        log : path, optional
            Add the prediction to this file, for tw.score().

        Returns
        -------
        dict
            The mean position (x, y; longitude, latitude), and ``regions``, ellipses that contain
            the position with a probability of 50 and 90 %, by their half axes [m, or cells]. The
            longer axis is along ``bearing`` (degrees from true north), or ``angle`` (from +x).

        Raises
        ------
        InputError
            If no flight starts there, or the plan ends before the vehicle surfaces.

        Examples
        --------
        >>> found = run.surfacing((20.5, 8.5), time=0, after=3)
        >>> [region["probability"] for region in found["regions"]]
        [0.5, 0.9]
        >>> "regions" in run.surfacing()
        True
        """
        if at is None and at_xy is None:
            at_xy = self.start
        if time is None:
            level = self.mission.departure
            time = float(self.grid.time[level])
            if self.grid.dates is not None:
                time = self.grid.dates[level]
        if after is None:
            held = float(self.policy.attrs.get("decide_every", 1)) * self.grid.time_step
            after = f"{held:g}s" if self.grid.dates is not None else held
        found = self._lookup(
            leg, time=time, surfacing=after, log=log, **self._place_option(at, at_xy)
        )
        if "surfacing" not in found:
            why = found.get("no_surfacing", f"no flight starts there: {found['status']}")
            raise InputError(f"surfacing: {why}")
        return found["surfacing"]

    @by_keywords()
    def observe(
        self,
        track: Track | Sequence[Track] | None = None,
        *,
        out: File | None = None,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Observing],
    ) -> Environment:
        """Correct its environment by the currents that its vehicle observed (`tidewise observe`).

        Parameters
        ----------
        track, drifter, radar, error, fix_error, representation, column, trajectory : optional
            As in Environment.observe.
        profile : optional
            As in Environment.observe.
        averaged_over, method, localisation, inflation, relaxation, reject_beyond : optional
            As in Environment.observe.
        add_mode, seed : optional
            As in Environment.observe.
        out, overwrite, progress : optional
            As in Environment.observe.

        Returns
        -------
        Environment
            The posterior of the environment that the run was planned on.

        Raises
        ------
        InputError
            If a track cannot be read, or nothing lies within the forecast.

        Examples
        --------
        >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
        >>> ranks = run.observe(track, error=0.05).learned.innovations.u_rank
        >>> len(ranks), bool(ranks.between(0, 20).all())
        (5, True)
        """
        arguments = {**options, "forecast": self.folder, "overwrite": overwrite}
        return Environment._make_posterior(track, arguments, out, progress, self._profile)

    @by_keywords(**_FORMER_NAMES, passed="use leg, which is one more")
    def replan(
        self,
        track: Track | Sequence[Track] | None = None,
        *,
        at: Point | None = None,
        at_xy: Point | None = None,
        time: Moment | float | None = None,
        leg: int | None = None,
        forecast: Environment | File | None = None,
        environment: Environment | File | None = None,
        settings: Mapping[str, Any] | None = None,
        surfacing: Span | None = None,
        log: File | None = None,
        calibrate: File | None = None,
        baselines: Baselines | None = None,
        out: File | None = None,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Replanning],
    ) -> Run:
        """Plan the rest of the mission from the vehicle's position (`tidewise replan`).

        Parameters
        ----------
        track : path, DataFrame, Dataset or list of them, optional
            As in Environment.observe. Its last fix is the vehicle's position; the currents along
            its track correct the forecast.
        at, at_xy : point, optional
            Position of the vehicle, if not at the last fix.
        time : date or float, optional
            Time at this position.
        leg : int, optional
            The vehicle's leg, from 1.
        forecast : Environment or path, optional
            A newer forecast, which the track corrects.
        environment : Environment or path, optional
            A newer environment, used without correction.
        settings : dict, optional
            Keys of the mission, {"vehicle.battery": 0.4}.
        surfacing : str or timedelta, optional
            Time until the next surfacing, for the report's prediction of its place; until the
            next decision if not given.
        log : path, optional
            Add the prediction to this file, for tw.score.
        calibrate : path, optional
            Scored predictions that widen or narrow the 90 % window of arrival.
        drifter, radar, error, fix_error, representation, column, trajectory, profile : optional
            As in Environment.observe.
        averaged_over : optional
            As in Environment.observe.
        method, localisation, inflation, relaxation, reject_beyond, add_mode, seed : optional
            As in Environment.observe.
        baselines, backend, threads, devices, device_memory : optional
            As in plan().
        out : path, optional
            The new run's folder; temporary if not given.
        overwrite : bool
            Replace a run in `out`.
        progress : bool or callable
            As in plan().

        Returns
        -------
        Run
            The new run: `comparison` has the old plan, `environment` the corrected forecast,
            `report` the terminal's text.

        Raises
        ------
        InputError
            If a track cannot be read, or the vehicle is outside the forecast.
        RunError
            If planning or writing fails.

        Examples
        --------
        >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
        >>> later = run.replan(track, error=0.05)
        >>> later.mission.departure, later.environment.learned.degrees_of_freedom
        (5, 10)
        >>> old_plan = later.comparison.figures["comparisons"][0]["old_plan"]
        >>> old_plan["expected"]["value"]["cost"] > -1e-3
        True
        """
        own = ("track", "at", "at_xy", "settings", "out", "progress")
        arguments = all_but(locals(), "self", "own", *own) | self._place_option(at, at_xy)
        folder, keeper = output_folder(out)
        planned_in = [forecast, environment]
        arguments |= {"run": self.folder, "name": _names_of(planned_in), "out": folder}
        arguments |= {"set": settings_of(settings or {}), "details": True}
        text = run_with_tracks(core.replan, track, arguments, progress)[0]
        run = Run(folder)
        run.report = text
        run._kept = [keeper, self, planned_in]
        return run

    @cached_property
    def comparison(self) -> Comparison | None:
        """Comparison with the previous plan, for a run from replan(); None for other runs."""
        path = self.folder / "comparison.json"
        if not path.is_file():
            return None
        text = self.report and self.report[self.report.find("A: previous run, ") :]
        figures = json.loads(path.read_text())
        return Comparison(table_of_comparison(figures) if text is None else text, figures, None)

    @cached_property
    def knowledge(self) -> Knowledge | None:
        """Gains of learning and of a perfect forecast; None without bound() or adaptive."""
        figures = self.summary.get("knowledge")
        return None if figures is None else Knowledge(figures)

    @by_keywords(fly="use cost")
    def compare(
        self,
        other: Run | File,
        *,
        cost: Literal["none", "expected", "flown"] | None = None,
        progress: Progress = False,
        **options: Unpack[Computing],
    ) -> Comparison:
        """Compare with another run (`tidewise compare`, docs/plan/compare.md).

        Parameters
        ----------
        other : Run or path
            The other run.
        cost : {"none", "expected", "flown"}, optional
            Cost of keeping this plan: not computed, by the model, or also by flights of both plans
            through the other's forecast.
        backend, threads, devices, device_memory : optional
            As in plan().
        progress : bool or callable
            As in plan().

        Returns
        -------
        Comparison
            The states in which the plan changed, and the cost of keeping this one.

        Raises
        ------
        InputError
            If the runs have different grids.

        Examples
        --------
        >>> print(run.compare(run, cost="none").text.splitlines()[0])
        B's plan does otherwise than A's in 0.0 % of the states
        """
        arguments = all_but(locals(), "self", "other", "progress")
        second = other if isinstance(other, Run) else Run(other)
        with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
            difference = Path(folder) / "difference.nc"
            arguments |= {"runs": [self.folder, second.folder], "out": difference}
            text, figures = run_command(core.compare, arguments, progress)
            with open_netcdf(difference) as fields:
                return Comparison(text, figures, fields.load())

    @by_keywords()
    def refine(
        self,
        out: File | None = None,
        *,
        realizations: int | None = None,
        all_states: bool = False,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Computing],
    ) -> Refinement:
        """Search headings and speeds between those of the plan (`tidewise research refine`).

        Parameters
        ----------
        out : path, optional
            The file; refined.h5 in the run's folder if not given.
        realizations : int, optional
            Number of realizations for expected values; 500 if not given; 0 takes all.
        all_states : bool
            Also refine states that no flight passes.
        backend, threads, devices, device_memory : optional
            As in plan().
        overwrite : bool
            Replace a file of another kind.
        progress : bool or callable
            As in plan().

        Returns
        -------
        Refinement
            The file and the gain.

        Raises
        ------
        InputError
            If a file of another kind is in the place.

        Examples
        --------
        >>> "refined" in str(run.refine(realizations=5))
        True
        """
        arguments = all_but(locals(), "self", "out", "progress")
        path = Path(out) if out is not None else self.folder / "refined.h5"
        return Refinement(path, self._command(core.refine, progress, out=path, **arguments)[0])

    @by_keywords()
    def export(
        self,
        path: File,
        format: RouteFormat | None = None,
        *,
        route: Literal["median", "nominal"] | int | None = None,
        ensemble: int | None = None,
        waypoints: int | None = None,
        tolerance: float | None = None,
        capture_radius: float | None = None,
        plane: bool = False,
        force: bool = False,
        moos_origin: Point | None = None,
        moos_geodesy: Literal["utm", "grid"] | None = None,
        value: bool = False,
        bbox: Sequence[float] | None = None,
        from_: Moment | int | None = None,
        to: Moment | int | None = None,
        threads: int | None = None,
        overwrite: bool = False,
    ) -> str:
        """Write a route for a vehicle, a chart or a map (`tidewise export`, docs/fly/export.md).

        Parameters
        ----------
        path : path
            The file. Without `format` its ending decides: .ma (Slocum), .gpx, .kml, .geojson, .csv,
            .rtz, .plan, .waypoints, .bhv, .twp; a file named targets is a Seaglider's.
        format : str, optional
            Name of the format.
        route : {"median", "nominal"} or int, optional
            The flight along which waypoints lie: the one with the median arrival, the one through
            the mean flow, or the one through a realization, by its number.
        ensemble : int, optional
            Number of further flights to write.
        waypoints : int, optional
            Maximum number of waypoints.
        tolerance : float, optional
            Maximum distance of the flight from the legs [environment's units]; half a cell.
        capture_radius : float, optional
            Distance within which a waypoint is reached [environment's units].
        plane : bool
            Write x and y in place of degrees.
        force : bool
            Allow more waypoints than the vehicle takes.
        moos_origin : (float, float), optional
            (lon, lat) of the MOOS community.
        moos_geodesy : {"utm", "grid"}, optional
            "grid" for a MOOS-IvP built without UTM.
        value : bool
            .twp: also write the value of each action.
        bbox : (west, south, east, north), optional
            .twp: area [degrees; x and y with plane].
        from_, to : date or int, optional
            .twp: first and last level.
        threads : int, optional
            Number of threads; all cores if not given.
        overwrite : bool
            Replace a file of another kind.

        Returns
        -------
        str
            The terminal's report: the waypoints, and the loss by following them.

        Raises
        ------
        InputError
            If the format cannot hold the route.
        RunError
            If the file cannot be written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     "waypoints" in run.export(pathlib.Path(folder) / "route.csv", plane=True)
        True
        """
        options = all_but(locals(), "self", "path", "format")
        path = Path(path)
        options["format"] = format_of(path) if format is None else format
        return self._command(core.export, False, out=path, **options)[0]

    def view(
        self,
        path: File | None = None,
        *,
        others: Sequence[Run | File] = (),
        environment: Environment | File | None = None,
        show: bool = False,
        overwrite: bool = False,
    ) -> View:
        """Make an interactive page in one HTML file (`tidewise view`, docs/plan/view.md).

        Parameters
        ----------
        path : path, optional
            The file; a temporary one, which is removed with the returned View, if not given.
        others : list of Run or path
            A list with one run to show next to this one.
        environment : Environment or path, optional
            Environment whose flow is shown.
        show : bool
            Open it in a browser.
        overwrite : bool
            Replace a file that is not a page.

        Returns
        -------
        View
            The page's path; as the last line of a Jupyter cell it shows the page.

        Raises
        ------
        InputError
            If another kind of file is in the place.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run.view(pathlib.Path(folder) / "run.html").stat().st_size > 10000
        True
        """
        page, keeper = (path, None) if path is not None else temporary_page()
        if len(others) > 1:
            raise InputError(f"others: names {len(others)} runs; give one to show with this run")
        others = [other.folder if isinstance(other, Run) else other for other in others]
        arguments = {"out": page, "environment": environment, "overwrite": overwrite}
        self._command(core.view, False, **arguments, with_=others)
        view = View(page)
        view._keep(keeper)
        if show:
            import webbrowser

            webbrowser.open(view.resolve().as_uri())
        return view

    def save(self, path: str | os.PathLike[str]) -> Run:
        """Write the run to a folder, as `tidewise plan` does, and open that folder.

        Parameters
        ----------
        path : path
            The folder; an existing run is not replaced. A temporary environment is written with it,
            as environment.h5 or posterior.h5.

        Returns
        -------
        Run
            The saved run.

        Raises
        ------
        InputError
            If the folder holds a run, or cannot be used.
        RunError
            If a file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sorted(file.name for file in run.save(f"{folder}/run").folder.iterdir())
        ['environment.h5', 'policy.h5', 'summary.json', 'trajectories.nc']
        """
        path = Path(path)
        if self._plan is not None:
            require_no_run(path)
            report = self._plan.save(path, self._flown, True)
            saved = Run(path, self._environment_path)
            saved.report = report
            return saved
        if path.exists() and path.resolve() == self.folder.resolve():
            return self
        copy_run(self.folder, path, self._find_environment())
        saved = Run(path, self._environment_path)
        saved.report = self.report
        return saved

    @property
    def plot(self) -> Pictures:
        """The pictures of the run: plot.mission(), .policy(), .environment(), .histograms(), …."""
        return Pictures(self)

    def __repr__(self) -> str:
        """Return the result of its flights."""
        flown = self._summary_or_empty().get("rollout") or {}
        if kept := self._keeping(flown):
            return f"<Run {self.folder.name}: {kept}>"
        if "arrival_rate" not in flown:
            simulated = ": not simulated" if self._summary_or_empty() else ""
            return f"<Run {self.folder.name}{simulated}>"
        after = (flown.get("time") or {}).get("mean")
        on_average = "" if after is None else f", after {self._duration(after)} on average"
        certain = "" if self._has_probability else "no probability; "
        return f"<Run {self.folder.name}: {certain}{self._arriving(flown)} arrive{on_average}>"

    @property
    def _has_probability(self) -> bool:
        """True if shares of the flights are probabilities."""
        return self.uncertainty not in ("none", "lagged", "contradicted")

    def _arriving(self, flown: dict[str, Any]) -> str:
        """Return "98.5 % of 60 flights", or "59 of 60 simulated missions" without probability."""
        flights = flown["trajectories"]
        if self._has_probability:
            return f"{100 * flown['arrival_rate']:.4g} % of {flights} flights"
        failed = sum((flown.get("failures") or {}).values())
        return f"{flights - failed} of {flights} simulated missions"

    def _repr_html_(self) -> str:
        """Return the result and more, for a notebook."""
        found, mission = self._expected_or_none(), self._summary_or_empty().get("mission", {})
        asked = mission.get("mission", {})
        rows: list[tuple[str, object]] = [
            ("folder", shown_path(self.folder)),
            ("environment", shown_path(mission.get("environment", {}).get("file"))),
            ("start", _first_of(asked, "start")),
            ("target", _first_of(asked, "target")),
            ("objective", asked.get("objective")),
        ]
        recommended = self._summary_or_empty().get("recommendation")
        note = recommended.get("note") if isinstance(recommended, dict) else None
        rows.insert(0, ("probability", note))
        if self.report and self.has_policy:
            verdict = next(line for line in self.report.splitlines() if line != note)
            rows.append(("verdict", verdict))
        flown = self._summary_or_empty().get("rollout") or {}
        rows.append(("flights", flown.get("trajectories")))
        if "arrival_rate" in flown:
            rows.append(("arrive", self._arriving(flown)))
        if (flown.get("time") or {}).get("mean") is not None:
            rows.append(("after, on average", self._duration(flown["time"]["mean"])))
        rows.append(("they are", self._keeping(flown)))
        if found is not None and found.keeps:
            rows.append(("predicted", self._keeping(self.summary["expected"])))
        elif found is not None:
            if self._has_probability:
                rows.append(("predicted arrival", f"{100 * found.arrival_probability:.4g} %"))
            rows.append(("expected time", self._duration(found.time)))
            energy = self.units.energy
            # An energy without units is left out unless it is the objective.
            if not energy.name.endswith("m² s⁻¹") or asked.get("objective") in _OF_ENERGY:
                rows.append(("expected energy", energy.text(found.energy)))
        return html_table(f"Run {self.folder.name}", rows)

    def _summary_or_empty(self) -> dict[str, Any]:
        """Return an empty summary if it was lost, so that the run can still be shown."""
        try:
            return self.summary
        except InputError:
            return {}

    def _expected_or_none(self) -> Expected | None:
        return self.expected if self._summary_or_empty() else None

    def _keeping(self, figures: dict[str, Any]) -> str | None:
        """Return station keeping figures of a part of the summary; None for other objectives."""
        within, distance = (figures.get(name) for name in ("within", "distance"))
        if isinstance(within, dict):
            within = within.get("mean")
        if isinstance(distance, dict):
            distance = distance.get("mean")
        if within is not None:
            return f"within the target {100 * within:.3g} % of the time"
        return None if distance is None else f"{self.units.length.text(distance)} away on average"

    def _duration(self, time: float) -> str:
        """Return hours if times are known to be in seconds."""
        dated = "arrival_date" in (self.summary.get("expected") or {})
        return f"{time / 3600:.1f} h" if dated else f"{time:.4g}"

    def _command(
        self, command: Callable[..., Any], progress: Progress, /, **options: Any
    ) -> tuple[str, Any]:
        if np.ndim(chosen := options.get("realizations")) == 1:  # the list [3] is not the number 3
            options["realizations"] = f"[{','.join(map(str, chosen))}]"
        return run_command(command, {**options, "run": self.folder}, progress)

    @cached_property
    def mission(self) -> MissionEcho:
        """The mission with all defaults, from the run's files."""
        name = "policy.h5" if self.has_policy else "trajectories.nc"
        dataset = self.policy if self.has_policy else self.trajectories
        text = str(dataset.attrs.get("mission", ""))
        has_summary = (self.folder / "summary.json").is_file()
        return read_mission_echo(text, self.folder / name, self.summary if has_summary else {})

    @property
    def planned_on(self) -> str | None:
        """The environment that the policy was planned on, if it was simulated in another one."""
        text = str(self.trajectories.attrs.get("planned_on", "")) if self.has_flights else ""
        return Path(text).name or None

    @property
    def _profiles(self) -> list[str]:
        """Profiles that its vehicle dives, if its environment has several."""
        return list(self.mission.table.get("vehicle", {}).get("profiles") or [])

    @property
    def _profile(self) -> str | None:
        """The first profile that its vehicle dives, or None."""
        return next(iter(self._profiles), None)

    @cached_property
    def environment(self) -> Environment:
        """The environment that it was planned or simulated in.

        Raises InputError if the file is not there, or is another one.

        Examples
        --------
        >>> again = Mission(run.environment, Vehicle(speeds=[2.0]), (20.5, 8.5), (20.5, 32.5))
        >>> plan(again).expected.time < run.expected.time
        True
        """
        path = self._find_environment()
        if path is None:
            named = self._environment_path or self.mission.environment_file
            raise InputError(
                f"{without_temporary(str(named))}: the environment of {self._called} is not there; "
                "it was moved or deleted; name it by environment=FILE"
            )
        environment = Environment(path, self.mission.environment_names, self._profile)
        environment._vehicle_profiles = self._profiles
        environment._kept = self._kept
        self._require_match(environment)
        return environment

    if not TYPE_CHECKING:  # hidden from editors: they complete no names if a class has __getattr__

        @property
        def forecast(self) -> Environment:  # noqa: D102 (an earlier name, not in the documentation)
            raise AttributeError("a Run has no forecast; use environment")

        def __dir__(self) -> list[str]:
            """List all names except those that were removed."""
            return [name for name in super().__dir__() if name != "forecast"]

    @cached_property
    def flights(self) -> Flights:
        """The flights: their ends and their tracks."""
        return Flights(self.trajectories)

    @cached_property
    def grid(self) -> Grid:
        """Cells and time levels of the policy; without a policy, those of the environment."""
        return read_grid(self.policy if self.has_policy else self.environment.dataset)

    @cached_property
    def units(self) -> Units:
        """Units for pictures."""
        vehicle = self.mission.table["vehicle"]
        model = vehicle.get("energy", {})
        c_f, c_t = float(model.get("c_f", 1.0)), float(model.get("c_t", 0.0))
        fastest = max(map(float, vehicle["speeds"]), default=1.0)
        power = vehicle.get("profile_power")
        dive = None if power is None else max(map(float, power), default=0.0)
        return choose_units(self.grid, c_f, fastest, dive, c_t)

    @cached_property
    def start(self) -> tuple[float, float]:
        """x, y of the start."""
        return self.grid.position_on_plane(self.mission.start)

    @cached_property
    def target(self) -> tuple[float, float]:
        """x, y of the target."""
        return self.grid.position_on_plane(self.mission.target)

    @property
    def followed(self) -> list[tuple[float, float]]:
        """x, y along the followed track; empty for missions with a target."""
        if self.mission.objective != "follow":
            return []
        points = self._summary_or_empty().get("target", {}).get("points", [])
        return [(point["x"], point["y"]) for point in points]

    def flight_weights(self) -> np.ndarray:
        """Return the weight of each flight of the run.

        In "chain" mode realizations were drawn by weight, so that all flights count 1.

        Returns
        -------
        ndarray of int
            (trajectory), as in ``flights.ends``.
        """
        ends = self.flights.all_ends
        weights = None if self.mission.rollout_mode == "chain" else self.environment.weights()
        return np.ones(len(ends.steps), np.int64) if weights is None else weights[ends.realization]

    def _find_environment(self) -> Path | None:
        named = self._environment_path or self.mission.environment_file
        # A run may be moved together with its own forecast.
        places = [named] if self._environment_path else [named, self.folder / named.name]
        if not named.is_absolute():
            places.append(self.folder / named)
        return next((place for place in places if place.is_file()), None)

    def _problem(self) -> dict[str, Any]:
        """Return sizes from summary.json; empty if the file was lost."""
        has_summary = (self.folder / "summary.json").is_file()
        return self.summary.get("problem", {}) if has_summary else {}

    def _require_match(self, environment: Environment) -> None:
        found = environment._velocity["u_mean"].shape
        difference = ""
        if self.has_policy:
            expected = self.policy["value"].shape
            if expected[1:] != found[1:] or expected[0] > found[0]:
                difference = f"has (time, y, x) = {found}, the policy of {self._called} {expected}"
        elif self.mission.departure + (self.mission.horizon or 1) >= found[0]:
            difference = f"has {found[0]} levels, the flights of {self._called} need more"
        elif (problem := self._problem()) and (problem["ny"], problem["nx"]) != found[1:]:
            difference = (
                f"has {found[2]} × {found[1]} cells, that of {self._called} "
                f"{problem['nx']} × {problem['ny']}"
            )
        if not difference and self.has_flights and self.mission.rollout_mode != "chain":
            flown = int(self.trajectories["realization"].values.max(initial=-1)) + 1
            if flown > environment.realization_count:
                difference = (
                    f"holds no more realizations than {environment.realization_count}, and flights "
                    f"of {self._called} went through number {flown - 1}"
                )
        if difference:
            raise InputError(
                f"{environment.path}: {difference}; it is not the run's environment; name the "
                "right one by environment=FILE"
            )


def _names_of(environments: Sequence[Any]) -> dict[str, str]:
    """Return the variable names of the first Environment among these; empty if there is none."""
    return next((e._names for e in environments if isinstance(e, Environment)), {})


def _first_of(asked: dict[str, Any], role: str) -> str | None:
    """Return a mission's start or target as text, from any of its keys."""
    found = [key for key in asked if key.startswith(role) and key != "target_radius"]
    text = f"{found[0].removeprefix(role).strip('_')} {asked[found[0]]}".strip() if found else None
    return text if text is None or len(text) <= 60 else f"{text[:60]}…"


def _moment(value: Any) -> str:
    """Return a level's time as text: a date, or a number."""
    return date_text(value) if is_moment(value) else f"{value:g}"


def _utc(text: Any) -> str:
    """Return a date as text in UTC, without a zone."""
    date = datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    return date_text(date).rstrip("Z")


def _open(path: Path, needed: tuple[str, ...]) -> xr.Dataset:
    dataset = open_netcdf(path)
    for name in needed:
        if name not in dataset.variables:
            raise InputError(
                f"{path}: variable {name} is missing, so no run of tidewise wrote it; plan the "
                "mission again"
            )
    return dataset
