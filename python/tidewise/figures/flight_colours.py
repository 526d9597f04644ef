"""Which quantity colours a mission's flights, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import Normalize, to_rgba

from tidewise.figures import palette
from tidewise.units import Unit

if TYPE_CHECKING:
    from tidewise.run import Run


@dataclass(frozen=True)
class FlightColours:
    """A number for each flight of the run, as shown, and the scale that colours it."""

    label: str
    values: np.ndarray  # (trajectory)
    arrived: np.ndarray  # (trajectory) bool
    norm: Normalize | None  # None when no flight arrived
    extend: str  # which ends of the colour bar go on

    def of(self, numbers: np.ndarray, opacity: float = 0.9) -> np.ndarray:
        """(flight, RGBA) of the flights named; grey for those that did not arrive."""
        # Many that failed shall not hide those that arrived.
        failed = opacity if len(numbers) <= 20 else 0.45 * opacity
        colours = np.tile(to_rgba(palette.FAILED, failed), (len(numbers), 1))
        if self.norm is not None:
            arrived = self.arrived[numbers]
            colours[arrived] = palette.FLIGHT(self.norm(self.values[numbers][arrived]))
            colours[arrived, 3] = opacity
        return colours


def choose_flight_colours(run: Run) -> FlightColours:
    """Arrival time, energy, net energy or weighted cost, as the mission's objective says."""
    name, unit, values = _quantity(run)
    shown = np.asarray(unit.show(values), float)
    arrived = run.flights.ends.arrived
    if not arrived.any():
        return FlightColours(unit.label(name), shown, arrived, None, "neither")
    # A few odd flights shall not take the colours of all others.
    low, high = np.quantile(shown[arrived], [0.01, 0.99])
    if not high > low:
        low, high = low - 0.5, high + 0.5
    below, above = shown[arrived].min() < low, shown[arrived].max() > high
    extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get(
        (bool(below), bool(above)), "neither"
    )
    return FlightColours(unit.label(name), shown, arrived, Normalize(low, high), extend)


def _quantity(run: Run) -> tuple[str, Unit, np.ndarray]:
    ends = run.flights.ends
    objective = run.mission.objective
    if objective == "energy":
        return "energy", run.units.energy, ends.energy
    if objective == "net_energy":
        return "net energy", run.units.energy, ends.net_energy
    if objective == "weighted":
        return "weighted cost", Unit(1.0, "–"), run.mission.arrival_reward - ends.total_reward
    return "arrival time", run.units.time, ends.duration
