"""Makes the undamaged files that all cases begin with, by the program under test and by hand."""

import math
import os
import shutil
from pathlib import Path

import commands
from classic_netcdf import ClassicWriter
from running import Limits, run

_MISSION = """[environment]
file = "{file}"
[vehicle]
speeds = [{speed}]
headings = 8
[mission]
objective = "{objective}"
{places}
{more}
"""
_BATCH = """[batch]
mission = "m.toml"
[vary]
mission.objective = ["time", "energy"]
mission.departure = [0, 2]
vehicle = [{ name = "fast", speeds = [1.5] }, { speeds = [0.75] }]
"""
_OBSTACLES = """{
 "type": "FeatureCollection",
 "features": [
  {
   "type": "Feature",
   "properties": {"name": "reef", "start": "2024-03-01T03:00", "end": "2024-03-01T09:00"},
   "geometry": {
    "type": "Polygon",
    "coordinates": [[[-18.0, 42.0], [-17.0, 42.0], [-17.0, 43.0], [-18.0, 43.0], [-18.0, 42.0]]]
   }
  }
 ]
}
"""
_TRACKS = {
    "track.csv": "time,x,y,u,v\n0,6.5,2.5,,\n1,6.6,3.6,0.1,-0.1\n2,6.8,4.9,1.1,0.0\n3,6.9,6.0,1.5,0.1\n",
    "later.csv": "time,x,y,u,v\n3,6.9,6.0,,\n4,6.8,7.1,1.3,0.1\n",
}
_PLACES = "start = [6.5, 2.5]\ntarget = [6.5, 9.5]"
_PLACES_ON_GLOBE = (
    "start_lonlat = [-19.0, 41.0]\ntarget_lonlat = [-16.0, 44.0]\ntarget_radius = 60000.0"
)

# The same for each worker, so that damage falls on the same bytes.
MAKE = [
    "env double-gyre --out gyre.h5 --nx 12 --ny 12 --nt 10 --modes 2 --realizations 6",
    "env double-gyre --out other.h5 --nx 12 --ny 12 --nt 10 --modes 2 --realizations 5 --seed 2",
    "env split gyre.h5 --out early.h5 --levels 0,5",
    "env split gyre.h5 --out late.h5 --levels 4,9",
    "plan m.toml --out run",
    "plan m.toml --out later --set mission.objective=net_energy --set mission.departure=1",
    "build m.toml --out model.h5 --form compact",
    "mdp gridworld --out world.h5 --nx 5",
    *(f"mdp convert world.h5 --out world.{ending}" for ending in ("json", "mdp", "xml", "tra")),
    "env import forecast2.nc --out ocean.h5 --lagged 2",
]


class NotSound(Exception):
    """The program cannot do with undamaged files what it should."""


def write_forecast(path, version):
    """Six-hourly currents off a coast, 9 × 8 points and 12 times."""
    times, rows, columns = 12, 8, 9
    writer = ClassicWriter(version, {"time": times, "lat": rows, "lon": columns})
    writer.variable(
        "time",
        ["time"],
        "d",
        [3.0 * k for k in range(times)],
        {"units": "hours since 2024-03-01 00:00:00", "standard_name": "time"},
    )
    writer.variable(
        "lat", ["lat"], "d", [40.0 + 0.75 * j for j in range(rows)], {"units": "degrees_north"}
    )
    writer.variable(
        "lon", ["lon"], "d", [-20.0 + 0.75 * i for i in range(columns)], {"units": "degrees_east"}
    )
    for name, turn in (("water_u", 0.0), ("water_v", 1.5)):
        values = [
            math.nan if i == 0 and j > 5 else 0.4 * math.sin(0.5 * k + 0.7 * i + 0.3 * j + turn)
            for k in range(times)
            for j in range(rows)
            for i in range(columns)
        ]
        writer.variable(
            name,
            ["time", "lat", "lon"],
            "f",
            values,
            {
                "units": "m s-1",
                "standard_name": ("east" if name == "water_u" else "north")
                + "ward_sea_water_velocity",
            },
        )
    writer.write(path)


def make(program, folder: Path, seconds):
    """Fills `folder`, whose path stays in the files."""
    folder.mkdir(parents=True)
    mission = {
        "m.toml": ("gyre.h5", 1.5, "time", _PLACES, ""),
        "ocean.toml": ("ocean.h5", 2.0, "time", _PLACES_ON_GLOBE, "failure_penalty = -1e6"),
    }
    for name, (file, speed, objective, places, more) in mission.items():
        (folder / name).write_text(
            _MISSION.format(file=file, speed=speed, objective=objective, places=places, more=more)
        )
    (folder / "batch.toml").write_text(_BATCH)
    (folder / "obstacles.geojson").write_text(_OBSTACLES)
    for name, text in _TRACKS.items():
        (folder / name).write_text(text)
    for version in (1, 2, 5):
        write_forecast(folder / f"forecast{version}.nc", version)
    shutil.copy(Path(__file__).parent / "forecast4.nc", folder)
    for line in MAKE:
        outcome = run(program, [*line.split(), "-q"], folder, seconds)
        if outcome.status != 0:
            said = outcome.errors.decode(errors="replace")
            raise NotSound(f"'tidewise {line}' ends with {outcome.status}: {said}")
    # Room for its checkpoints and not for the whole file: half done, at the same place each time.
    run(program, commands.OCEAN.words, folder, seconds, Limits(file_size=130_000))
    if not (folder / "o.h5.restart" / "levels_000000.h5").exists():
        raise NotSound("an ocean that found no room left no checkpoints")


def restore(sound: Path, case: Path):
    """A fresh case: links to the sound files, which nothing may write to."""
    shutil.rmtree(case, ignore_errors=True)
    for place, _, files in os.walk(sound):
        target = case / Path(place).relative_to(sound)
        target.mkdir(parents=True)
        for file in files:
            os.link(Path(place) / file, target / file)
