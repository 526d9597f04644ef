"""Cases of a forecast in several files that differ in what their numbers mean: units, packing, fill
values, calendars, depths, directions, ensemble members, and means over intervals. Each file has
to be read by its own attributes."""

import json
import math

import commands as c
from classic_netcdf import ClassicWriter
from sound import COLUMNS, ROWS, TURNS, current

_TIMES = 12  # three-hourly
_HALVES = ((0, 6), (6, 12))
_COMPARED = ("time", "grid", "bounds", "realizations", "mean_flow", "flow_bound")
_EAST, _NORTH = "eastward_sea_water_velocity", "northward_sea_water_velocity"


class _File:
    """How one file writes a part of the forecast"""

    def __init__(self, first=0, last=_TIMES):
        self.first, self.last = first, last
        self.units, self.factor = "m s-1", 1.0
        self.names = (_EAST, _NORTH)
        self.time_units, self.first_hour, self.hours = "hours since 2024-03-01 00:00:00", 0.0, 1.0
        self.calendar = None
        self.fill = None
        self.scale = None  # packed as shorts
        self.depth = None
        self.member = None  # its number in an ensemble
        self.mean = False  # over three hours
        self.stamp = (
            0.0  # where in its interval a mean is stamped; bounds say so but for the middle
        )
        self.falling = False  # latitudes from north to south
        self.west = False  # longitudes in degrees west

    def _value(self, turn, k, row, column):
        if column == 0 and row > 5:
            return None
        at = k + 0.5 if self.mean else k
        return self.factor * current(at, column, row, turn)

    def _numbers(self, turn):
        rows = range(ROWS - 1, -1, -1) if self.falling else range(ROWS)
        for k in range(self.first, self.last):
            for row in rows:
                for column in range(COLUMNS):
                    value = self._value(turn, k, row, column)
                    if self.scale is not None:
                        yield -32768 if value is None else round(value / self.scale)
                    elif value is None:
                        yield math.nan if self.fill is None else self.fill
                    else:
                        yield value

    def write(self, path):
        sizes = {"time": self.last - self.first, "lat": ROWS, "lon": COLUMNS, "bnds": 2}
        writer = ClassicWriter(2, sizes)
        time = {"units": self.time_units, "standard_name": "time"}
        if self.calendar:
            time["calendar"] = self.calendar
        has_bounds = self.mean and self.stamp != 0.5
        if has_bounds:
            time["bounds"] = "time_bnds"
        begins = [self.first_hour + 3 * k * self.hours for k in range(self.first, self.last)]
        at = [begin + 3 * self.stamp * self.hours for begin in begins]
        writer.variable("time", ["time"], "d", at, time)
        if has_bounds:
            bounds = [edge for begin in begins for edge in (begin, begin + 3 * self.hours)]
            writer.variable("time_bnds", ["time", "bnds"], "d", bounds, {})
        lat = [40 + 0.75 * row for row in range(ROWS)]
        writer.variable(
            "lat", ["lat"], "d", lat[::-1] if self.falling else lat, {"units": "degrees_north"}
        )
        lon = [-20 + 0.75 * column for column in range(COLUMNS)]
        lon = [-place for place in lon] if self.west else lon
        units = "degrees_west" if self.west else "degrees_east"
        writer.variable("lon", ["lon"], "d", lon, {"units": units})
        if self.depth is not None:
            about = {"units": "m", "positive": "down", "standard_name": "depth", "axis": "Z"}
            writer.variable("depth", [], "d", [self.depth], about)
        if self.member is not None:
            writer.variable("realization", [], "i", [self.member], {"standard_name": "realization"})
        for name, standard_name, turn in zip(("water_u", "water_v"), self.names, TURNS):
            about = {"units": self.units, "standard_name": standard_name}
            if self.depth is not None:
                about["coordinates"] = "depth"
            if has_bounds:
                about["cell_methods"] = "time: mean"
            letter = "f"
            if self.scale is not None:
                letter = "h"
                about |= {"scale_factor": ("d", [self.scale]), "_FillValue": ("h", [-32768])}
            elif self.fill is not None:
                about["_FillValue"] = ("f", [self.fill])
            writer.variable(name, ["time", "lat", "lon"], letter, list(self._numbers(turn)), about)
        writer.write(path)


def _content(bench, environment):
    """What an environment holds, without its source"""
    told = json.loads(bench.run(c.line(f"env info {environment} --json")).output)
    return {key: told[key] for key in _COMPARED}


def _is_near(a, b):
    """Whether two contents differ by no more than the rounding of packed numbers"""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_is_near(a[key], b[key]) for key in a)
    if isinstance(a, float):
        return abs(a - b) <= 2e-3 * max(abs(a), abs(b)) + 2e-5
    return a == b


def _expected(bench, plain, options):
    """The content of an import of one file in the plain form"""
    plain.write(bench.folder / "plain.nc")
    outcome = bench.run(c.line(f"env import plain.nc {options} --out plain.h5", "plain.h5"))
    if outcome.status != 0:
        raise RuntimeError(f"the plain file is not imported: {outcome.errors!r}")
    content = _content(bench, "plain.h5")
    for name in ("plain.nc", "plain.h5"):
        (bench.folder / name).unlink()
    return content


def _halves():
    return _File(*_HALVES[0]), _File(*_HALVES[1])


# Each gives the files, what must come of them, and a description: "same" content as that of one
# file, "refused", or "either" of the two.


def other_units(rng):
    first, second = _halves()
    second.units, second.factor = rng.choice((("cm s-1", 100), ("km h-1", 3.6), ("mm/s", 1000)))
    return [first, second], "same", f"one file in {second.units}"


def other_packing(rng):
    first, second = _halves()
    second.scale = rng.choice((1e-4, 2e-5))
    if rng.random() < 0.5:
        first.scale = 5e-5
    return [first, second], "same", "each file packed in its own way"


def other_fill(rng):
    first, second = _halves()
    first.fill, second.fill = rng.sample((-999.0, 1e20, 9999.0, None, -32768.0), 2)
    return [first, second], "same", f"fill values {first.fill} and {second.fill}"


def other_clock(rng):
    first, second = _halves()
    kind = rng.randrange(3)
    if kind == 0:
        second.time_units, second.hours, second.first_hour = "days since 2024-02-29", 1 / 24, 1.0
    elif kind == 1:
        second.time_units, second.hours = "seconds since 2024-03-01", 3600
    else:  # 1 March 2024 is 17 February in the Julian calendar
        second.time_units, second.calendar = "hours since 2024-02-17", "julian"
    return [first, second], "same", f"one file in {second.time_units}"


def other_order(_):
    first, second = _halves()
    second.falling = True
    return [first, second], "either", "latitudes of one file in the other order"


def other_sense(rng):
    first, second = _halves()
    second.west, first.west = True, rng.random() < 0.5
    return [first, second], "either", "longitudes in degrees west"


def other_depth(rng):
    first, second = _halves()
    first.depth, second.depth = 0.5, rng.choice((15.0, 100.0))
    return [first, second], "refused", f"depths of 0.5 and {second.depth:g} m"


def other_direction(_):
    first, second = _halves()
    second.names = ("sea_water_x_velocity", "sea_water_y_velocity")
    return [first, second], "either", "one file along the axes of its grid"


def other_quantity(rng):
    first, second = _halves()
    second.names = rng.choice((("eastward_wind", "northward_wind"), (_NORTH, _EAST)))
    return [first, second], "refused", f"water_u of one file is {second.names[0]}"


def means(rng):
    files = list(_halves())
    for file in files:
        file.mean, file.stamp = True, rng.choice((0.0, 0.0, 1.0))
    files[1].stamp = files[0].stamp
    return files, "same", f"means, stamped at {files[0].stamp:g} of their intervals"


def members(rng):
    files = [_File() for _ in range(rng.choice((3, 5)))]
    numbered = rng.random() < 0.5
    for n, file in enumerate(files):
        file.factor = 0.6 + 0.2 * n
        file.member = n if numbered else None
    return files, "same" if numbered else "either", f"{len(files)} files of one member each"


_KINDS = (
    other_units,
    other_packing,
    other_fill,
    other_clock,
    other_order,
    other_sense,
    other_depth,
    other_direction,
    other_quantity,
    means,
    members,
)


def _plain(kind, files):
    """One file in the plain form that holds what all of them hold; of members their mean"""
    plain = _File()
    if kind is means:
        plain.mean, plain.stamp = True, 0.5
    if kind is members:
        plain.factor = sum(file.factor for file in files) / len(files)
    return plain


def _difference(bench, kind, files, options):
    content, expected = _content(bench, "o.h5"), _expected(bench, _plain(kind, files), options)
    if kind is members:
        if content["realizations"] != len(files):
            return f"{content['realizations']} members in place of {len(files)}"
        content = {key: content[key] for key in ("time", "mean_flow")}
    differs = [key for key in content if not _is_near(content[key], expected[key])]
    return f"another {differs[0]} than that of one plain file" if differs else None


def parts(bench, rng):
    bench.restore()
    kind = rng.choice(_KINDS)
    files, must, what = kind(rng)
    options = "" if kind is members else "--lagged 2"
    names = [f"part{n}.nc" for n in range(len(files))]
    for name, file in zip(names, files):
        file.write(bench.folder / name)
    rng.shuffle(names)
    command = c.line(f"env import {' '.join(names)} {options} --out o.h5", "o.h5")
    outcome, found = bench.run_and_judge(command, (2,))
    if not found and outcome.status == 0:
        if must == "refused":
            found = [("silent", "was joined")]
        else:
            difference = _difference(bench, kind, files, options)
            found = [("silent", difference)] if difference else []
    elif not found and must == "same":
        found = [("status", "was refused, and each file says all that is needed")]
    return command, what, found, outcome
