"""The mission as a run's files contain it, with all defaults."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tidewise.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Position:
    """A start or a target as given: in the plane's units, or in degrees east and north."""

    first: float
    second: float
    geographic: bool


@dataclass(frozen=True)
class MissionEcho:
    """The facts of a mission that pictures need; `table` has all keys."""

    environment_file: Path
    environment_names: dict[str, str] = field(repr=False)  # name in the file by role
    objective: str  # time, energy, net_energy, weighted, arrival, stay or follow
    start: Position
    target: Position
    target_radius: float  # [plane's units]
    departure: int  # time level
    horizon: int | None  # steps; None: to the last level
    arrival_reward: float
    failure_price: float  # the smallest penalty of a failure
    rollout_mode: str  # continuous, chain or none
    table: dict[str, Any] = field(repr=False)


def read_mission_echo(
    text: str, source: Path, summary: dict[str, Any] | None = None
) -> MissionEcho:
    """Parse the mission attribute of `source`. Raises InputError for text that is no mission.

    `summary`: of the same run, for the start chosen among several and the level of a date.
    """
    resolved = summary or {}
    try:
        table = tomllib.loads(text)
        mission = table["mission"]
        return MissionEcho(
            environment_file=Path(table["environment"]["file"]),
            environment_names=dict(table["environment"].get("names", {})),
            objective=mission["objective"],
            start=_position(mission, "start", resolved),
            target=_position(mission, "target", resolved),
            target_radius=float(mission.get("target_radius", 0.0)),
            departure=_departure(mission.get("departure", 0), resolved),
            horizon=int(mission["horizon"]) if "horizon" in mission else None,
            arrival_reward=float(mission.get("arrival_reward", 1.0)),
            failure_price=_mildest_failure(mission),
            rollout_mode=table["rollout"]["mode"],
            table=table,
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{source}: its attribute 'mission' cannot be read ({error}); it is the mission that "
            "tidewise echoes; plan the mission again"
        ) from error


def _position(mission: dict[str, Any], key: str, resolved: dict[str, Any]) -> Position:
    geographic = key not in mission
    values = mission.get(f"{key}_lonlat" if geographic else key)
    if values is None or isinstance(values[0], list):  # an area, or several points
        place = resolved[key]
        return Position(float(place["x"]), float(place["y"]), False)
    first, second = values
    return Position(float(first), float(second), geographic)


def _departure(departure: Any, resolved: dict[str, Any]) -> int:
    return int(departure if isinstance(departure, int) else resolved["departure"]["level"])


def _mildest_failure(mission: dict[str, Any]) -> float:
    if mission["objective"] == "arrival":
        return 0.0
    if "failure_penalty" in mission:
        return float(mission["failure_penalty"])
    return max(float(price) for price in mission["failure"].values())
