"""Comparison of two runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Comparison:
    """The figures of `tidewise compare` for two runs (docs/plan/compare.md).

    Attributes
    ----------
    text : str
        As the terminal prints it.
    figures : dict
        As the command's JSON.
    difference : xarray.Dataset or None
        Cells and levels with different actions, (time, y, x), if computed.
    """

    text: str
    figures: dict[str, Any] = field(repr=False)
    difference: xr.Dataset | None = field(repr=False)

    def __str__(self) -> str:
        """Return the report, as the terminal prints it."""
        return self.text


def table_of_comparison(figures: dict[str, Any]) -> str:
    """Read a comparison.json: a line for each figure, a column for each run."""
    runs = figures.get("runs") or []
    columns = [chr(ord("A") + n) for n in range(len(runs))]
    rows = [("", columns), ("run", [str(run.get("run")) for run in runs])]
    flown = [run.get("rollout") or {} for run in runs]
    rows += [
        ("simulated missions", [_number(one.get("trajectories")) for one in flown]),
        ("arrived", [_arrived(one) for one in flown]),
    ]
    dated = all("arrival_date" in one for one in flown)
    for name, key in (("earliest", "min"), ("mean", "mean"), ("latest", "max")):
        part = "arrival_date" if dated else "time"
        found = [_number((one.get(part) or {}).get(key)) for one in flown]
        rows.append((f"{name} {'arrival' if dated else 'duration'}", found))
    rows.append(("mean energy", [_number((one.get("energy") or {}).get("mean")) for one in flown]))
    changes = [one.get("policy") or {} for one in figures.get("comparisons") or []]
    share = [""] * (len(runs) - len(changes)) + [
        f"{100 * one['changed_share']:.1f} %" if "changed_share" in one else "" for one in changes
    ]
    rows.append(("states with another action than A", share))
    kept = [(name, cells) for name, cells in rows if any(cells)]
    widths = [max(len(cells[n]) for _, cells in kept) for n in range(len(runs))]
    first = max(len(name) for name, _ in kept)
    return "\n".join(
        "  ".join([name.ljust(first), *(c.rjust(w) for c, w in zip(cells, widths, strict=True))])
        for name, cells in kept
    )


def _number(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:.4g}"


def _arrived(flown: dict[str, Any]) -> str:
    if "trajectories" not in flown:
        return ""
    return str(flown["trajectories"] - sum((flown.get("failures") or {}).values()))
