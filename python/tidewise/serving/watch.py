"""Watches a folder for regular files that have stopped growing, and copies them."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from tidewise.errors import InputError

MAX_FILE_BYTES = 64 * 2**20
MAX_ENTRIES = 10_000  # maximum number of files that are looked at in a folder
DIVES = "dives"  # folder of a run with copies of the files that corrected it
_UNUSUAL = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True)
class FileState:
    """State of a file; two equal states in sequence mean that it has stopped growing."""

    device: int
    inode: int
    size: int
    changed: int  # [ns]

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        """Convert a result of lstat() or fstat()."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class WatchedFolder:
    """Finds files that are new or have changed. Links, folders and devices are ignored."""

    def __init__(self, folder: Path, since: float) -> None:
        """Open the folder. Files not changed after `since` [s since 1970] are not new.

        Errors: InputError if there is no such folder.
        """
        try:
            # Held open, so that another folder with this name is not used later.
            self._folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise InputError(
                f"--watch {folder}: cannot be opened ({error.strerror}); name a folder"
            ) from None
        self.name = folder.absolute().name
        self._seen: dict[str, FileState] = {}  # files at the last look()
        self._taken: dict[str, FileState] = {}
        self._copied: dict[str, str] = {}  # name of the copy by name of the file
        for name, state in self._regular_files().items():
            if state.changed <= since * 1e9:
                self._taken[name] = state

    def look(self) -> list[str]:
        """Return names of new files that have not changed since the last call."""
        files = self._regular_files()
        stable = [
            name
            for name, state in files.items()
            if self._seen.get(name) == state and self._taken.get(name) != state
        ]
        self._seen = files
        return sorted(stable)

    def take(self, name: str, folder: Path) -> Path | None:
        """Copy a file that look() returned into a private folder.

        Returns None if the file was replaced or still grows; a later look() then returns it again.
        """
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            file = os.open(name, flags, dir_fd=self._folder)
        except OSError:
            return None
        with os.fdopen(file, "rb") as opened:
            before = os.fstat(file)
            if not _is_accepted(before) or FileState.of(before) != self._seen.get(name):
                return None
            data = opened.read(MAX_FILE_BYTES + 1)
            if len(data) != before.st_size or FileState.of(os.fstat(file)) != FileState.of(before):
                return None
        self._taken[name] = FileState.of(before)
        copy = folder / self._copied_name(name)
        copy.write_bytes(data)
        return copy

    def _copied_name(self, name: str) -> str:
        """Return a plain name, different for each file."""
        if name not in self._copied:
            plain = _UNUSUAL.sub("_", name)[-200:].lstrip(".-") or "_"
            while plain in self._copied.values():
                plain = "_" + plain
            self._copied[name] = plain
        return self._copied[name]

    def close(self) -> None:
        """Close the folder."""
        os.close(self._folder)

    def _regular_files(self) -> dict[str, FileState]:
        files = {}
        with os.scandir(self._folder) as entries:
            for count, entry in enumerate(entries):
                if count >= MAX_ENTRIES:
                    break
                with contextlib.suppress(OSError):  # removed meanwhile
                    status = entry.stat(follow_symlinks=False)
                    # Hidden files are unfinished transfers.
                    if _is_accepted(status) and not entry.name.startswith("."):
                        files[entry.name] = FileState.of(status)
        return files


def _is_accepted(status: os.stat_result) -> bool:
    """Return True for a regular file with one name, not empty and not too large."""
    regular = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    return regular and 0 < status.st_size <= MAX_FILE_BYTES
