"""Writes files completely or not at all: to a hidden folder in the same place, then renames."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from matplotlib.figure import Figure

from tidewise.errors import InputError, RunError

# The first bytes of files with these endings.
_MARKS = {
    ".png": b"\x89PNG",
    ".pdf": b"%PDF",
    ".svg": b"<svg",
    ".gif": b"GIF8",
    ".mp4": b"ftyp",
}


def require_replaceable(path: Path, overwrite: bool = False) -> None:
    """Raise InputError if a file exists and is no picture of the format that its ending names."""
    mark = _MARKS.get(path.suffix.lower())
    if overwrite or mark is None or not path.is_file() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        if mark in file.read(1024):
            return
    kind = path.suffix[1:].upper()
    raise InputError(
        f"{path}: is there already and is no {kind}; name another file, or replace it by overwrite"
    )


@contextmanager
def written_whole(path: Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield a name to write to, in the folder of `path`; on success it is renamed to `path`.

    Raises InputError if `path` is a file of another kind, RunError if the folder cannot be made or
    written to.
    """
    require_replaceable(path, overwrite)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{path.stem}.", dir=path.parent) as folder:
            partial = Path(folder) / path.name
            yield partial
            if path.exists():
                shutil.copymode(path, partial)
            partial.replace(path)
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        raise RunError(
            f"{path}: cannot be written ({reason}); free the place or choose another"
        ) from error


def save_figure(figure: Figure, path: Path, dpi: float, overwrite: bool = False) -> None:
    """Write a figure in the format of the ending. Raises as require_replaceable() does."""
    with written_whole(path, overwrite) as partial:
        figure.savefig(partial, format=path.suffix[1:], dpi=dpi)
