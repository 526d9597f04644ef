"""Environments and runs made by the real program, once per session."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import warnings
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import xarray as xr

import tidewise as tw

ROOT = Path(__file__).resolve().parents[2]
CELL = 5000.0  # [m] width of a cell of metric_environment
STEP = 6220.8  # [s] time step of metric_environment


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the program. Tests that need it fail if it was not built."""
    default = ROOT / "build" / "cpu" / "app" / "tidewise"
    program = Path(os.environ.get("TIDEWISE", default))
    if not program.is_file():
        pytest.fail(
            f"{program} is not there; build it (cmake --build --preset cpu --target tidewise) or "
            "name another by the variable TIDEWISE",
            pytrace=False,
        )
    return str(program)


@pytest.fixture(scope="session")
def tidewise(program):
    """A function that runs the program."""

    def run(*arguments: object) -> None:
        command = [program, *map(str, arguments), "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture
def ctrl_c():
    """A function that sends SIGINT after `seconds`, also in a shell's background jobs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers = []

    def send(seconds: float) -> None:
        timers.append(threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()

    yield send
    for timer in timers:
        timer.cancel()
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def place(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("tidewise")


@pytest.fixture(scope="session")
def environment(tidewise, place) -> Path:
    """An environment with moving obstacles and a scalar field; cells and steps."""
    path = place / "gyre.h5"
    size = ["--nx", 40, "--ny", 40, "--nt", 45, "--modes", 4, "--realizations", 200]
    tidewise("env", "double-gyre", "--out", path, *size)
    return path


@pytest.fixture(scope="session")
def plan(tidewise, place):
    """A function that plans in an environment, from cell (20.5, 8.5) to cell (20.5, 32.5)."""

    def run(name: str, environment: Path, *settings: str, cell: float = 1.0) -> Path:
        mission = place / f"{name}.toml"
        speeds = [speed * (CELL / STEP if cell != 1.0 else 1.0) for speed in (0.5, 1.0)]
        mission.write_text(
            f'[environment]\nfile = "{environment}"\n'
            f"[vehicle]\nspeeds = {speeds}\n"
            f"[mission]\nstart = [{20.5 * cell}, {8.5 * cell}]\n"
            f"target = [{20.5 * cell}, {32.5 * cell}]\n"
        )
        folder = place / name
        options = [word for setting in settings for word in ("--set", setting)]
        tidewise("plan", mission, "--out", folder, *options)
        return folder

    return run


@pytest.fixture(scope="session")
def time_run(plan, environment) -> Path:
    return plan("time", environment)


@pytest.fixture(scope="session")
def net_energy_run(plan, environment) -> Path:
    return plan("net", environment, "mission.objective=net_energy", "mission.harvest.c_r=0.5")


@pytest.fixture(scope="session")
def chain_run(plan, environment) -> Path:
    return plan("chain", environment, "rollout.mode=chain", "rollout.flights=500")


@pytest.fixture(scope="session")
def unflown_run(plan, environment) -> Path:
    return plan("unflown", environment, "rollout.mode=none")


@pytest.fixture(scope="session")
def lost_run(plan, environment) -> Path:
    """A run whose flights all run out of time."""
    return plan("lost", environment, "mission.horizon=4")


@pytest.fixture
def tidewise_rollout(tidewise, tmp_path):
    """A function that simulates a run's policy with options."""

    def run(folder: Path, *options: object) -> Path:
        out = tmp_path / "rollout"
        tidewise("rollout", folder, *options, "--out", out)
        return out

    return run


@pytest.fixture(scope="session")
def small_mission():
    """A mission with a temporary environment."""
    ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    return tw.Mission(ocean, tw.Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))


@pytest.fixture(scope="session")
def small_run(small_mission):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tw.plan(small_mission, backend="cpu")


@pytest.fixture(scope="session")
def still_environment(environment, place) -> Path:
    path = place / "still.h5"
    with xr.open_dataset(environment) as dataset, xr.set_options(keep_attrs=True):
        still = dataset.isel(mode=[0], realization=[0])
        for name in ("u_mean", "v_mean", "u_mode", "v_mode", "coefficient"):
            still[name] = 0 * still[name]
        still.to_netcdf(path)
    return path


@pytest.fixture(scope="session")
def wide_environment(tidewise, place) -> Path:
    path = place / "wide.h5"
    size = ["--nx", 42, "--ny", 40, "--nt", 45, "--modes", 1, "--realizations", 200]
    tidewise("env", "double-gyre", "--out", path, *size)
    return path


@pytest.fixture(scope="session")
def short_environment(environment, place) -> Path:
    path = place / "short.h5"
    with xr.open_dataset(environment) as dataset:
        dataset.isel(time=slice(0, 20)).to_netcdf(path)
    return path


@pytest.fixture(scope="session")
def elsewhere_run(tidewise, plan, environment, still_environment, place) -> Path:
    """A policy planned for still water, simulated in the flow."""
    folder = place / "elsewhere"
    still_run = plan("still", still_environment, "rollout.mode=none")
    options = ("--mode", "continuous", "--environment", environment)
    tidewise("rollout", still_run, *options, "--out", folder)
    return folder


@pytest.fixture(scope="session")
def metric_environment(environment, place) -> Path:
    """`environment` in m and s, with other names of variables and with weights."""
    path = place / "metric.h5"
    shutil.copy(environment, path)
    with netCDF4.Dataset(path, "a") as file:
        for name in ("x", "y"):
            file[name][:] = file[name][:] * CELL
            file[name].units = "m"
        file["time"][:] = file["time"][:] * STEP
        file["time"].units = "s"
        for name in ("u_mean", "v_mean", "u_mode", "v_mode"):
            file[name][:] = file[name][:] * (CELL / STEP)
            file[name].units = "m s-1"
        weight = file.createVariable("chance", "f8", ("realization",))
        weight[:] = 1.0 + np.arange(weight.size) % 7
        file.renameVariable("u_mean", "ubar")
        file.renameVariable("coefficient", "y_of_omega")
    return path


@pytest.fixture(scope="session")
def metric_run(plan, metric_environment) -> Path:
    names = 'u_mean="ubar",coefficient="y_of_omega",realization_weight="chance"'
    return plan(
        "metric",
        metric_environment,
        f"environment.names={{{names}}}",
        "mission.objective=energy",
        "mission.failure_penalty=-1e6",
        cell=CELL,
    )


@pytest.fixture(scope="session")
def diving_run(plan, environment, place) -> Path:
    """A run with two profiles: the flow, and the opposite flow farther down."""
    path = place / "depths.h5"
    with netCDF4.Dataset(environment) as source, netCDF4.Dataset(path, "w") as target:
        for name, dimension in source.dimensions.items():
            target.createDimension(name, dimension.size)
        target.createDimension("profile", 2)
        profile = target.createVariable("profile", "u1", ("profile",))
        profile[:] = [0, 1]
        profile.setncatts(
            {"flag_values": np.uint8([0, 1]), "flag_meanings": "up down", "depths": "0:50 0:1000"}
        )
        target.setncatts({name: source.getncattr(name) for name in source.ncattrs()})
        for name, old in source.variables.items():
            has_profiles = name in ("u_mean", "v_mean", "u_mode", "v_mode", "obstacle_mask")
            axis = 1 if old.dimensions[0] == "time" else 0
            dimensions = list(old.dimensions)
            if has_profiles:
                dimensions.insert(axis, "profile")
            new = target.createVariable(name, old.dtype, dimensions)
            new.setncatts({a: old.getncattr(a) for a in old.ncattrs() if a != "_FillValue"})
            old.set_auto_mask(False)
            values = old[...]
            sign = 1 if name == "obstacle_mask" else -1
            new[...] = np.stack([values, sign * values], axis=axis) if has_profiles else values
    return plan("diving", path, 'vehicle.profiles=["up","down"]')


@pytest.fixture(scope="session")
def washington_run(tidewise, place) -> Path:
    """A real coast with longitudes, on coarser cells than in docs/forecast/washington.md."""
    data = ROOT.parent / "shared" / "data" / "rtofs_washington_2024.nc"
    if not data.is_file():
        pytest.skip(f"{data} is not there")
    path = place / "washington.h5"
    tidewise(
        *("env", "import", data, "--spacing", "6km", "--step", "6h", "--lagged", 2, "--out", path)
    )
    folder = place / "washington"
    mission = ROOT / "examples" / "washington" / "washington.toml"
    settings = [f"environment.file={path}", "mission.target_radius=6000.0", "mission.departure=0"]
    settings = [word for setting in settings for word in ("--set", setting)]
    tidewise("plan", mission, "--out", folder, *settings)
    return folder
