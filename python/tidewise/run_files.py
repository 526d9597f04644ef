"""Files of a run's folder: folders for them, copies, and formats of routes by ending."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tidewise._temporary import TemporaryFolder, is_temporary
from tidewise.errors import InputError, RunError

_ENDINGS = {
    ".ma": "slocum",
    ".gpx": "gpx",
    ".kml": "kml",
    ".geojson": "geojson",
    ".json": "geojson",
    ".csv": "csv",
    ".rtz": "rtz",
    ".plan": "qgc-plan",
    ".waypoints": "qgc-wpl",
    ".bhv": "moos",
    ".twp": "policy",
}


def format_of(path: Path) -> str:
    """Return the route format of a file's ending. Raises InputError if there is none."""
    if path.name == "targets":
        return "seaglider"
    name = _ENDINGS.get(path.suffix.lower())
    if name is None:
        raise InputError(
            f"{path}: its ending is no format of a route; choose one of {', '.join(_ENDINGS)}, "
            "or name the format, e.g. format='slocum'"
        )
    return name


def output_folder(out: str | os.PathLike[str] | None) -> tuple[Path, Any]:
    """Return a folder for output, and the object that removes it if it is temporary."""
    if out is not None:
        return Path(out), None
    keeper = TemporaryFolder()
    return keeper.path / "run", keeper


_ENVIRONMENTS = ("environment.h5", "posterior.h5")
_OF_A_RUN = ("policy.h5", "trajectories.nc", "comparison.json", "summary.json")


def require_no_run(path: Path) -> None:
    """Raise InputError for a folder with files of a run."""
    if any((path / name).exists() for name in (*_ENVIRONMENTS, *_OF_A_RUN)):
        raise InputError(f"{path}: holds a run already; choose a new folder")


def copy_run(source: Path, path: Path, environment: Path | None) -> None:
    """Copy a run's files into another folder, summary.json last."""
    files = {name: source / name for name in _ENVIRONMENTS if (source / name).is_file()}
    if environment is not None and is_temporary(environment):
        files.setdefault(environment.name, environment)
    files |= {name: source / name for name in _OF_A_RUN if (source / name).is_file()}
    try:
        path.mkdir(parents=True, exist_ok=True)
        require_no_run(path)
        if (source / "export").is_dir():
            shutil.copytree(source / "export", path / "export", dirs_exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".run.", dir=path) as staging:
            for name, file in files.items():
                shutil.copyfile(file, Path(staging) / name)
            for name in files:
                (Path(staging) / name).replace(path / name)
    except OSError as error:
        raise RunError(f"{path}: the run cannot be copied there ({error})") from error
