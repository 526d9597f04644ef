"""Surface currents of HF radars in CODAR's LLUV format, parsed by hfradarpy."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._load import own_libraries
from tidewise._optional import need
from tidewise.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

_ON_LAND = 128  # bit of VFLG
_FAILED = 4  # value of PRIM, QARTOD's primary flag
_MAX_DILUTION = 2.0  # hfradarpy's limit for totals; vectors of worse geometry are dropped
_MIN_RADIALS = 3  # as in HFRNet and hfradarpy
_METRES_PER_DEGREE = 111_195.0


def read_radar(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    spacing: float = 6000.0,
    radius: float = 10000.0,
) -> xr.Dataset:
    """Read currents of HF radars (.tuv, .ruv) for `observe(radar=…)` and `replan(radar=…)`.

    Totals (.tuv) are taken as they are. Radials (.ruv) have only the component along the beam:
    those of two sites or more with the same time stamp are combined by least squares.

    Parameters
    ----------
    files : path or list of paths
        Totals, or radials, in any order.
    spacing : float, optional
        Distance between points of combined radials [m]; the default is HFRNet's coarsest grid.
    radius : float, optional
        Distance from a point within which radials are combined [m].

    Returns
    -------
    xarray.Dataset
        ``u`` and ``v`` [m s-1] (time, depth, point), with ``lon`` and ``lat`` of the points; of
        totals also ``u_error`` and ``v_error`` [m s-1], of radials ``dopx`` and ``dopy``, the
        dilution of precision. Vectors on land or with a failed quality test are left out.

    Raises
    ------
    InputError
        If a file is not LLUV, if totals and radials are mixed, or if the radials are of one site.
    RunError
        If hfradarpy is not installed.

    Examples
    --------
    >>> radar = read_radar(["TOTL_A_2024_10_28_1500.tuv"])  # doctest: +SKIP
    >>> posterior = run.observe(radar=radar)  # doctest: +SKIP
    """
    with own_libraries():  # hfradarpy imports pyproj
        hfradarpy = need("hfradarpy.radials", "radar", "reading HF radars")
    paths = [Path(files)] if isinstance(files, (str, os.PathLike)) else [Path(f) for f in files]
    if not paths:
        raise InputError("files: is an empty list; give one or more LLUV files")
    tables = [_table(hfradarpy, path) for path in paths]
    kinds = {table.attrs["is_total"] for table in tables}
    if len(kinds) > 1:
        raise InputError("files: totals and radials are mixed; read one kind at a time")
    if kinds == {False}:
        tables = _combined(tables, spacing, radius)
    return _dataset(tables)


def _table(hfradarpy: Any, path: Path) -> pd.DataFrame:
    """Read vectors of one file in m/s; attributes: path, time, site, is_total."""
    import pandas as pd

    if not path.is_file():
        raise InputError(f"{path}: there is no such file; check the name")
    # hfradarpy 1.0 cannot import its class of totals; the class of radials reads these files too.
    try:
        file = hfradarpy.Radial(os.fspath(path))
        table = file.data.apply(pd.to_numeric, errors="coerce")
        time = np.datetime64(file.time, "s")
        header = file.metadata
    except (AttributeError, KeyError, IndexError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: cannot be read as CODAR's LLUV ({reason}); give a complete .tuv or .ruv file"
        ) from error
    is_total = "tots" in str(header.get("FileType", ""))
    needed = ["LOND", "LATD", *(["VELU", "VELV"] if is_total else ["VELO", "HEAD"])]
    if missing := [name for name in needed if name not in table.columns]:
        raise InputError(f"{path}: its table lacks {', '.join(missing)}; give a whole LLUV file")
    is_usable = np.isfinite(table[needed]).all(axis=1)
    if "VFLG" in table:
        is_usable &= (table["VFLG"].fillna(0).astype(int) & _ON_LAND) == 0
    if "PRIM" in table:
        is_usable &= table["PRIM"] != _FAILED
    table = table[is_usable].reset_index(drop=True)
    for name in ("VELU", "VELV", "VELO", "UQAL", "VQAL"):
        if name in table:
            table[name] = table[name] / 100  # from cm/s
    table.attrs = {
        "path": path,
        "time": time - _zone(header.get("TimeZone", "")),
        "site": str(header.get("Site", path.name)),
        "is_total": is_total,
    }
    return table


def _zone(text: str) -> np.timedelta64:
    """Return the offset from UTC of a text such as '"EST" -5.000 0'."""
    words = text.split()
    hours = float(words[1]) if len(words) > 1 else 0.0
    return np.timedelta64(round(hours * 3600), "s")


def _combined(tables: list[pd.DataFrame], spacing: float, radius: float) -> list[pd.DataFrame]:
    """Combine radials to totals for each time stamp."""
    import pandas as pd

    if not (spacing > 0 and radius > 0):
        raise InputError(f"spacing, radius: are {spacing:g} and {radius:g}; give positive metres")
    at_time = defaultdict(list)
    for table in tables:
        at_time[table.attrs["time"]].append(table)
    totals = []
    for time, group in sorted(at_time.items()):
        sites = {table.attrs["site"] for table in group}
        if len(sites) < 2:
            raise InputError(
                f"{group[0].attrs['path']}: has radials of one site, and at {time} there is no "
                "other; a radial is only the part of the current along the beam: give files of two "
                "sites or more, or totals (.tuv)"
            )
        number = {site: n for n, site in enumerate(sorted(sites))}
        radials = pd.concat(group, ignore_index=True)
        site = np.concatenate([[number[part.attrs["site"]]] * len(part) for part in group])
        total = pd.DataFrame(_least_squares(radials, site, spacing, radius))
        total.attrs = {"time": time, "is_total": True}
        totals.append(total)
    return totals


def _least_squares(
    radials: pd.DataFrame, site: np.ndarray, spacing: float, radius: float
) -> dict[str, np.ndarray]:
    """Return LOND, LATD, VELU, VELV, dopx and dopy of points with enough radials."""
    from scipy.spatial import cKDTree

    # Multiples of the spacing, so that all times have the same points.
    lat_step = spacing / _METRES_PER_DEGREE
    lon_step = lat_step / np.cos(np.radians(np.round(radials["LATD"].mean())))
    steps = np.array([lon_step, lat_step])
    places = radials[["LOND", "LATD"]].to_numpy() / steps
    points = np.unique(np.round(places), axis=0)
    near = cKDTree(places).query_ball_point(points, radius / spacing)
    heading = np.radians(radials["HEAD"].to_numpy())
    beams = np.column_stack([np.sin(heading), np.cos(heading)])
    speeds = radials["VELO"].to_numpy()
    rows = []
    for point, chosen in zip(points, near, strict=True):
        if len(chosen) < _MIN_RADIALS or len(np.unique(site[chosen])) < 2:
            continue
        normal = beams[chosen].T @ beams[chosen]
        if np.linalg.cond(normal) > 1e6:
            continue
        covariance = np.linalg.inv(normal)
        if np.sqrt(np.trace(covariance)) > _MAX_DILUTION:
            continue
        velocity = covariance @ (beams[chosen].T @ speeds[chosen])
        rows.append([*point * steps, *velocity, *np.sqrt(np.diag(covariance))])
    names = ("LOND", "LATD", "VELU", "VELV", "dopx", "dopy")
    return dict(zip(names, np.array(rows).reshape(-1, len(names)).T, strict=True))


def _dataset(tables: list[pd.DataFrame]) -> xr.Dataset:
    xr = need("xarray", "radar", "radar currents as a data set")
    times = np.unique([table.attrs["time"] for table in tables])
    places = np.concatenate([table[["LOND", "LATD"]].to_numpy() for table in tables]).round(5)
    points, index = np.unique(places, axis=0, return_inverse=True)
    if len(points) == 0:
        raise InputError(
            "files: have no usable vectors; all are on land, flagged, or seen by one site only"
        )
    columns = {"VELU": "u", "VELV": "v"}
    columns |= {"UQAL": "u_error", "VQAL": "v_error", "dopx": "dopx", "dopy": "dopy"}
    fields = {}
    begin = np.cumsum([0, *map(len, tables)])
    for column, name in columns.items():
        if not all(column in table for table in tables):
            continue
        field = np.full((len(times), 1, len(points)), np.nan)
        for first, last, table in zip(begin[:-1], begin[1:], tables, strict=True):
            level = np.searchsorted(times, table.attrs["time"])
            field[level, 0, index.ravel()[first:last]] = table[column]
        attributes = {"units": "1" if name.startswith("dop") else "m s-1"}
        fields[name] = (("time", "depth", "point"), field, attributes)
    return xr.Dataset(
        fields,
        {
            "time": times.astype("datetime64[ns]"),
            "depth": ("depth", [0.0], {"units": "m", "positive": "down"}),
            "lon": ("point", points[:, 0], {"units": "degrees_east"}),
            "lat": ("point", points[:, 1], {"units": "degrees_north"}),
        },
    )
