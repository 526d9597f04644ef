"""A mission: the vehicle, its task and the environment."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._html import html_table
from tidewise._keywords import (
    all_but,
    by_keywords,
    kind_of,
    python_errors,
    python_line,
)
from tidewise._load import core
from tidewise._temporary import shown_path
from tidewise._words import date_text, is_moment, seconds_of
from tidewise.environment import Environment, file_of
from tidewise.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from tidewise._types import File, Moment, Objective, Place, Point, Span, Zone


class Vehicle:
    """A vehicle: its speeds through the water, and its energy use.

    Energy per unit of time is c_f speed² + c_t (docs/vehicle/my_vehicle.md).

    Parameters
    ----------
    speeds : float or list of float, optional
        Speeds through the water [m s-1, or cells a step]; 0 adds drifting. Needed without preset
        and profile_speeds.
    headings : int
        Headings per speed.
    preset : str, optional
        "slocum-g3", "seaglider", "spray", "wave-glider", "argo" or "auv-1ms": supplies speeds, c_f
        and c_t if they are not given.
    battery : float, optional
        Energy at the departure, in the unit of the energy spent.
    profiles : list of str, optional
        Profiles of the environment that it dives. If there are several, the plan chooses one with
        each action.
    profile_speeds : list of float, optional
        Speed on dives of each profile [m s-1], in place of speeds.
    surface_drift : str or timedelta, optional
        Time that it drifts at the surface between two decisions, "8min".
    profile_power : list of float, optional
        Power of a dive of each profile [W], in addition to c_f speed² + c_t, which are then 0 if
        not given.
    vertical_speed : float, optional
        Vertical speed of dives, down and up [m s-1].
    c_f, c_t : float, optional
        Coefficients of the energy.
    speed_error : float, optional
        Standard deviation of the vehicle's speed [m s-1], drawn at each decision.
    heading_error : float, optional
        Standard deviation of the vehicle's heading [degrees], drawn at each decision.

    Raises
    ------
    InputError
        If a figure is impossible, or the preset does not exist.

    Examples
    --------
    >>> Vehicle(speeds=[0.5, 1.0], headings=16)
    Vehicle(speeds=[0.5, 1.0], headings=16)
    """

    @by_keywords()
    def __init__(
        self,
        speeds: Sequence[float] | float | None = None,
        headings: int = 32,
        *,
        preset: str | None = None,
        battery: float | None = None,
        profiles: Sequence[str] | None = None,
        profile_speeds: Sequence[float] | None = None,
        surface_drift: Span | None = None,
        profile_power: Sequence[float] | None = None,
        vertical_speed: float | None = None,
        c_f: float | None = None,
        c_t: float | None = None,
        speed_error: float | None = None,
        heading_error: float | None = None,
    ) -> None:
        """Make and validate a vehicle; defaults are those of a mission file (docs/missions.md)."""
        if speeds is None and preset is None and profile_speeds is None:
            raise InputError("Vehicle: has no speeds; give them in m/s, or a preset")
        self.preset = preset
        self.speeds = None if speeds is None else _speeds(speeds)
        self.headings = headings
        self.battery = battery
        self.profiles = profiles
        self.profile_speeds = None if profile_speeds is None else _speeds(profile_speeds)
        self.surface_drift = surface_drift
        self.profile_power = profile_power
        self.vertical_speed = vertical_speed
        self.c_f = c_f
        self.c_t = c_t
        self.speed_error = speed_error
        self.heading_error = heading_error
        self._validate()

    def _validate(self) -> None:
        """Raise InputError for an unknown preset and for impossible figures."""
        settings = settings_of(
            {
                **self._keys(),
                "environment.file": "environment.h5",
                "mission.start": [0.0, 0.0],
                "mission.target": [1.0, 1.0],
            }
        )
        with python_errors(reword_for_mission):
            core.mission_of_settings(settings, "mission")

    def __repr__(self) -> str:
        """Return the call that makes it."""
        optional = {
            "battery": self.battery,
            "profiles": self.profiles,
            "profile_speeds": self.profile_speeds,
            "surface_drift": self.surface_drift,
            "profile_power": self.profile_power,
            "vertical_speed": self.vertical_speed,
            "c_f": self.c_f,
            "c_t": self.c_t,
            "speed_error": self.speed_error,
            "heading_error": self.heading_error,
        }
        more = "".join(f", {name}={value}" for name, value in optional.items() if value is not None)
        speeds = None if self.speeds is None else f"speeds={self.speeds}"
        preset = None if self.preset is None else f"preset={self.preset!r}"
        first = ", ".join(part for part in (speeds, preset) if part is not None)
        return f"Vehicle({first}, headings={self.headings}{more})"

    def _keys(self) -> dict[str, Any]:
        return {
            "vehicle.preset": self.preset,
            "vehicle.speeds": self.speeds,
            "vehicle.headings": self.headings,
            "vehicle.battery": self.battery,
            "vehicle.profiles": self.profiles,
            "vehicle.profile_speeds": self.profile_speeds,
            "vehicle.surface_drift": self.surface_drift,
            "vehicle.profile_power": self.profile_power,
            "vehicle.vertical_speed": self.vertical_speed,
            "vehicle.energy.c_f": self.c_f,
            "vehicle.energy.c_t": self.c_t,
            "vehicle.speed_error": self.speed_error,
            "vehicle.heading_error": self.heading_error,
        }


# Arguments whose key is not mission.NAME.
_OTHER_KEYS = ("start", "target", "start_xy", "target_xy", "c_r", "alpha")


class Mission:
    """A vehicle, its start and target, and the objective of the plan (docs/missions.md).

    Places are (longitude, latitude) if the environment has them, else the plane's (x, y).

    Parameters
    ----------
    environment : Environment or path
        The forecast to plan in.
    vehicle : Vehicle
        The vehicle.
    start, target : point, list of points or path
        One place, several alternatives, or a GeoJSON file with polygons.
    objective : str, optional
        "time", "energy", "net_energy", "weighted" or "arrival"; "stay": the time within the target;
        "follow": the distance from the target of `follow`.
    departure : date or float, optional
        Text, datetime, datetime64, or a time level; 6.4 is between two levels.
    start_xy, target_xy : point or list of points, optional
        Places on the plane, also if the environment has longitudes.
    start_polygon, target_polygon : list of points or path, optional
        A ring in x and y.
    start_polygon_lonlat, target_polygon_lonlat : list of points, optional
        A ring in degrees.
    target_radius : float, optional
        Distance within which the target is reached.
    follow : path, optional
        CSV file of places (lon, lat or x, y) with their times, or of a line without times.
    horizon : int, str or timedelta, optional
        Steps, or a span.
    deadline : date, span or float, optional
        Latest time of arrival; a number is a level.
    decide_every : int, str or timedelta, optional
        Action hold: steps, or a span, between decisions.
    via : list of dict, optional
        Places to pass before the target, tables as in a mission file.
    no_go : list of dict, optional
        Zones to keep out of, tables as in a mission file.
    arrival_reward, failure_penalty : float, optional
        Reward of arriving, and penalty of any failure.
    failure : dict of str to float, optional
        Penalties by kind: {"obstacle": …, "outside": …, "late": …}.
    c_r : float, optional
        Coefficient of the scalar that is harvested.
    alpha : float, optional
        Weight from time (0) to energy (1).

    Raises
    ------
    InputError
        If the mission is impossible. A contradiction with the environment is reported when it is
        planned.

    Examples
    --------
    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    Mission(start=[20.5, 8.5], target=[20.5, 32.5], objective='time', \
vehicle=Vehicle(speeds=[1.0], headings=32), departure=0, deadline=end of the forecast)
    """

    @by_keywords(
        start_lonlat="use start, which is in degrees if the environment has them",
        target_lonlat="use target, which is in degrees if the environment has them",
    )
    def __init__(
        self,
        environment: Environment | File,
        vehicle: Vehicle,
        start: Place | None = None,
        target: Place | None = None,
        objective: Objective | None = None,
        departure: Moment | float | None = None,
        *,
        start_xy: Point | Sequence[Point] | None = None,
        target_xy: Point | Sequence[Point] | None = None,
        start_polygon: Sequence[Any] | File | None = None,
        target_polygon: Sequence[Any] | File | None = None,
        start_polygon_lonlat: Sequence[Any] | None = None,
        target_polygon_lonlat: Sequence[Any] | None = None,
        target_radius: float | None = None,
        follow: File | None = None,
        horizon: int | Span | None = None,
        deadline: Moment | Span | float | None = None,
        decide_every: int | Span | None = None,
        via: Sequence[Zone] | None = None,
        no_go: Sequence[Zone] | None = None,
        arrival_reward: float | None = None,
        failure_penalty: float | None = None,
        failure: dict[str, float] | None = None,
        c_r: float | None = None,
        alpha: float | None = None,
    ) -> None:
        """Make and validate a mission."""
        keys = all_but(locals(), "self", "environment", "vehicle", *_OTHER_KEYS)
        if not isinstance(vehicle, Vehicle):
            raise InputError(
                f"vehicle: is {kind_of(vehicle)}; give a Vehicle, such as tw.Vehicle(speeds=[0.5])"
            )
        if not isinstance(environment, Environment):
            environment = Environment(file_of(environment, "environment"))
        self.environment = environment
        self.vehicle: Vehicle | None = vehicle
        all_keys = {
            **vehicle._keys(),
            **{f"mission.{name}": value for name, value in keys.items()},
            **_place("start", start, start_xy, environment),
            **_place("target", target, target_xy, environment),
            "mission.harvest.c_r": c_r,
            "mission.weight.alpha": alpha,
        }
        if follow is not None:
            all_keys["mission.follow"] = Path(file_of(follow, "follow")).absolute()
        for role in ("start", "target"):
            if role == "target" and objective == "follow":
                continue
            if not any(name.startswith(f"mission.{role}") for name in _keys_with_values(all_keys)):
                raise InputError(
                    f"{role}: is not given; give a point, such as {role}=(20.5, 8.5), in degrees "
                    "if the environment has them"
                )
        self._settings = settings_of(all_keys)
        self._file: Path | None = None
        self.core  # noqa: B018 (validated at once)

    @classmethod
    @by_keywords()
    def read(
        cls,
        path: File,
        environment: Environment | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
    ) -> Mission:
        """Read a mission file, for its own environment or another one.

        Parameters
        ----------
        path : path
            The TOML file.
        environment : Environment, optional
            In place of the file's.
        settings : dict, optional
            Keys that prevail over the file's, {"mission.objective": "energy"}.

        Returns
        -------
        Mission
            The mission.

        Raises
        ------
        InputError
            If the file is not a mission; the message has file and line.

        Examples
        --------
        >>> settings = {"mission.horizon": 30}
        >>> Mission.read("configs/double_gyre_time.toml", settings=settings).environment.path.name
        'double_gyre.h5'
        """
        if isinstance(path, Environment) or not isinstance(path, (str, os.PathLike)):
            raise InputError(
                f"mission: is {kind_of(path)}; give a Mission, or the path of its file"
            )
        mission = cls.__new__(cls)
        mission._file = Path(path)
        mission._settings = settings_of(settings or {})
        compiled = mission.core
        names = {role: name for role, name in compiled.names.items() if role != name}
        mission.environment = environment or Environment(Path(compiled.environment), names)
        mission.vehicle = None
        return mission

    @property
    def core(self):
        """The compiled part's object."""
        return self.with_settings({})

    def with_settings(self, keys: Mapping[str, Any]):
        """Return the compiled part's object, with further keys.

        Parameters
        ----------
        keys : dict
            Values by full names of keys.
        """
        settings = [*self._settings, *settings_of(keys)]
        with python_errors(reword_for_mission):
            if self._file is not None:
                return core.read_mission(self._file, settings)
            return core.mission_of_settings(settings, "mission")

    def toml(self, skip: frozenset[str] = frozenset()) -> str:
        """Return the mission as text of a mission file; a file's own text is unchanged.

        Parameters
        ----------
        skip : frozenset of str
            Keys to leave out.

        Returns
        -------
        str
            TOML.
        """
        if self._file is not None and not self._settings:
            return self._file.read_text()
        if self._file is not None:
            raise InputError(
                f"{self._file}: was read with other settings, so that its text is not the mission; "
                "write them into the file"
            )
        lines = [line for line in self._settings if line.partition("=")[0] not in skip]
        environment = {"environment.file": str(self.environment.path.absolute())}
        names = {f"environment.names.{role}": n for role, n in self.environment._names.items()}
        return "\n".join([*settings_of(environment | names), *lines, ""])

    def __repr__(self) -> str:
        """Return start, target, objective, vehicle, departure and deadline."""
        asked = self._asked()
        of_vehicle = {
            key.removeprefix("vehicle."): value
            for key, value in asked.items()
            if key.startswith("vehicle.")
        }
        vehicle = ", ".join(f"{key}={value}" for key, value in of_vehicle.items())
        parts = [] if self._file is None else [f"file={str(self._file)!r}"]
        parts += [
            f"{key.removeprefix('mission.')}={_short(value)}"
            for key, value in asked.items()
            if key.startswith(("mission.start", "mission.target"))
        ]
        objective = asked.get("mission.objective", '"time"').strip('"')
        parts.append(f"objective={objective!r}")
        parts.append(f"vehicle={self.vehicle!r}" if self.vehicle else f"vehicle=({vehicle})")
        parts.append(f"departure={asked.get('mission.departure', '0')}")
        if horizon := asked.get("mission.horizon"):
            parts.append(f"horizon={horizon}")
        else:
            parts.append(f"deadline={asked.get('mission.deadline', 'end of the forecast')}")
        return f"Mission({', '.join(parts)})"

    def _repr_html_(self) -> str:
        """Return all keys that were given, for a notebook."""
        asked = self._asked().items()
        file = [] if self._file is None else [("file", str(self._file))]
        shown = [(key.removeprefix("mission."), _short(value)) for key, value in asked]
        return html_table(
            "Mission",
            [*file, ("environment", shown_path(self.environment.path)), *shown],
        )

    def _asked(self) -> dict[str, str]:
        """Return the stated keys of mission and vehicle, with values in TOML; settings prevail."""
        asked: dict[str, str] = {}
        if self._file is not None:
            tables = tomllib.loads(self._file.read_text(encoding="utf-8"))
            for table in ("mission", "vehicle"):
                keys = tables.get(table, {}).items()
                asked |= {f"{table}.{key}": to_toml(value) for key, value in keys}
        settings = (line.split("=", 1) for line in self._settings)
        return asked | dict(settings)


def reword_for_mission(line: str) -> str:
    """Name keys as arguments in a message about a mission that was made in Python."""
    line = python_line(line)
    line = re.sub(r"settings (?:planner|rollout)\.(\w+)=(.+?): \w+\.", r"\1=\2: ", line)
    if not line.startswith("mission: "):
        return line
    tables = r"\b(?:mission|vehicle|planner|rollout)\.(?:harvest\.|weight\.|energy\.)?(?!toml\b)"
    line = re.sub(tables + "(?=[a-z])", "", line.removeprefix("mission: "))
    return re.sub(r"\b(start|target)_lonlat\b", r"\1", line)


def settings_of(keys: Mapping[str, Any]) -> list[str]:
    """Return KEY=VALUE for each given key, the value in TOML."""
    return [f"{key}={to_toml(value)}" for key, value in keys.items() if value is not None]


def to_toml(value: Any) -> str:
    """Return a value as in mission files. Raises InputError if TOML cannot hold it."""
    if is_moment(value):
        return f'"{date_text(value)}"'
    if (seconds := seconds_of(value)) is not None:
        return f'"{seconds!r} s"'
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{json.dumps(str(k))} = {to_toml(v)}" for k, v in value.items()) + "}"
        )
    if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "values"):
        array = np.asarray(getattr(value, "values", value))
        if array.dtype.kind in "Mm":
            return to_toml(array[()]) if array.ndim == 0 else to_toml(list(array))
        return to_toml(array.tolist())
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (Sequence, set)):
        return "[" + ", ".join(to_toml(entry) for entry in value) + "]"
    raise InputError(
        f"{value!r}: is {kind_of(value)}, which no mission holds; give numbers, text, "
        "dates, durations or lists of them"
    )


def _short(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _keys_with_values(keys: Mapping[str, Any]) -> list[str]:
    return [key for key, value in keys.items() if value is not None]


def _speeds(values: Any) -> list[float]:
    return [_speed(value) for value in np.atleast_1d(np.asarray(values, object))]


def _speed(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(
            f"speeds: {value!r} is no number; give them in m/s (cells a step where the environment "
            "is without units), such as 0.514 for a knot"
        ) from None


def _place(role: str, value: Any, on_plane: Any, environment: Environment) -> dict[str, Any]:
    if on_plane is not None:
        return {f"mission.{role}": on_plane}
    if value is None:
        return {}
    if isinstance(value, (str, os.PathLike)):
        return {f"mission.{role}_polygon": Path(value).absolute()}
    frame = "_lonlat" if environment.is_geographic else ""
    return {f"mission.{role}{frame}": value}
