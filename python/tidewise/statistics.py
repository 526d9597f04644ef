"""Distributions over flights, computed as for summary.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

WEIGHT_TOTAL = 2**24  # the sum of a file's realization weights


@dataclass(frozen=True)
class Spread:
    """A distribution in six numbers; all NaN when it is empty."""

    mean: float
    min: float
    max: float
    p05: float
    p50: float
    p95: float


def spread_of(values: np.ndarray, weights: np.ndarray) -> Spread:
    """Summarise `values` with integer `weights`; values of weight 0 are ignored.

    The quantile p is the smallest value that a share p of the weight does not exceed, so it is
    always one of the values.
    """
    counted = weights > 0
    order = np.argsort(values[counted], kind="stable")
    sorted_values = np.asarray(values[counted], float)[order]
    sorted_weights = np.asarray(weights[counted], np.int64)[order]
    if len(sorted_values) == 0:
        return Spread(*[float("nan")] * 6)
    below = np.cumsum(sorted_weights)
    total = below[-1]

    def quantile(percent: int) -> float:
        return float(sorted_values[np.argmax(100 * below >= percent * total)])

    return Spread(
        mean=float(np.sum(sorted_values * sorted_weights) / total),
        min=float(sorted_values[0]),
        max=float(sorted_values[-1]),
        p05=quantile(5),
        p50=quantile(50),
        p95=quantile(95),
    )


def integer_weights(weights: np.ndarray) -> np.ndarray:
    """Return integer weights with sum 2^24, by the program's method of largest remainders."""
    weights = np.asarray(weights, float)
    exact = weights / _sum_in_order(weights) * WEIGHT_TOTAL
    integers = np.floor(exact).astype(np.int64)
    order = np.argsort(-(exact - integers), kind="stable")
    missing = WEIGHT_TOTAL - int(integers.sum())
    for n in range(missing):
        integers[order[n % len(order)]] += 1
    return integers


def _sum_in_order(values: np.ndarray) -> float:
    """Sum in sequence, like the program: numpy's pairwise sum may round differently."""
    return float(np.cumsum(values)[-1])


def mode_variances(coefficients: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Return the covariance, (mode, mode), of coefficients (mode, realization)."""
    values = np.asarray(coefficients, float)
    share = np.full(values.shape[1], 1.0) if weights is None else np.asarray(weights, float)
    share = share / share.sum()
    deviations = values - (values @ share)[:, None]
    return (deviations * share) @ deviations.T


_OF_FLIGHTS = {
    "arrival_rate": ("arrival_rate", None, "share of the flights that arrive"),
    "time": ("time", "mean", "time under way, mean of the flights that arrive"),
    "time_p05": ("time", "p05", "time under way, 5 % of those take less"),
    "time_p95": ("time", "p95", "time under way, 5 % of those take more"),
    "energy": ("energy", "mean", "energy spent, mean of the flights that arrive"),
    "total_reward": ("mean_total_reward", None, "mean of the mission's objective"),
}


def read_departures(table: dict[str, Any], metric: bool) -> xr.Dataset:
    """Read the JSON of `tidewise departures`; times in metric environments become hours."""
    import xarray as xr

    rows = table["departures"]
    has_dates = bool(rows) and rows[0]["date"] is not None
    departures = [row["date"].removesuffix("Z") if has_dates else row["time"] for row in rows]
    departure = np.array(departures, dtype="datetime64[ns]" if has_dates else float)
    unit = {"units": "h"} if metric else {}
    variables: dict[str, Any] = {}
    for name, (figure, part, meaning) in _OF_FLIGHTS.items():
        values = [row["rollout"][figure] for row in rows]
        numbers = np.array([v[part] if part and v else v for v in values], dtype=float)
        is_time = name.startswith("time")
        if is_time and metric:
            numbers = numbers / 3600
        variables[name] = ("departure", numbers, {"long_name": meaning} | (unit if is_time else {}))
    coordinates = {"departure": departure, "level": ("departure", [row["level"] for row in rows])}
    marked = ("best", "earliest_arrival")  # both are missing if no flight arrives
    attributes = {name: departure[table[name]] for name in marked if table[name] is not None}
    if table["best"] is not None:
        attributes["no_different"] = departure[table["no_different"]]
    return xr.Dataset(variables, coordinates, attributes)
