"""Cells and time levels of a run, and conversion between x, y and longitude, latitude."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from tidewise.errors import InputError
from tidewise.mission_echo import Position

if TYPE_CHECKING:
    import xarray as xr


_SMALL = 0.01  # [part of the plane's extent]: smaller coordinates are probably degrees


@dataclass(frozen=True)
class Grid:
    """A regular grid of cells and its time levels, in the environment's units."""

    x: np.ndarray  # (x), cell centres
    y: np.ndarray  # (y)
    time: np.ndarray  # (time), counted from the first level
    dates: np.ndarray | None  # (time), if the time axis counts from a date
    lon: np.ndarray | None  # (y, x), degrees east
    lat: np.ndarray | None  # (y, x), degrees north
    length_units: str
    time_units: str
    projection: str  # in PROJ's notation; empty if there is none

    @property
    def dx(self) -> float:
        """Spacing of the columns."""
        return float(self.x[1] - self.x[0])

    @property
    def dy(self) -> float:
        """Spacing of the rows."""
        return float(self.y[1] - self.y[0])

    @property
    def time_step(self) -> float:
        """Time between two levels."""
        return float(self.time[1] - self.time[0])

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """West, east, south and north edge of the outermost cells."""
        return (
            float(self.x[0]) - self.dx / 2,
            float(self.x[-1]) + self.dx / 2,
            float(self.y[0]) - self.dy / 2,
            float(self.y[-1]) + self.dy / 2,
        )

    @property
    def is_geographic(self) -> bool:
        """True if cells have longitudes and latitudes."""
        return self.lon is not None

    def position_on_plane(self, position: Position) -> tuple[float, float]:
        """Return x and y of a position; degrees take a Newton step from the nearest cell."""
        if not position.geographic or self.lon is None or self.lat is None:
            return position.first, position.second
        east = _wrapped(self.lon - position.first) * np.cos(np.radians(position.second))
        row, column = np.unravel_index(
            np.argmin(east**2 + (self.lat - position.second) ** 2), self.lon.shape
        )
        j = int(np.clip(row, 1, len(self.y) - 2)) if len(self.y) > 2 else 0
        i = int(np.clip(column, 1, len(self.x) - 2)) if len(self.x) > 2 else 0
        slope = np.array(
            [
                [
                    _wrapped(self.lon[j, i + 1] - self.lon[j, i]) / self.dx,
                    _wrapped(self.lon[j + 1, i] - self.lon[j, i]) / self.dy,
                ],
                [
                    (self.lat[j, i + 1] - self.lat[j, i]) / self.dx,
                    (self.lat[j + 1, i] - self.lat[j, i]) / self.dy,
                ],
            ]
        )
        offset = np.array(
            [_wrapped(position.first - self.lon[j, i]), position.second - self.lat[j, i]]
        )
        step = np.linalg.solve(slope, offset)
        return float(self.x[i] + step[0]), float(self.y[j] + step[1])

    def sel(self, dataset: xr.Dataset, lon: float, lat: float) -> xr.Dataset:
        """Select the cell nearest to a longitude and a latitude.

        Parameters
        ----------
        dataset : xarray.Dataset
            With the dimensions y and x.
        lon, lat : float
            Degrees east and north; x and y if the grid has no longitudes.

        Returns
        -------
        xarray.Dataset
            The dataset without y and x.

        Raises
        ------
        InputError
            If the position is outside.
        """
        x, y = self.position_on_plane(Position(float(lon), float(lat), self.is_geographic))
        west, east, south, north = self.extent
        if not (west <= x <= east and south <= y <= north):
            raise InputError(
                f"sel: ({lon}, {lat}) is outside of the grid; choose a position within x {west:g} "
                f"to {east:g} and y {south:g} to {north:g}, or its degrees"
            )
        axes = (self.x[0], self.dx, len(self.x), x), (self.y[0], self.dy, len(self.y), y)
        i, j = (min(max(round((p - first) / step), 0), count - 1) for first, step, count, p in axes)
        return dataset.isel(x=i, y=j)

    def are_likely_degrees(self, x: float, y: float) -> bool:
        """Return True if numbers given as x and y are probably a longitude and latitude.

        As degrees they lie in another cell of the domain, and as lengths they are small.
        """
        if not self.is_geographic or not (abs(x) <= 540 and abs(y) <= 90):
            return False
        west, east, south, north = self.extent
        if max(abs(x), abs(y)) > _SMALL * min(east - west, north - south):
            return False
        converted = self.position_on_plane(Position(float(x), float(y), True))
        inside = west <= converted[0] <= east and south <= converted[1] <= north
        return inside and (abs(converted[0] - x) > self.dx or abs(converted[1] - y) > self.dy)


def read_grid(dataset: xr.Dataset) -> Grid:
    """Read the grid of a policy or an environment with standard names."""
    time = dataset["time"].values
    has_dates = not np.issubdtype(time.dtype, np.number)
    return Grid(
        x=np.asarray(dataset["x"].values, float),
        y=np.asarray(dataset["y"].values, float),
        time=_elapsed(time),
        dates=time if has_dates else None,
        lon=np.asarray(dataset["lon"].values, float) if "lon" in dataset else None,
        lat=np.asarray(dataset["lat"].values, float) if "lat" in dataset else None,
        length_units=str(dataset["x"].attrs.get("units", "1")),
        time_units="s" if has_dates else str(dataset["time"].attrs.get("units", "1")),
        projection=str(dataset.attrs.get("projection", "")),
    )


def _elapsed(time: np.ndarray) -> np.ndarray:
    """Return the time since the first level: seconds for dates, else the axis' own units."""
    since = time - time[0]
    if np.issubdtype(since.dtype, np.timedelta64):
        return since / np.timedelta64(1, "s")
    if since.dtype == object:  # dates of a calendar that numpy lacks
        return np.array([step / timedelta(seconds=1) for step in since])
    return np.asarray(since, float)


def _wrapped(degrees):
    """Return differences of longitudes between −180° and 180°."""
    return np.remainder(np.asarray(degrees) + 180.0, 360.0) - 180.0
