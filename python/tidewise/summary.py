"""summary.json of a run: read, and validated."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tidewise.errors import InputError


@dataclass(frozen=True)
class Expected:
    """The prediction of the model for a policy; means are given arrival.

    Attributes
    ----------
    arrival_probability : float
        From 0 to 1; NaN for a mission that stays or follows.
    time, energy, net_energy : float
        Means [s, or steps; unit of the mission's energy]; NaN for a mission that stays or follows.
    within : float or None
        Share of the time within the target, for "stay".
    distance : float or None
        Mean distance from the followed target [m, or cells], for "follow".
    """

    arrival_probability: float
    time: float
    energy: float
    net_energy: float
    within: float | None = None
    distance: float | None = None

    @property
    def keeps(self) -> bool:
        """True for missions that stay or follow, which do not arrive."""
        return self.within is not None or self.distance is not None


_NUMBER = (int, float)
_TYPES_OF_FLIGHTS = {
    "trajectories": int,
    "arrival_rate": _NUMBER,
    "failures": dict,
    "failures.obstacle": int,
} | {
    key: kind
    for name in ("time", "energy", "net_energy", "within", "distance")
    for key, kind in ((name, dict), (f"{name}.mean", _NUMBER))
}
_TYPES = {
    "mission": dict,
    "mission.mission": dict,
    "mission.environment": dict,
    "expected": dict,
    "expected.arrival_probability": _NUMBER,
    "expected.time": _NUMBER,
    "expected.energy": _NUMBER,
    "expected.net_energy": _NUMBER,
    "expected.within": _NUMBER,
    "expected.distance": _NUMBER,
    "rollout": dict,
} | {f"rollout.{name}": kind for name, kind in _TYPES_OF_FLIGHTS.items()}


def _require_types(summary: Any) -> None:
    """Raise ValueError if parts of a summary, which may have been edited, have wrong types."""

    def require(found: Any, kind: Any, name: str) -> None:
        if not isinstance(found, kind):
            raise ValueError(f"{name} is {found!r:.40}")

    def require_all(part: dict[str, Any], kinds: dict[str, Any]) -> None:
        for name, kind in kinds.items():
            value: Any = part
            for key in name.split("."):
                value = None if value is None else value.get(key)
            if value is not None:
                require(value, kind, name)

    require(summary, dict, "it")
    require_all(summary, _TYPES)


def read_summary(path: Path) -> dict[str, Any]:
    """Return the contents of summary.json. Raises InputError if it cannot be read."""
    try:
        summary = json.loads(path.read_text())
        _require_types(summary)
        return summary
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read ({error}); every run leaves one; plan the mission again"
        ) from error
