"""An environment file: opened, not read; fields come level by level as pictures ask for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr

from tidewise.errors import InputError
from tidewise.statistics import integer_weights

ROLES = (
    "x",
    "y",
    "time",
    "u_mean",
    "v_mean",
    "u_mode",
    "v_mode",
    "coefficient",
    "scalar_mean",
    "obstacle_mask",
    "realization_weight",
    "lon",
    "lat",
)
_NEEDED = ("x", "y", "time", "u_mean", "v_mean", "u_mode", "v_mode", "coefficient")


class Environment:
    """One forecast. `dataset` is lazy and has the standard names, whatever the file calls them."""

    def __init__(self, path: Path, names: dict[str, str] | None = None) -> None:
        """Open `path`. Errors: InputError for a file that is no environment."""
        self.path = path
        self.dataset = _with_standard_names(open_netcdf(path), names or {})
        for role in _NEEDED:
            if role not in self.dataset.variables:
                own = (names or {}).get(role, role)
                raise InputError(
                    f"{path}: variable {own} is missing; an environment needs its {role}; "
                    "name the run's environment with --environment"
                )

    @property
    def level_count(self) -> int:
        """Time levels."""
        return self.dataset["u_mean"].shape[0]

    @property
    def mode_count(self) -> int:
        """Modes of the velocity."""
        return self.dataset["coefficient"].shape[1]

    @property
    def realization_count(self) -> int:
        """Realizations of the velocity."""
        return self.dataset["coefficient"].shape[2]

    @property
    def has_scalar(self) -> bool:
        """Whether there is a scalar field to harvest."""
        return "scalar_mean" in self.dataset

    def require_level(self, level: int) -> None:
        """Errors: InputError for a level that is not there."""
        if not 0 <= level < self.level_count:
            raise InputError(
                f"level {level}: {self.path} has the levels 0 to {self.level_count - 1}; "
                "choose one of them"
            )

    def require_realization(self, realization: int) -> None:
        """Errors: InputError for a realization that is not there."""
        if not 0 <= realization < self.realization_count:
            raise InputError(
                f"realization {realization}: {self.path} has the realizations 0 to "
                f"{self.realization_count - 1}; choose one of them"
            )

    def closed(self, level: int) -> np.ndarray:
        """(y, x) bool: the cells that the vehicle may not enter."""
        if "obstacle_mask" not in self.dataset:
            return np.zeros(self.dataset["u_mean"].shape[1:], bool)
        mask = self.dataset["obstacle_mask"]
        plane = mask[level] if mask.ndim == 3 else mask
        return np.nan_to_num(plane.values, nan=1.0) != 0

    def mean(self, level: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v of the mean, (y, x), NaN in closed cells."""
        return self._open_water(level, "u_mean", "v_mean")

    def realization(self, level: int, realization: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v of one realization, (y, x): mean + Σ coefficient · mode, NaN in closed cells."""
        u, v = self.mean(level)
        coefficient = self.coefficients(level)[:, realization].astype(float)
        for mode, weight in enumerate(coefficient):
            u_mode, v_mode = self.mode(level, mode)
            u = u + weight * u_mode
            v = v + weight * v_mode
        return u, v

    def mode(self, level: int, mode: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v of one mode, (y, x), NaN in closed cells."""
        u = np.asarray(self.dataset["u_mode"][level, mode].values, float)
        v = np.asarray(self.dataset["v_mode"][level, mode].values, float)
        closed = self.closed(level)
        return np.where(closed, np.nan, u), np.where(closed, np.nan, v)

    def coefficients(self, level: int) -> np.ndarray:
        """(mode, realization)."""
        return np.asarray(self.dataset["coefficient"][level].values)

    def scalar(self, level: int) -> np.ndarray:
        """The mean scalar field, (y, x)."""
        return np.asarray(self.dataset["scalar_mean"][level].values, float)

    def weights(self) -> np.ndarray | None:
        """(realization) integers that sum to 2^24, or None where all count alike."""
        if "realization_weight" not in self.dataset:
            return None
        return integer_weights(self.dataset["realization_weight"].values)

    def _open_water(self, level: int, u: str, v: str) -> tuple[np.ndarray, np.ndarray]:
        closed = self.closed(level)
        east = np.asarray(self.dataset[u][level].values, float)
        north = np.asarray(self.dataset[v][level].values, float)
        return np.where(closed, np.nan, east), np.where(closed, np.nan, north)


def open_netcdf(path: Path) -> xr.Dataset:
    """Open a NetCDF-4 file lazily. Errors: InputError where that cannot be done."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; check the name")
    try:
        return xr.open_dataset(path, engine="netcdf4", decode_timedelta=False)
    except (OSError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: cannot be opened as NetCDF-4 ({reason}); it may be no file of tidewise or be "
            "damaged; make it again"
        ) from error


def _with_standard_names(dataset: xr.Dataset, names: dict[str, str]) -> xr.Dataset:
    renamed = {
        own: role
        for role, own in names.items()
        if role in ROLES and own != role and own in dataset.variables
    }
    # A variable that has a standard name and another role, or none, would stand in the way.
    in_the_way = [role for role in renamed.values() if role in dataset.variables]
    dataset = dataset.drop_vars([name for name in in_the_way if name not in renamed])
    return dataset.rename(renamed)
