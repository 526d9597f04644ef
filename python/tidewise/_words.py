"""Runs commands of the compiled part, and handles their reports and progress."""

from __future__ import annotations

import datetime
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._keywords import python_errors, python_line
from tidewise.errors import InputError, PlanWarning

if TYPE_CHECKING:
    from tidewise._lazy import LazyFields

Progress = bool | Callable[[str, int, int, str], None]

_PACKAGE = str(Path(__file__).parent) + os.sep


def run_command(
    command: Callable[..., tuple[str, Any, list[str]]],
    options: Mapping[str, Any],
    progress: Progress = False,
    aside: Path | None = None,
    fields: LazyFields | None = None,
) -> tuple[str, Any]:
    """Run a command of the compiled part. Returns its report, and its figures or None.

    `options`: values by name; None and False are left out. Warnings become PlanWarning. `aside`: a
    temporary folder, which is removed from the report. `fields`: arrays that an import reads in
    place of files. Raises InputError and RunError, worded for Python.
    """
    plain_options = {name: _plain(value) for name, value in options.items()}
    with python_errors(), Reporter(progress) as report:
        text, figures, messages = command(plain_options, report, fields)
    warn_of(messages)
    return text if aside is None else text.replace(f"{aside}{os.sep}", ""), figures


def _plain(value: Any) -> Any:
    """Convert an option to numbers and text; dates and time spans become text."""
    if getattr(value, "ndim", 0) == 0 and is_moment(value):
        return date_text(value)
    if (seconds := seconds_of(value)) is not None:
        return f"{seconds!r}s"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return [f"{key}={one}" for key, one in value.items()]
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def warn_of(lines: Iterable[str]) -> None:
    """Emit each line as a PlanWarning, worded for Python."""
    for line in lines:
        warnings.warn(python_line(line), PlanWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """Return the stack level at which warnings.warn names the line that called the package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


def is_moment(value: object) -> bool:
    """Return True for a date with a time: datetime, datetime64, pandas' Timestamp."""
    return isinstance(value, (datetime.date, np.datetime64)) or (
        getattr(getattr(value, "dtype", None), "kind", "") == "M"
    )


def seconds_of(value: object) -> float | None:
    """Return the seconds of a timedelta or timedelta64; None for other values."""
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    return float(value / np.timedelta64(1, "s")) if isinstance(value, np.timedelta64) else None


def date_text(value: object) -> str:
    """Format a date as missions write it. A date without a zone is UTC."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, datetime.date):
        return value.isoformat()
    date = np.asarray(value)
    if date.ndim != 0:
        raise InputError(f"{value!r}: is no single date; name one")
    if np.isnat(date):
        raise InputError(f"{value!r}: is no date; name one, such as 2024-10-29T12:00")
    return f"{date.astype('datetime64[s]')}Z"


class Reporter:
    """The callback for progress: a bar, the caller's function, or none."""

    def __init__(self, progress: Progress) -> None:
        """`progress`: True for a bar, False for none, or a function."""
        self._bar: Any = None
        self._work = ""
        self._report = progress if callable(progress) else None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                warnings.warn(
                    "progress=True needs tqdm, which is not there; pip install "
                    "'tidewise[progress]' or give a function of (work, done, total, unit)",
                    stacklevel=_level_of_caller(),
                )
            else:
                self._tqdm = tqdm
                self._report = self._draw

    def __enter__(self) -> Callable[[str, int, int, str], None] | None:
        """Return the callback, or None."""
        return self._report

    def __exit__(self, *_: object) -> None:
        """Finish the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _draw(self, work: str, done: int, total: int, unit: str) -> None:
        if self._bar is None or self._work != work or done < self._bar.n:
            if self._bar is not None:
                self._bar.update(max((self._bar.total or 0) - self._bar.n, 0))
                self._bar.close()
            self._bar = self._tqdm(total=total or None, desc=work, unit=f" {unit}")
            self._work = work
        self._bar.update(done - self._bar.n)
