"""The flights of a run: their ends, and their paths for pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

# Values of the variable outcome; the others are failures, named by its flag_meanings.
ARRIVED = 0
OUT_OF_TIME = 3
KEEPING = ("stay", "follow")  # objectives of missions without arrival
# Variables end_… of a file with the tracks of some flights, and their types.
_ENDS = {
    "steps": int,
    "energy": float,
    "harvested": float,
    "outcome": int,
    "realization": int,
    "total_reward": float,
}
_FLIGHTS_PER_READ = 4096  # whole chunks of the file; bounds the memory


@dataclass(frozen=True)
class EndArrays:
    """Ends of the flights as arrays (trajectory), for figures."""

    steps: np.ndarray  # int; a partial last step counts as a whole one
    duration: np.ndarray  # from departure to the end, environment's units
    energy: np.ndarray  # energy spent
    harvested: np.ndarray
    outcome: np.ndarray  # int
    realization: np.ndarray  # int
    total_reward: np.ndarray

    @property
    def arrived(self) -> np.ndarray:
        """True for flights that arrived, (trajectory)."""
        return self.outcome == ARRIVED

    def succeeded(self, objective: str) -> np.ndarray:
        """Return True for flights that arrived or, if they stay or follow, lasted until the end."""
        return self.outcome == OUT_OF_TIME if objective in KEEPING else self.arrived

    @property
    def net_energy(self) -> np.ndarray:
        """Energy spent minus energy harvested."""
        return self.energy - self.harvested


class Flights:
    """Flights of a trajectories.nc, read in parts."""

    def __init__(self, dataset: xr.Dataset) -> None:
        """Read an open trajectories.nc."""
        self._dataset = dataset

    def __len__(self) -> int:
        """Return the number of flights with tracks; a batch stores those of some flights."""
        return self._dataset.sizes["trajectory"]

    def __repr__(self) -> str:
        """Return the number of flights, and the number of each outcome."""
        names = str(self._dataset["outcome"].attrs["flag_meanings"]).split()
        counts = np.bincount(self.all_ends.outcome, minlength=len(names))
        outcomes = [f"{n} {name}" for n, name in zip(counts, names, strict=False) if n > 0]
        return f"<Flights: {counts.sum()}: {', '.join(outcomes).replace('_', ' ')}>"

    @cached_property
    def ends(self) -> pd.DataFrame:
        """The ends of all flights of the run, also of those whose tracks a batch does not store.

        Returns
        -------
        pandas.DataFrame
            Index ``trajectory``, the number of the flight. Columns: ``realization``;
            ``outcome`` (categories: the flag_meanings of the file); ``arrived`` (bool);
            ``departure`` and ``end``
            (datetime64[ns], UTC, or numbers if times count from no date); ``duration``
            (timedelta64[ns], or a number of the same units); ``steps`` (the last one counts
            whole); ``energy`` (spent), ``harvested`` and ``net_energy``; ``total_reward``.

        Examples
        --------
        >>> ends = run.flights.ends
        >>> bool(ends.duration[ends.arrived].mean() > 20)
        True
        """
        import pandas as pd

        arrays = self.all_ends
        begin = self._dataset["time"].isel(obs=0).values
        begin = begin if len(begin) == len(arrays.steps) else np.full(len(arrays.steps), begin[0])
        duration = arrays.duration
        if begin.dtype.kind == "M":
            duration = np.round(duration * 1e9).astype("timedelta64[ns]")
        names = str(self._dataset["outcome"].attrs["flag_meanings"]).split()
        return pd.DataFrame(
            {
                "realization": arrays.realization,
                "outcome": pd.Categorical.from_codes(arrays.outcome, names),
                "arrived": arrays.arrived,
                "departure": begin,
                "end": begin + duration,
                "duration": duration,
                "steps": arrays.steps,
                "energy": arrays.energy,
                "harvested": arrays.harvested,
                "net_energy": arrays.net_energy,
                "total_reward": arrays.total_reward,
            },
            index=pd.RangeIndex(len(arrays.steps), name="trajectory"),
        )

    @cached_property
    def all_ends(self) -> EndArrays:
        """The ends of all flights of the run as NumPy arrays."""
        if "flight" not in self._dataset.sizes:
            return self.arrays
        end = {
            name: self._dataset[f"end_{name}"].values.astype(kind) for name, kind in _ENDS.items()
        }
        duration = self._dataset["end_time"].values - self._dataset["time"].values[0, 0]
        return EndArrays(duration=_seconds(duration), **end)

    @cached_property
    def arrays(self) -> EndArrays:
        """The ends of the flights with tracks as NumPy arrays.

        Durations are in the environment's units of time.
        """
        steps, duration, energy, harvested = [], [], [], []
        for first in range(0, len(self), _FLIGHTS_PER_READ):
            part = self._dataset.isel(trajectory=slice(first, first + _FLIGHTS_PER_READ))
            last = np.isfinite(part["x"].values).sum(axis=1) - 1
            rows = np.arange(len(last))
            steps.append(last)
            time = part["time"].values
            duration.append(_seconds(time[rows, last] - time[:, 0]))
            energy.append(part["energy"].values[rows, last].astype(float))
            harvested.append(part["harvested"].values[rows, last].astype(float))
        return EndArrays(
            steps=_joined(steps).astype(int),
            duration=_joined(duration),
            energy=_joined(energy),
            harvested=_joined(harvested),
            outcome=self._dataset["outcome"].values.astype(int),
            realization=self._dataset["realization"].values.astype(int),
            total_reward=self._dataset["total_reward"].values.astype(float),
        )

    def chosen(self, most: int) -> np.ndarray:
        """Return numbers of at most `most` flights, spread evenly over all.

        Parameters
        ----------
        most : int
            Maximum number.

        Returns
        -------
        ndarray of int
            Numbers of trajectories.
        """
        if len(self) <= most:
            return np.arange(len(self))
        return np.unique(np.linspace(0, len(self) - 1, most).round().astype(int))

    def paths(self, numbers: np.ndarray) -> list[np.ndarray]:
        """Return the path of each flight.

        Parameters
        ----------
        numbers : ndarray of int
            Numbers of trajectories.

        Returns
        -------
        list of ndarray
            (point, 2): x and y from departure to end.
        """
        paths = []
        ends = self.arrays
        for first in range(0, len(self), _FLIGHTS_PER_READ):
            in_part = numbers[(numbers >= first) & (numbers < first + _FLIGHTS_PER_READ)]
            if len(in_part) == 0:
                continue
            part = self._dataset.isel(trajectory=slice(first, first + _FLIGHTS_PER_READ))
            x, y = part["x"].values, part["y"].values
            for number in in_part:
                points = slice(0, ends.steps[number] + 1)
                paths.append(np.stack([x[number - first, points], y[number - first, points]], 1))
        return paths


    def times(self, number: int) -> np.ndarray:
        """Return the times of a flight's points after its departure.

        Parameters
        ----------
        number : int
            The trajectory.

        Returns
        -------
        ndarray
            (point) [environment's units].
        """
        time = self._dataset["time"].isel(trajectory=number).values
        return _seconds(time[: self.arrays.steps[number] + 1] - time[0])

    def dives(self, numbers: np.ndarray) -> list[np.ndarray]:
        """Return the profile of each leg of each flight; the vehicle must choose among several.

        Parameters
        ----------
        numbers : ndarray of int
            Numbers of trajectories.

        Returns
        -------
        list of ndarray
            (leg): the number of the profile from each point except the last.
        """
        profiles = self._dataset["profile"].isel(trajectory=numbers).values
        legs = self.arrays.steps[numbers]
        return [row[:count].astype(int) for row, count in zip(profiles, legs, strict=True)]


def _seconds(span: np.ndarray) -> np.ndarray:
    """Return a timedelta as seconds; other times stay."""
    if span.dtype.kind != "m":
        return span
    return span / np.timedelta64(1, "ns") * 1e-9


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0)
