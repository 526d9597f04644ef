"""The map for fields: km, m or cells; also longitude and latitude if there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from tidewise.grid import Grid
from tidewise.units import Units

if TYPE_CHECKING:
    from tidewise.run import Run

_GRATICULE = {"color": "#404040", "linewidth": 0.3, "alpha": 0.5, "linestyle": (0, (1, 2))}


class Frame:
    """Converts positions of a run's plane to axes, and labels their rims.

    Fields lie on the run's own plane. Where cells have longitudes the rim shows degrees, by the
    cells' own longitudes and latitudes.
    """

    def __init__(self, run: Run) -> None:
        """Use the grid and the units of a run."""
        self.grid: Grid = run.grid
        self.units: Units = run.units
        self._scale = self.units.length.scale

    @property
    def aspect(self) -> float:
        """Height of the domain divided by its width."""
        west, east, south, north = self.grid.extent
        return (north - south) / (east - west)

    @property
    def x(self) -> np.ndarray:
        """(x) cell centres in displayed units."""
        return self.grid.x / self._scale

    @property
    def y(self) -> np.ndarray:
        """(y) cell centres in displayed units."""
        return self.grid.y / self._scale

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """West, east, south and north edge in displayed units."""
        west, east, south, north = (edge / self._scale for edge in self.grid.extent)
        return west, east, south, north

    def place(self, positions):
        """Convert positions, or lengths, of the plane to displayed units."""
        return np.asarray(positions) / self._scale

    def label(self, axes: Axes, left: bool = True, bottom: bool = True) -> None:
        """Set limits, ticks and labels; only the rims of a page of panels have labels."""
        west, east, south, north = self.extent
        axes.set_aspect("equal")
        axes.set_xlim(west, east)
        axes.set_ylim(south, north)
        if self.grid.is_geographic:
            self._label_by_degrees(axes, left, bottom)
        else:
            # Few ticks, so that labels of four panels in a row do not touch.
            axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
            axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
            axes.set_xlabel(self.units.length.label("x") if bottom else "")
            axes.set_ylabel(self.units.length.label("y") if left else "")
            axes.tick_params(labelleft=left, labelbottom=bottom)

    def _label_by_degrees(self, axes: Axes, left: bool, bottom: bool) -> None:
        """Set ticks where round degrees meet the southern and the western rim."""
        assert self.grid.lon is not None and self.grid.lat is not None
        lon = np.degrees(np.unwrap(np.radians(self.grid.lon), axis=1))
        lat = self.grid.lat
        meridians = _round_degrees(lon[0])
        parallels = _round_degrees(lat[:, 0])
        axes.contour(self.x, self.y, lon, levels=_round_degrees(lon), **_contour_style())
        axes.contour(self.x, self.y, lat, levels=_round_degrees(lat), **_contour_style())
        axes.set_xticks(
            np.interp(meridians, lon[0], self.x), [_degrees(v, "E", "W") for v in meridians]
        )
        axes.set_yticks(
            np.interp(parallels, lat[:, 0], self.y), [_degrees(v, "N", "S") for v in parallels]
        )
        axes.set_xlabel("longitude (°)" if bottom else "")
        axes.set_ylabel("latitude (°)" if left else "")
        axes.tick_params(labelleft=left, labelbottom=bottom)


def _contour_style() -> dict[str, Any]:
    return {
        "colors": _GRATICULE["color"],
        "linewidths": _GRATICULE["linewidth"],
        "alpha": _GRATICULE["alpha"],
        "linestyles": [_GRATICULE["linestyle"]],
        "zorder": 1.5,
    }


def _round_degrees(values: np.ndarray) -> np.ndarray:
    low, high = float(np.min(values)), float(np.max(values))
    ticks = MaxNLocator(4, steps=[1, 2, 3, 5, 10]).tick_values(low, high)
    return np.asarray([tick for tick in ticks if low < tick < high])


def _degrees(value: float, positive: str, negative: str) -> str:
    value = float(np.remainder(value + 180.0, 360.0) - 180.0)
    side = positive if value > 0 else negative if value < 0 else ""
    return f"{abs(value):.4g}°{side}"
