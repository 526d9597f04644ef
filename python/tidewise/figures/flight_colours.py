"""Colours of flights, by the quantity that the mission's objective needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import Normalize, to_rgba

from tidewise.figures import palette
from tidewise.figures.profiles import Profile, profiles_of
from tidewise.units import Unit

if TYPE_CHECKING:
    from tidewise.run import Run


@dataclass(frozen=True)
class FlightColours:
    """A number for each flight of the run, in displayed units, and its colour scale."""

    label: str
    values: np.ndarray  # (trajectory)
    succeeded: np.ndarray  # (trajectory) bool, as of EndArrays.succeeded()
    norm: Normalize | None  # None if no flight succeeded
    extend: str  # ends of the colour bar with an arrow
    # Profiles of a vehicle with a choice; they colour the legs of flights that succeeded.
    profiles: tuple[Profile, ...] = ()

    def of(self, numbers: np.ndarray, opacity: float = 0.9) -> np.ndarray:
        """Return (flight, RGBA) of the named flights; grey for those that failed."""
        # Transparent, so that many failed flights do not hide those that arrived.
        failed = opacity if len(numbers) <= 20 else 0.45 * opacity
        colours = np.tile(to_rgba(palette.FAILED, failed), (len(numbers), 1))
        if self.norm is not None:
            coloured = self.succeeded[numbers]
            colours[coloured] = palette.FLIGHT(self.norm(self.values[numbers][coloured]))
            colours[coloured, 3] = opacity
        return colours


    def legs(self, run: Run, numbers: np.ndarray) -> list[np.ndarray] | None:
        """Return (leg, RGBA) of the named flights by profile; None without a choice of profiles."""
        if not self.profiles:
            return None
        table = np.array([to_rgba(palette.profile_colour(n)) for n in range(len(self.profiles))])
        all_colours = self.of(numbers)
        dives = run.flights.dives(numbers)
        return [
            table[profiles] if self.succeeded[number] else np.tile(colour, (len(profiles), 1))
            for number, profiles, colour in zip(numbers, dives, all_colours, strict=True)
        ]


def choose_flight_colours(run: Run) -> FlightColours:
    """Return colours by profile if the vehicle chooses among several, else by a quantity.

    The objective decides: arrival time, energy, net energy, weighted cost, time within or distance.
    """
    profiles = tuple(profiles_of(run))
    if profiles:
        succeeded = run.flights.arrays.succeeded(run.mission.objective)
        return FlightColours("", np.zeros(len(succeeded)), succeeded, None, "neither", profiles)
    name, unit, values = _quantity(run)
    shown = np.asarray(unit.show(values), float)
    succeeded = run.flights.arrays.succeeded(run.mission.objective)
    if not succeeded.any():
        return FlightColours(unit.label(name), shown, succeeded, None, "neither")
    # Outliers must not take most of the colour scale.
    low, high = np.quantile(shown[succeeded], [0.01, 0.99])
    if not high > low:
        low, high = low - 0.5, high + 0.5
    below, above = shown[succeeded].min() < low, shown[succeeded].max() > high
    extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get(
        (bool(below), bool(above)), "neither"
    )
    return FlightColours(unit.label(name), shown, succeeded, Normalize(low, high), extend)


def _quantity(run: Run) -> tuple[str, Unit, np.ndarray]:
    ends = run.flights.arrays
    objective = run.mission.objective
    if objective == "energy":
        return "energy", run.units.energy, ends.energy
    if objective == "net_energy":
        return "net energy", run.units.energy, ends.net_energy
    if objective == "weighted":
        return "weighted cost", Unit(1.0, "–"), run.mission.arrival_reward - ends.total_reward
    if objective == "stay":
        return "time within the target", run.units.time, ends.harvested
    if objective == "follow":
        return "distance on average", run.units.length, -ends.harvested / ends.duration
    return "arrival time", run.units.time, ends.duration
