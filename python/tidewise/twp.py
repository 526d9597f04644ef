"""Reads a policy on board a vehicle: the heading and speed for a place and a time.

This file needs Python's standard library and nothing else. Copy it to the vehicle, or import it as
``tidewise.twp``. ``tidewise export RUN --format policy`` writes the files; docs/fly/onboard.md
describes their format. Lookups return the same bits as include/tidewise_policy.h.

>>> from tidewise import twp
>>> _ = run.export("policy.twp")
>>> policy = twp.Policy.read("policy.twp")
>>> action = policy.at_xy(20.5, 8.5, 0)
>>> action.status, action.speed
('ok', 1.0)

From a shell: ``python3 twp.py policy.twp -125.8 47.2 2024-10-30T12:00Z [DECLINATION]``.

Licence: MIT, as all of Tidewise.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from datetime import datetime, timezone
from typing import NamedTuple

# Bits of Policy.flags.
HAS_VALUE, HAS_POSITIONS, HAS_DATES, IS_METRIC, HOLDS, DIVES = 1, 2, 4, 8, 16, 32

_STATUSES = (
    "ok",
    "in target",
    "closed",
    "past the end",
    "outside",
    "too early",
    "too late",
    "beyond the window",
    "no action",
    "no longitude and latitude",
    "corrupt",
)
_OK, _IN_TARGET, _CLOSED, _PAST_END, _OUTSIDE, _TOO_EARLY, _TOO_LATE = range(7)
_BEYOND, _NO_ACTION, _NO_POSITIONS, _CORRUPT = range(7, 11)
_RADIANS = 0.017453292519943295
_DEGREES = 57.295779513082321
_DECIDES_ALWAYS = 65535


class PolicyError(ValueError):
    """The bytes are not a policy: damaged, cut off, or of a later version of the format."""


class Action(NamedTuple):
    """The result of a lookup. Without an action, numbers are NaN and indices None."""

    code: int  #: 0 to 10, as in tidewise_policy.h; 0: there is an action
    status: str  #: the code in words
    heading: float  #: [rad] counter-clockwise from the plane's +x
    bearing: float  #: [degrees] clockwise from true north; NaN without longitude and latitude
    speed: float  #: through the water [m/s or 1]
    value: float  #: expected total reward from here on; NaN if the file has none
    x: float  #: x of the place on the plane [m or 1]
    y: float  #: y of the place on the plane [m or 1]
    action: int | None  #: the index of the action
    level: int | None  #: the plan's time level
    row: int | None  #: the cell's row
    column: int | None  #: the cell's column
    hold_until: float  #: time of the next lookup, in the unit of the given time
    dive_from: float  #: [m] below the surface; NaN without depths
    dive_to: float  #: [m] below the surface; NaN without depths

    def magnetic(self, declination: float) -> float:
        """Return the bearing from magnetic north.

        Parameters
        ----------
        declination : float
            Angle from true to magnetic north, east positive [degrees].

        Returns
        -------
        float
            Degrees, 0 to 360.
        """
        return (self.bearing - declination) % 360


def seconds(date: str) -> float:
    """Return a date as seconds since 1970; without a zone it is UTC.

    Parameters
    ----------
    date : str
        ISO 8601.

    Returns
    -------
    float
        Seconds.

    Raises
    ------
    ValueError
        If it is not a date.
    """
    text = date[:-1] + "+00:00" if date.endswith(("Z", "z")) else date
    time = datetime.fromisoformat(text)
    return (time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp()


class Policy:
    """A policy in memory.

    Parameters
    ----------
    data : bytes
        The contents of the file.
    check : bool
        False skips the checksum of all bytes, if it was compared before.

    Raises
    ------
    PolicyError
        If it is not a policy.
    """

    def __init__(self, data: bytes, check: bool = True):
        """Validate the header, and the checksum with `check`."""
        self._data = data
        if len(data) < 128 or data[:8] != b"TWPOLICY":
            raise PolicyError("no policy: it lacks the header of 128 bytes; copy the file again")
        (version,) = struct.unpack_from("<I", data, 8)
        if not 1 <= version <= 2:
            raise PolicyError(f"version {version}; this module reads 1 and 2, take a newer one")
        if zlib.crc32(data[:120]) != struct.unpack_from("<I", data, 120)[0]:
            raise PolicyError("the header's checksum is wrong; copy the file again")
        (self.flags, self.levels, self.rows) = struct.unpack_from("<3I", data, 12)
        (self.columns, self.actions) = struct.unpack_from("<2I", data, 24)
        if self.flags > (63 if version > 1 else 31):
            raise PolicyError(f"flags {self.flags} of a later format; take a newer module")
        (self._actions_at, grid_at, self._data_at) = struct.unpack_from("<3I", data, 32)
        (self._cell_bytes,) = struct.unpack_from("<I", data, 44)
        (self.x0, self.dx, self.y0, self.dy) = struct.unpack_from("<4d", data, 48)
        (self.t0, self.dt) = struct.unpack_from("<2d", data, 80)
        self.identity = data[96:112]  #: the same for all files of one plan
        (size, checksum) = struct.unpack_from("<I4xI", data, 116)
        if not 128 <= size <= len(data):
            raise PolicyError(f"{len(data)} bytes of a file of {size}; copy it again")
        self._data = data[:size]
        if not self._is_in_file(grid_at, 1, 96):
            raise PolicyError("the grid lies outside the file; copy it again")
        grid = struct.unpack_from("<8Id3IHH5d", self._data, grid_at)
        (self.plan_levels, self.plan_rows, self.plan_columns) = grid[0:3]
        (self.first_level, self.first_row, self.first_column) = grid[3:6]
        (self._value_at, self._nodes_at, self._value_scale) = grid[6:9]
        (self._node_step, self._node_rows, self._node_columns) = grid[9:12]
        (self.decide_every, self._decide_phase) = grid[12:14] if self.flags & HOLDS else (1, 0)
        self._centre_longitude = grid[14] * _RADIANS
        (self._sin_centre, self._cos_centre) = grid[15:17]
        (self.position_error, self.bearing_error) = grid[17:19]
        if not self._is_sound():
            raise PolicyError("offsets or sizes lie outside the file; copy it again")
        if check and zlib.crc32(self._data[128:]) != checksum:
            raise PolicyError("the checksum is wrong; copy the file again")

    @classmethod
    def read(cls, path, check: bool = True) -> Policy:
        """Read a policy file.

        Parameters
        ----------
        path : path
            The file.
        check : bool
            Validate all of it.

        Returns
        -------
        Policy
            The policy.

        Raises
        ------
        OSError
            If the file cannot be read.
        PolicyError
            If it is not a policy.
        """
        with open(path, "rb") as file:
            return cls(file.read(), check)

    def at_xy(self, x: float, y: float, time: float) -> Action:
        """Return the action at a point of the plane.

        Parameters
        ----------
        x, y : float
            The point [m or 1].
        time : float
            Seconds since 1970 (UTC) if the file has dates, else in the environment's units.

        Returns
        -------
        Action
            The action; without one, its status is the reason.
        """
        code, level = self._level(time)
        row = column = None
        if code == _OK:
            code, column = _index(x, self.x0, self.dx, self.plan_columns)
        if code == _OK:
            code, row = _index(y, self.y0, self.dy, self.plan_rows)
        if code != _OK:
            return self._no_action(code, x, y, level, row, column)
        j = row - self.first_row
        i = column - self.first_column
        if not (0 <= j < self.rows and 0 <= i < self.columns):
            return self._no_action(_BEYOND, x, y, level, row, column)
        cell = ((level - self.first_level) * self.rows + j) * self.columns + i
        at = self._data_at + cell * self._cell_bytes
        entry = int.from_bytes(self._data[at : at + self._cell_bytes], "little")
        code = self._entry_status(entry, level)
        if code != _OK:
            return self._no_action(code, x, y, level, row, column)
        at = self._actions_at + 12 * entry
        heading, speed, *dive = struct.unpack_from("<ffHH", self._data, at)
        if not (abs(heading) <= 8 and 0 <= speed < 1e30):
            return self._no_action(_CORRUPT, x, y, level, row, column)
        value = math.nan
        if self.flags & HAS_VALUE:
            (half,) = struct.unpack_from("<e", self._data, self._value_at + 2 * cell)
            value = half * self._value_scale if math.isfinite(half) else math.nan
        bearing = math.nan
        if self.flags & HAS_POSITIONS:
            bearing = 90 - heading * _DEGREES + self.convergence(x, y)
            while bearing < 0:
                bearing += 360
            while bearing >= 360:
                bearing -= 360
        if not self.flags & DIVES:
            dive = [math.nan, math.nan]
        return Action(
            _OK,
            _STATUSES[_OK],
            heading,
            bearing,
            speed,
            value,
            x,
            y,
            entry,
            level,
            row,
            column,
            self._next_decision(level),
            float(dive[0]),
            float(dive[1]),
        )

    def at_lonlat(self, longitude: float, latitude: float, time: float) -> Action:
        """Return the action at a longitude and latitude.

        Parameters
        ----------
        longitude, latitude : float
            Degrees.
        time : float
            As in at_xy().

        Returns
        -------
        Action
            The action; without one, its status is the reason.
        """
        code, x, y = self._to_plane(longitude, latitude)
        action = self.at_xy(x, y, time)
        if code == _OK or (code == _OUTSIDE and action.code != _OK):
            return action
        return action._replace(code=code, status=_STATUSES[code])

    def to_plane(self, longitude: float, latitude: float) -> tuple[float, float] | None:
        """Return the point of the plane at a longitude and latitude.

        Parameters
        ----------
        longitude, latitude : float
            Degrees.

        Returns
        -------
        (float, float) or None
            x and y; None if there is none.
        """
        code, x, y = self._to_plane(longitude, latitude)
        return (x, y) if code == _OK else None

    def convergence(self, x: float, y: float) -> float:
        """Return the angle from true north to the plane's +y at a point of it.

        Parameters
        ----------
        x, y : float
            The point [m or 1].

        Returns
        -------
        float
            Degrees, clockwise; NaN at a pole, and in a file without longitude and latitude.
        """
        if not self.flags & HAS_POSITIONS:
            return math.nan
        p, q = self._map_at(
            _clamp((x - self.x0) / self.dx, -0.5, self.plan_columns - 0.5),
            _clamp((y - self.y0) / self.dy, -0.5, self.plan_rows - 0.5),
        )
        # Rotate to the sphere, with axes at the centre: right (east), forward (north), up.
        square = (p[0] * p[0] + q[0] * q[0]) / 4
        up = (1 - square) / (1 + square)
        right = p[0] * (1 + up) / 2
        forward = q[0] * (1 + up) / 2
        # East is the cross product of the Earth's axis and the point, projected like the map.
        d_right = self._cos_centre * up - self._sin_centre * forward
        d_forward = self._sin_centre * right
        d_up = -self._cos_centre * right
        east_p = d_right * (1 + up) - right * d_up
        east_q = d_forward * (1 + up) - forward * d_up
        if abs(east_p) <= 1e-12 and abs(east_q) <= 1e-12:
            return math.nan
        return (
            math.atan2(
                (east_p * p[2] + east_q * q[2]) / self.dy,
                (east_p * p[1] + east_q * q[1]) / self.dx,
            )
            * _DEGREES
        )

    def _is_in_file(self, offset, count, size):
        return 128 <= offset and offset + count * size <= len(self._data)

    def _is_sound(self):
        cells = self.levels * self.rows * self.columns
        parts = (
            (self.first_level, self.levels, self.plan_levels),
            (self.first_row, self.rows, self.plan_rows),
            (self.first_column, self.columns, self.plan_columns),
        )
        for first, count, total in parts:
            if not (count > 0 and total <= 0x7FFFFFFF and first + count <= total):
                return False
        if self._decide_phase >= self.decide_every and self._decide_phase != _DECIDES_ALWAYS:
            return False
        if self.decide_every == 0 or self._cell_bytes not in (1, 2):
            return False
        if not 0 < self.actions <= (250 if self._cell_bytes == 1 else 65000):
            return False
        if not self._is_in_file(self._actions_at, self.actions, 12):
            return False
        if not self._is_in_file(self._data_at, cells, self._cell_bytes):
            return False
        if self.flags & HAS_VALUE and not (
            self._is_in_file(self._value_at, cells, 2) and abs(self._value_scale) <= 1e300
        ):
            return False
        if self.flags & HAS_POSITIONS and not self._are_nodes_sound():
            return False
        return all(abs(number) <= 1e300 for number in (self.x0, self.y0, self.t0)) and all(
            0 < number < 1e300 for number in (self.dx, self.dy, self.dt)
        )

    def _are_nodes_sound(self):
        if self._node_step == 0 or self.plan_rows < 2 or self.plan_columns < 2:
            return False
        return (
            self._node_rows == (self.plan_rows - 2) // self._node_step + 2
            and self._node_columns == (self.plan_columns - 2) // self._node_step + 2
            and self._is_in_file(self._nodes_at, self._node_rows * self._node_columns, 8)
            and abs(self._centre_longitude) <= 7
            and abs(self._sin_centre) <= 1
            and abs(self._cos_centre) <= 1
        )

    def _level(self, time):
        steps = (time - self.t0) / self.dt + 1e-6  # a millionth of a step early counts as reached
        if steps >= self.plan_levels:
            return _PAST_END, None
        if not steps >= self.first_level:  # also for NaN
            return _TOO_EARLY, None
        level = int(steps)
        if level - self.first_level < self.levels:
            return _OK, level
        return (_PAST_END if level + 1 == self.plan_levels else _TOO_LATE), level

    def _entry_status(self, entry, level):
        no_entry = 255 if self._cell_bytes == 1 else 65535
        if entry < self.actions:
            return _OK
        if entry == no_entry:
            return _PAST_END if level + 1 == self.plan_levels else _NO_ACTION
        return {no_entry - 1: _IN_TARGET, no_entry - 2: _CLOSED}.get(entry, _CORRUPT)

    def _next_decision(self, level):
        every = self.decide_every
        since = 0
        if self._decide_phase != _DECIDES_ALWAYS:
            since = (level % every + every - self._decide_phase) % every
        return self.t0 + min(level + every - since, self.plan_levels - 1) * self.dt

    @staticmethod
    def _no_action(code, x, y, level, row, column):
        nan = math.nan
        numbers = (nan, nan, nan, nan, x, y, None, level, row, column, nan, nan, nan)
        return Action(code, _STATUSES[code], *numbers)

    def _to_plane(self, longitude, latitude):
        """Return a status, x and y, by Newton's iteration."""
        nowhere = (_OUTSIDE, math.nan, math.nan)
        if not self.flags & HAS_POSITIONS:
            return _NO_POSITIONS, math.nan, math.nan
        target = self._on_map(longitude, latitude)
        if target is None:
            return nowhere
        column = (self.plan_columns - 1) / 2
        row = (self.plan_rows - 1) / 2
        for _ in range(30):
            p, q = self._map_at(column, row)
            determinant = p[1] * q[2] - p[2] * q[1]
            if determinant == 0:
                return nowhere
            by_column = ((target[0] - p[0]) * q[2] - p[2] * (target[1] - q[0])) / determinant
            by_row = (p[1] * (target[1] - q[0]) - (target[0] - p[0]) * q[1]) / determinant
            if not (abs(by_column) <= 1e9 and abs(by_row) <= 1e9):
                return nowhere
            old = column, row
            # The nodes do not extend far beyond the border.
            column = _clamp(column + by_column, -2, self.plan_columns + 1.0)
            row = _clamp(row + by_row, -2, self.plan_rows + 1.0)
            if not (abs(column - old[0]) <= 1e-9 and abs(row - old[1]) <= 1e-9):
                continue
            if not (abs(by_column) <= 1e-9 and abs(by_row) <= 1e-9):
                break  # stopped at the border
            return _OK, self.x0 + column * self.dx, self.y0 + row * self.dy
        return nowhere

    def _on_map(self, longitude, latitude):
        """Project to the conformal map around the centre [earth radii]; None on the far side."""
        if not (abs(latitude) <= 90 and math.isfinite(longitude)):
            return None
        s = math.sin(latitude * _RADIANS)
        c = math.cos(latitude * _RADIANS)
        s2 = 2 * s * c
        c2 = 1 - 2 * s * s
        # WGS84's conformal latitude minus the latitude: a series in sines of 2, 4 and 6 latitudes.
        d = (
            -0.003356554619403536 * s2
            + 4.694572466289995e-06 * (2 * s2 * c2)
            - 8.194071764315678e-09 * (s2 * (3 - 4 * s2 * s2))
        )
        sd = d * (1 - d * d / 6)
        cd = 1 - d * d / 2 * (1 - d * d / 12)
        sx = s * cd + c * sd
        cx = c * cd - s * sd
        east = longitude * _RADIANS - self._centre_longitude
        along = cx * math.cos(east)
        up = self._sin_centre * sx + self._cos_centre * along
        if not up > -0.5:
            return None
        p = 2 * cx * math.sin(east) / (1 + up)
        return p, 2 * (self._cos_centre * sx - self._sin_centre * along) / (1 + up)

    def _map_at(self, column, row):
        """Return p and q at a fractional column and row, with their changes along both."""
        i = _node(column, self._node_step, self._node_columns)
        j = _node(row, self._node_step, self._node_rows)
        west = i * self._node_step
        south = j * self._node_step
        wide = min(self.plan_columns - 1 - west, self._node_step)
        high = min(self.plan_rows - 1 - south, self._node_step)
        a = (column - west) / wide
        b = (row - south) / high
        first = self._nodes_at + 8 * (j * self._node_columns + i)
        low = struct.unpack_from("<4f", self._data, first)
        top = struct.unpack_from("<4f", self._data, first + 8 * self._node_columns)
        return [
            _bilinear(low[n], low[n + 2], top[n], top[n + 2], a, b, wide, high) for n in (0, 1)
        ]


def _index(at, first, step, count):
    cells = (at - first) / step + 0.5
    return (_OK, int(cells)) if 0 <= cells < count else (_OUTSIDE, None)


def _clamp(value, minimum, maximum):
    return (value if value < maximum else maximum) if value > minimum else minimum


def _node(index, step, nodes):
    """Return the last node at or before a fractional index that has a successor."""
    node = index / step
    if not node > 0:
        return 0
    return int(node) if node < nodes - 2 else nodes - 2


def _bilinear(south_west, south_east, north_west, north_east, a, b, wide, high):
    south = south_east - south_west
    north = north_east - north_west
    low = south_west + a * south
    rise = north_west + a * north - low
    return low + b * rise, (south + b * (north - south)) / wide, rise / high


def main(arguments) -> int:
    """Run the command line: policy, place, time and, for a compass, the declination."""
    if len(arguments) not in (4, 5):
        print("twp.py: write: twp.py POLICY LON LAT TIME [DECLINATION]", file=sys.stderr)
        return 2
    try:
        policy = Policy.read(arguments[0])
        longitude, latitude = float(arguments[1]), float(arguments[2])
        try:
            time = float(arguments[3])
        except ValueError:
            time = seconds(arguments[3])
        declination = float(arguments[4]) if len(arguments) > 4 else None
    except (OSError, ValueError) as error:
        print(f"twp.py: {error}", file=sys.stderr)
        return 2
    action = policy.at_lonlat(longitude, latitude, time)
    if action.code != _OK:
        print(action.status)
        return 1
    magnetic = "" if declination is None else f", {action.magnetic(declination):.1f}° magnetic"
    print(f"heading {action.bearing:.1f}° true{magnetic}, speed {action.speed:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
