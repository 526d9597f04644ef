"""Passes tracks of vehicles to commands: files directly, tables by temporary files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tidewise._dataset import multi_indexes, plain_dataset, write_dataset
from tidewise._keywords import kind_of
from tidewise._words import Progress, date_text, is_moment, run_command
from tidewise.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    Track: TypeAlias = str | os.PathLike[str] | pd.DataFrame | xr.Dataset


def run_with_tracks(
    command: Callable[..., Any],
    track: Track | Sequence[Track] | None,
    options: Mapping[str, Any],
    progress: Progress,
) -> tuple[str, Any]:
    """Run a command that takes track, drifter and radar, like run_command().

    `options`: those of the command, with drifter and radar.

    A table is a file named track.csv or track.nc (track_1.csv … if several), removed when the
    command ends. Messages have this name; the first row of a DataFrame is line 2 of the file.
    """
    observed = {"track": track} | {kind: options.get(kind) for kind in ("drifter", "radar")}
    with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
        files = {kind: _files_of(kind, value, Path(folder)) for kind, value in observed.items()}
        return run_command(command, {**options, **files}, progress, aside=Path(folder))


def _files_of(kind: str, track: Track | Sequence[Track] | None, folder: Path) -> list[Path]:
    if track is None:
        return []
    tracks = list(track) if isinstance(track, (list, tuple)) else [track]
    if not tracks:
        raise InputError(
            f"{kind}: names none; give a file, a DataFrame, a Dataset or a list of them"
        )
    names = [kind] if len(tracks) == 1 else [f"{kind}_{n + 1}" for n in range(len(tracks))]
    return [_file_of(kind, entry, folder / name) for entry, name in zip(tracks, names, strict=True)]


def _file_of(kind: str, track: Any, stem: Path) -> Path:
    if isinstance(track, (str, os.PathLike)):
        return Path(track)
    if hasattr(track, "to_csv") and hasattr(track, "columns"):
        return _write_csv(track, stem.with_suffix(".csv"))
    if hasattr(track, "data_vars"):
        return _write_netcdf(track, stem.with_suffix(".nc"), kind)
    raise InputError(
        f"{kind}: is {kind_of(track)}; give a file's name, a pandas DataFrame with a row "
        "for each fix, an xarray Dataset, or a list of them"
    )


def _write_csv(table: pd.DataFrame, path: Path) -> Path:
    index = table.index
    if index.dtype.kind == "M" and index.name is None:
        table = table.reset_index(names="time")
    elif any(name is not None for name in index.names):
        table = table.reset_index()
    columns = {name: _as_text(table[name]) for name in table.columns}
    table.assign(**{str(name): column for name, column in columns.items()}).to_csv(
        path, index=False
    )
    return path


def _as_text(column: pd.Series) -> pd.Series:
    """Convert dates to ISO 8601 in UTC; other values stay."""
    if column.dtype.kind == "M":
        zone = getattr(column.dt, "tz", None)
        utc = column if zone is None else column.dt.tz_convert("UTC")
        return utc.dt.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if column.dtype == object:
        return column.map(lambda value: date_text(value) if _is_date(value) else value)
    return column


def _is_date(value: Any) -> bool:
    return is_moment(value) and value == value  # not NaT


def _write_netcdf(dataset: xr.Dataset, path: Path, name: str) -> Path:
    """Write a track; a MultiIndex of vehicle and time becomes columns."""
    parts = dataset.reset_index(multi_indexes(dataset))
    write_dataset(plain_dataset(parts, name), path, name)
    return path
