#!/usr/bin/env python3
"""Makes ensemble.nc of this folder: a synthetic ensemble of currents with a wind speed. Nothing in it is measured.

  make_ensemble.py [FILE]
"""

import sys

import numpy as np
import xarray as xr

MEMBERS, LEVELS = 6, 9
lon = np.round(np.arange(-30.0, -28.0 + 1e-9, 0.1), 1)
lat = np.round(np.arange(38.0, 39.5 + 1e-9, 0.1), 1)
random = np.random.default_rng(1)

# Stream functions: an eddy that moves, and four waves of each member. Distances in units of 10 km.
x, y = np.meshgrid((lon - lon.mean()) * 8.7, (lat - lat.mean()) * 11.1)
psi = np.empty((MEMBERS, LEVELS, lat.size, lon.size))
for member in range(MEMBERS):
    shift = random.normal(0, 1.0, 2)
    waves = random.normal(0, 0.25, (4, 2)), random.uniform(0, 2 * np.pi, 4)
    for level in range(LEVELS):
        eddy = np.exp(-((x - shift[0] - 0.2 * level) ** 2 + (y - shift[1]) ** 2) / (2 * 3.0**2))
        wave = sum(np.cos(k @ [x.ravel(), y.ravel()] + p + 0.1 * level) for k, p in zip(*waves, strict=True))
        psi[member, level] = 1.5 * eddy + 0.1 * wave.reshape(x.shape)
u = -np.gradient(psi, 1.11, axis=2)
v = np.gradient(psi, 0.87, axis=3)
wind = 8 + random.normal(0, 1, (MEMBERS, 1, 1, 1)) + 0 * psi + np.cos(x / 6 + np.arange(LEVELS)[:, None, None] / 3)

dimensions = ("member", "time", "lat", "lon")
data = xr.Dataset(
    {
        "u": (dimensions, u, {"standard_name": "eastward_sea_water_velocity", "units": "m s-1"}),
        "v": (dimensions, v, {"standard_name": "northward_sea_water_velocity", "units": "m s-1"}),
        "wind_speed": (dimensions, wind, {"standard_name": "wind_speed", "units": "m s-1"}),
    },
    {
        "member": ("member", np.arange(MEMBERS), {"standard_name": "realization"}),
        "time": ("time", np.datetime64("2025-03-01", "ns") + np.arange(LEVELS) * np.timedelta64(6, "h")),
        "lat": ("lat", lat, {"standard_name": "latitude", "units": "degrees_north"}),
        "lon": ("lon", lon, {"standard_name": "longitude", "units": "degrees_east"}),
    },
    {"title": "Synthetic ensemble of currents; nothing in it is measured or forecast", "Conventions": "CF-1.10"},
)
packed = {"dtype": "int16", "scale_factor": 0.01, "_FillValue": np.int16(-32768), "zlib": True, "complevel": 9, "shuffle": True}
data.to_netcdf(
    sys.argv[1] if len(sys.argv) > 1 else "ensemble.nc",
    encoding={name: packed for name in data.data_vars} | {"time": {"units": "hours since 2025-03-01", "dtype": "int32"}},
)
