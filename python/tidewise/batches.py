"""Many missions at once: what `tidewise batch` does, of a batch file or of a table."""

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
from tidewise.clusters import FillingTable, divide, read_table, with_row
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
] = []  # folders of batches without one of their own, until the process ends


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
    """Plan many missions, counting once for all that can share it (`tidewise batch`).

    - table: the path of a batch file; or a DataFrame, a row a mission, whose columns are keys of a
      mission by their full names ("mission.departure", "vehicle.speeds", "environment.file"), empty
      where `mission` has the value; or a list of dicts, one a mission; or a dict of lists, a sweep
      over all combinations of their values. settings: keys of all missions, {"mission.horizon": 30}.
    - out: the folder of all runs; without it a temporary one, which goes with this process. resume
      goes on with what an interrupted batch left. overwrite: replace runs of no batch in that
      folder.
    - baselines: "all" also flies what needs no plan. backend, threads, devices,
      device_memory: as of plan; devices work on a pass each. memory: of the host's, for the
      policies of a counting pass ("16GB").
    - array: "3/8", the third of eight parts, which other processes do at the same time in the same
      folder; "slurm": the part that this task of a Slurm array is.
    - client: of a Dask cluster, whose workers then do it, each with its own threads, memory and
      GPU, in the folder `out` that all of them see. Returned at once: a FillingTable, whose rows
      come as missions end and whose result() is the table (docs/reference/parallel.md).

    Returns the batch's table, a row a mission; column `directory` has the folder of each run, for
    tw.open. Of a sweep a Dataset: a dimension for each key, by the key's last part, and a variable
    for each column. Missions that fail say why in their rows, and a PlanWarning says that there are some.
    Errors: InputError and RunError.

    >>> import pandas as pd
    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> mission = Mission(ocean, Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    >>> found = batch(pd.DataFrame({"mission.departure": [0, 4, 8]}), mission)
    >>> list(found["departure"])
    [0, 4, 8]
    >>> swept = batch({"mission.departure": [0, 4], "vehicle.headings": [8, 16, 32]}, mission)
    >>> dict(swept.status.sizes)
    {'departure': 2, 'headings': 3}
    """
    if isinstance(table, Mapping):
        if client is not None:
            raise InputError(
                "batch: workers fill a table of rows; give a DataFrame or a list of dicts"
            )
        return _as_dataset(table, batch(_rows_of(table), **all_but(locals(), "table")))
    given = all_but(locals(), "table", "mission", "out", "settings", "progress", "client")
    need("pandas", "pandas", "a batch's table")
    if client is not None:
        _require_for_workers(out, array)
    folder = Path(out) if out is not None else _temporary_folder() / "batch"
    with tempfile.TemporaryDirectory(prefix="tidewise-") as place:
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
            file = _write_batch(table, mission, Path(place))
        failed = None
        given["set"] = settings_of(settings or {})
        try:
            with python_errors(lambda line: with_row(line, file)):
                if client is not None:
                    own = {name: given.pop(name, None) for name in ("threads", "memory")}
                    del given["array"]
                    given |= {"out": folder.absolute(), "batch": file.absolute()}
                    size = divide(client, given, folder, resume)
                    if mission is not None:  # where the workers see it
                        folder.mkdir(parents=True, exist_ok=True)
                        given["batch"] = file = _write_batch(table, mission, folder.absolute())
                    own |= {"progress": progress, "made": None if mission is None else file}
                    return FillingTable(client, given, folder, *size, **own)
                run_command(core.batch, {**given, "batch": file, "out": folder}, progress)
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
    """A DataFrame, or the one of a list of dicts. Errors: InputError."""
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
    """All combinations of a sweep's values, the last key's fastest. Errors: InputError."""
    if not sweep:
        raise InputError("batch: the sweep is empty; give a list of values for each key")
    for key, values in sweep.items():
        if isinstance(values, str) or np.ndim(values) == 0 and not isinstance(values, Sequence):
            raise InputError(
                f"batch: {key} of a sweep is {values!r}; give a list of values, or one value for "
                f"all missions by settings={{{key!r}: {values!r}}}"
            )
    return [dict(zip(sweep, one, strict=True)) for one in itertools.product(*sweep.values())]


def _as_dataset(sweep: Mapping[str, Any], table: pd.DataFrame) -> xr.Dataset:
    """The table of a sweep's rows, a dimension for each key."""
    xr = need("xarray", "xarray", "the data set of a sweep")
    last = [key.rpartition(".")[2] for key in sweep]
    names = last if len(set(last)) == len(last) else list(sweep)
    shape = [len(values) for values in sweep.values()]
    coordinates = {}
    for name, (key, values) in zip(names, sweep.items(), strict=True):
        plain = [one if np.ndim(one) == 0 else to_toml(_plain(one)) for one in values]
        dates = [moment_of(one) if isinstance(one, str) else None for one in plain]
        is_dated = key in ("mission.departure", "mission.deadline") and None not in dates
        coordinates[name] = np.array(dates, "datetime64[ns]") if is_dated else plain
    columns = {
        column: (names, table[column].to_numpy().reshape(shape))
        for column in table.columns
        if column not in names
    }
    return xr.Dataset(columns, coordinates)


def _write_batch(table: pd.DataFrame, mission: Mission, place: Path) -> Path:
    """A batch file of the table, beside its base mission."""
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
        base = place / "mission.toml"
        base.write_text(mission.toml(), encoding="utf-8")
    file = place / "batch.toml"
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
