"""The data set of a policy."""

from __future__ import annotations

from typing import Any

import xarray as xr

REACHED = ("arrival_probability", "time_to_go", "energy_to_go", "flight_density")
_ADDED = (*REACHED, "delay")


class PolicyDataset(xr.Dataset):
    """What policy.h5 holds; asked for what `run.reach()` adds it says so until that was called."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """A variable."""
        if name in _ADDED and name not in self.variables:
            raise AttributeError(_advice(name))
        return super().__getattr__(name)

    def __getitem__(self, key: Any) -> Any:
        """A variable, or several."""
        if isinstance(key, str) and key in _ADDED and key not in self.variables:
            raise KeyError(_advice(key))
        return super().__getitem__(key)


def _advice(name: str) -> str:
    return f"{name}: is not there yet; run.reach() makes it"
