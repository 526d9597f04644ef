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
# Where currents were met: by the forecast's own formula, and a vehicle on its way with 4 m/s.
_FIXES = [
    (6, -19.0, 41.0),
    (9, -18.6, 41.25),
    (12, -18.2, 41.5),
    (15, -17.8, 41.75),
    (18, -17.4, 42.0),
]
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
_PLACES = "start = [6.5, 2.5]\ntarget = [6.5, 9.5]"
_PLACES_ON_GLOBE = (
    "start_lonlat = [-19.0, 41.0]\ntarget_lonlat = [-16.0, 44.0]\ntarget_radius = 60000.0"
)
_NEAR_PLACES = (
    "start_lonlat = [-19.0, 41.0]\ntarget_lonlat = [-16.5, 43.0]\ntarget_radius = 60000.0"
)

_SHIP = """time,lon,lat
2024-03-01T06:00:00Z,-18.6,41.2
2024-03-01T15:00:00Z,-17.6,42.0
2024-03-02T03:00:00Z,-16.6,42.8
"""
_FOLLOW = """[environment]
file = "ocean.h5"
[vehicle]
speeds = [0.0, 6.0]
[mission]
objective = "follow"
start_lonlat = [-19.0, 41.0]
follow = "ship.csv"
"""

# The same for each worker, so that damage falls on the same bytes.
MAKE = [
    "env double-gyre --out gyre.h5 --nx 12 --ny 12 --nt 10 --modes 2 --realizations 6",
    "env double-gyre --out other.h5 --nx 12 --ny 12 --nt 10 --modes 2 --realizations 5 --seed 2",
    "plan m.toml --out run",
    "plan m.toml --out later --set mission.objective=net_energy --set mission.departure=1",
    "build m.toml --out model.h5 --form compact",
    "mdp gridworld --out world.h5 --nx 5",
    *(f"mdp convert world.h5 --out world.{ending}" for ending in ("json", "xml")),
    "env import forecast2.nc --out ocean.h5 --lagged 2",
    "plan sea.toml --out sea",
    "reach sea",
    "observe ocean.h5 --track track.csv --out learned.h5",
    "plan follow.toml --out chase",
]


class NotSound(Exception):
    """The program cannot do with undamaged files what it should."""


ROWS, COLUMNS = 8, 9  # of the forecasts
TURNS = (0.0, 1.5)  # phases of the components to the east and to the north [radians]


def current(time, column, row, turn):
    """[m/s] at a number of steps of three hours, a column and a row of the forecasts"""
    return 0.4 * math.sin(0.5 * time + 0.7 * column + 0.3 * row + turn)


def current_at(time, longitude, latitude):
    """East and north [m/s] at a number of steps of three hours"""
    return [current(time, (longitude + 20) / 0.75, (latitude - 40) / 0.75, turn) for turn in TURNS]


def write_tracks(folder):
    """One way twice: with the currents of its legs, and with speed and bearing from fix to fix."""
    told, steered = ["time,lon,lat,u,v"], ["time,lon,lat,speed,bearing"]
    for n, (hour, longitude, latitude) in enumerate(_FIXES):
        fix = f"2024-03-01T{hour:02d}:00:00Z,{longitude:.5f},{latitude:.5f}"
        if n == 0:
            told.append(f"{fix},,")
        else:
            _, before, under = _FIXES[n - 1]
            u, v = current_at(hour / 3 - 0.5, (longitude + before) / 2, (latitude + under) / 2)
            told.append(f"{fix},{u:.4f},{v:.4f}")
        if n + 1 == len(_FIXES):
            steered.append(f"{fix},,")
            continue
        until, there, above = _FIXES[n + 1]
        u, v = current_at(hour / 3 + 0.5, (longitude + there) / 2, (latitude + above) / 2)
        seconds = 3600 * (until - hour)
        metres = 111195 * math.cos(math.radians((latitude + above) / 2))
        own_u = metres * (there - longitude) / seconds - u
        own_v = 111195 * (above - latitude) / seconds - v
        bearing = math.degrees(math.atan2(own_u, own_v)) % 360
        steered.append(f"{fix},{math.hypot(own_u, own_v):.4f},{bearing:.3f}")
    (folder / "track.csv").write_text("\n".join(told) + "\n")
    (folder / "steered.csv").write_text("\n".join(steered) + "\n")


def write_forecast(path, version, first=0, times=12, west=-20.0):
    """Three-hourly currents off a coast, 9 × 8 points and 12 times; or some, or elsewhere."""
    rows, columns = ROWS, COLUMNS
    writer = ClassicWriter(version, {"time": times, "lat": rows, "lon": columns})
    writer.variable(
        "time",
        ["time"],
        "d",
        [3.0 * (first + k) for k in range(times)],
        {"units": "hours since 2024-03-01 00:00:00", "standard_name": "time"},
    )
    writer.variable(
        "lat", ["lat"], "d", [40.0 + 0.75 * j for j in range(rows)], {"units": "degrees_north"}
    )
    writer.variable(
        "lon", ["lon"], "d", [west + 0.75 * i for i in range(columns)], {"units": "degrees_east"}
    )
    for name, turn in zip(("water_u", "water_v"), TURNS):
        values = [
            math.nan if i == 0 and j > 5 else current(k, i, j, turn)
            for k in range(first, first + times)
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


def write_deep_forecast(path):
    """The forecast of the first half at five depths, slower with depth, for means over dives"""
    times, depths = 6, (0.0, 10.0, 50.0, 100.0, 200.0)
    sizes = {"time": times, "depth": len(depths), "lat": ROWS, "lon": COLUMNS}
    writer = ClassicWriter(2, sizes)
    time = {"units": "hours since 2024-03-01 00:00:00", "standard_name": "time"}
    writer.variable("time", ["time"], "d", [3.0 * k for k in range(times)], time)
    about = {"units": "m", "positive": "down", "standard_name": "depth"}
    writer.variable("depth", ["depth"], "d", depths, about)
    for name, count, first, units in (
        ("lat", ROWS, 40.0, "degrees_north"),
        ("lon", COLUMNS, -20.0, "degrees_east"),
    ):
        places = [first + 0.75 * n for n in range(count)]
        writer.variable(name, [name], "d", places, {"units": units})
    for name, towards, turn in zip(("water_u", "water_v"), ("east", "north"), TURNS):
        values = [
            current(k, i, j, turn) / (1 + depth / 100)
            for k in range(times)
            for depth in depths
            for j in range(ROWS)
            for i in range(COLUMNS)
        ]
        about = {"units": "m s-1", "standard_name": f"{towards}ward_sea_water_velocity"}
        writer.variable(name, list(sizes), "f", values, about)
    writer.write(path)


def write_bottom(path):
    writer = ClassicWriter(1, {"lat": ROWS, "lon": COLUMNS})
    for name, count, first, units in (
        ("lat", ROWS, 40.0, "degrees_north"),
        ("lon", COLUMNS, -20.0, "degrees_east"),
    ):
        places = [first + 0.75 * n for n in range(count)]
        writer.variable(name, [name], "d", places, {"units": units})
    about = {"units": "m", "standard_name": "sea_floor_depth_below_geoid", "positive": "down"}
    writer.variable("depth", ["lat", "lon"], "f", [900.0] * (ROWS * COLUMNS), about)
    writer.write(path)


def make(program, folder: Path, seconds):
    """Fills `folder`, whose path stays in the files."""
    folder.mkdir(parents=True)
    mission = {
        "m.toml": ("gyre.h5", 1.5, "time", _PLACES, ""),
        "ocean.toml": ("ocean.h5", 2.0, "time", _PLACES_ON_GLOBE, "failure_penalty = -1e6"),
        "sea.toml": ("ocean.h5", 6.0, "time", _NEAR_PLACES, "failure_penalty = -1e6"),
    }
    for name, (file, speed, objective, places, more) in mission.items():
        (folder / name).write_text(
            _MISSION.format(file=file, speed=speed, objective=objective, places=places, more=more)
        )
    (folder / "batch.toml").write_text(_BATCH)
    (folder / "obstacles.geojson").write_text(_OBSTACLES)
    for version in (1, 2, 5):
        write_forecast(folder / f"forecast{version}.nc", version)
    write_forecast(folder / "forecast_a.nc", 2, 0, 6)
    write_forecast(folder / "forecast_b.nc", 2, 6, 6)
    write_forecast(folder / "forecast_c.nc", 2, 12, 6, west=60.0)
    write_deep_forecast(folder / "deep.nc")
    write_bottom(folder / "depth.nc")
    (folder / "dive.csv").write_text("from,to,share\n0,20,0.5\n20,100,0.5\n")
    (folder / "ship.csv").write_text(_SHIP)
    (folder / "follow.toml").write_text(_FOLLOW)
    write_tracks(folder)
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
