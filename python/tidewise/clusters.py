"""Runs a batch on the workers of a Dask cluster; its table fills meanwhile."""

from __future__ import annotations

import os
import re
import time
import uuid
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidewise._html import html_table
from tidewise._keywords import kind_of, python_line
from tidewise._load import core
from tidewise._optional import need
from tidewise._words import Progress, Reporter, run_command, warn_of
from tidewise.errors import InputError, RunError

if TYPE_CHECKING:
    import pandas as pd

_PARTS_PER_WORKER = 4  # several, so that workers which finish early take more
_PAUSE = 0.2  # [s] between reads of the table
_SHOWN = 10  # rows in a notebook


class FillingTable:
    """The table of a batch that a cluster plans: a row for each mission.

    Iterating over it gives a row when a mission ends, done or failed. Missions continue while the
    cluster lives, also without this object; cancel() ends them.
    """

    def __init__(
        self,
        client: Any,
        options: Mapping[str, Any],
        folder: Path,
        missions: int,
        parts: int,
        *,
        threads: int | None,
        memory: str | int | None,
        progress: Progress,
        made: Path | None = None,
    ) -> None:
        """Submit the parts of a batch to workers.

        `options`: the command's; `made`: as in read_table(); other arguments: those of batch().
        """
        from distributed import fire_and_forget

        self._made = made
        self.folder = folder
        self._missions = missions
        self._progress: Progress = progress
        name = uuid.uuid4().hex
        # Workers may be in another working directory.
        self._stop = folder.absolute() / f".batch.stop.{name}"
        self._read_at: tuple[int, int] | None = None  # time and inode of the last table
        self._table: pd.DataFrame | None = None
        self._client = client
        self._parts = [
            client.submit(
                run_part,
                options,
                f"{number}/{parts}",
                threads=threads,
                memory=memory,
                stop=str(self._stop),
                key=f"tidewise-{name}-{number}",
                pure=False,
            )
            for number in range(1, parts + 1)
        ]
        fire_and_forget(self._parts)

    def __len__(self) -> int:
        """Return the number of missions."""
        return self._missions

    @property
    def table(self) -> pd.DataFrame:
        """The current table; missions that have not ended are "not_run"."""
        pandas = need("pandas", "pandas", "a batch's table")
        path = self.folder / "batch.csv"
        try:
            state = path.stat()
        except FileNotFoundError:  # no mission has ended yet
            return pandas.DataFrame()
        if self._table is None or self._read_at != (state.st_mtime_ns, state.st_ino):
            self._table = read_table(self.folder, self._made)
            self._read_at = (state.st_mtime_ns, state.st_ino)
        return self._table.copy()

    @property
    def done(self) -> bool:
        """Return True when all workers have finished."""
        return all(part.done() for part in self._parts)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over rows (as from `DataFrame.itertuples`) as missions end, each once.

        Yields
        ------
        namedtuple
            A row.

        Raises
        ------
        RunError
            At the end, if missions were not run.
        """
        yielded: set[int] = set()
        with Reporter(self._progress) as report:
            while True:
                over = self.done  # read before the table: afterwards no row is added
                table = self.table
                ended = table[table["status"] != "not_run"] if len(table) else table
                if report is not None:
                    report("missions", len(ended), self._missions, "missions")
                for row in ended.itertuples(index=False) if len(ended) else ():
                    if row.mission not in yielded:
                        yielded.add(row.mission)
                        yield row
                if over:
                    break
                time.sleep(_PAUSE)
        self._require_all_run()

    def result(self) -> pd.DataFrame:
        """Wait for all missions.

        Returns
        -------
        pandas.DataFrame
            The table; missions that failed have the reason in their rows.

        Warns
        -----
        PlanWarning
            If missions fail or warn.

        Raises
        ------
        RunError
            If missions were not run, for example because each worker that ran them ended.
        """
        for _ in self:
            pass
        table = self.table
        csv = self.folder / "batch.csv"
        failed = table[table["status"] == "failed"]
        if len(failed):
            name, why = Path(failed.iloc[0]["directory"]).name, failed.iloc[0]["message"]
            warn_of(
                [
                    f"{len(failed)} of {len(table)} missions failed, the first of them {name} "
                    f"({why}); {csv} has all reasons"
                ]
            )
        warned = table[table["warnings"].notna()]
        if len(warned):
            name, first = Path(warned.iloc[0]["directory"]).name, warned.iloc[0]["warnings"]
            warn_of(
                [
                    f"{len(warned)} of {len(table)} missions warn (column warnings), the first "
                    f"{name}: {first}"
                ]
            )
        return table

    def cancel(self) -> None:
        """Start no further missions; finished ones stay, for `resume`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)  # workers may not have made it yet
            self._stop.touch()
        finally:
            self._client.cancel(self._parts, force=True)  # no other code waits for these parts

    def _require_all_run(self) -> None:
        for part in self._parts:
            if part.status == "error":
                error = part.exception()
                if isinstance(error, (InputError, RunError)):
                    raise error
                reason = " ".join(str(error).split())
                raise RunError(
                    f"{self.folder}: missions were not run ({reason}); look into the workers' "
                    "logs, then go on with resume=True"
                ) from error
        waiting = (self.table["status"] == "not_run").sum() if len(self.table) else len(self)
        if waiting:
            reasons = [part.result() for part in self._parts if part.status == "finished"]
            why = next((f" ({line})" for line in reasons if line), "")
            raise RunError(
                f"{self.folder}: {waiting} of {len(self)} missions were not run{why}; go on with "
                "resume=True"
            )

    def __repr__(self) -> str:
        """Return the progress."""
        done, failed = self._counts()
        return f"<batch of {len(self)} missions in {self.folder}: {done} done, {failed} failed>"

    def _counts(self) -> tuple[int, int]:
        table = self.table
        if not len(table):
            return 0, 0
        return int((table["status"] == "done").sum()), int((table["status"] == "failed").sum())

    def _repr_html_(self) -> str:
        """Return the progress and the first rows, for a notebook."""
        done, failed = self._counts()
        head = html_table(
            "Batch",
            [
                ("missions", len(self)),
                ("done", done),
                ("failed", failed or None),
                ("folder", self.folder),
            ],
        )
        table = self.table
        if not len(table):
            return head
        columns = [
            "name", "status", "expected_arrival_probability", "expected_time",
            "rollout_arrival_rate", "expected_within", "rollout_within_mean",
            "expected_distance", "rollout_distance_mean",
        ]  # fmt: skip
        ended = table[table["status"] != "not_run"]
        shown = ended[[name for name in columns if name in ended]].dropna(axis=1, how="all")
        return head + shown.head(_SHOWN).to_html(index=False)


def count_parts(
    client: Any, options: Mapping[str, Any], folder: Path, resume: bool
) -> tuple[int, int]:
    """Return the number of missions of a batch, and the number of parts for `client`.

    `options`: the command's. Missions that share transition counts stay together. Raises
    InputError, as the command does.
    """
    need("distributed", "dask", "a batch on a cluster")
    if not hasattr(client, "submit") or not hasattr(client, "nthreads"):
        raise InputError(
            f"client: is {kind_of(client)}, no Dask client; give a dask.distributed.Client"
        )
    if not resume and (folder / "batch.log").exists():
        raise InputError(
            f"{folder}: holds a batch already; go on with it by resume=True, or choose another "
            "folder with out"
        )
    planned_workers = len(getattr(getattr(client, "cluster", None), "worker_spec", None) or ())
    try:
        running_workers = len(client.nthreads())
    except Exception as error:
        raise InputError(
            f"client: its cluster does not answer (it is {client.status}); give a Client of one "
            "that runs"
        ) from error
    workers = max(1, planned_workers, running_workers)
    preview = {**options, "dry_run": True, "array": f"1/{workers}"}
    _, figures = run_command(core.batch, preview)
    return figures["missions"], max(1, min(figures["passes"], _PARTS_PER_WORKER * workers))


def run_part(
    options: Mapping[str, Any],
    part: str,
    threads: int | None = None,
    memory: str | int | None = None,
    stop: str | None = None,
) -> str:
    """Run the unfinished missions of a part, on a worker. Returns the reason if some remain.

    threads: those that Dask gave the worker if None; memory: half of the worker's if None. The work
    ends when the file `stop` exists. Raises InputError; a RunError of missions is in the table.
    """
    resources = _worker_resources()
    threads = resources.get("threads") if threads is None else threads
    memory = resources.get("memory") if memory is None else memory
    options = {**options, "array": part, "threads": threads, "memory": memory}

    def stop_if_asked(*_: object) -> None:
        if stop is not None and os.path.exists(stop):
            raise KeyboardInterrupt

    try:
        stop_if_asked()  # the part may have waited for a worker
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the table has the warnings
            run_command(core.batch, options, stop_if_asked)
    except KeyboardInterrupt:
        return "cancelled"
    except RunError as error:
        return str(error)
    return ""


def _worker_resources() -> dict[str, int]:
    """Return the worker's resources from Dask; empty outside a worker."""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return {}
    resources = {"threads": worker.state.nthreads}
    limit = worker.memory_manager.memory_limit
    if limit:
        resources["memory"] = limit // 2
    return resources


def with_row(line: str, file: Path) -> str:
    """Name a row of the table in place of a line of the batch file that was made from it."""

    def row_of(match: re.Match[str]) -> str:
        above = file.read_text(encoding="utf-8").splitlines()[: int(match[1])]
        return f"table: row {above.count('[[mission]]') - 1}: "

    return re.sub(rf"(?:\btable|{re.escape(str(file.absolute()))}):(\d+): ", row_of, line)


def read_table(folder: Path, made: Path | None = None) -> pd.DataFrame:
    """Read the table of a batch's folder, with full paths of the runs' folders.

    `made`: the batch file, if it was made from a table; messages name rows of that table.
    """
    pandas = need("pandas", "pandas", "a batch's table")
    rows = pandas.read_csv(folder / "batch.csv")
    if made is not None:
        rows["message"] = rows["message"].map(
            lambda line: with_row(python_line(line), made), na_action="ignore"
        )
    for column in rows.columns:
        if column.endswith("_date"):
            rows[column] = pandas.to_datetime(rows[column], utc=True).dt.tz_localize(None)
    rows["directory"] = [str(folder / str(name)) for name in rows["directory"]]
    return rows
