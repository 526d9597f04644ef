"""Binary files of Slocum gliders, decoded by dbdreader."""

from __future__ import annotations

import locale
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._optional import need
from tidewise.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_DIVE = 600.0  # [s] minimum time without a fix
_BEFORE_FIX = 600.0  # [s]: a current may be computed shortly before the first fix after the dive
_CURRENTS = (("m_water_vx", "m_water_vy"), ("m_final_water_vx", "m_final_water_vy"))


def read_slocum(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    cache: str | os.PathLike[str] | None = None,
) -> pd.DataFrame:
    """Read fixes and currents of a Slocum for `observe(track)` and `replan(track)`.

    Parameters
    ----------
    files : path or list of paths
        The glider's own files of one deployment (.sbd or .dbd, compressed or not), in any order.
    cache : path, optional
        Folder of the glider's cache files (.cac), for files that do not list their sensors
        themselves; dbdreader's folder if not given.

    Returns
    -------
    pandas.DataFrame
        A row for the last fix before each dive and the first one after it. Columns: ``time``
        (datetime64, UTC), ``lon`` and ``lat`` [degrees], and in the row that ends a dive ``u`` and
        ``v``, its depth-averaged current to the east and to the north [m s-1], and ``depth``, its
        greatest depth [m]. The current is m_final_water_v, else the last m_water_v.

    Raises
    ------
    InputError
        If a file cannot be decoded, or the files hold no fix or no current of a dive.
    RunError
        If dbdreader is not installed.

    Examples
    --------
    >>> track = read_slocum(sorted(Path("from_glider").glob("*.sbd")))  # doctest: +SKIP
    >>> run.replan(track)  # doctest: +SKIP
    """
    pandas = need("pandas", "slocum", "a table of fixes")
    before = locale.setlocale(locale.LC_ALL)
    dbdreader = need("dbdreader", "slocum", "reading a Slocum's files")
    locale.setlocale(locale.LC_ALL, before)  # the first import changes the locale of the process
    paths = [Path(files)] if isinstance(files, (str, os.PathLike)) else [Path(f) for f in files]
    if not paths:
        raise InputError("files: is an empty list; give one or more of the glider's files")
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; check the name")
    called = str(paths[0]) if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    series = _series(dbdreader, paths, called, None if cache is None else os.fspath(cache))
    time, lon, lat = _fixes(series)
    ends = np.flatnonzero(np.diff(time) >= _DIVE) + 1  # fixes that end a dive
    if len(ends) == 0:
        raise InputError(
            f"{called}: {len(time)} fixes and no dive, {_DIVE:.0f} s or more without a fix, "
            "between them; give the files before and after a dive together"
        )
    values_of = {name: np.full(len(time), np.nan) for name in ("u", "v", "depth")}
    for names in _CURRENTS:  # a final current replaces a preliminary one
        times, u, v = _paired(series[names[0]], series[names[1]])
        after = np.searchsorted(time[ends], times + _BEFORE_FIX, "right") - 1
        for dive, east, north in zip(after, u, v, strict=True):
            if dive >= 0:
                values_of["u"][ends[dive]], values_of["v"][ends[dive]] = east, north
    if np.isnan(values_of["u"]).all():
        raise InputError(
            f"{called}: no depth-averaged current (m_final_water_vx, m_water_vx) of the "
            f"{len(ends)} dives; give the .dbd files, or add these sensors to the .sbd files"
        )
    depth_times, depth = series["m_depth"]
    for end in ends:
        during = depth[(depth_times > time[end - 1]) & (depth_times < time[end])]
        if len(during):
            values_of["depth"][end] = during.max()
    rows = np.union1d(ends - 1, ends)
    dates = pandas.to_datetime(time[rows], unit="s").round("ms")
    columns = {"time": dates, "lon": lon[rows], "lat": lat[rows]}
    return pandas.DataFrame(columns | {name: values[rows] for name, values in values_of.items()})


def _series(
    dbdreader: Any, paths: list[Path], called: str, cache: str | None
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return times [s since 1970] and values of each sensor; empty if the files lack it."""
    wanted = ["m_gps_lon", "m_gps_lat", "m_depth", *(name for pair in _CURRENTS for name in pair)]
    try:
        reader = dbdreader.MultiDBD([os.fspath(path) for path in paths], cacheDir=cache)
        try:
            has = [name for name in wanted if reader.has_parameter(name)]
            return {
                name: reader.get(name) if name in has else (np.empty(0), np.empty(0))
                for name in wanted
            }
        finally:
            reader.close()
    except Exception as error:  # dbdreader's own errors, and errors of truncated files
        reason = " ".join(str(error).split())
        raise InputError(
            f"{called}: dbdreader cannot decode it ({reason}); for missing cache files copy the "
            "glider's .cac files and name their folder by cache"
        ) from error


def _fixes(
    series: dict[str, tuple[np.ndarray, np.ndarray]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    time, lon, lat = _paired(series["m_gps_lon"], series["m_gps_lat"])
    is_valid = (np.abs(lat) <= 90) & (np.abs(lon) <= 360)
    return time[is_valid], lon[is_valid], lat[is_valid]


def _paired(
    first_sensor: tuple[np.ndarray, np.ndarray], second_sensor: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the times at which both sensors have values, ascending, and the values of both."""
    time, first, second = np.intersect1d(first_sensor[0], second_sensor[0], return_indices=True)
    return time, first_sensor[1][first], second_sensor[1][second]
