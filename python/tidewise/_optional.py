"""Packages that only some functions need."""

from __future__ import annotations

import importlib
from types import ModuleType

from tidewise.errors import RunError


def need(module: str, extra: str, what_for: str) -> ModuleType:
    """Import `module`. Raises RunError that names the extra of this package that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise RunError(
            f"{what_for} needs {module.partition('.')[0]}, which cannot be imported ({error}); "
            f"pip install 'tidewise[{extra}]'"
        ) from error
