"""What a vehicle is to do, and in which ocean."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tidewise._load import core
from tidewise._words import date_text, is_moment, seconds_of
from tidewise.environment import Environment
from tidewise.errors import InputError


class Vehicle:
    """A vehicle: its speeds through the water, and what they cost.

    speeds: [m s-1, or cells a step], one or more; 0 adds drifting. headings: how many each speed
    has.
    battery: what it holds at the departure, in the unit of the energy spent. Energy a unit of time
    is c_f speed² + c_t.

    >>> Vehicle(speeds=[0.5, 1.0], headings=16)
    Vehicle(speeds=[0.5, 1.0], headings=16)
    """

    def __init__(
        self,
        speeds: Sequence[float] | float,
        headings: int = 32,
        *,
        battery: float | None = None,
        c_f: float | None = None,
        c_t: float | None = None,
    ) -> None:
        """What is not given has the default of a mission file (docs/missions.md)."""
        self.speeds = [float(speed) for speed in np.atleast_1d(np.asarray(speeds, float))]
        self.headings = headings
        self.battery = battery
        self.c_f = c_f
        self.c_t = c_t

    def __repr__(self) -> str:
        """As it would be made."""
        given = {"battery": self.battery, "c_f": self.c_f, "c_t": self.c_t}
        more = "".join(f", {name}={value}" for name, value in given.items() if value is not None)
        return f"Vehicle(speeds={self.speeds}, headings={self.headings}{more})"

    def _keys(self) -> dict[str, Any]:
        return {
            "vehicle.speeds": self.speeds,
            "vehicle.headings": self.headings,
            "vehicle.battery": self.battery,
            "vehicle.energy.c_f": self.c_f,
            "vehicle.energy.c_t": self.c_t,
        }


class Mission:
    """A vehicle, where it starts, where it is to go, and what is made as small as possible.

    start, target: (longitude, latitude) where the environment has them, else its plane's (x, y); or
    a list of such points, any of which will do; or the path of a GeoJSON file with polygons.
    start_xy, target_xy: the plane's, in any case. objective: time, energy, net_energy, weighted or
    arrival. departure: a date (text, datetime, datetime64), or a time level (6.4 between two).
    horizon: steps, or a timedelta. deadline: a date, timedelta or level. Every other key of [mission] in
    docs/missions.md may be given by its name (target_radius, decide_every, arrival_reward,
    failure_penalty, failure, no_go, …); c_r and alpha are harvest.c_r and weight.alpha. Errors:
    InputError, when it is made, for what no mission can be; what its environment has to say comes
    when it is planned.

    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    Mission(start=[20.5, 8.5], target=[20.5, 32.5], objective='time')
    """

    def __init__(
        self,
        environment: Environment | str | os.PathLike[str],
        vehicle: Vehicle,
        start: Any = None,
        target: Any = None,
        objective: str | None = None,
        departure: Any = None,
        **keys: Any,
    ) -> None:
        """Judges what it is given."""
        if not isinstance(environment, Environment):
            environment = Environment(Path(environment))
        self.environment = environment
        self.vehicle = vehicle
        given = {
            **vehicle._keys(),
            **_place("start", start, keys, environment),
            **_place("target", target, keys, environment),
            "mission.objective": objective,
            "mission.departure": departure,
        }
        short = {"c_r": "harvest.c_r", "alpha": "weight.alpha"}
        for name, value in keys.items():
            given[f"mission.{short.get(name, name)}"] = value
        self._settings = settings_of(given)
        self._file: Path | None = None
        self.core  # noqa: B018 (judged at once)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        environment: Environment | None = None,
        **settings: Any,
    ) -> Mission:
        """Of a mission file, in its own environment or in another one.

        Further arguments prevail over the file's keys: dots are two underscores, as in
        mission__objective="energy". Errors: InputError with file and line.

        >>> Mission.read("configs/double_gyre_time.toml", mission__horizon=30).environment.path.name
        'double_gyre.h5'
        """
        mission = cls.__new__(cls)
        mission._file = Path(path)
        mission._settings = settings_of(
            {name.replace("__", "."): value for name, value in settings.items()}
        )
        found = mission.core
        names = {role: own for role, own in found.names.items() if role != own}
        mission.environment = environment or Environment(Path(found.environment), names)
        mission.vehicle = None
        return mission

    @property
    def core(self):
        """As the compiled part takes it."""
        return self.with_settings({})

    def with_settings(self, keys: Mapping[str, Any]):
        """The same with further keys, by their full names."""
        settings = [*self._settings, *settings_of(keys)]
        if self._file is not None:
            return core.read_mission(self._file, settings)
        return core.mission_of_settings(settings, "mission")

    def toml(self, skip: frozenset[str] = frozenset()) -> str:
        """What was given, as a mission file says it; of a file, its text."""
        if self._file is not None and not self._settings:
            return self._file.read_text()
        if self._file is not None:
            raise InputError(
                f"{self._file}: was read with other settings, so that its text is not the mission; "
                "write them into the file"
            )
        lines = [line for line in self._settings if line.partition("=")[0] not in skip]
        return "\n".join([f"environment.file = {to_toml(str(self.environment.path))}", *lines, ""])

    def __repr__(self) -> str:
        """Where it goes."""
        if self._file is not None:
            return f"Mission.read({str(self._file)!r})"
        shown = dict(line.split("=", 1) for line in self._settings)
        places = [
            f"{key.removeprefix('mission.')}={value}"
            for key, value in shown.items()
            if key.startswith(("mission.start", "mission.target"))
        ]
        objective = shown.get("mission.objective", '"time"').strip('"')
        return f"Mission({', '.join(places)}, objective={objective!r})"


def settings_of(keys: Mapping[str, Any]) -> list[str]:
    """KEY=VALUE of each that is given, the value in TOML."""
    return [f"{key}={to_toml(value)}" for key, value in keys.items() if value is not None]


def to_toml(value: Any) -> str:
    """A value as mission files write it. Errors: InputError for what they cannot hold."""
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
        return "[" + ", ".join(to_toml(one) for one in value) + "]"
    raise InputError(
        f"{value!r}: is a {type(value).__name__}, which no mission holds; give numbers, text, "
        "dates, durations or lists of them"
    )


def _place(role: str, value: Any, keys: dict[str, Any], environment: Environment) -> dict[str, Any]:
    on_plane = keys.pop(f"{role}_xy", None)
    if on_plane is not None:
        return {f"mission.{role}": on_plane}
    if value is None:
        return {}
    if isinstance(value, (str, os.PathLike)):
        return {f"mission.{role}_polygon": Path(value).absolute()}
    frame = "_lonlat" if environment.is_geographic else ""
    return {f"mission.{role}{frame}": value}
