"""scikit-build-core's backend, which takes the libraries of a build folder and fills the sdist.

`pip install ./python` compiles the C++ sources of the folder above. Where a build folder holds them
compiled, the module is built in that folder. An sdist ends at its own folder, so that the sources
are copied into `library/` while one is made.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from pathlib import Path

import nanobind
import scikit_build_core.build as _backend
from scikit_build_core.build import *  # noqa: F403

HERE = Path(__file__).resolve().parents[1]
LIBRARY = HERE / "library"
PARTS = (
    *("CMakeLists.txt", "LICENSE", "cmake", "include", "base", "mdp", "env", "model_builder"),
    *("solver", "learning", "output", "planner", "app", "scripts/write_command_files.sh"),
    *("examples", "python/CMakeLists.txt", "python/bindings", "python/tidewise/twp.py"),
)


def find_build(config_settings: dict | None) -> Path | None:
    """Find the build folder whose libraries the module is linked to.

    Parameters
    ----------
    config_settings
        Those of pip. A setting of CMake asks for a build of its own.

    Returns
    -------
    The folder that the environment variable TIDEWISE_BUILD names, else build/cpu of this checkout
    if it is a release build of it. None if everything is to be compiled.
    """
    if any(name.startswith(("cmake.", "build-dir")) for name in config_settings or {}):
        return None
    named = os.environ.get("TIDEWISE_BUILD")
    folder = Path(named or HERE.parent / "build" / "cpu").absolute()
    cache = folder / "CMakeCache.txt"
    text = cache.read_text() if cache.is_file() else ""
    entries = dict(re.findall(r"^(\w+):\w+=(.*)$", text, re.M))
    source = entries.get("CMAKE_HOME_DIRECTORY")
    fits = (
        source is not None
        and Path(source).resolve() == HERE.parent
        and entries.get("CMAKE_BUILD_TYPE") == "Release"
        and not {entries.get("TIDEWISE_SANITIZE"), entries.get("TIDEWISE_COVERAGE")} & {"ON"}
    )
    if named and not fits:
        raise SystemExit(
            f"TIDEWISE_BUILD: {folder} is not a release build of {HERE.parent}; name one, or unset "
            "the variable to use build/cpu or to compile everything"
        )
    return folder if fits else None


def with_build(config_settings: dict | None) -> dict:
    """Add the settings by which the module comes from a build folder, if there is one."""
    folder = find_build(config_settings)
    if folder is None:
        return dict(config_settings or {})
    # pip deletes its environment afterwards, and a virtual environment may go as well. The build
    # folder refers to a copy of nanobind, and to the Python behind the environment.
    copy = folder / f"nanobind-{nanobind.__version__}"
    if not copy.exists():
        shutil.copytree(Path(nanobind.__file__).parent, copy)
    return {
        "wheel.py-api": "",  # for this Python
        **(config_settings or {}),
        "cmake.source-dir": "build_backend/reuse",
        "build-dir": str(folder / "python_package"),
        "build.targets": "tidewise_python",
        "cmake.define.TIDEWISE_BUILD": str(folder),
        "cmake.define.TIDEWISE_INTERPRETER": os.path.realpath(sys.executable),
        "cmake.define.TIDEWISE_NANOBIND": str(copy / "cmake"),
    }


def _reusing(hook):
    """Wrap a hook of scikit-build-core, so that it uses the build folder."""

    @functools.wraps(hook)
    def wrapped(directory, config_settings=None, *rest):
        return hook(directory, with_build(config_settings), *rest)

    return wrapped


for _kind in ("wheel", "editable"):
    for _name in (f"build_{_kind}", f"prepare_metadata_for_build_{_kind}"):
        if hasattr(_backend, _name):
            globals()[_name] = _reusing(getattr(_backend, _name))


def build_sdist(sdist_directory: str, config_settings=None) -> str:
    """Make the sdist, with the C++ sources in it."""
    if LIBRARY.exists() and not (HERE.parent / "CMakeLists.txt").exists():
        return _backend.build_sdist(sdist_directory, config_settings)  # an sdist made from an sdist
    shutil.rmtree(LIBRARY, ignore_errors=True)
    try:
        for part in PARTS:
            source, copy = HERE.parent / part, LIBRARY / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, copy, symlinks=True)
            else:
                shutil.copy2(source, copy)
        return _backend.build_sdist(sdist_directory, config_settings)
    finally:
        shutil.rmtree(LIBRARY, ignore_errors=True)
