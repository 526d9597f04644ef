"""When to leave: what flights by a policy come to from each departure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

_OF_FLIGHTS = {
    "arrival_rate": ("arrival_rate", None, "share of the flights that arrive"),
    "time": ("time", "mean", "time under way, mean of the flights that arrive"),
    "time_p05": ("time", "p05", "time under way, 5 % of those take less"),
    "time_p95": ("time", "p95", "time under way, 5 % of those take more"),
    "energy": ("energy", "mean", "energy spent, mean of the flights that arrive"),
    "total_reward": ("mean_total_reward", None, "mean of what the mission is after"),
}


def read_departures(found: dict[str, Any], metric: bool) -> xr.Dataset:
    """Of the JSON of `tidewise departures`: hours where the environment is in metres."""
    import xarray as xr

    rows = found["departures"]
    dated = bool(rows) and rows[0]["date"] is not None
    leave = [row["date"].removesuffix("Z") if dated else row["time"] for row in rows]
    departure = np.array(leave, dtype="datetime64[ns]" if dated else float)
    unit = {"units": "h"} if metric else {}
    variables: dict[str, Any] = {}
    for name, (figure, part, meaning) in _OF_FLIGHTS.items():
        values = [row["rollout"][figure] for row in rows]
        numbers = np.array([v[part] if part and v else v for v in values], dtype=float)
        in_time = name.startswith("time")
        if in_time and metric:
            numbers = numbers / 3600
        variables[name] = ("departure", numbers, {"long_name": meaning} | (unit if in_time else {}))
    coordinates = {"departure": departure, "level": ("departure", [row["level"] for row in rows])}
    attributes = {"best": departure[found["best"]]}
    if found["earliest_arrival"] is not None:
        attributes["earliest_arrival"] = departure[found["earliest_arrival"]]
    return xr.Dataset(variables, coordinates, attributes)
