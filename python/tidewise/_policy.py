"""A policy as a data set."""

from __future__ import annotations

from typing import Any

import xarray as xr

# Variables that run.reach() computes; `delay` follows from them.
REACHED = ("arrival_probability", "time_to_go", "energy_to_go", "flight_density")
_ADDED = (*REACHED, "delay")


class PolicyDataset(xr.Dataset):
    """The contents of policy.h5. Before `run.reach()`, its variables raise an error with advice."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Return a variable."""
        if name in _ADDED and name not in self.variables:
            raise AttributeError(_advice(name))
        return super().__getattr__(name)

    def __getitem__(self, key: Any) -> Any:
        """Return a variable, or a data set of several."""
        if isinstance(key, str) and key in _ADDED and key not in self.variables:
            raise KeyError(_advice(key))
        return super().__getitem__(key)


def _advice(name: str) -> str:
    return f"{name}: is not there yet; run.reach() makes it"
