"""The action of a policy at a place and a time, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal


@dataclass(frozen=True)
class Steering:
    """The action at a place and a time.

    Attributes
    ----------
    heading : float
        Radians counter-clockwise from the plane's +x.
    speed : float
        Through the water [m s-1, or cells a step].
    bearing : float or None
        Degrees clockwise from true north; None if there is no north.
    value : float
        Expected total reward from there on.
    level : int
        The time level of the action.
    profile : str or None
        The profile to dive, if the vehicle has several.
    """

    heading: float
    speed: float
    bearing: float | None
    value: float
    level: int
    profile: str | None = None


Reason = Literal[
    "arrived",
    "land",
    "outside",
    "before the forecast",
    "time is up",
    "after the forecast",
    "no action",
]


@dataclass(frozen=True)
class NoAction:
    """The reason why there is no action at a place and a time; bool() returns False.

    Attributes
    ----------
    reason : str
        "arrived", "land" (or another closed cell), "outside" (of the grid), "before the forecast",
        "time is up" (of the mission), "after the forecast", or "no action" (of the policy).
    text : str
        The reason in a sentence.

    Examples
    --------
    >>> found = run.act((20.5, 32.5), time=5)
    >>> found.reason, bool(found)
    ('arrived', False)
    >>> print(found)
    at=(20.5, 32.5) at time=5: in the target; nothing is left to do
    """

    reason: Reason
    text: str

    def __bool__(self) -> Literal[False]:
        """Return False: `if found := run.act(…):` skips a missing action."""
        return False

    def __str__(self) -> str:
        """Return the reason."""
        return self.text

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Raise AttributeError with the reason."""
            raise AttributeError(f"there is no {name}, as there is no action: {self.text}")


# Statuses of `tidewise lookup` for a place without an action.
_REASONS: dict[str, tuple[Reason, str]] = {
    "in target": ("arrived", "in the target; nothing is left to do"),
    "closed": ("land", "closed: land, an obstacle, or water outside the forecast"),
    "outside": ("outside", "outside the grid; choose a place within"),
    "unknown": (
        "no action",
        "the policy has none; only its environment, which is not where the mission names it, has "
        "the target and the land",
    ),
    "past the end": ("time is up", "the mission's time is up; plan with a longer horizon"),
}


def why_not(status: str, asked: str) -> NoAction:
    """Convert a status of `tidewise lookup`, or "unknown". asked: place and time, for the text."""
    reason, text = _REASONS.get(
        status, ("no action", "the policy has none, in open water that it was not planned for")
    )
    return NoAction(reason, f"{asked}: {text}")
