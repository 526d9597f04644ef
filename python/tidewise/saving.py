"""Files appear whole or not at all: written beside their names, then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from matplotlib.figure import Figure

from tidewise.errors import RunError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A name to write to, beside `path`; it becomes `path` when nothing failed.

    Errors: RunError where the folder cannot be made or written to.
    """
    partial = path.with_name(f".{path.stem}.{os.getpid()}.partial{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        partial.replace(path)
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        raise RunError(
            f"{path}: cannot be written ({reason}); free the place or choose another"
        ) from error
    finally:
        with suppress(OSError):  # what went wrong before says more
            partial.unlink(missing_ok=True)


def save_figure(figure: Figure, path: Path, dpi: float) -> None:
    """Write a figure in the format that the name ends with. Errors: RunError, see above."""
    with written_whole(path) as partial:
        figure.savefig(partial, format=path.suffix[1:], dpi=dpi)
