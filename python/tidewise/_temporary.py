"""Folders that go with what needs them."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class TemporaryFolder:
    """Among the system's temporary ones; removed when nothing holds this, or the process ends."""

    def __init__(self) -> None:
        """Make it."""
        self.path = Path(tempfile.mkdtemp(prefix="tidewise-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
