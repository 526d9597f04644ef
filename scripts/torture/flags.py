"""Cases of drifters' tracks in NetCDF and CSV with flags of quality, repeated positions and
positions that are fill values. What is flagged or repeated must count as if it were not in the
file."""

import math
import re
import shlex
from datetime import datetime, timedelta

import commands as c
from classic_netcdf import ClassicWriter
from sound import current_at

_BEGIN = datetime(2024, 3, 1, 6)
_STEP = 3  # [h]
_COUNT = 7
_METRES = 111195.0  # a degree of latitude


def _drift():
    """(hour of 1 March, longitude, latitude) of a drifter in the forecast's own currents"""
    fixes, longitude, latitude = [], -18.2, 41.6
    for n in range(_COUNT):
        hour = _BEGIN.hour + _STEP * n
        fixes.append((hour, longitude, latitude))
        for part in range(6):
            u, v = current_at((hour + 0.5 * part) / 3, longitude, latitude)
            longitude += 1800 * u / (_METRES * math.cos(math.radians(latitude)))
            latitude += 1800 * v / _METRES
    return fixes


def _time(hour):
    return (datetime(2024, 3, 1) + timedelta(hours=hour)).isoformat(timespec="seconds") + "Z"


class _Track:
    """Fixes, and columns of flags"""

    def __init__(self, fixes, upper=False):
        self.fixes, self.upper = list(fixes), upper
        self.flags = {}  # name -> (struct's letter, values, attributes)
        self.about = {}  # attributes of the longitude and the latitude

    def write(self, folder, name):
        if name.endswith(".csv"):
            columns = [[_time(hour), f"{lon:.6f}", f"{lat:.6f}"] for hour, lon, lat in self.fixes]
            for n, row in enumerate(columns):
                row += [str(values[n]) for _, values, _ in self.flags.values()]
            rows = [["time", "lon", "lat", *self.flags], *columns]
            (folder / name).write_text("".join(",".join(row) + "\n" for row in rows))
            return
        writer = ClassicWriter(1, {"obs": len(self.fixes)})
        hours, longitudes, latitudes = zip(*self.fixes)
        names = ("TIME", "LONGITUDE", "LATITUDE") if self.upper else ("time", "lon", "lat")
        units = ("hours since 2024-03-01 00:00:00", "degrees_east", "degrees_north")
        for one, values, unit in zip(names, (hours, longitudes, latitudes), units):
            about = {"units": unit} | (self.about if one != names[0] else {})
            writer.variable(one, ["obs"], "d", values, about)
        for one, (letter, values, about) in self.flags.items():
            if letter == "c":
                values = [str(value).encode() for value in values]
            writer.variable(one, ["obs"], letter, values, about)
        writer.write(folder / name)


def _shifted(fixes, place, rng):
    """One fix lies far off, though not so far that its leg could not be a current."""
    fixes = list(fixes)
    hour, longitude, latitude = fixes[place]
    fixes[place] = (hour, longitude + rng.choice((-1, 1)) * 0.06, latitude + 0.05)
    return fixes


def _without(fixes, place):
    return fixes[:place] + fixes[place + 1 :]


# as the coordinates are written
_LOWER = ("lon_qc", "lat_qc", "position_qc", "position_quality_flag", "qartod_location_test_flag")
_UPPER = ("LONGITUDE_QC", "LATITUDE_QC", "POSITION_QC")


def flagged(rng, fixes):
    """A wrong fix is flagged as bad, under one of many names and types."""
    place = rng.randrange(1, _COUNT - 1)
    track = _Track(_shifted(fixes, place, rng), upper=rng.random() < 0.5)
    name = rng.choice(_UPPER if track.upper else _LOWER)
    bad = rng.choice((4, 4, 3))
    good = rng.choice((1, 1, 2))
    values = [bad if n == place else good for n in range(_COUNT)]
    about = {}
    if rng.random() < 0.3:  # a name that only the attributes explain
        name = rng.choice(("check", "fix_state", "q"))
        track.about = {"ancillary_variables": name}
        about["standard_name"] = "status_flag"
    if rng.random() < 0.4:  # other numbers, with their meaning
        values = [2 if n == place else 0 for n in range(_COUNT)]
        about["flag_values"] = ("b", [0, 1, 2])
        about["flag_meanings"] = "good not_evaluated bad"
    letter = "b" if "flag_values" in about else rng.choice("bbhic")
    track.flags[name] = (letter, values, about)
    return track, _without(fixes, place), f"{name} ({letter})", "same"


def flagged_in_a_table(rng, fixes):
    place = rng.randrange(1, _COUNT - 1)
    track = _Track(_shifted(fixes, place, rng))
    name = rng.choice(_LOWER)
    track.flags[name] = ("", [4 if n == place else 1 for n in range(_COUNT)], {})
    return track, _without(fixes, place), f"{name} (CSV)", "same"


def fill_position(rng, fixes):
    """A position that is a fill value, which the file declares or not"""
    place = rng.randrange(1, _COUNT - 1)
    fill = rng.choice((999.999, -999.0, 9999.0, 9.969209968386869e36, -99999.0, 1e20))
    fixes_and_fill = list(fixes)
    both = rng.random() < 0.7
    fixes_and_fill[place] = (fixes[place][0], fill, fill if both else fixes[place][2])
    track = _Track(fixes_and_fill)
    if rng.random() < 0.4:
        track.about = {"_FillValue": ("d", [fill])}
    what = f"{fill:g} at fix {place}, {'declared' if track.about else 'not declared'}"
    return track, _without(fixes, place), what, "same" if track.about else f"{place}"


def unavailable(rng, fixes):
    """AIS says 181° and 91° where there is no position."""
    place = rng.randrange(1, _COUNT - 1)
    other = list(fixes)
    other[place] = (fixes[place][0], 181.0, 91.0)
    return _Track(other), _without(fixes, place), f"181, 91 at fix {place}", f"{place}"


def stuck(rng, fixes):
    """The receiver reports one position again and again: no observation of water at rest."""
    first = rng.randrange(1, _COUNT - 3)
    last = rng.randrange(first + 2, _COUNT)
    other = [
        (hour, *fixes[first][1:]) if first < n <= last else (hour, longitude, latitude)
        for n, (hour, longitude, latitude) in enumerate(fixes)
    ]
    return _Track(other), other, f"fixes {first} to {last} at one place", "moving"


_KINDS = (flagged, flagged, flagged_in_a_table, fill_position, fill_position, unavailable, stuck)
_LEG = re.compile(rb"^  (2024\S+Z)  ([+-][\d.]+)  ([+-][\d.]+) ", re.M)


def _legs(output):
    """(until, east, north) of each leg in the report"""
    return [(until, float(u), float(v)) for until, u, v in _LEG.findall(output)]


def _observe(file):
    words = shlex.split(f"observe ocean.h5 --drifter {file} --localisation 12h --out o.h5")
    return c.Command("observe", tuple(words), ("o.h5",))


def _expected_legs(bench, fixes):
    _Track(fixes).write(bench.folder, "plain.csv")
    outcome = bench.run(_observe("plain.csv"))
    if outcome.status != 0:
        raise RuntimeError(f"the plain track is refused: {outcome.errors!r}")
    for name in ("plain.csv", "o.h5"):
        (bench.folder / name).unlink()
    return _legs(outcome.output)


def _names_the_row(errors, place, file):
    """Whether a refusal names the row of the wrong fix; a CSV file has a header and counts from 1"""
    row = place + 2 if file.endswith(".csv") else place
    return re.search(rb"(line|row|fix) %d\b" % row, errors) is not None


def _judge_believed(bench, outcome, expected, must):
    legs = _legs(outcome.output)
    if must == "moving":
        still = [until.decode() for until, u, v in legs if abs(u) < 0.002 and abs(v) < 0.002]
        return [("silent", f"currents of 0 until {', '.join(still)}")] if still else []
    wanted = _expected_legs(bench, expected)
    return [] if legs == wanted else [("silent", f"{len(legs)} legs that are not those without it")]


def flags(bench, rng):
    bench.restore()
    kind = rng.choice(_KINDS)
    track, expected, what, must = kind(rng, _drift())
    is_table = kind is flagged_in_a_table or (
        kind is not flagged and not track.about and rng.random() < 0.5
    )
    file = "drifter.csv" if is_table else "drifter.nc"
    track.write(bench.folder, file)
    command = _observe(file)
    # A fix that the file itself calls bad is no reason to refuse the others.
    outcome, found = bench.run_and_judge(command, () if must == "same" else (2,))
    if not found and outcome.status == 0:
        found = _judge_believed(bench, outcome, expected, must)
    elif not found and must.isdigit() and not _names_the_row(outcome.errors, int(must), file):
        found = [("status", "the refusal does not name the fix that is wrong")]
    return command, f"{file}: {what}", found, outcome
