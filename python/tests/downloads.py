"""Writes files in the layouts of forecast services, with the values of a real forecast.

  downloads.py SOURCE.nc FOLDER

SOURCE.nc is examples/washington/rtofs_washington_2024.nc. The files have the dimensions, names,
units and attributes that docs/forecast/download.md describes, so that the import commands on that
page can be tested without a network.
"""

import sys
from pathlib import Path

import numpy as np
import xarray as xr

EAST = {"standard_name": "eastward_sea_water_velocity", "units": "m/s"}
NORTH = {"standard_name": "northward_sea_water_velocity", "units": "m/s"}
DEPTH = {"standard_name": "depth", "units": "m", "positive": "down", "axis": "Z"}


def copernicus(source):
    """Return uo and vo, (time, depth, latitude, longitude), as from `copernicusmarine subset`."""
    data = source.rename(lon="longitude", lat="latitude", water_u="uo", water_v="vo")
    data = data.expand_dims(depth=[0.494025], axis=1).astype("float32")
    data.uo.attrs, data.vo.attrs, data.depth.attrs = EAST, NORTH, DEPTH
    data.longitude.attrs = {"standard_name": "longitude", "units": "degrees_east", "axis": "X"}
    data.latitude.attrs = {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"}
    data.time.encoding = {"units": "hours since 1950-01-01", "dtype": "float32"}
    return data


def hycom(source):
    """Return water_u and water_v, (time, depth, lat, lon), as from HYCOM's subset service."""
    data = source.expand_dims(depth=[0.0], axis=1)
    data.water_u.attrs, data.water_v.attrs, data.depth.attrs = EAST, NORTH, DEPTH
    data.lon.attrs = {"standard_name": "longitude", "units": "degrees_east"}
    data.lat.attrs = {"standard_name": "latitude", "units": "degrees_north"}
    data.time.encoding = {"units": "hours since 2024-10-21 12:00:00.000 UTC"}
    return data


def rtofs(source, n):
    """Return one time of a regional RTOFS file of NOAA: 2-D coordinates, longitudes in 0 to 360."""
    lon, lat = np.meshgrid(source.lon + 360, source.lat)
    fields = {
        name: (("MT", "Depth", "Y", "X"), source[old].values[n : n + 1, None], attributes)
        for name, old, attributes in (("u", "water_u", EAST), ("v", "water_v", NORTH))
    }
    for attributes in (EAST, NORTH):
        attributes["coordinates"] = "Longitude Latitude Date"
    data = xr.Dataset(
        fields | {"Date": (("MT",), [20241028.0 + n / 8])},
        {
            "MT": [source.time.values[n]],
            "Depth": (("Depth",), [0.0], DEPTH),
            "Y": (("Y",), np.arange(1, len(source.lat) + 1), {"point_spacing": "even", "axis": "Y"}),
            "X": (("X",), np.arange(1, len(source.lon) + 1), {"point_spacing": "even", "axis": "X"}),
        },
    )
    places = (("Longitude", lon, "degrees_east"), ("Latitude", lat, "degrees_north"))
    for name, values, units in places:
        data[name] = (("Y", "X"), values, {"standard_name": name.lower(), "units": units})
    data.MT.attrs = {"long_name": "time", "axis": "T"}
    data.MT.encoding = {"units": "days since 1900-12-31 00:00:00", "dtype": "float64"}
    return data


def roms(source):
    """Return a ROMS history file.

    u and v are along the grid's axes, at staggered points, on terrain-following levels.
    """
    lon, lat = np.meshgrid(source.lon, source.lat)
    wet = np.isfinite(source.water_u.values[0]).astype(float)
    u = np.nan_to_num(source.water_u.values)
    v = np.nan_to_num(source.water_v.values)
    u, v = 0.5 * (u[:, :, 1:] + u[:, :, :-1]), 0.5 * (v[:, 1:] + v[:, :-1])
    data = xr.Dataset(coords={"ocean_time": source.time.values, "s_rho": ("s_rho", [-0.5, -0.01])})
    data.s_rho.attrs = {"standard_name": "ocean_s_coordinate_g2", "positive": "up", "axis": "Z"}
    data.ocean_time.encoding = {"units": "seconds since 2016-01-01 00:00:00"}
    grids = {
        "rho": (lon, lat, wet),
        "u": (*(0.5 * (p[:, 1:] + p[:, :-1]) for p in (lon, lat)), wet[:, 1:] * wet[:, :-1]),
        "v": (*(0.5 * (p[1:] + p[:-1]) for p in (lon, lat)), wet[1:] * wet[:-1]),
    }
    for at, (x, y, mask) in grids.items():
        dims = (f"eta_{at}", f"xi_{at}")
        data[f"lon_{at}"] = (dims, x, {"units": "degree_east", "standard_name": "longitude"})
        data[f"lat_{at}"] = (dims, y, {"units": "degree_north", "standard_name": "latitude"})
        data[f"mask_{at}"] = (dims, mask)
    data["angle"] = (("eta_rho", "xi_rho"), np.zeros_like(lon), {"units": "radians"})
    for name, field in (("u", u), ("v", v)):
        dims = ("ocean_time", "s_rho", f"eta_{name}", f"xi_{name}")
        data[name] = (dims, np.stack([0.5 * field, field], axis=1), {"units": "meter second-1"})
        data[name].attrs["long_name"] = f"{name}-momentum component"
        data[name].attrs["coordinates"] = f"lon_{name} lat_{name} s_rho ocean_time"
    return data


def main(source, folder):
    """Write a file for each service into `folder`. Raises OSError if that fails."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = xr.open_dataset(source).load()
    copernicus(source.copy()).to_netcdf(folder / "copernicus.nc")
    hycom(source.copy()).to_netcdf(folder / "hycom.nc")
    roms(source).to_netcdf(folder / "roms_his.nc")
    for n in range(1, 25, 2):
        rtofs(source, n).to_netcdf(folder / f"rtofs_glo_3dz_f{3 * n + 3:03d}_6hrly_hvr_US_west.nc")


if __name__ == "__main__":
    main(*sys.argv[1:])
