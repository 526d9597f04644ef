"""Makes the undamaged files of all cases, with the program under test or as text in this file."""

import math
import os
import shutil
import struct
from pathlib import Path

import commands
from running import Limits, NotSound, run

_MISSION = """[environment]
file = "{file}"
[vehicle]
speeds = [{speed}]
headings = 8
[mission]
objective = "time"
{places}
"""
_ON_GLOBE = "start_lonlat = [-19.0, 41.0]\ntarget_radius = 60000.0\nfailure_penalty = -1e6\n"
# name: file, speed, places
_MISSIONS = {
    "m.toml": ("gyre.h5", 1.5, "start = [6.5, 2.5]\ntarget = [6.5, 9.5]"),
    "ocean.toml": ("ocean.h5", 2.0, _ON_GLOBE + "target_lonlat = [-16.0, 44.0]"),
    "sea.toml": ("ocean.h5", 6.0, _ON_GLOBE + "target_lonlat = [-16.5, 43.0]"),
}
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
# (hour of 1 March 2024, longitude, latitude) of a vehicle that moves at about 4 m/s
_FIXES = [(6 + 3 * n, -19.0 + 0.4 * n, 41.0 + 0.25 * n) for n in range(5)]

# All workers have the same path, so that damage hits the same bytes.
_MAKE = [
    "env double-gyre --out gyre.h5 --nx 12 --ny 12 --nt 10 --modes 2 --realizations 6",
    "env double-gyre --out other.h5 --nx 12 --ny 12 --nt 10 --modes 2 --realizations 5 --seed 2",
    "plan m.toml --out run",
    "plan m.toml --out later --set mission.objective=net_energy --set mission.departure=1",
    "research build m.toml --out model.h5 --format compact",
    "research mdp gridworld --out world.h5 --nx 5",
    *(f"research mdp convert world.h5 --out world.{ending}" for ending in ("json", "xml")),
    "env import forecast2.nc --out ocean.h5 --lagged 2",
    "plan sea.toml --out sea",
]

_ROWS, _COLUMNS = 8, 9  # of the forecasts
# Phases of the components to the east and to the north [radians]
_TURNS = {"east": 0.0, "north": 1.5}


def _current(time, column, row, turn):
    """[m/s] at a number of steps of three hours, a column and a row of the forecasts"""
    return 0.4 * math.sin(0.5 * time + 0.7 * column + 0.3 * row + turn)


def _write_tracks(folder):
    """One path twice: with the currents of its legs, and with speed and bearing from fix to fix."""
    fixes = [f"2024-03-01T{hour:02d}:00:00Z,{lon:.5f},{lat:.5f}" for hour, lon, lat in _FIXES]
    drifted, steered = [f"{fixes[0]},,"], []
    for n, ((hour, lon, lat), (until, next_lon, next_lat)) in enumerate(zip(_FIXES, _FIXES[1:])):
        column, row = ((lon + next_lon) / 2 + 20) / 0.75, ((lat + next_lat) / 2 - 40) / 0.75
        u, v = (_current((hour + until) / 6, column, row, turn) for turn in _TURNS.values())
        drifted.append(f"{fixes[n + 1]},{u:.4f},{v:.4f}")
        degree, seconds = 111195, 3600 * (until - hour)
        own_u = degree * math.cos(math.radians((lat + next_lat) / 2)) * (next_lon - lon) / seconds - u
        own_v = degree * (next_lat - lat) / seconds - v
        bearing = math.degrees(math.atan2(own_u, own_v)) % 360
        steered.append(f"{fixes[n]},{math.hypot(own_u, own_v):.4f},{bearing:.3f}")
    steered.append(f"{fixes[-1]},,")
    for name, columns, rows in (("track", "u,v", drifted), ("steered", "speed,bearing", steered)):
        (folder / f"{name}.csv").write_text("\n".join([f"time,lon,lat,{columns}", *rows, ""]))


class ClassicWriter:
    """Writes a classic NetCDF file (CDF-1, CDF-2, CDF-5) with dimensions of fixed length and texts as attributes"""

    _TYPES = {"f": 5, "d": 6}  # NC_FLOAT, NC_DOUBLE by struct's letters
    _DIMENSION, _VARIABLE, _ATTRIBUTE, _TEXT = 10, 11, 12, 2

    def __init__(self, version, dimensions):
        self._version, self._dimensions, self._variables = version, dimensions, []
        self._count = ">q" if version == 5 else ">i"

    def variable(self, name, dimensions, letter, values, attributes):
        data = struct.pack(f">{len(values)}{letter}", *values)
        self._variables.append((name, dimensions, letter, self._padded(data), attributes))

    @staticmethod
    def _padded(data):
        return data + b"\0" * (-len(data) % 4)

    def _number(self, value):
        return struct.pack(self._count, value)

    def _name(self, text):
        return self._number(len(text.encode())) + self._padded(text.encode())

    def _list(self, tag, items):
        tag = tag if items else 0
        return struct.pack(">i", tag) + self._number(len(items)) + b"".join(items)

    def _header(self, begins):
        names, kind = list(self._dimensions), struct.Struct(">i")
        sizes = [self._name(name) + self._number(size) for name, size in self._dimensions.items()]
        variables = []
        for (name, dimensions, letter, data, attributes), begin in zip(self._variables, begins):
            texts = [
                self._name(key) + kind.pack(self._TEXT) + self._name(text)
                for key, text in attributes.items()
            ]
            variables.append(
                self._name(name)
                + self._number(len(dimensions))
                + b"".join(self._number(names.index(one)) for one in dimensions)
                + self._list(self._ATTRIBUTE, texts)
                + kind.pack(self._TYPES[letter])
                + self._number(len(data))
                + struct.pack(">i" if self._version == 1 else ">q", begin)
            )
        head = b"CDF" + bytes([self._version]) + self._number(0)
        head += self._list(self._DIMENSION, sizes) + self._list(self._ATTRIBUTE, [])
        return head + self._list(self._VARIABLE, variables)

    def write(self, path):
        begins, begin = [], len(self._header([0] * len(self._variables)))
        for variable in self._variables:
            begins.append(begin)
            begin += len(variable[3])
        data = b"".join(variable[3] for variable in self._variables)
        path.write_bytes(self._header(begins) + data)


def _write_forecast(path, version):
    """Three-hourly currents off a coast, 9 × 8 points and 12 times"""
    times = 12
    writer = ClassicWriter(version, {"time": times, "lat": _ROWS, "lon": _COLUMNS})
    axes = {
        "time": ([3.0 * k for k in range(times)], "hours since 2024-03-01 00:00:00"),
        "lat": ([40.0 + 0.75 * j for j in range(_ROWS)], "degrees_north"),
        "lon": ([-20.0 + 0.75 * i for i in range(_COLUMNS)], "degrees_east"),
    }
    for name, (values, units) in axes.items():
        writer.variable(name, [name], "d", values, {"units": units})
    for letter, (towards, turn) in zip("uv", _TURNS.items()):
        values = [
            math.nan if i == 0 and j > 5 else _current(k, i, j, turn)
            for k in range(times)
            for j in range(_ROWS)
            for i in range(_COLUMNS)
        ]
        about = {"units": "m s-1", "standard_name": f"{towards}ward_sea_water_velocity"}
        writer.variable(f"water_{letter}", list(axes), "f", values, about)
    writer.write(path)


def make(program, folder: Path, seconds):
    """Fills `folder`, whose path stays in the files."""
    folder.mkdir(parents=True)
    for name, (file, speed, places) in _MISSIONS.items():
        (folder / name).write_text(_MISSION.format(file=file, speed=speed, places=places))
    (folder / "batch.toml").write_text(_BATCH)
    (folder / "obstacles.geojson").write_text(_OBSTACLES)
    for version in (1, 2, 5):
        _write_forecast(folder / f"forecast{version}.nc", version)
    shutil.copy(Path(__file__).parent / "forecast4.nc", folder)
    _write_tracks(folder)
    for line in _MAKE:
        outcome = run(program, [*line.split(), "-q"], folder, seconds)
        if outcome.status != 0:
            errors = outcome.errors.decode(errors="replace")
            raise NotSound(f"'tidewise {line}' ends with {outcome.status}: {errors}")
    # A limit with room for the checkpoints but not for the whole file makes it stop at the same place.
    run(program, commands.OCEAN.words, folder, seconds, Limits(file_size=130_000))
    if not (folder / "o.h5.restart" / "levels_000000.h5").exists():
        raise NotSound("an env wind-driven-gyre without room left no checkpoints")


def restore(undamaged: Path, case: Path):
    """Makes a new case with links to the undamaged files, which must not be written to."""
    shutil.rmtree(case, ignore_errors=True)
    for place, _, files in os.walk(undamaged):
        target = case / Path(place).relative_to(undamaged)
        target.mkdir(parents=True)
        for file in files:
            os.link(Path(place) / file, target / file)
