"""What a vehicle dives that chooses among several profiles, as a run's files name them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidewise.errors import InputError

if TYPE_CHECKING:
    import xarray as xr

    from tidewise.run import Run


@dataclass(frozen=True)
class Profile:
    """A name, and the depths that a dive goes between [m]; None of those that a file describes."""

    name: str
    depths: tuple[float, float] | None

    @property
    def text(self) -> str:
        """As pictures name it: deep, 0\N{EN DASH}1000 m."""
        if self.depths is None:
            return self.name
        first, last = self.depths
        if first == last:
            return f"{self.name}, at {last:g} m"
        return f"{self.name}, {first:g}\N{EN DASH}{last:g} m"


def profiles_of(run: Run) -> list[Profile]:
    """In the order of the numbers in the run's files; empty where there is no choice."""
    for there, name in ((run.has_policy, "policy"), (run.has_flights, "trajectories")):
        if there and "profile" in (dataset := getattr(run, name)):
            return _read(dataset["profile"])
    return []


def at_profile(run: Run, profile: str | None) -> Run:
    """The run with the flow of one of its profiles; None: the first.

    Raises InputError where its vehicle does not choose that one.
    """
    if profile is None:
        return run
    names = [one.name for one in profiles_of(run)]
    if profile not in names:
        has = f"chooses among {', '.join(names)}; take one of them"
        if not names:
            has = "dives one profile alone; leave it out"
        raise InputError(f"profile {profile}: {run.folder} {has}")
    seen = copy(run)
    seen.__dict__["environment"] = run.environment._at_profile(profile)
    return seen


def name_dives(run: Run) -> str:
    """What a caption says of the flow of a vehicle that chooses; empty for others."""
    return f"on dives of {run.environment._profile}" if profiles_of(run) else ""


def _read(variable: xr.DataArray) -> list[Profile]:
    names = str(variable.attrs["flag_meanings"]).split()
    depths = str(variable.attrs.get("depths", "")).split()
    depths += ["-"] * (len(names) - len(depths))
    return [Profile(name, _depths(text)) for name, text in zip(names, depths, strict=True)]


def _depths(text: str) -> tuple[float, float] | None:
    """Of "0:1000" and "at:1000"."""
    first, _, last = text.partition(":")
    try:
        deepest = float(last.removesuffix("m"))
        return (deepest if first == "at" else float(first), deepest)
    except ValueError:
        return None
