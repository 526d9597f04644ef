"""scikit-build-core's backend, whose sdist also holds the C++ sources of the folder above.

`pip install ./python` compiles them where they are; an sdist ends at its own folder, so that they
are copied into `library/` while one is made.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from scikit_build_core.build import *  # noqa: F403
from scikit_build_core.build import build_sdist as _build_sdist

HERE = Path(__file__).resolve().parents[1]
LIBRARY = HERE / "library"
PARTS = (
    *("CMakeLists.txt", "LICENSE", "cmake", "include", "base", "mdp", "env", "model_builder"),
    *("solver", "learning", "output", "planner", "bench", "app", "scripts/write_command_files.sh"),
    *("examples", "python/CMakeLists.txt", "python/bindings", "python/tidewise/twp.py"),
)


def build_sdist(sdist_directory: str, config_settings=None) -> str:
    """Make the sdist, with the C++ sources in it."""
    if LIBRARY.exists() and not (HERE.parent / "CMakeLists.txt").exists():
        return _build_sdist(sdist_directory, config_settings)  # of an sdist again
    shutil.rmtree(LIBRARY, ignore_errors=True)
    try:
        for part in PARTS:
            source, copy = HERE.parent / part, LIBRARY / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, copy, symlinks=True)
            else:
                shutil.copy2(source, copy)
        return _build_sdist(sdist_directory, config_settings)
    finally:
        shutil.rmtree(LIBRARY, ignore_errors=True)
