"""Writes files that appear whole or not at all, by a temporary name."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from matplotlib.figure import Figure

from tidewise.errors import RunError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A name to write to, in a new folder next to `path`; it becomes `path` when nothing failed.

    Errors: RunError where the folder cannot be made or written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            dir=path.parent, prefix=f".{path.stem}.", suffix=".tmp", ignore_cleanup_errors=True
        ) as folder:
            partial = Path(folder) / path.name
            yield partial
            partial.replace(path)
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        raise RunError(
            f"{path}: cannot be written ({reason}); free the place or choose another"
        ) from error


def save_figure(figure: Figure, path: Path, dpi: float) -> None:
    """Write a figure in the format that the name ends with. Errors: RunError, see above."""
    with written_whole(path) as partial:
        figure.savefig(partial, format=path.suffix[1:], dpi=dpi)
