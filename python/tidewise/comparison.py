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
        The report, as the terminal prints it.
    figures : dict
        The figures, as in the command's JSON.
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
    """Return a comparison.json as text: a line for each figure, a column for each run."""
    runs = figures.get("runs") or []
    columns = [chr(ord("A") + n) for n in range(len(runs))]
    rows = [("", columns), ("run", [str(run.get("run")) for run in runs])]
    rollouts = [run.get("rollout") or {} for run in runs]
    rows += [
        ("simulated missions", [_number(flown.get("trajectories")) for flown in rollouts]),
        ("arrived", [_arrived(flown) for flown in rollouts]),
    ]
    dated = all("arrival_date" in flown for flown in rollouts)
    for name, key in (("earliest", "min"), ("mean", "mean"), ("latest", "max")):
        part = "arrival_date" if dated else "time"
        cells = [_number((flown.get(part) or {}).get(key)) for flown in rollouts]
        rows.append((f"{name} {'arrival' if dated else 'duration'}", cells))
    rows.append(
        ("mean energy", [_number((flown.get("energy") or {}).get("mean")) for flown in rollouts])
    )
    changes = [one.get("policy") or {} for one in figures.get("comparisons") or []]
    share = [""] * (len(runs) - len(changes)) + [
        f"{100 * one['changed_share']:.1f} %" if "changed_share" in one else "" for one in changes
    ]
    rows.append(("states with another action than A", share))
    shown = [(name, cells) for name, cells in rows if any(cells)]
    widths = [max(len(cells[n]) for _, cells in shown) for n in range(len(runs))]
    longest = max(len(name) for name, _ in shown)
    return "\n".join(
        "  ".join([name.ljust(longest), *(c.rjust(w) for c, w in zip(cells, widths, strict=True))])
        for name, cells in shown
    )


def _number(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:.4g}"


def _arrived(flown: dict[str, Any]) -> str:
    if "trajectories" not in flown:
        return ""
    return str(flown["trajectories"] - sum((flown.get("failures") or {}).values()))
