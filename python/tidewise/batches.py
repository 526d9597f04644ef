"""Plans many missions: `tidewise batch` for a batch file or a table."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._keywords import all_but, by_keywords, kind_of, python_errors
from tidewise._load import core
from tidewise._optional import need
from tidewise._temporary import TemporaryFolder
from tidewise._words import Progress, run_command, warn_of
from tidewise.clusters import FillingTable, count_parts, read_table, with_row
from tidewise.environment import Environment, moment_of
from tidewise.errors import InputError, RunError
from tidewise.mission import Mission, settings_of, to_toml

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from typing_extensions import Unpack

    from tidewise._types import Baselines, Computing, File

_temporary: list[
    TemporaryFolder
] = []  # folders of batches without `out`, kept until the process ends


@by_keywords()
def batch(
    table: pd.DataFrame | Sequence[Mapping[str, Any]] | Mapping[str, Any] | File,
    mission: Mission | None = None,
    *,
    out: File | None = None,
    resume: bool = False,
    overwrite: bool = False,
    settings: Mapping[str, Any] | None = None,
    baselines: Baselines | None = None,
    memory: str | int | None = None,
    array: str | None = None,
    client: Any = None,
    progress: Progress = False,
    **options: Unpack[Computing],
) -> pd.DataFrame | xr.Dataset | FillingTable:
    """Plan many missions, which share transition counts where possible (`tidewise batch`).

    Parameters
    ----------
    table : DataFrame, list of dict, dict of lists or path
        A row for each mission, whose columns are keys of a mission by their full names
        ("mission.departure", "vehicle.speeds", "environment.file"), empty where `mission` has the
        value; or a dict for each mission; or a dict of lists, a sweep over all combinations of
        their values; or the path of a batch file.
    mission : Mission, optional
        The mission that the rows change; a batch file names its own.
    out : path, optional
        Folder of all runs; a temporary one until the process ends if not given.
    resume : bool
        Continue an interrupted batch.
    overwrite : bool
        Replace runs in that folder that belong to no batch.
    settings : dict, optional
        Keys of all missions, {"mission.horizon": 30}.
    baselines : {"all", "none"}, optional
        Baseline controllers to simulate.
    memory : str or int, optional
        Maximum of the host's memory for the policies of a pass, "16GB".
    array : str, optional
        "3/8", the third of eight parts that processes plan at the same time in one folder; "slurm":
        the part for this task of a Slurm array.
    client : distributed.Client, optional
        Dask cluster whose workers plan, each with its own threads, memory and GPU, in a folder
        `out` that all of them see (docs/reference/parallel.md).
    progress : bool or callable
        As in plan().
    backend, threads, devices, device_memory : optional
        As in plan(); each device works on a pass of its own.

    Returns
    -------
    pandas.DataFrame, xarray.Dataset or FillingTable
        A row for each mission; column `directory` has the folder of each run, for tw.open; dates
        are datetime64. For a sweep, a Dataset: a dimension for each key, named by its last part,
        and a variable for each column. With `client`, a FillingTable, without waiting. Missions
        that fail have the reason in their rows.

    Warns
    -----
    PlanWarning
        If missions fail or warn.

    Raises
    ------
    InputError
        If the table or its mission is impossible.
    RunError
        If nothing can be planned.

    Examples
    --------
    >>> import pandas as pd
    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> mission = Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    >>> rows = batch(pd.DataFrame({"mission.departure": [0, 4, 8]}), mission)
    >>> list(rows["departure"])
    [0, 4, 8]
    >>> swept = batch({"mission.departure": [0, 4], "vehicle.headings": [8, 16, 32]}, mission)
    >>> dict(swept.status.sizes)
    {'departure': 2, 'headings': 3}
    >>> batch({"vehicle.speeds": [[0.5], [1.0]]}, mission).speeds.values
    array([0.5, 1. ])
    """
    if isinstance(table, Mapping):
        if client is not None:
            raise InputError(
                "batch: workers fill a table of rows; give a DataFrame or a list of dicts"
            )
        return _as_dataset(table, batch(_rows_of(table), **all_but(locals(), "table")))
    arguments = all_but(locals(), "table", "mission", "out", "settings", "progress", "client")
    need("pandas", "pandas", "a batch's table")
    if client is not None:
        _require_for_workers(out, array)
    folder = Path(out) if out is not None else _temporary_folder() / "batch"
    with tempfile.TemporaryDirectory(prefix="tidewise-") as temporary:
        if isinstance(table, (str, os.PathLike)):
            if mission is not None:
                raise InputError(
                    f"{os.fspath(table)}: is a batch file, which names its mission; "
                    "leave mission out"
                )
            file = Path(table)
        else:
            table = _frame_of(table)
            if mission is None:
                raise InputError(
                    "batch: a table needs the mission that its rows change; give mission"
                )
            if not isinstance(mission, Mission):
                raise InputError(
                    f"batch: mission is {kind_of(mission)}; give a Mission, such as "
                    "Mission.read('mission.toml')"
                )
            file = _write_batch(table, mission, Path(temporary))
        failed = None
        arguments["set"] = settings_of(settings or {})
        try:
            with python_errors(lambda line: with_row(line, file)):
                if client is not None:
                    per_worker = {name: arguments.pop(name, None) for name in ("threads", "memory")}
                    del arguments["array"]
                    arguments |= {"out": folder.absolute(), "batch": file.absolute()}
                    counts = count_parts(client, arguments, folder, resume)
                    if mission is not None:  # written to the shared folder, for workers
                        folder.mkdir(parents=True, exist_ok=True)
                        arguments["batch"] = file = _write_batch(table, mission, folder.absolute())
                    per_worker |= {"progress": progress, "made": None if mission is None else file}
                    return FillingTable(client, arguments, folder, *counts, **per_worker)
                run_command(core.batch, {**arguments, "batch": file, "out": folder}, progress)
        except RunError as error:
            if not (folder / "batch.csv").is_file():
                raise
            failed = str(error)
        done = read_table(folder, None if mission is None else file)
    if failed is not None:
        warn_of([failed])
    return done


def _require_for_workers(out: File | None, array: str | None) -> None:
    if out is None:
        raise InputError("batch: workers need a folder that all of them see; give out")
    if array is not None:
        raise InputError(f"array={array}: client divides the batch itself; leave array out")


def _temporary_folder() -> Path:
    _temporary.append(TemporaryFolder())
    return _temporary[-1].path


def _frame_of(table: Any) -> pd.DataFrame:
    """Return a DataFrame; a list of dicts becomes one. Raises InputError."""
    if hasattr(table, "to_dict"):
        return table
    if isinstance(table, Sequence) and all(isinstance(row, Mapping) for row in table):
        import pandas as pd

        return pd.DataFrame([dict(row) for row in table], dtype=object)
    raise InputError(
        f"table: is {kind_of(table)}; give a DataFrame with a row for each mission, a list of "
        "dicts, a dict of lists for a sweep, or the path of a batch file"
    )


def _rows_of(sweep: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return all combinations of a sweep's values, the last key's fastest. Raises InputError."""
    if not sweep:
        raise InputError("batch: the sweep is empty; give a list of values for each key")
    for key, values in sweep.items():
        if isinstance(values, str) or np.ndim(values) == 0 and not isinstance(values, Sequence):
            raise InputError(
                f"batch: {key} of a sweep is {values!r}; give a list of values, or one value for "
                f"all missions by settings={{{key!r}: {values!r}}}"
            )
    return [dict(zip(sweep, values, strict=True)) for values in itertools.product(*sweep.values())]


def _as_dataset(sweep: Mapping[str, Any], table: pd.DataFrame) -> xr.Dataset:
    """Return the table of a sweep with a dimension for each key."""
    xr = need("xarray", "xarray", "the data set of a sweep")
    last = [key.rpartition(".")[2] for key in sweep]
    names = last if len(set(last)) == len(last) else list(sweep)
    shape = [len(values) for values in sweep.values()]
    coordinates = {}
    for name, (key, values) in zip(names, sweep.items(), strict=True):
        plain = _coordinate_of(values)
        dates = [moment_of(value) if isinstance(value, str) else None for value in plain]
        is_dated = key in ("mission.departure", "mission.deadline") and None not in dates
        coordinates[name] = np.array(dates, "datetime64[ns]") if is_dated else plain
    columns = {
        column: (names, table[column].to_numpy().reshape(shape))
        for column in table.columns
        if column not in names
    }
    return xr.Dataset(columns, coordinates)


def _coordinate_of(values: Sequence[Any]) -> list[Any]:
    """Return a coordinate: a list of one number becomes the number, another list becomes text."""
    if all(np.shape(value) == (1,) for value in values):
        return [value[0] for value in values]
    return [value if np.ndim(value) == 0 else to_toml(_plain(value)) for value in values]


def _write_batch(table: pd.DataFrame, mission: Mission, folder: Path) -> Path:
    """Write the table as a batch file in `folder`."""
    rows = []
    for row in table.to_dict("records"):
        lines = [
            f"{_key(key)} = {to_toml(_plain(value))}"
            for key, value in row.items()
            if not _is_missing(value)
        ]
        rows.append("\n".join(["[[mission]]", *lines]))
    if not rows:
        raise InputError("batch: the table has no rows; give one for each mission")
    if mission._file is not None:
        base = mission._file.resolve()
    else:
        base = folder / "mission.toml"
        base.write_text(mission.toml(), encoding="utf-8")
    file = folder / "batch.toml"
    file.write_text(
        f"[batch]\nmission = {to_toml(str(base))}\n\n" + "\n\n".join(rows) + "\n",
        encoding="utf-8",
    )
    return file


def _key(name: Any) -> str:
    if not isinstance(name, str):
        raise InputError(f"batch: the column {name!r} is no key of a mission; name each by its key")
    return name


def _plain(value: Any) -> Any:
    if isinstance(value, Environment):
        return str(value.path.absolute())
    return value.absolute() if isinstance(value, Path) else value


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)  # NaN and NaT
    except (TypeError, ValueError):
        return False
