"""Loads the compiled part, if the processor can run it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tidewise.errors import RunError

# Folder of PROJ's database in wheels that contain their libraries.
PROJECTIONS = Path(__file__).parent / "proj"


def require_processor(missing: str) -> None:
    """Raise RunError if the processor lacks instructions, which `missing` names."""
    if missing:
        raise RunError(
            f"this processor has no {missing}, and tidewise needs an x86-64 one with AVX2, FMA and "
            "BMI2 (x86-64-v3: Intel Haswell of 2013, AMD Excavator of 2015, or later); take a "
            "newer machine"
        )


def projection_folders(environment) -> list[str]:
    """Return folders of PROJ's database; an empty list means the folder that was compiled in.

    Folders that the user names come first. The environment variable is not changed: other
    packages in the process may contain a PROJ of another version.
    """
    if not (PROJECTIONS / "proj.db").exists():
        return []
    named = environment.get("PROJ_DATA") or environment.get("PROJ_LIB") or ""
    return [*filter(None, named.split(os.pathsep)), str(PROJECTIONS)]


@contextmanager
def own_libraries() -> Iterator[None]:
    """Make modules that are loaded inside use the libraries that they were linked with.

    Packages such as eccodes load a PROJ of their own for the whole process; calls into a mixture
    of both crash. Systems without RTLD_DEEPBIND separate libraries by other means.
    """
    flags = sys.getdlopenflags() if hasattr(os, "RTLD_DEEPBIND") else None
    if flags is None:
        yield
        return
    sys.setdlopenflags(flags | os.RTLD_DEEPBIND)
    try:
        yield
    finally:
        sys.setdlopenflags(flags)


@contextmanager
def short_spins(environment) -> Iterator[None]:
    """Make OpenMP threads of libraries that are loaded inside spin about 30 µs before they sleep.

    GCC's default, a millisecond, doubles the time of a plan if other programs use the cores.
    """
    name = "GOMP_SPINCOUNT"
    if name in environment or "OMP_WAIT_POLICY" in environment:
        yield
        return
    environment[name] = "10000"
    try:
        yield
    finally:
        del environment[name]


def load_core():
    """Return tidewise._core. Raises RunError on a processor that lacks its instructions."""
    from tidewise import _processor

    require_processor(_processor.missing())
    with own_libraries(), short_spins(os.environ):
        from tidewise import _core

    if folders := projection_folders(os.environ):
        _core.set_projection_folders(folders)
    return _core


core = load_core()
