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
    """What `tidewise compare` says of two runs (docs/plan/compare.md has every figure).

    text: as the terminal has it; figures: as its JSON; difference: where the policies differ,
    (time, y, x), None where that was not asked for.
    """

    text: str
    figures: dict[str, Any] = field(repr=False)
    difference: xr.Dataset | None = field(repr=False)

    def __str__(self) -> str:
        """As the terminal has it."""
        return self.text


def read_comparison(figures: Path, difference: Path | None, text: str | None) -> Comparison:
    """Of what a command left in files, which may go away. Without a text, the figures are it."""
    found = json.loads(figures.read_text())
    fields = None
    if difference is not None and difference.is_file():
        with open_netcdf(difference) as opened:
            fields = opened.load()
    return Comparison(json.dumps(found, indent=2) if text is None else text, found, fields)
