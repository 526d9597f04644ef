"""The program, the forecast, and the folders of modules that are not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("examples/trackers", "python")]


@pytest.fixture(scope="session")
def run():
    """A function that runs the program in a folder and returns its output."""

    def run(folder, *words):
        command = [os.environ["TIDEWISE"], *map(str, words)]
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real files."""
    folder = ROOT.parent / "shared/data"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    return folder


@pytest.fixture(scope="session")
def forecast(data) -> Path:
    return data / "rtofs_washington_2024.nc"
