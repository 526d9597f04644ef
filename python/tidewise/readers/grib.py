"""Forecasts in GRIB, decoded by cfgrib."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidewise._optional import need
from tidewise.errors import InputError

if TYPE_CHECKING:
    import xarray as xr

Keys = Mapping[str, Any]

# Keys of eastward and northward components: ECMWF's parameters, WMO's table 10.1, winds at 10 m.
_PAIRS: tuple[tuple[Keys, Keys], ...] = (
    ({"cfVarName": "uoe"}, {"cfVarName": "von"}),
    ({"cfVarName": "avg_uoe"}, {"cfVarName": "avg_von"}),
    (
        {"discipline": 10, "parameterCategory": 1, "parameterNumber": 2},
        {"discipline": 10, "parameterCategory": 1, "parameterNumber": 3},
    ),
    ({"cfVarName": "u10"}, {"cfVarName": "v10"}),
)


_FLAGS = "resolutionAndComponentFlags"  # exists for every grid, unlike uvRelativeToGrid
_ALONG_AXES = 8  # bit of these flags: components are along the grid's axes


def read_grib(
    file: str | os.PathLike[str],
    *,
    u: str | Keys | None = None,
    v: str | Keys | None = None,
    keys: Keys | None = None,
) -> xr.Dataset:
    """Open the velocity of a GRIB file (edition 1 or 2) for `Environment.from_xarray`.

    Parameters
    ----------
    file : path
        One file of one forecast run or of analyses; values are read when they are needed. No
        index file is written.
    u, v : str or dict, optional
        Short name of each component, or GRIB keys that select its messages. If not given,
        ocean currents, or winds at 10 m if there are none.
    keys : dict, optional
        GRIB keys that select messages of both components, e.g. ``{"typeOfLevel": "surface"}``.

    Returns
    -------
    xarray.Dataset
        ``u`` and ``v`` [m s-1] (time, latitude, longitude), or (time, y, x) with two-dimensional
        longitudes and latitudes; also number, if the file has members, and depth. ``time`` is
        the valid time, datetime64 in UTC.

    Raises
    ------
    InputError
        If the file is not GRIB, has no such velocity, or has several that differ in more than time,
        member and depth.
    RunError
        If cfgrib is not installed.

    Examples
    --------
    >>> forecast = read_grib("currents.grib2")  # doctest: +SKIP
    >>> Environment.from_xarray(forecast, spacing="3km")  # doctest: +SKIP
    """
    need("cfgrib", "grib", "reading GRIB")
    path = Path(file)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; check the name")
    if (u is None) != (v is None):
        raise InputError(
            f"{'v' if v is None else 'u'}: is missing; give both components, or neither"
        )
    pairs = _PAIRS if u is None else ((_keys_of(u), _keys_of(v)),)
    for pair in pairs:
        east, north = (_component(path, {**selection, **(keys or {})}) for selection in pair)
        if east is not None and north is not None:
            return _dataset(path, east, north)
    wanted = "ocean currents or winds at 10 m" if u is None else f"u={u!r} and v={v!r}"
    raise InputError(
        f"{path}: has no {wanted}; list its messages with 'grib_ls' and name the components by "
        'u and v, e.g. u={"parameterNumber": 2}'
    )


def _keys_of(component: str | Keys | None) -> Keys:
    return {"shortName": component} if isinstance(component, str) else dict(component or {})


def _component(path: Path, keys: Keys) -> xr.DataArray | None:
    """Return the variable whose messages have these keys; None if there is none."""
    import cfgrib
    import xarray as xr

    options = {
        "indexpath": "",
        "filter_by_keys": dict(keys),
        "errors": "raise",
        "read_keys": [_FLAGS],
    }
    try:
        opened = xr.open_dataset(
            path, engine="cfgrib", backend_kwargs=options, decode_timedelta=False
        )
    except cfgrib.DatasetBuildError as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: messages of {dict(keys)} differ in more than time, member and depth "
            f"({reason}); select some by keys"
        ) from error
    except Exception as error:  # any error of ecCodes, cfgrib or xarray
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: cannot be read as GRIB ({reason}); check the file") from error
    return next(iter(opened.data_vars.values()), None)


def _dataset(path: Path, east: xr.DataArray, north: xr.DataArray) -> xr.Dataset:
    import xarray as xr

    if "values" in east.dims:
        raise InputError(
            f"{path}: its grid ({east.attrs.get('GRIB_gridType')}) has no rows and columns; "
            "interpolate it to longitudes and latitudes first, e.g. by 'cdo remapbil'"
        )
    if {"time", "step"} <= set(east.dims):
        raise InputError(
            f"{path}: has {east.sizes['time']} forecast runs of {east.sizes['step']} steps each; "
            'select one by keys, e.g. keys={"dataDate": 20241028, "dataTime": 0}'
        )
    is_along_axes = bool(int(east.attrs.get(f"GRIB_{_FLAGS}", 0)) & _ALONG_AXES)
    on_axes = "longitude" not in east.dims and is_along_axes
    is_wind = "wind" in str(east.attrs.get("GRIB_name", "")).lower()
    stem = "wind" if is_wind else "sea_water_velocity"
    names = ("x", "y") if on_axes else ("eastward", "northward")
    components = {}
    for role, component, name in zip("uv", (east, north), names, strict=True):
        attributes = {"units": "m s-1", "standard_name": f"{name}_{stem}"}
        components[role] = _along_valid_time(component).assign_attrs(attributes)
    depth = components["u"].coords.get("depthBelowSea")
    dataset = xr.Dataset(components, attrs=east.attrs)
    if depth is not None:
        dataset = dataset.rename(depthBelowSea="depth")
        dataset["depth"].attrs |= {"units": "m", "positive": "down", "standard_name": "depth"}
    return dataset


def _along_valid_time(component: xr.DataArray) -> xr.DataArray:
    """Return the variable along its valid time, without coordinates that only GRIB has."""
    kept_names = {"latitude", "longitude", "number", "depthBelowSea", *component.dims}
    times = component["valid_time"]
    along = times.dims or None
    plain = component.drop_vars([name for name in component.coords if name not in kept_names])
    plain.attrs = {}
    if along is None:  # a single time
        plain = plain.expand_dims("time")
        return plain.assign_coords(time=("time", times.values.reshape(1), {}))
    plain = plain.drop_vars(along, errors="ignore").rename({along[0]: "time"})
    return plain.assign_coords(time=("time", times.values, {"standard_name": "time"}))
