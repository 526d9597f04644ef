"""What can go wrong, in the two kinds that the commands of Tidewise tell apart."""

import re


class InputError(ValueError):
    """What was given is wrong: a folder, a file, an option. One line: what; why; what to do."""

    @property
    def code(self) -> str:
        """The code in brackets at the end, such as ``file_missing``; empty where there is none."""
        found = re.search(r" \[([a-z0-9]+(?:_[a-z0-9]+)+)\]$", str(self))
        return found[1] if found else ""


class RunError(RuntimeError):
    """The work failed though its input was right: a full disk, a program that is missing."""


class PlanWarning(UserWarning):
    """What is allowed and hardly meant, such as a vehicle too slow for its grid."""
