"""The profiles among which a vehicle chooses, as named in a run's files."""

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
    """A name, and the limits of its depths [m]; None for depths that a file describes."""

    name: str
    depths: tuple[float, float] | None

    @property
    def text(self) -> str:
        """Return its name in pictures: deep, 0\N{EN DASH}1000 m."""
        if self.depths is None:
            return self.name
        first, last = self.depths
        if first == last:
            return f"{self.name}, at {last:g} m"
        return f"{self.name}, {first:g}\N{EN DASH}{last:g} m"


def profiles_of(run: Run) -> list[Profile]:
    """Return profiles in the order of the run's files; empty without a choice."""
    for exists, name in ((run.has_policy, "policy"), (run.has_flights, "trajectories")):
        if exists and "profile" in (dataset := getattr(run, name)):
            return _read(dataset["profile"])
    return []


def at_profile(run: Run, profile: str | None) -> Run:
    """Return a copy of the run with the flow of one of its profiles; for None the run itself.

    Raises InputError if its vehicle does not choose among profiles with this one.
    """
    if profile is None:
        return run
    names = [known.name for known in profiles_of(run)]
    if profile not in names:
        has = f"chooses among {', '.join(names)}; take one of them"
        if not names:
            has = "has a single profile; leave this argument out"
        raise InputError(f"profile {profile}: {run.folder} {has}")
    copied = copy(run)
    copied.__dict__["environment"] = run.environment._at_profile(profile)
    return copied


def name_dives(run: Run) -> str:
    """Return the caption's text about the profile of the flow; empty without a choice."""
    return f"on dives of {run.environment._profile}" if profiles_of(run) else ""


def _read(variable: xr.DataArray) -> list[Profile]:
    names = str(variable.attrs["flag_meanings"]).split()
    depths = str(variable.attrs.get("depths", "")).split()
    depths += ["-"] * (len(names) - len(depths))
    return [Profile(name, _depths(text)) for name, text in zip(names, depths, strict=True)]


def _depths(text: str) -> tuple[float, float] | None:
    """Parse "0:1000" and "at:1000"."""
    first, _, last = text.partition(":")
    try:
        deepest = float(last.removesuffix("m"))
        return (deepest if first == "at" else float(first), deepest)
    except ValueError:
        return None
