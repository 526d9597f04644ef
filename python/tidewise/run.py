"""A run's folder, opened: policy, flights, summary, and the environment that they belong to."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._load import core
from tidewise._temporary import TemporaryFolder, is_temporary
from tidewise._words import Progress, date_text, is_moment, options_of, run_words
from tidewise.comparison import Comparison, read_comparison
from tidewise.environment import Environment, open_netcdf
from tidewise.errors import InputError, RunError
from tidewise.flights import Flights
from tidewise.grid import Grid, read_grid
from tidewise.learning import Knowledge
from tidewise.mission import settings_of
from tidewise.mission_echo import MissionEcho, Position, read_mission_echo
from tidewise.pictures import Pictures
from tidewise.tracks import run_with_tracks
from tidewise.units import Units, choose_units

if TYPE_CHECKING:
    import xarray as xr

    from tidewise.tracks import Track


def open_run(path: str | Path, environment: str | Path | None = None) -> Run:
    """Open what `tidewise plan` or `tidewise rollout` left in `path`; nothing is read yet.

    `environment` names the environment's file where it is not where the mission says. Errors:
    InputError for a folder that holds no run.
    """
    return Run(Path(path), Path(environment) if environment is not None else None)


_OF_A_POLICY = ("x", "y", "time", "action", "value", "heading", "speed")
_OF_FLIGHTS = ("x", "y", "time", "energy", "harvested", "outcome", "realization", "total_reward")


@dataclass(frozen=True)
class Expected:
    """What a policy leads to on the model, exactly; means are given arrival.

    time [s, or steps], energy [as the mission counts it].
    """

    arrival_probability: float
    time: float
    energy: float
    net_energy: float


@dataclass(frozen=True)
class Steering:
    """What to do at a place and a time: heading [rad counter-clockwise from the plane's +x].

    speed through the water [m s-1, or cells a step]; bearing [degrees clockwise from true north],
    None where there is no north; value: expected total reward from there on.
    """

    heading: float
    speed: float
    bearing: float | None
    value: float
    level: int


@dataclass(frozen=True)
class Refinement:
    """A run's headings and speeds, refined: the data set of refined.h5, and what was gained."""

    path: Path
    report: str

    @property
    def dataset(self) -> xr.Dataset:
        """Heading, speed and gain, (time, y, x)."""
        return open_netcdf(self.path)

    def __str__(self) -> str:
        """As the terminal says it."""
        return self.report


class Run:
    """One run: a policy, what to expect of it, and its flights, as plan() and open() give it.

    Data sets are lazy: xarray reads what is asked for, when it is asked for.

    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> mission = Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    >>> run = plan(mission)
    >>> run.expected.arrival_probability > 0.9
    True
    >>> run.policy.value.dims
    ('time', 'y', 'x')
    """

    def __init__(self, folder: Path, environment: Path | None = None) -> None:
        """Open the run in `folder`, or beside the policy.h5 that is named in its place."""
        self.folder = folder.parent if folder.is_file() else folder
        self._environment_path = environment
        self._kept: list[Any] = []  # what must live as long as this: temporary folders, its ocean
        self._plan = None  # where it was planned in this process
        self._flown = None
        self.report: str | None = None  # what the terminal says of what a method here made
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
    def has_policy(self) -> bool:
        """Whether the folder holds a policy; that of a 'tidewise rollout' does not."""
        return (self.folder / "policy.h5").is_file()

    @property
    def has_flights(self) -> bool:
        """Whether the policy was flown."""
        return (self.folder / "trajectories.nc").is_file()

    @property
    def has_environment(self) -> bool:
        """Whether the environment's file is where it is said to be."""
        return self._found_environment() is not None

    @cached_property
    def policy(self) -> xr.Dataset:
        """policy.h5: action and value (time, y, x), heading and speed (action_index).

        Headings are counter-clockwise from the plane's +x [rad]; `bearing` has true ones.
        """
        if not self.has_policy:
            raise InputError(
                f"{self.folder}: holds no policy.h5; a rollout keeps that of its run; name the run"
            )
        return _open(self.folder / "policy.h5", _OF_A_POLICY)

    def bearing(self, level: int, *, leg: int = 1) -> np.ndarray:
        """(y, x) true bearing of the best action [degrees clockwise from true north].

        NaN where none is taken and where the vehicle drifts. Errors: InputError for a run whose
        environment has no longitudes, and so no north.
        """
        policy = self.policy
        if "meridian_convergence" not in policy:
            raise InputError(
                f"{self.folder}: its policy.h5 has no meridian_convergence, since its environment "
                "has no lon and lat; headings are counter-clockwise from +x"
            )
        action = self.actions_at(level, leg=leg).astype(int)
        chosen = np.maximum(action, 0)
        heading = np.degrees(policy["heading"].values[chosen])
        bearing = (90.0 - heading + policy["meridian_convergence"].values) % 360.0
        steered = (action >= 0) & (policy["speed"].values[chosen] > 0)
        return np.where(steered, bearing, np.nan)

    @cached_property
    def trajectories(self) -> xr.Dataset:
        """trajectories.nc: x, y, time, heading, speed, energy, harvested (trajectory, obs).

        With longitudes also lon, lat and bearing, in degrees clockwise from true north.
        """
        if not self.has_flights:
            raise InputError(
                f"{self.folder}: holds no trajectories.nc, since nothing was flown; fly the policy "
                f"with 'tidewise rollout {self.folder}'"
            )
        return _open(self.folder / "trajectories.nc", _OF_FLIGHTS)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json."""
        path = self.folder / "summary.json"
        try:
            return json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise InputError(
                f"{path}: cannot be read ({error}); every run leaves one; plan the mission again"
            ) from error

    @cached_property
    def expected(self) -> Expected | None:
        """What the policy leads to on the model; None where the summary says nothing of it."""
        found = self.summary.get("expected")
        if not found:
            return None
        names = ("arrival_probability", "time", "energy", "net_energy")
        return Expected(*(_number(found.get(name)) for name in names))

    @property
    def legs(self) -> int:
        """How many legs the mission has: one, and one more for each place that it passes (via)."""
        return self._policy.legs

    def actions_at(self, level: int, *, leg: int = 1) -> np.ndarray:
        """(y, x) int16: which action of a level; -1 where none is taken. No copy is made.

        >>> run.actions_at(0).shape
        (40, 40)
        """
        return self._leg(leg).actions_at(level)

    def values_at(self, level: int, *, leg: int = 1) -> np.ndarray:
        """(y, x) float32: expected total reward of a level. No copy is made."""
        return self._leg(leg).values_at(level)

    @cached_property
    def _policy(self):
        if self._plan is not None:
            return self._plan.policy
        if not self.has_policy:
            self.policy  # noqa: B018 (says why)
        return core.Policy.open(self.folder / "policy.h5")

    def _leg(self, number: int):
        """Kept, as each keeps the level that it was asked for last."""
        if number not in self._legs:
            self._legs[number] = self._policy.leg(number)
        return self._legs[number]

    @cached_property
    def _legs(self) -> dict[int, Any]:
        return {}

    def act(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        lon: float | None = None,
        lat: float | None = None,
        time: Any = None,
        leg: int = 1,
    ) -> Steering | None:
        """What the policy does at a place, in x and y or in degrees, and a time.

        x, y: on the plane, in the environment's units; lon, lat: degrees, where the environment has
        them. Degrees given as x and y are refused.
        time: a date, where times count from one; else in the environment's units. Of a time between
        two levels the earlier one's action is in force. None in the target, on land, outside the
        grid and at the last level. leg: of a mission with places to pass the one that the vehicle
        is on, 1 until it has passed the first. Errors: InputError for a time or a leg that the
        policy has none of.

        >>> run.act(20.5, 8.5, time=0).speed
        1.0
        """
        if (
            (x is None) != (y is None)
            or (lon is None) != (lat is None)
            or (x is None) == (lon is None)
        ):
            raise InputError("act: takes x and y, or lon and lat; give one of the pairs")
        if lon is not None:
            if not self.grid.is_geographic:
                raise InputError(
                    f"lon={lon}, lat={lat}: the environment of {self.folder} has no longitudes and "
                    "latitudes; give x and y"
                )
            x, y = self.grid.position_on_plane(Position(float(lon), float(lat), True))
        elif self.grid.are_likely_degrees(float(x), float(y)):
            raise InputError(
                f"act: x={x}, y={y} is a longitude and latitude in the domain of {self.folder}, "
                f"whose x and y are lengths on its plane; give lon={x}, lat={y}"
            )
        level = self._level_of(time)
        policy = self._leg(leg)
        found = policy.at(level, float(x), float(y))
        if found is None:
            return None
        bearing = None
        if self.grid.is_geographic:
            column = int(
                np.clip(round((x - self.grid.x[0]) / self.grid.dx), 0, len(self.grid.x) - 1)
            )
            row = int(np.clip(round((y - self.grid.y[0]) / self.grid.dy), 0, len(self.grid.y) - 1))
            bearing = float(self.bearing(level, leg=leg)[row, column])
        value = policy.value(level, float(x), float(y))
        return Steering(found.heading, found.speed, bearing, value, level)

    def _level_of(self, time: Any) -> int:
        grid = self.grid
        if time is None:
            return self.mission.departure
        if grid.dates is not None and not isinstance(time, (int, float)):
            try:
                date = np.datetime64(date_text(time).rstrip("Z") if is_moment(time) else _utc(time))
            except ValueError as error:
                raise InputError(
                    f"time={time!r}: is no date ({error}); write it as 2024-10-29T12:00"
                ) from error
            elapsed = (date - grid.dates[0].astype("datetime64[s]")) / np.timedelta64(1, "s")
        else:
            try:
                elapsed = float(time)
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"time={time!r}: times of {self.folder} are numbers [{grid.time_units}] after "
                    "its first level; give one"
                ) from error
        level = int(np.floor(elapsed / grid.time_step + 1e-9))
        if not 0 <= level < len(grid.time):
            first, last = (
                (grid.dates[0].astype("datetime64[s]"), grid.dates[-1].astype("datetime64[s]"))
                if grid.dates is not None
                else (grid.time[0], grid.time[-1])
            )
            raise InputError(
                f"time={time}: the policy of {self.folder} is for times from {first} to {last}; "
                "choose one between"
            )
        return level

    def rollout(
        self,
        start: Any = None,
        departure: Any = None,
        *,
        environment: Environment | str | os.PathLike[str] | None = None,
        out: str | os.PathLike[str] | None = None,
        progress: Progress = False,
        **options: Any,
    ) -> Run:
        """Fly the policy from another start or departure, or in another ocean (`tidewise rollout`).

        start: in degrees where the environment has them, else x and y; start_xy: the plane's in any
        case. Options: mode, realizations, flights, seed, baselines, backend, threads. The flights
        are a run of their own, without a policy: in `out`, else in a temporary folder.

        mode="adaptive" lets vehicles learn on the way and plan anew: observation_error (needed),
        replan_every, truth (an ocean that they do not know), assumed_error, inflation, relaxation,
        localisation [levels], no_bound=True. What that is worth is in `knowledge` of what it
        returns.

        >>> len(run.rollout(start=(12.5, 10.5), departure=5).flights)
        20
        >>> options = {"observation_error": 0.1, "replan_every": 8, "realizations": 4}
        >>> learning = run.rollout(mode="adaptive", **options).knowledge
        >>> list(learning.flights.index)
        ['open', 'learning', 'clairvoyant']
        """
        options |= {"start": start, "departure": departure, "environment": environment}
        return self._flown_again("rollout", out, progress, options)

    def bound(
        self,
        start: Any = None,
        departure: Any = None,
        *,
        environment: Environment | str | os.PathLike[str] | None = None,
        out: str | os.PathLike[str] | None = None,
        progress: Progress = False,
        **options: Any,
    ) -> Run:
        """Say what knowing the ocean beforehand would be worth (`tidewise bound`).

        Each realization is planned for by itself and flown, beside the run's own policy; arguments
        as of rollout: realizations, backend, threads. The figures are in `knowledge` of what it
        returns, the clairvoyants' flights in its trajectories.

        >>> known = run.bound(realizations=5)
        >>> bool(known.knowledge.gains.time["clairvoyant"] > 0)
        True
        """
        options |= {"start": start, "departure": departure, "environment": environment}
        return self._flown_again("bound", out, progress, options)

    def _flown_again(
        self,
        command: str,
        out: str | os.PathLike[str] | None,
        progress: Progress,
        options: dict[str, Any],
    ) -> Run:
        start = options.pop("start")
        if "start_xy" in options:
            options["start"] = options.pop("start_xy")
        elif start is not None:
            options["start_lonlat" if self.grid.is_geographic else "start"] = tuple(start)
        flown_in = [options.get("environment"), options.get("truth")]
        options["name"] = _names_of(flown_in)
        folder, keeper = _place_for(out)
        text = self._command(command, progress, 5, **options, out=folder)
        flown = Run(folder, self._environment_path)
        flown.report = text
        flown._kept = [keeper, self, flown_in]
        return flown

    def observe(
        self,
        track: Track | Sequence[Track],
        *,
        out: str | os.PathLike[str] | None = None,
        progress: Progress = False,
        **options: Any,
    ) -> Environment:
        """Correct its environment by the currents that its vehicle met (`tidewise observe`).

        As Environment.observe, of the environment that the run was planned on.

        >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
        >>> ranks = run.observe(track, error=0.05).learned.innovations.u_rank
        >>> len(ranks), bool(ranks.between(0, 20).all())
        (5, True)
        """
        words = ["observe", self.folder, *options_of(**options)]
        return Environment._observed(words, track, out, progress)

    def replan(
        self,
        track: Track | Sequence[Track] | None = None,
        *,
        start: Any = None,
        start_xy: Any = None,
        at: Any = None,
        forecast: Environment | str | os.PathLike[str] | None = None,
        environment: Environment | str | os.PathLike[str] | None = None,
        passed: int | None = None,
        out: str | os.PathLike[str] | None = None,
        progress: Progress = False,
        **options: Any,
    ) -> Run:
        """Plan what is left of the mission from where the vehicle is (`tidewise replan`).

        track: as of Environment.observe: its last fix is where the vehicle is, and the currents on
        its way correct the forecast. start (or start_xy, the plane's), at: place and time, where
        the last fix is not meant. forecast: a newer one, to be corrected by the track; environment:
        one to be taken as it is. passed: how many places of the mission are behind. Options: those
        of observe, baselines, backend, threads; and keys of the mission, dots as two underscores:
        vehicle__battery=0.4. The new run is in `out`, else in a temporary folder; its `comparison`
        has the old plan beside it, its `forecast` what was learned, its `report` what the terminal
        says.

        >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
        >>> later = run.replan(track, error=0.05)
        >>> later.mission.departure, later.forecast.learned.degrees_of_freedom
        (5, 10)
        >>> old_plan = later.comparison.figures["comparisons"][0]["old_plan"]
        >>> old_plan["expected"]["value"]["cost"] > -1e-3
        True
        """
        keys = {
            name.replace("__", "."): options.pop(name) for name in list(options) if "__" in name
        }
        if start_xy is not None:
            options["from_"] = tuple(start_xy)
        elif start is not None:
            options["from_lonlat" if self.grid.is_geographic else "from_"] = tuple(start)
        folder, keeper = _place_for(out)
        planned_in = [forecast, environment]
        options |= {"forecast": forecast, "environment": environment, "name": _names_of(planned_in)}
        words = ["replan", self.folder, *options_of(at=at, passed=passed, out=folder, **options)]
        for setting in settings_of(keys):
            words += ["--set", setting]
        text = run_with_tracks(words, track, progress)
        run = Run(folder)
        run.report = text
        run._kept = [keeper, self, planned_in]
        return run

    @cached_property
    def comparison(self) -> Comparison | None:
        """Of a run that was replanned: beside the plan before, and what staying on that costs."""
        path = self.folder / "comparison.json"
        if not path.is_file():
            return None
        text = self.report and self.report[self.report.find("the run before: A, ") :]
        return read_comparison(path, None, text)

    @cached_property
    def knowledge(self) -> Knowledge | None:
        """What knowing or learning the ocean is worth; of bound, and of adaptive flights, alone."""
        found = self.summary.get("knowledge")
        return None if found is None else Knowledge(found)

    def compare(
        self,
        other: Run | str | os.PathLike[str],
        *,
        fly: bool = False,
        cost: bool = True,
        progress: Progress = False,
    ) -> Comparison:
        """This run beside another one: where the plan changed, and what keeping this one costs.

        `tidewise compare` (docs/plan/compare.md): fly flies both plans through the other's
        forecast, too; cost=False compares the policies alone.

        >>> print(run.compare(run, cost=False).text.splitlines()[0][:1])
        A
        """
        second = other if isinstance(other, Run) else Run(Path(other))
        with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
            words = ["compare", self.folder, second.folder]
            words += options_of(
                json=Path(folder) / "figures.json",
                out=Path(folder) / "difference.nc",
                fly=fly,
                no_cost=not cost,
            )
            text = run_words(words, progress)
            return read_comparison(
                Path(folder) / "figures.json", Path(folder) / "difference.nc", text
            )

    def refine(
        self,
        out: str | os.PathLike[str] | None = None,
        *,
        realizations: int | None = None,
        all_states: bool = False,
        progress: Progress = False,
    ) -> Refinement:
        """Look for headings and speeds between those of the plan (`tidewise refine`).

        Writes `out`, else refined.h5 in the run's folder.

        >>> "refined" in str(run.refine(realizations=5))
        True
        """
        path = Path(out) if out is not None else self.folder / "refined.h5"
        report = self._command(
            "refine", progress, out=path, realizations=realizations, all_states=all_states
        )
        return Refinement(path, report)

    def export(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002 (the command's word)
        **options: Any,
    ) -> str:
        """Write a route for a vehicle, a chart or a map (`tidewise export`, docs/fly/export.md).

        Without `format` the file's ending says which: .ma slocum, .gpx, .kml, .geojson, .csv, .rtz,
        .plan, .waypoints, .bhv, .twp. Options are those of the command: route, waypoints,
        tolerance, plane=True …
        Returns what the terminal would say: the waypoints, and what is lost by them.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     "waypoints" in run.export(pathlib.Path(folder) / "route.csv", plane=True)
        True
        """
        path = Path(path)
        if format is None:
            format = format_of(path)  # noqa: A001
        if format == "slocum" and (match := re.fullmatch(r"goto_l(\d+)\.ma", path.name)):
            options.setdefault("list", int(match[1]))
        return self._command("export", False, format=format, out=path, **options)

    def view(
        self,
        path: str | os.PathLike[str],
        *,
        others: Sequence[Run | str | os.PathLike[str]] = (),
        environment: str | os.PathLike[str] | None = None,
        show: bool = False,
    ) -> Path:
        """Write a page to look at, in one HTML file (`tidewise view`); show opens it in a browser.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run.view(pathlib.Path(folder) / "run.html").stat().st_size > 10000
        True
        """
        path = Path(path)
        words = options_of(out=path, environment=environment)
        for other in others:
            words += ["--with", str(other.folder if isinstance(other, Run) else other)]
        run_words(["view", self.folder, *words])
        if show:
            import webbrowser

            webbrowser.open(path.resolve().as_uri())
        return path

    def save(self, path: str | os.PathLike[str]) -> Run:
        """Leave what `tidewise plan` leaves in the folder `path`, and open that.

        A temporary environment goes along, as environment.h5 or posterior.h5. Errors: InputError
        for a place that cannot be written to, RunError.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sorted(file.name for file in run.save(f"{folder}/run").folder.iterdir())
        ['environment.h5', 'policy.h5', 'summary.json', 'trajectories.nc']
        """
        path = Path(path)
        if self._plan is not None:
            self._plan.save(path, self._flown, True)
            return Run(path, self._environment_path)
        if path.exists() and path.resolve() == self.folder.resolve():
            return self
        _copy_files(self.folder, path, self._found_environment())
        saved = Run(path, self._environment_path)
        saved.report = self.report
        return saved

    @property
    def plot(self) -> Pictures:
        """Its pictures: plot.mission(), .policy(), .environment(), .histograms() and others."""
        return Pictures(self)

    def __repr__(self) -> str:
        """What is to be expected of it."""
        found = self.expected
        if found is None:
            return f"<Run {self.folder.name}>"
        unit = " s" if "arrival_date" in self.summary["expected"] else ""
        return (
            f"<Run {self.folder.name}: arrives with probability "
            f"{found.arrival_probability:.4g}, after {found.time:.6g}{unit} on average>"
        )

    def _command(self, command: str, progress: Progress, level: int = 4, /, **options: Any) -> str:
        return run_words([command, self.folder, *options_of(**options)], progress, level=level)

    @cached_property
    def mission(self) -> MissionEcho:
        """The mission as it was resolved."""
        name = "policy.h5" if self.has_policy else "trajectories.nc"
        dataset = self.policy if self.has_policy else self.trajectories
        text = str(dataset.attrs.get("mission", ""))
        there = (self.folder / "summary.json").is_file()
        return read_mission_echo(text, self.folder / name, self.summary if there else {})

    @property
    def planned_on(self) -> str | None:
        """The environment that the policy was planned on, where it flew in another one."""
        text = str(self.trajectories.attrs.get("planned_on", "")) if self.has_flights else ""
        return Path(text).name or None

    @cached_property
    def forecast(self) -> Environment:
        """The environment, with its fields level by level."""
        path = self._found_environment()
        if path is None:
            named = self._environment_path or self.mission.environment_file
            raise InputError(
                f"{named}: the environment of {self.folder} is not there; it was moved or deleted; "
                "say where it is with --environment FILE"
            )
        environment = Environment(path, self.mission.environment_names)
        self._require_match(environment)
        return environment

    @property
    def environment(self) -> xr.Dataset:
        """The environment's file, lazily opened, by the standard names of its variables."""
        return self.forecast.dataset

    @cached_property
    def flights(self) -> Flights:
        """How each flight ended and where it went."""
        return Flights(self.trajectories)

    @cached_property
    def grid(self) -> Grid:
        """Cells and time levels: the policy's, or the environment's where there is no policy."""
        return read_grid(self.policy if self.has_policy else self.environment)

    @cached_property
    def units(self) -> Units:
        """Units that pictures show."""
        vehicle = self.mission.table["vehicle"]
        c_f = float(vehicle.get("energy", {}).get("c_f", 1.0))
        return choose_units(self.grid, c_f, max(map(float, vehicle["speeds"]), default=1.0))

    @cached_property
    def start(self) -> tuple[float, float]:
        """x, y of the start."""
        return self.grid.position_on_plane(self.mission.start)

    @cached_property
    def target(self) -> tuple[float, float]:
        """x, y of the target."""
        return self.grid.position_on_plane(self.mission.target)

    def flight_weights(self) -> np.ndarray:
        """(trajectory) integers: how much each flight counts for.

        In `chain` mode realizations were drawn by weight, so that flights count alike.
        """
        ends = self.flights.ends
        weights = None if self.mission.rollout_mode == "chain" else self.forecast.weights()
        return np.ones(len(ends.steps), np.int64) if weights is None else weights[ends.realization]

    def _found_environment(self) -> Path | None:
        named = self._environment_path or self.mission.environment_file
        # A run may be moved together with the forecast that is its own.
        places = [named] if self._environment_path else [named, self.folder / named.name]
        if not named.is_absolute():
            places.append(self.folder / named)
        return next((place for place in places if place.is_file()), None)

    def _problem(self) -> dict[str, Any]:
        """Sizes, as summary.json has them; empty where it was lost."""
        there = (self.folder / "summary.json").is_file()
        return self.summary.get("problem", {}) if there else {}

    def _require_match(self, environment: Environment) -> None:
        found = environment.dataset["u_mean"].shape
        difference = ""
        if self.has_policy:
            expected = self.policy["value"].shape
            if expected[1:] != found[1:] or expected[0] > found[0]:
                difference = f"has (time, y, x) = {found}, the policy of {self.folder} {expected}"
        elif self.mission.departure + (self.mission.horizon or 1) >= found[0]:
            difference = f"has {found[0]} levels, the flights of {self.folder} need more"
        elif (problem := self._problem()) and (problem["ny"], problem["nx"]) != found[1:]:
            difference = (
                f"has {found[2]} × {found[1]} cells, that of {self.folder} "
                f"{problem['nx']} × {problem['ny']}"
            )
        if not difference and self.has_flights and self.mission.rollout_mode != "chain":
            flown = int(self.trajectories["realization"].values.max(initial=-1)) + 1
            if flown > environment.realization_count:
                difference = (
                    f"holds no more realizations than {environment.realization_count}, and flights "
                    f"of {self.folder} went through number {flown - 1}"
                )
        if difference:
            raise InputError(
                f"{environment.path}: {difference}; it is not the run's environment; name the "
                "right one with --environment FILE"
            )


_ENDINGS = {
    ".ma": "slocum",
    ".gpx": "gpx",
    ".kml": "kml",
    ".geojson": "geojson",
    ".json": "geojson",
    ".csv": "csv",
    ".rtz": "rtz",
    ".plan": "qgc-plan",
    ".waypoints": "qgc-wpl",
    ".bhv": "moos",
    ".twp": "policy",
}


def format_of(path: Path) -> str:
    """The format that a file's ending stands for. Errors: InputError where it stands for none."""
    if path.name == "targets":
        return "seaglider"
    found = _ENDINGS.get(path.suffix.lower())
    if found is None:
        raise InputError(
            f"{path}: its ending says no format of a route; choose one of {', '.join(_ENDINGS)}, "
            "or name the format, e.g. format='slocum'"
        )
    return found


def _place_for(out: str | os.PathLike[str] | None) -> tuple[Path, Any]:
    """A folder to write to, and what removes it if it is temporary."""
    if out is not None:
        return Path(out), None
    keeper = TemporaryFolder()
    return keeper.path / "run", keeper


def _names_of(environments: Sequence[Any]) -> dict[str, str]:
    """What those that were opened with names of their own call their variables."""
    return next((one._names for one in environments if isinstance(one, Environment)), {})


_ENVIRONMENTS = ("environment.h5", "posterior.h5")
_OF_A_RUN = ("policy.h5", "trajectories.nc", "comparison.json", "summary.json")


def _copy_files(source: Path, path: Path, environment: Path | None) -> None:
    """A run's files into another folder, summary.json last, as a run gives it."""
    files = {name: source / name for name in _ENVIRONMENTS if (source / name).is_file()}
    if environment is not None and is_temporary(environment):
        files.setdefault(environment.name, environment)
    files |= {name: source / name for name in _OF_A_RUN if (source / name).is_file()}
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any((path / name).exists() for name in (*_ENVIRONMENTS, *_OF_A_RUN)):
            raise InputError(f"{path}: holds a run already; choose a new folder")
        if (source / "export").is_dir():
            shutil.copytree(source / "export", path / "export", dirs_exist_ok=True)
        for name, file in files.items():
            made = path / f".{name}.part"
            shutil.copyfile(file, made)
            made.replace(path / name)
    except OSError as error:
        raise RunError(f"{path}: the run cannot be copied there ({error})") from error


def _utc(text: Any) -> str:
    """A date's text in UTC, without a zone."""
    found = datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    return date_text(found).rstrip("Z")


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _open(path: Path, needed: tuple[str, ...]) -> xr.Dataset:
    dataset = open_netcdf(path)
    for name in needed:
        if name not in dataset.variables:
            raise InputError(
                f"{path}: variable {name} is missing, so no run of tidewise wrote it; plan the "
                "mission again"
            )
    return dataset
