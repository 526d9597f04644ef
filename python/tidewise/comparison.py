"""Two runs side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
