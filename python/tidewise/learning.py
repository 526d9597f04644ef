"""Updates of a forecast by observed currents, and the value of learning during a mission."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._optional import need

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


class Learned:
    """The updates of an environment by tracks (docs/fly/observing.md), from its file.

    Parameters
    ----------
    dataset : xarray.Dataset
        The data set of an environment, with the dimension `observation`.

    Attributes
    ----------
    chi_square, degrees_of_freedom, probability : float
        Consistency test of the last update: distance of the observations from the forecast,
        compared with spread and errors.
    inflation : float
        Factor on the spread.

    Examples
    --------
    >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
    >>> learned = run.observe(track, error=0.05).learned
    >>> len(learned.innovations), learned.degrees_of_freedom
    (5, 10)
    >>> bool(learned.spread.after.iloc[:5].mean() < learned.spread.before.iloc[:5].mean())
    True
    """

    def __init__(self, dataset: xr.Dataset) -> None:
        """Read the attributes."""
        self._dataset = dataset
        self.chi_square = _attribute(dataset, "observations_chi_square")
        self.degrees_of_freedom = int(_attribute(dataset, "observations_degrees_of_freedom"))
        self.probability = _attribute(dataset, "observations_probability")
        self.inflation = _attribute(dataset, "observations_inflation")

    @cached_property
    def innovations(self) -> pd.DataFrame:
        """A DataFrame with a row for each leg of all updates.

        ``by``: 0 a vehicle, 1 a drifter, 2 radars; ``from_x``, ``from_y``, ``until_x``,
        ``until_y``: its ends; ``from``, ``until`` (datetime64 if times count from a date);
        ``x``, ``y`` of its middle; for u and v, along x and y: the observation (``u``), its
        standard deviation (``u_error``), the forecast's mean and spread (``u_forecast``,
        ``u_spread``), ``u_innovation`` = u − u_forecast, the mean afterwards (``u_posterior``), and
        how many realizations were below (``u_rank``); ``outside``: no realization is near;
        ``rejected``; ``dive``: its number, NaN if the track has none; ``profile``: number of the
        profile that it dived.
        """
        pandas = need("pandas", "pandas", "a table of innovations")
        prefix = "observed_"
        table = pandas.DataFrame(
            {
                str(name).removeprefix(prefix): self._dataset[name].values
                for name in self._dataset.variables
                if str(name).startswith(prefix)
            }
        )
        for axis in ("u", "v"):
            position = table.columns.get_loc(f"{axis}_forecast")
            table.insert(position, f"{axis}_innovation", table[axis] - table[f"{axis}_forecast"])
            table[f"{axis}_rank"] = table[f"{axis}_rank"].astype(int)
        return table.astype({"outside": bool, "rejected": bool})

    @cached_property
    def spread(self) -> pd.DataFrame:
        """A DataFrame by time: root of the flow's variance over the ensemble, before and after.

        Also ``mean_shift``, the change of the mean flow; all averaged over open cells.
        """
        pandas = need("pandas", "pandas", "a table of spreads")
        names = {"before": "spread_before", "after": "spread_after", "mean_shift": "mean_shift"}
        columns = {name: self._dataset[variable].values for name, variable in names.items()}
        return pandas.DataFrame(columns, index=pandas.Index(self._dataset.time.values, name="time"))

    def __repr__(self) -> str:
        """Return the number of legs and their consistency."""
        return (
            f"<Learned from {self._dataset.sizes['observation']} legs: chi-square "
            f"{self.chi_square:.4g} of {self.degrees_of_freedom}, probability "
            f"{self.probability:.2g}>"
        )


def learned_of(dataset: xr.Dataset) -> Learned | None:
    """Return the updates of an environment's data set; None if there are none."""
    return Learned(dataset) if "observed_until" in dataset.variables else None


_KINDS = {"open": "open", "adaptive": "learning", "bound": "clairvoyant"}
_QUANTITIES = ("time", "energy", "net_energy")


class Knowledge:
    """The gains of learning and of a perfect forecast (docs/trust/learning.md).

    Parameters
    ----------
    figures : dict
        The part `knowledge` of summary.json (docs/plan/outputs.md).

    Examples
    --------
    >>> flown = run.bound(realizations=5)
    >>> list(flown.knowledge.flights.index)
    ['open', 'clairvoyant']
    """

    def __init__(self, figures: dict[str, Any]) -> None:
        """Keep the figures."""
        self.figures = figures

    @cached_property
    def flights(self) -> pd.DataFrame:
        """A DataFrame with a row each for flights of open, learning and clairvoyant vehicles.

        ``trajectories``, ``arrival_rate``, ``total_reward``; mean ``time``, ``energy`` and
        ``net_energy`` given arrival [s or steps, as the mission counts energy]; their standard
        errors, such as ``time_error``.
        """
        pandas = need("pandas", "pandas", "a table of flights")
        rows = {}
        for name, kind in _KINDS.items():
            if (flown := self.figures.get(name)) is None:
                continue
            row = {name: flown[name] for name in ("trajectories", "arrival_rate")}
            reward = flown["mean_total_reward"]
            row |= {"total_reward": reward, "total_reward_error": flown["standard_error"]}
            for quantity in _QUANTITIES:
                row[quantity] = flown[quantity]["mean"]
                row[f"{quantity}_error"] = flown[quantity]["standard_error"]
            rows[kind] = row
        return _numbers(pandas.DataFrame.from_dict(rows, orient="index"))

    @cached_property
    def gains(self) -> pd.DataFrame:
        """A DataFrame with the gain of learning and of a perfect forecast over the open policy.

        ``arrival_rate`` and ``total_reward`` over all flights; ``time``, ``energy`` and
        ``net_energy`` saved over the ``both_arrive`` flights in which both arrive; their standard
        errors, such as ``time_error``.
        """
        pandas = need("pandas", "pandas", "a table of gains")
        rows = {}
        for name, kind in _KINDS.items():
            if (gain := self.figures.get(f"{name}_gain")) is None:
                continue
            row = {}
            for quantity in ("arrival_rate", "total_reward", *_QUANTITIES):
                row[quantity] = gain[quantity]["mean"]
                row[f"{quantity}_error"] = gain[quantity]["standard_error"]
            row["both_arrive"] = gain["both_arrive"]
            rows[kind] = row
        return _numbers(pandas.DataFrame.from_dict(rows, orient="index"))

    @property
    def regret_closed(self) -> tuple[float, float] | None:
        """Share of the perfect forecast's gain that learning reaches, and its error, or None."""
        share = self.figures.get("regret_closed")
        if share is None:
            return None
        return number_of(share["mean"]), number_of(share["standard_error"])

    @property
    def consistency(self) -> float | None:
        """Chi-square of learning flights' observations over its degrees of freedom; 1 is right."""
        learning = self.figures.get("learning")
        return None if learning is None else number_of(learning["consistency"])

    def __repr__(self) -> str:
        """Return the kinds of flights."""
        kinds = ", ".join(kind for name, kind in _KINDS.items() if name in self.figures)
        return f"<Knowledge: {kinds}>"


def _attribute(dataset: xr.Dataset, name: str) -> float:
    return float(np.asarray(dataset.attrs.get(name, np.nan)).ravel()[0])


def number_of(value: Any) -> float:
    """Return a number of a JSON file; null becomes NaN."""
    return float("nan") if value is None else float(value)


def _numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of numbers; JSON's null becomes NaN."""
    return table.apply(lambda column: column if column.dtype != object else column.astype(float))
