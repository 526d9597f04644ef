"""Flies policies of Tidewise as particles of Parcels 4.

>>> fieldset = read_forecast("forecast.nc", east="water_u", north="water_v", fleet=fleet)
>>> flights = depart(fieldset, fleet)
>>> flights.execute(fly, dt=np.timedelta64(10, "m"), endtime=fieldset.time_interval.right)

Afterwards ``flights.outcome``, ``flights.ended`` and ``flights.x`` hold the result. Needs
``pip install 'parcels>=4'``.
"""

from __future__ import annotations

import numpy as np
import parcels
import xarray as xr
from parcels.convert import copernicusmarine_to_sgrid
from parcels.interpolators import XLinear_Velocity, XNearest
from parcels.kernels import RK4

from fleet import AGROUND, ARRIVED, UNDER_WAY, Fleet, metres_per_degree, water_weights


class LinearInWater(XLinear_Velocity):
    """Interpolates bilinearly between the points that have a velocity, and linearly in time, on WGS84.

    Parcels' own interpolation treats land as water at rest, which slows the flow near a coast,
    and the Earth as a sphere.
    """

    def interp(self, particle_positions, grid_positions, vectorfield):
        """Returns the velocity [degrees per second]."""
        x, y, t = (grid_positions[axis] for axis in "XYT")
        rows = np.stack([y["index"], y["index"] + 1])[:, None]
        columns = np.stack([x["index"], x["index"] + 1])[None, :]

        def corners(field, later):
            data = field.data.values[:, 0]
            return data[np.minimum(t["index"] + later, len(data) - 1), rows, columns]

        is_water = np.isfinite(corners(vectorfield.U, 0) + corners(vectorfield.U, 1))
        weights = water_weights(is_water, x["bcoord"], y["bcoord"])
        flow = []
        for field in (vectorfield.U, vectorfield.V):
            early, late = (np.where(is_water, corners(field, n), 0) for n in (0, 1))
            flow.append((weights * (early + t["bcoord"] * (late - early))).sum(axis=(0, 1)))
        east, north = metres_per_degree(particle_positions["y"])
        return flow[0] / east, flow[1] / north, np.zeros_like(flow[0])


def read_forecast(path, east: str, north: str, fleet: Fleet, in_water: bool = True):
    """The FieldSet of a forecast on longitudes and latitudes.

    Parameters
    ----------
    path : str or os.PathLike
        A NetCDF file.
    east, north : str
        Its variables.
    fleet : Fleet
        The missions of the particles.
    in_water : bool
        False: with Parcels' own interpolation.
    """
    source = xr.load_dataset(path)
    water = source[east].notnull().astype(float)
    fields = {"U": source[east], "V": source[north], "water": water}
    fieldset = parcels.FieldSet.from_sgrid_conventions(
        copernicusmarine_to_sgrid(fields=fields),
        mesh="spherical",
        skip_field_data_validation=in_water,
    )
    fieldset.water.interp_method = XNearest()
    if in_water:
        fieldset.UV.interp_method = LinearInWater()
    fieldset.add_context("fleet", fleet)
    origin = fieldset.time_interval.left - np.datetime64(0, "s")
    fieldset.add_context("origin", origin / np.timedelta64(1, "s"))
    return fieldset


def depart(fieldset, fleet: Fleet):
    """A particle for each mission, at its start and departure."""
    # Positions in single precision would round each step of ten minutes to about a metre.
    variables = [
        parcels.Variable(
            known.name, np.float64 if known.dtype == np.float32 else known.dtype, known.initial
        )
        for known in parcels.Particle.variables
    ]
    extra = {"mission": np.int32, "outcome": np.int32}
    extra |= dict.fromkeys(("east", "north", "until", "ended"), np.float64)
    variables += [parcels.Variable(name, dtype, initial=0) for name, dtype in extra.items()]
    longitude, latitude = np.array([mission.start for mission in fleet.missions]).T
    return parcels.ParticleSet(
        fieldset,
        parcels.ParticleClass(variables),
        x=longitude,
        y=latitude,
        t=np.array([mission.departure for mission in fleet.missions]).astype("datetime64[s]"),
        mission=np.arange(len(fleet.missions)),
    )


def _over_ground(fieldset, t, z, y, x, particles):
    u, v = fieldset.UV[t, z, y, x, particles]
    east, north = metres_per_degree(y)
    return u + particles.east / east, v + particles.north / north


def fly(particles, fieldset):
    """The kernel: gets courses from the fleet, moves by course and flow, and ends flights."""
    fleet, number = fieldset.fleet, np.asarray(particles.mission)
    x, y, dt = (np.asarray(getattr(particles, name)) for name in ("x", "y", "dt"))
    now = fieldset.origin + np.asarray(particles.t)
    particles.east, particles.north, particles.until, outcome = fleet.steer(
        number, x, y, now, particles.east, particles.north, particles.until, particles.outcome
    )
    u, v = RK4(particles, fieldset, _over_ground)
    is_moving = (outcome == UNDER_WAY) & np.isfinite(np.asarray(particles.until))
    dx, dy = np.where(is_moving, u * dt, 0), np.where(is_moving, v * dt, 0)
    share = np.minimum(fleet.share_before_target(number, x, y, x + dx, y + dy), 1)
    is_arriving = is_moving & (share < 1)
    dx, dy = dx * share, dy * share
    water_after = fieldset.water[particles.t + dt, particles.z, y + dy, x + dx, particles]
    outcome = np.where(is_arriving, ARRIVED, outcome)
    outcome = np.where(is_moving & ~is_arriving & (water_after < 0.5), AGROUND, outcome)
    particles.ended = np.where(is_moving, now + dt * share, particles.ended)
    particles.outcome = outcome
    particles.dx, particles.dy = dx, dy
