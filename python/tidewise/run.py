"""A run's folder, opened: policy, flights, summary, and the environment that they belong to."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from tidewise.environment import Environment, open_netcdf
from tidewise.errors import InputError
from tidewise.flights import Flights
from tidewise.grid import Grid, read_grid
from tidewise.mission_echo import MissionEcho, read_mission_echo
from tidewise.units import Units, choose_units


def open_run(path: str | Path, environment: str | Path | None = None) -> Run:
    """Open what `tidewise plan` or `tidewise rollout` left in `path`; nothing is read yet.

    `environment` names the environment's file where it is not where the mission says. Errors:
    InputError for a folder that holds no run.
    """
    return Run(Path(path), Path(environment) if environment is not None else None)


_OF_A_POLICY = ("x", "y", "time", "action", "value", "heading", "speed")
_OF_FLIGHTS = ("x", "y", "time", "energy", "harvested", "outcome", "realization", "total_reward")


class Run:
    """One run. Data sets are lazy: xarray reads what is asked for, when it is asked for."""

    def __init__(self, folder: Path, environment: Path | None = None) -> None:
        """Open the run in `folder`, or beside the policy.h5 that is named in its place."""
        self.folder = folder.parent if folder.is_file() else folder
        self._environment_path = environment
        if not self.folder.is_dir():
            raise InputError(
                f"{folder}: there is no such folder; name one that 'tidewise plan' wrote"
            )
        if not self.has_policy and not self.has_flights:
            raise InputError(
                f"{folder}: holds neither policy.h5 nor trajectories.nc, so it is no run; name a "
                "folder that 'tidewise plan' wrote"
            )

    @property
    def has_policy(self) -> bool:
        """Whether the folder holds a policy; that of a 'tidewise rollout' does not."""
        return (self.folder / "policy.h5").is_file()

    @property
    def has_flights(self) -> bool:
        """Whether the policy was flown."""
        return (self.folder / "trajectories.nc").is_file()

    @property
    def has_environment(self) -> bool:
        """Whether the environment's file is where it is said to be."""
        return self._found_environment() is not None

    @cached_property
    def policy(self) -> xr.Dataset:
        """policy.h5: action and value (time, y, x), heading and speed (action_index).

        Headings are counter-clockwise from the plane's +x [rad]; `bearing` has true ones.
        """
        if not self.has_policy:
            raise InputError(
                f"{self.folder}: holds no policy.h5; a rollout keeps that of its run; name the run"
            )
        return _open(self.folder / "policy.h5", _OF_A_POLICY)

    def bearing(self, level: int) -> np.ndarray:
        """(y, x) true bearing of the best action [degrees clockwise from true north].

        NaN where none is taken and where the vehicle drifts. Errors: InputError for a run whose
        environment has no longitudes, and so no north.
        """
        policy = self.policy
        if "meridian_convergence" not in policy:
            raise InputError(
                f"{self.folder}: its policy.h5 has no meridian_convergence, since its environment "
                "has no lon and lat; headings are counter-clockwise from +x"
            )
        action = policy["action"][level].values.astype(int)
        chosen = np.maximum(action, 0)
        heading = np.degrees(policy["heading"].values[chosen])
        bearing = (90.0 - heading + policy["meridian_convergence"].values) % 360.0
        steered = (action >= 0) & (policy["speed"].values[chosen] > 0)
        return np.where(steered, bearing, np.nan)

    @cached_property
    def trajectories(self) -> xr.Dataset:
        """trajectories.nc: x, y, time, heading, speed, energy, harvested (trajectory, obs).

        With longitudes also lon, lat and bearing, in degrees clockwise from true north.
        """
        if not self.has_flights:
            raise InputError(
                f"{self.folder}: holds no trajectories.nc, since nothing was flown; fly the policy "
                f"with 'tidewise rollout {self.folder}'"
            )
        return _open(self.folder / "trajectories.nc", _OF_FLIGHTS)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json."""
        path = self.folder / "summary.json"
        try:
            return json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise InputError(
                f"{path}: cannot be read ({error}); every run leaves one; plan the mission again"
            ) from error

    @cached_property
    def mission(self) -> MissionEcho:
        """The mission as it was resolved."""
        name = "policy.h5" if self.has_policy else "trajectories.nc"
        dataset = self.policy if self.has_policy else self.trajectories
        return read_mission_echo(str(dataset.attrs.get("mission", "")), self.folder / name)

    @property
    def planned_on(self) -> str | None:
        """The environment that the policy was planned on, where it flew in another one."""
        text = str(self.trajectories.attrs.get("planned_on", "")) if self.has_flights else ""
        return Path(text).name or None

    @cached_property
    def forecast(self) -> Environment:
        """The environment, with its fields level by level."""
        path = self._found_environment()
        if path is None:
            named = self._environment_path or self.mission.environment_file
            raise InputError(
                f"{named}: the environment of {self.folder} is not there; it was moved or deleted; "
                "say where it is with --environment FILE"
            )
        environment = Environment(path, self.mission.environment_names)
        self._require_match(environment)
        return environment

    @property
    def environment(self) -> xr.Dataset:
        """The environment's file, lazily opened, by the standard names of its variables."""
        return self.forecast.dataset

    @cached_property
    def flights(self) -> Flights:
        """How each flight ended and where it went."""
        return Flights(self.trajectories)

    @cached_property
    def grid(self) -> Grid:
        """Cells and time levels: the policy's, or the environment's where there is no policy."""
        return read_grid(self.policy if self.has_policy else self.environment)

    @cached_property
    def units(self) -> Units:
        """Units that pictures show."""
        vehicle = self.mission.table["vehicle"]
        c_f = float(vehicle.get("energy", {}).get("c_f", 1.0))
        return choose_units(self.grid, c_f, max(map(float, vehicle["speeds"]), default=1.0))

    @cached_property
    def start(self) -> tuple[float, float]:
        """x, y of the start."""
        return self.grid.position_on_plane(self.mission.start)

    @cached_property
    def target(self) -> tuple[float, float]:
        """x, y of the target."""
        return self.grid.position_on_plane(self.mission.target)

    def flight_weights(self) -> np.ndarray:
        """(trajectory) integers: how much each flight counts for.

        In `chain` mode realizations were drawn by weight, so that flights count alike.
        """
        ends = self.flights.ends
        weights = None if self.mission.rollout_mode == "chain" else self.forecast.weights()
        return np.ones(len(ends.steps), np.int64) if weights is None else weights[ends.realization]

    def _found_environment(self) -> Path | None:
        named = self._environment_path or self.mission.environment_file
        places = (
            [named]
            if self._environment_path or named.is_absolute()
            else [
                named,
                self.folder / named,
            ]
        )
        return next((place for place in places if place.is_file()), None)

    def _problem(self) -> dict[str, Any]:
        """Sizes, as summary.json has them; empty where it was lost."""
        there = (self.folder / "summary.json").is_file()
        return self.summary.get("problem", {}) if there else {}

    def _require_match(self, environment: Environment) -> None:
        found = environment.dataset["u_mean"].shape
        difference = ""
        if self.has_policy:
            expected = self.policy["value"].shape
            if expected[1:] != found[1:] or expected[0] > found[0]:
                difference = f"has (time, y, x) = {found}, the policy of {self.folder} {expected}"
        elif self.mission.departure + (self.mission.horizon or 1) >= found[0]:
            difference = f"has {found[0]} levels, the flights of {self.folder} need more"
        elif (problem := self._problem()) and (problem["ny"], problem["nx"]) != found[1:]:
            difference = (
                f"has {found[2]} × {found[1]} cells, that of {self.folder} "
                f"{problem['nx']} × {problem['ny']}"
            )
        if not difference and self.has_flights and self.mission.rollout_mode != "chain":
            flown = int(self.trajectories["realization"].values.max(initial=-1)) + 1
            if flown > environment.realization_count:
                difference = (
                    f"holds no more realizations than {environment.realization_count}, and flights of "
                    f"{self.folder} went through number {flown - 1}"
                )
        if difference:
            raise InputError(
                f"{environment.path}: {difference}; it is not the run's environment; name the "
                "right one with --environment FILE"
            )


def _open(path: Path, needed: tuple[str, ...]) -> xr.Dataset:
    dataset = open_netcdf(path)
    for name in needed:
        if name not in dataset.variables:
            raise InputError(
                f"{path}: variable {name} is missing, so no run of tidewise wrote it; plan the "
                "mission again"
            )
    return dataset
