"""Two runs side by side."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidewise.environment import open_netcdf

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Comparison:
    """What `tidewise compare` says of two runs (docs/compare.md has every figure).

    text: as the terminal has it; figures: as its JSON; difference: where the policies differ,
    (time, y, x).
    """

    text: str
    figures: dict[str, Any] = field(repr=False)
    difference: xr.Dataset | None = field(repr=False)

    def __str__(self) -> str:
        """As the terminal has it."""
        return self.text


def read_comparison(folder: Path, text: str) -> Comparison:
    """Of what the command left in a folder, which may go away."""
    figures = json.loads((folder / "figures.json").read_text())
    path = folder / "difference.nc"
    difference = None
    if path.is_file():
        with open_netcdf(path) as opened:
            difference = opened.load()
    return Comparison(text, figures, difference)
