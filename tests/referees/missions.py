"""Missions along a coast, planned and simulated through the forecast's own file."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import xarray as xr
from scipy.ndimage import distance_transform_edt

from fleet import Mission
from tidewise import twp

COUNT = 20
SEED = 47
RADIUS = 3000.0  # [m] radius of the targets
LAND = 1  # value of obstacle_mask
_MISSION = f"""[environment]
file = "coast.h5"
[vehicle]
speeds = [0.5]
[mission]
target_radius = {RADIUS}
[rollout]
baselines = "none"
[output]
formats = ["policy"]
"""


@dataclass(frozen=True)
class Flight:
    """A mission, and its simulation by 'tidewise rehearse'."""

    mission: Mission
    outcome: str
    hours: float
    end: tuple[float, float]  # longitude, latitude [degrees]


def choose(environment: Path) -> Iterator[tuple[tuple[float, float], tuple[float, float], str]]:
    """Yield starts, targets and departures. Targets and every other start are near land."""
    with h5py.File(environment) as file:
        mask, width = file["obstacle_mask"][:], file["x"][1] - file["x"][0]
        longitude, latitude = file["lon"][:], file["lat"][:]
    # The array's border also closes cells.
    to_closed = distance_transform_edt(np.pad(mask == 0, 1))[1:-1, 1:-1] * width
    to_land = distance_transform_edt(mask != LAND) * width
    near = np.argwhere((to_closed > width) & (to_land < 15e3))
    far = np.argwhere((to_closed > 3 * width) & (to_land > 40e3))
    generator = random.Random(SEED)
    for number in range(COUNT):
        length = 0.0
        while not 60e3 < length < 250e3:
            cells = [generator.choice(near if number % 2 else far), generator.choice(near)]
            length = np.hypot(*(cells[0] - cells[1])) * width
        rows, columns = np.transpose(cells)
        places = np.column_stack([longitude[rows, columns], latitude[rows, columns]])
        day, minutes = divmod(10 * generator.randrange(6 * 48), 24 * 60)
        date = f"2024-10-{29 + day}T{minutes // 60:02}:{minutes % 60:02}Z"
        yield *map(tuple, places.tolist()), date


def fly(run: Callable, forecast: Path, chosen: list, folder: Path) -> list[Flight]:
    """Plan missions in the environment ``coast.h5`` of a folder, and rehearse them.

    Parameters
    ----------
    run : callable
        Runs the program with words in a folder.
    forecast : Path
        The file that 'rehearse' flies through.
    chosen : list
        Missions from `choose`.
    folder : Path
        Folder of the environment, and of the runs.
    """
    (folder / "mission.toml").write_text(_MISSION)
    batch = ["[batch]", 'mission = "mission.toml"', 'directory = "runs"']
    for start, target, departure in chosen:
        batch += ["[[mission]]", f'mission.departure = "{departure}"']
        batch += [
            f"mission.start_lonlat = {list(start)}",
            f"mission.target_lonlat = {list(target)}",
        ]
    (folder / "batch.toml").write_text("\n".join(batch))
    run(folder, "batch", "batch.toml")
    flights = []
    for number, (start, target, departure) in enumerate(chosen):
        (planned,) = (folder / "runs").glob(f"{number:04}*")
        run(folder, "rehearse", planned, "--source", forecast, "--out", f"{number}.geojson")
        features = json.loads((folder / f"{number}.geojson").read_text())["features"]
        (rehearsal,) = (f for f in features if f["properties"]["kind"] == "rehearsal")
        mission = Mission(
            policy=twp.Policy.read(planned / "export/policy.twp"),
            start=start,
            target=target,
            radius=RADIUS,
            departure=twp.seconds(departure),
        )
        properties, end = rehearsal["properties"], tuple(rehearsal["geometry"]["coordinates"][-1])
        flights.append(Flight(mission, properties["outcome"], properties["hours"], end))
    return flights


def without_land(forecast: Path, path: Path) -> None:
    """Write the forecast with slow water in place of land."""
    source = xr.load_dataset(forecast)
    # Import takes velocities of exactly 0 for land.
    source.fillna(0.001).to_netcdf(path)
