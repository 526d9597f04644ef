"""Temporary folders, removed with the objects that need them."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

_PREFIX = "tidewise-"


def is_temporary(path: Path) -> bool:
    """Return True for a file in a temporary folder of the program or of this package."""
    try:
        folders = path.absolute().relative_to(Path(tempfile.gettempdir()).absolute()).parts[:-1]
    except ValueError:  # in another folder
        return False
    return bool(folders) and folders[0].startswith(_PREFIX)


def shown_path(path: Path | str | None) -> str | None:
    """Return a path for a table; for a temporary path, a note that it will be removed."""
    if path is None:
        return None
    return "temporary, until saved" if is_temporary(Path(path)) else str(path)


class TemporaryFolder:
    """A temporary folder, removed when no object holds this, or when the process ends."""

    def __init__(self) -> None:
        """Make the folder."""
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
