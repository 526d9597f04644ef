"""Folders that go with what needs them."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

_PREFIX = "tidewise-"


def is_temporary(path: Path) -> bool:
    """Whether a file lies in a folder that goes with what needs it, a library's or this one's."""
    try:
        folders = path.absolute().relative_to(Path(tempfile.gettempdir()).absolute()).parts[:-1]
    except ValueError:  # it lies elsewhere
        return False
    return bool(folders) and folders[0].startswith(_PREFIX)


def shown_path(path: Path | str | None) -> str | None:
    """As a table shows it to people: whether it stays is what they need to know of a temporary."""
    if path is None:
        return None
    return "temporary, until saved" if is_temporary(Path(path)) else str(path)


class TemporaryFolder:
    """Among the system's temporary ones; removed when nothing holds this, or the process ends."""

    def __init__(self) -> None:
        """Make it."""
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
