"""Errors of Tidewise: wrong input or failed work."""

import re


class InputError(ValueError):
    """Wrong input: a folder, a file, an option. One line: what is wrong, why, and what to do."""

    @property
    def code(self) -> str:
        """The code in brackets at the end, such as ``file_missing``; empty if there is none."""
        match = re.search(r" \[([a-z0-9]+(?:_[a-z0-9]+)+)\]$", str(self))
        return match[1] if match else ""


class RunError(RuntimeError):
    """Failed work with correct input: a full disk, a program that is missing."""


class PlanWarning(UserWarning):
    """Input that is allowed but probably not meant, such as a vehicle too slow for its grid."""
