"""Flights, compared with an independent integration of the same flow in NumPy.

The integration follows the headings of the flights, with steps a hundred times shorter.
"""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import xarray as xr
from conftest import ROOT

PARTS = 100  # integration steps per time step
MAX_DIFFERENCE = 0.02  # [cells] maximum difference
RTOFS = ROOT.parent / "shared" / "data" / "rtofs_washington_2024.nc"


class Flow:
    """The flow of all realizations at one level."""

    def __init__(self, file: h5py.File, level: int):
        self.x, self.y = file["x"][:], file["y"][:]
        coefficient = file["coefficient"][level]
        self.wet = np.isfinite(file["u_mean"][level]) & (np.abs(file["u_mean"][level]) < 1e30)
        self.component = [
            np.where(
                self.wet,
                file[f"{name}_mean"][level]
                + np.einsum("mr,myx->ryx", coefficient, file[f"{name}_mode"][level]),
                0,
            )
            for name in "uv"
        ]

    def at(self, realization, x, y):
        """Interpolate bilinearly between the centres of open cells."""
        column = np.clip((x - self.x[0]) / (self.x[1] - self.x[0]), 0, self.x.size - 1)
        row = np.clip((y - self.y[0]) / (self.y[1] - self.y[0]), 0, self.y.size - 1)
        i = np.minimum(column.astype(int), self.x.size - 2)
        j = np.minimum(row.astype(int), self.y.size - 2)
        corners = [
            (j + north, i + east, np.abs(1 - north - row + j) * np.abs(1 - east - column + i))
            for north in (0, 1)
            for east in (0, 1)
        ]
        weights = [weight * self.wet[j, i] for j, i, weight in corners]
        total = np.maximum(sum(weights), 1e-300)
        return [
            sum(w * field[realization, j, i] for w, (j, i, _) in zip(weights, corners)) / total
            for field in self.component
        ]

    def advance(self, realization, place, through_water, step):
        """Return positions after a step, by Heun's method. `through_water`: a velocity."""
        x, y = place
        part = step / PARTS
        for _ in range(PARTS):
            u, v = self.at(realization, x, y)
            ahead_u, ahead_v = self.at(
                realization, x + part * (u + through_water[0]), y + part * (v + through_water[1])
            )
            x = x + part * ((u + ahead_u) / 2 + through_water[0])
            y = y + part * ((v + ahead_v) / 2 + through_water[1])
        return x, y


def coast_run(tidewise, place, step: str, lagged: int, every: int):
    """Plan off Washington in cells of 3 km, with each `every`-th level of the public forecast."""
    if not RTOFS.is_file():
        pytest.skip(f"{RTOFS} is not there")
    source, environment, run = place / "thinned.nc", place / "ocean.h5", place / "run"
    with xr.open_dataset(RTOFS) as forecast:
        forecast.isel(time=slice(None, None, every)).to_netcdf(source)
    sizes = ["--spacing", "3km", "--step", step, "--lagged", lagged]
    tidewise("env", "import", source, *sizes, "--out", environment)
    mission = ROOT / "examples" / "washington" / "washington.toml"
    settings = ["--set", f"environment.file={environment}", "--set", "mission.departure=0"]
    settings += ["--baselines", "none"]
    tidewise("plan", mission, *settings, "--out", run)
    return environment, run


@pytest.mark.parametrize("ocean", ["gyre", "three hours", "a day"])
def test_flights_agree_with_an_independent_integration(request, tidewise, tmp_path, ocean):
    if ocean == "gyre":  # the flow is at most 2.5 cells per step
        environment, run = (request.getfixturevalue(name) for name in ("environment", "time_run"))
    elif ocean == "three hours":
        environment, run = coast_run(tidewise, tmp_path, "3h", 4, 1)
    else:  # the vehicle makes 14 cells per step
        environment, run = coast_run(tidewise, tmp_path, "1d", 2, 8)

    with h5py.File(environment) as flow, h5py.File(run / "trajectories.nc") as flown:
        x, y, speed, heading = (flown[name][:] for name in ("x", "y", "speed", "heading"))
        realization = flown["realization"][:]
        step = flow["time"][1] - flow["time"][0]
        cell = flow["x"][1] - flow["x"][0]
        difference, compared = np.zeros(len(x)), 0
        at = x[:, 0].copy(), y[:, 0].copy()
        for k in range(x.shape[1] - 2):
            # Only whole steps: the last step of a flight ends at a target or an obstacle.
            under_way = np.isfinite(x[:, k + 2])
            if not under_way.any():
                break
            through_water = [
                (speed * np.cos(heading))[under_way, k],
                (speed * np.sin(heading))[under_way, k],
            ]
            place = at[0][under_way], at[1][under_way]
            place = Flow(flow, k).advance(realization[under_way], place, through_water, step)
            at[0][under_way], at[1][under_way] = place
            difference[under_way] = np.hypot(
                place[0] - x[under_way, k + 1], place[1] - y[under_way, k + 1]
            )
            compared += under_way.sum()
    assert compared >= 10
    assert difference.max() < MAX_DIFFERENCE * cell
