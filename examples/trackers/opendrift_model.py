"""Flies policies of Tidewise as elements of OpenDrift.

>>> model = PolicyDrift(fleet, loglevel=50)
>>> model.read_forecast("forecast.nc", east="water_u", north="water_v")
>>> model.depart()
>>> model.run(end_time=model.last_time(), time_step=600, time_step_output=3600)

Afterwards ``model.outcome``, ``model.ended`` and ``model.end`` hold the result, by mission. Needs
``pip install opendrift``, which is under the GNU General Public License 2.
"""

from __future__ import annotations

from datetime import datetime, timezone

import numpy as np
import pyproj
import xarray as xr
from opendrift.models.oceandrift import Lagrangian3DArray, OceanDrift
from opendrift.readers.interpolation import interpolators
from opendrift.readers.reader_netCDF_CF_generic import Reader

from fleet import AGROUND, ARRIVED, OUTCOMES, UNDER_WAY, Fleet, water_weights

_ELLIPSOID = pyproj.Geod(ellps="WGS84")


class LinearInWater:
    """Interpolates bilinearly between the points that have a velocity.

    OpenDrift's own interpolation gives a point on land the largest velocity of its neighbours.
    """

    def __init__(self, xgrid, ygrid, x, y):
        """Arguments of OpenDrift's interpolators: points of the block, places to interpolate to."""
        self.x = x
        column, row = (
            np.interp(at, grid, np.arange(len(grid))) for at, grid in ((x, xgrid), (y, ygrid))
        )
        west = np.minimum(column.astype(int), len(xgrid) - 2)
        south = np.minimum(row.astype(int), len(ygrid) - 2)
        self._across, self._along = column - west, row - south
        self._corners = np.stack([south, south + 1])[:, None], np.stack([west, west + 1])[None, :]

    def __call__(self, block):
        """Returns one variable at one time, at all places."""
        corners = np.ma.filled(block, np.nan)[self._corners]
        is_water = np.isfinite(corners)
        weights = water_weights(is_water, self._across, self._along)
        return (weights * np.where(is_water, corners, 0)).sum(axis=(0, 1))


interpolators.horizontal_interpolation_methods["linear_in_water"] = LinearInWater


class PolicyElement(Lagrangian3DArray):
    """An element with a mission and the action that it holds."""

    variables = Lagrangian3DArray.add_variables(
        [
            ("mission", {"dtype": np.int32, "default": 0}),
            ("east", {"dtype": np.float64, "units": "m/s", "default": 0}),
            ("north", {"dtype": np.float64, "units": "m/s", "default": 0}),
            ("until", {"dtype": np.float64, "units": "s", "default": 0}),
        ]
    )


class PolicyDrift(OceanDrift):
    """Elements that follow the policies of a fleet."""

    ElementType = PolicyElement
    required_variables = {
        "x_sea_water_velocity": {"fallback": None},
        "y_sea_water_velocity": {"fallback": None},
        "land_binary_mask": {"fallback": 0},
    }

    def __init__(self, fleet: Fleet, **options):
        """`fleet`: the missions of the elements; `options`: arguments of OceanDrift."""
        super().__init__(**options)
        self.fleet = fleet
        count = len(fleet.missions)
        self.outcome = np.full(count, UNDER_WAY)
        self.ended = np.array([mission.departure for mission in fleet.missions])  # [s since 1970]
        self.end = np.array([mission.start for mission in fleet.missions], float)  # lon, lat
        # The forecast's own points decide where land is, as in the policy.
        self.set_config("environment:constant:land_binary_mask", 0)
        # OpenDrift keeps a part of the forecast in memory, wide enough for this speed. An element
        # released outside gets the flow at that part's edge until the forecast's next time.
        self.set_config("drift:max_speed", 100)

    def read_forecast(self, path, east: str, north: str, in_water: bool = True) -> None:
        """Takes the flow from a forecast on longitudes and latitudes.

        Parameters
        ----------
        path : str or os.PathLike
            A NetCDF file.
        east, north : str
            Its variables.
        in_water : bool
            False: with OpenDrift's own interpolation.
        """
        source = xr.load_dataset(path)
        names = {east: "x_sea_water_velocity", north: "y_sea_water_velocity"}
        for name, standard_name in names.items():
            source[name].attrs["standard_name"] = standard_name
        reader = Reader(source)
        if in_water:
            reader.interpolation = "linear_in_water"
        self.add_reader(reader)
        self._water = source[east].isel(time=0, drop=True).notnull()
        self._last_time = reader.end_time

    def depart(self) -> None:
        """Releases an element for each mission, at its start and departure."""
        for number, mission in enumerate(self.fleet.missions):
            time = datetime.fromtimestamp(mission.departure, timezone.utc).replace(tzinfo=None)
            self.seed_elements(*mission.start, radius=0, number=1, time=time, mission=number)

    def last_time(self) -> datetime:
        """Returns the last time of the forecast."""
        return self._last_time

    def update(self) -> None:
        """Gets courses from the fleet, moves the elements by course and flow, and ends flights."""
        state, seconds = self.elements, self.time_step.total_seconds()
        number = state.mission.astype(int)
        x, y = np.array(state.lon, float), np.array(state.lat, float)
        now = np.full(len(x), self.time.replace(tzinfo=timezone.utc).timestamp())
        state.east, state.north, state.until, outcome = self.fleet.steer(
            number, x, y, now, state.east, state.north, state.until, np.full(len(x), UNDER_WAY)
        )
        is_moving = (outcome == UNDER_WAY) & np.isfinite(state.until)
        to_x, to_y = self._integrate(x, y, seconds)
        share = np.minimum(self.fleet.share_before_target(number, x, y, to_x, to_y), 1)
        is_arriving = is_moving & (share < 1)
        to_x = np.where(is_moving, x + share * (to_x - x), x)
        to_y = np.where(is_moving, y + share * (to_y - y), y)
        outcome = np.where(is_arriving, ARRIVED, outcome)
        outcome = np.where(is_moving & ~is_arriving & ~self._is_water(to_x, to_y), AGROUND, outcome)
        self.ended[number[is_moving]] = (now + share * seconds)[is_moving]
        self.outcome[number] = outcome
        self.end[number] = np.column_stack([to_x, to_y])
        state.lon, state.lat = to_x, to_y
        for kind in set(outcome) - {UNDER_WAY}:
            self.deactivate_elements(outcome == kind, reason=OUTCOMES[kind])

    def _is_water(self, x, y):
        places = {"lon": xr.DataArray(x, dims="n"), "lat": xr.DataArray(y, dims="n")}
        return self._water.sel(places, method="nearest").values

    def _integrate(self, x, y, seconds):
        """The classical Runge-Kutta method of fourth order, with the velocity through the water.

        OpenDrift's own method advances its third stage by half a step only.
        """
        speeds = []
        for part in (0, 0.5, 0.5, 1):
            at = self._moved(x, y, speeds[-1], part * seconds) if speeds else (x, y)
            speeds.append(self._over_ground(*at, part))
        mean = np.average(np.array(speeds), axis=0, weights=[1, 2, 2, 1])
        return self._moved(x, y, mean, seconds)

    def _over_ground(self, x, y, part):
        names = ["x_sea_water_velocity", "y_sea_water_velocity"]
        flow = self.env.get_environment(
            names,
            self.time + part * self.time_step,
            x,
            y,
            self.elements.z,
            element_ID=self.elements.ID,
        )[0]
        return flow[names[0]] + self.elements.east, flow[names[1]] + self.elements.north

    @staticmethod
    def _moved(x, y, speed, seconds):
        bearing = np.degrees(np.arctan2(speed[0], speed[1]))
        return _ELLIPSOID.fwd(x, y, bearing, np.hypot(*speed) * seconds)[:2]
