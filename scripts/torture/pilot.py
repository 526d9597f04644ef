"""Cases of a pilot's day: what is wrong with a track, a place, an option, a route's files, or
several files of one thing. The machine is sound, and so are the environments."""

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as xml
from dataclasses import replace
from datetime import datetime, timedelta

import commands as c
from running import Limits
from text_damage import TEXT

# Tracks on ocean.h5. Each damage gives new rows, or None where it has nothing to damage, and stands
# beside what must come of it: "refused"; "said", that is refused or warned of; "same", what is said of
# the undamaged track, to the last digit.

_BEGIN = datetime(2024, 3, 1, 6)
_STEERED = "steered.csv"


def _rows(text):
    return list(csv.reader(io.StringIO(text)))


def _text(rows):
    return "".join(",".join(row) + "\n" for row in rows)


def _hours(time):
    return (datetime.fromisoformat(time[:-1]) - _BEGIN).total_seconds() / 3600


def _change(rng, rows, column, change):
    """One row's cell of a column; `change` takes its text."""
    place = rows[0].index(column)
    row = rng.choice([row for row in rows[1:] if row[place]])
    row[place] = change(row[place])
    return rows


def _change_all(rows, column, change):
    place = rows[0].index(column)
    for row in rows[1:]:
        if row[place]:
            row[place] = change(row[place])
    return rows


def _known(rows, *columns):
    return next((column for column in columns if column in rows[0]), None)


def fill_values(rng, rows):
    column = rng.choice([name for name in rows[0] if name in ("u", "v", "speed", "bearing")])
    return _change(
        rng, rows, column, lambda _: rng.choice(("-999", "1e20", "9.96921e36", "-32768"))
    )


def cm_a_second(_, rows):
    column = _known(rows, "u", "speed")
    return _change_all(rows, column, lambda text: f"{100 * float(text):g}")


def hours_without_a_unit(rng, rows):
    first = rng.choice((0, 474702, 45352.25))  # of the forecast, since 1970, of a spreadsheet
    per = 24 if first == 45352.25 else 1
    return _change_all(rows, "time", lambda text: f"{first + _hours(text) / per:.6f}")


def milliseconds(_, rows):
    epoch = (_BEGIN - datetime(1970, 1, 1)).total_seconds()
    return _change_all(rows, "time", lambda text: f"{1000 * (epoch + 3600 * _hours(text)):.0f}")


def longitudes_without_a_minus(_, rows):
    return _change_all(rows, "lon", lambda text: text.lstrip("-"))


def exchanged_coordinates(_, rows):
    names = {"lon": "lat", "lat": "lon"}
    rows[0] = [names.get(name, name) for name in rows[0]]
    return rows


def lost_column(rng, rows):
    place = rng.choice([n for n, name in enumerate(rows[0]) if name in ("time", "lon", "lat")])
    return [row[:place] + row[place + 1 :] for row in rows]


def two_places_at_a_time(rng, rows):
    twin = list(rng.choice(rows[1:]))
    twin[rows[0].index("lat")] = f"{float(twin[rows[0].index('lat')]) + 0.3:.5f}"
    return [*rows, twin]


def wrong_fix(rng, rows):
    """Off by so much that no current of the forecast made the leg."""
    place = rows[0].index("lon")
    row = rng.choice(rows[2:-1])
    row[place] = f"{float(row[place]) + rng.choice((-1, 1)) * rng.uniform(0.4, 0.8):.5f}"
    return rows


def shuffled_rows(rng, rows):
    body = rows[1:]
    rng.shuffle(body)
    return [rows[0], *body]


def repeated_rows(rng, rows):
    return [rows[0], *(row for row in rows[1:] for _ in range(rng.choice((1, 1, 2, 3))))]


def rows_without_a_place(rng, rows):
    empty = [""] * len(rows[0])
    empty[0] = rows[1][0]
    return [rows[0], *rows[1:], *([empty] * rng.randrange(1, 5))]


def renamed_columns(_, rows):
    names = {
        "time": "timestamp",
        "lon": "gps_lon",
        "lat": "gps_lat",
        "u": "depth_avg_curr_east",
        "v": "depth_avg_curr_north",
        "speed": "speed_through_water",
        "bearing": "hdg",
    }
    rows[0] = [names[name] for name in rows[0]]
    return rows


_TRACKS = [
    (fill_values, "refused"),
    (cm_a_second, "refused"),
    (hours_without_a_unit, "refused"),
    (milliseconds, "refused"),
    (longitudes_without_a_minus, "refused"),
    (exchanged_coordinates, "refused"),
    (lost_column, "refused"),
    (two_places_at_a_time, "refused"),
    (wrong_fix, "said"),
    (shuffled_rows, "same"),
    (repeated_rows, "same"),
    (rows_without_a_place, "same"),
    (renamed_columns, "same"),
]


def _aloud(command):
    """The same command, which prints what it has to say."""
    return replace(command, words=tuple(word for word in command.words if word != "-q"))


_SAID = re.compile(rb"warning: .*(left out|no realization)", re.S)


def _aloud_again(bench, command):
    """What a command says that is done once more."""
    for output in command.outputs:
        path = bench.folder / output
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return bench.run(_aloud(command))


def _legs_as_printed(text):
    return text[text.find(b"leg until") :]


def _judge_believed(bench, command, outcome, how, must):
    """What is wrong with a track's having been taken."""
    differs = bench.read_answer(command, outcome)[1] != bench.answer(command)[1]
    said = _aloud_again(bench, command)
    if must == "refused" or (must == "said" and not _SAID.search(said.errors)):
        return [("silent", f"{how.__name__} was believed")]
    if must == "same" and command.name == "observe":
        whole = bench.answer(_aloud(command))[0]
        if _legs_as_printed(said.output) != _legs_as_printed(whole):
            return [("silent", "not the answer of the same fixes")]
        return []
    return [("changed", "another answer")] if differs else []


def tracks(bench, rng):
    file = rng.choice(("track.csv", _STEERED))
    command = rng.choice((c.observe(file), c.observe(file), c.replan(file)))
    bench.answer(command)
    bench.restore()
    path = bench.folder / file
    data = path.read_bytes()
    path.unlink()  # a link
    if rng.random() < 0.4:  # bytes at random, and what parsers stumble over
        how, must = rng.choice(TEXT)[0], "any"
        path.write_bytes(how(rng, data))
    else:
        how, must = rng.choice(_TRACKS)
        if how is wrong_fix and file != _STEERED:
            must = "any"  # currents that a file names are not told by its fixes
        path.write_text(_text(how(rng, _rows(data.decode()))))
    outcome, found = bench.run_and_judge(command, (2,))
    if not found and outcome.status == 0:
        found = _judge_believed(bench, command, outcome, how, must)
    elif not found and must == "same":
        found = [("status", "was refused, and says the same")]
    return command, f"{file}: {how.__name__}", found, outcome


# Places in ocean.h5, which has degrees


def _inside(rng):
    return rng.uniform(-19.5, -14.5), rng.uniform(40.2, 45.0)


def _outside(rng):
    return rng.choice(
        (
            (rng.uniform(-180, -22), rng.uniform(-80, 80)),
            (rng.uniform(-19.5, -14.5), rng.uniform(47, 89)),
            (rng.uniform(14.5, 19.5), rng.uniform(40.2, 45.0)),
        )
    )


def _pair(place):
    return f"{place[0]:.6f},{place[1]:.6f}"


_NO_PAIRS = (
    "nan,2",
    "1,inf",
    "1e999,2",
    "-17",
    "-17,42,3",
    "here,there",
    "-17;42",
    ",",
    "-17,",
    "",
)


def _of_place(rng, place, option):
    """A command that goes from a place."""
    return rng.choice(
        (
            f"rollout sea --out o {option}={place}",
            f"replan sea --out o --time 1 --baselines none {option}={place}",
        )
    )


def _box(rng):
    west, south = rng.uniform(-19, -16), rng.uniform(40.5, 43.5)
    east, north = west + rng.uniform(0.8, 2), south + rng.uniform(0.8, 1.5)
    return [[west, south], [east, south], [east, north], [west, north]]


def _closing(box):
    """A check of sea.toml with a no-go zone, which may cover its start or target."""
    ring = ",".join(f"[{x:.5f},{y:.5f}]" for x, y in box)
    return c.Command(
        "check",
        ("check", "sea.toml", "--set", f"mission.no_go=[{{polygon_lonlat=[{ring}]}}]", "-q"),
    )


def _said_of_zone(outcome):
    return [line for line in outcome.output.split(b"\n") if line.startswith(b"no-go")]


def _same_zone(bench, rng):
    """One polygon, written twice."""
    box = _box(rng)
    twin = [list(vertex) for vertex in box]
    if rng.random() < 0.5:
        twin.reverse()
    turn = rng.choice((0, 360))
    twin = [[x + turn, y] for x, y in twin]
    first = rng.randrange(len(twin))
    twin = twin[first:] + twin[:first]
    expected = bench.run(_closing(box))
    command = _closing(twin)
    outcome, found = bench.run_and_judge(command, (2,))
    if not found and outcome.status != expected.status:
        found = [("status", f"{outcome.status}, and {expected.status} for the same polygon")]
    if not found and _said_of_zone(outcome) != _said_of_zone(expected):
        found = [("silent", "the same polygon closes other cells")]
    return command, "a polygon written otherwise", found, outcome


def _same_start(bench, rng):
    """A start, and the same a turn of the globe away."""
    place = _inside(rng)
    command = c.line(f"rollout sea --out o --at={_pair(place)}", "o")
    outcome, found = bench.run_and_judge(command, (2,))
    if found:
        return command, "a start in degrees", found, outcome
    flown = lambda: json.loads((bench.folder / "o/summary.json").read_text())["rollout"]
    expected = flown() if outcome.status == 0 else None
    bench.restore()
    turned = (place[0] + 360, place[1])
    command = c.line(f"rollout sea --out o --at={_pair(turned)}", "o")
    again, found = bench.run_and_judge(command, (2,))
    if not found and (again.status != outcome.status or (expected and flown() != expected)):
        found = [("silent", "a turn of the globe makes another flight")]
    return command, "a start a turn of the globe away", found, again


def places(bench, rng):
    bench.restore()
    what = rng.choice((_same_zone, _same_start, "degrees", "outside", "no place", "degrees"))
    if callable(what):
        return what(bench, rng)
    if what == "degrees":  # as x and y
        place = _pair(_inside(rng))
        words = rng.choice(
            (
                _of_place(rng, place, "--at-xy"),
                f"lookup sea --time 2024-03-01T09:00Z --at-xy={place}",
                f"plan ocean.toml --out o --set mission.target=[{place}] --set mission.target_radius=1",
            )
        )
    elif what == "outside":
        words = _of_place(rng, _pair(_outside(rng)), "--at")
    else:
        words = _of_place(rng, rng.choice(_NO_PAIRS), rng.choice(("--at", "--at-xy")))
    command = c.line(words)
    outcome, found = bench.run_and_judge(command, (2,))
    if outcome.status == 0:
        found.append(("silent", "was believed"))
    return command, what, found, outcome


# Options that take a number, a length, a time: words before them, and what each must refuse.
_NO_NUMBERS = ("", " ", "abc", "nan", "1e999", "9" * 400, "5;6", "0x", "--", "1 2", "٣", "\x1b[31m")
_OPTIONS = {
    "rollout run --out o": "--time --realizations --seed --threads --flights",
    "rollout sea --out o --mode adaptive": "--replan-every --observation-error --inflation "
    "--relaxation --localisation",
    "replan sea --out o --at=-18.5,41.5": "--time",
    "replan sea --out o --at=-18.5,41.5 --time 1": "--passed --threads",
    "observe ocean.h5 --track track.csv --out o.h5": "--error --fix-error --representation "
    "--localisation --inflation --relaxation --reject-beyond --mode-length --seed",
    "plan m.toml --out o": "--threads --arrival-at-least",
    "env import forecast2.nc --out o.h5": "--spacing --step --steady --lagged --modes --variance "
    "--from --to --bbox --depth --seed --realizations",
    "env resample gyre.h5 --out o.h5": "--step --spacing --vehicle-speed --variance",
    "env double-gyre --out o.h5 --nx 12 --ny 12": "--nt --modes --realizations --seed",
    "export sea --format csv --out o": "--most --waypoints --tolerance --capture-radius",
    "export sea --format policy --out o": "--levels --bbox --x --y",
    "refine run --out o.h5": "--realizations --threads",
    "solve world.h5 --out o.txt": "--gamma --tolerance --max-sweeps --threads",
    "lookup sea --at=-18.5,41.5": "--time",
}


def options(bench, rng):
    bench.restore()
    line = rng.choice(list(_OPTIONS))
    option, value = rng.choice(_OPTIONS[line].split()), rng.choice(_NO_NUMBERS)
    words = (*line.split(), f"{option}={value}", "-q")
    command = c.Command(words[0], words)
    outcome, found = bench.run_and_judge(command, (2,))
    if outcome.status == 0:
        found.append(("silent", "was believed"))
    return command, "no value of that option", found, outcome


# Routes

_ROUTES = {
    "geojson": "sea.geojson",
    "gpx": "sea.gpx",
    "kml": "sea.kml",
    "csv": "sea.csv",
    "slocum": "goto_l10.ma",
    "seaglider": "targets",
    "moos": "sea.bhv",
    "qgc-wpl": "sea.waypoints",
    "qgc-plan": "sea.plan",
    "rtz": "sea.rtz",
    "policy": "policy.twp",
}


# ArduPilot's boats take the radius of waypoints from a parameter.
_WITH_PARAMETERS = ("qgc-wpl", "qgc-plan")


def _files_of(formats):
    """The files of an export in these formats."""
    files = [f"o/{_ROUTES[name]}" for name in formats]
    return files + [f"o/{_ROUTES[name]}.param" for name in formats if name in _WITH_PARAMETERS]


def _broken_route(path):
    """What is wrong with a route's file; None where nothing is."""
    data = path.read_bytes()
    if not data:
        return f"{path.name} is empty"
    try:
        if path.suffix in (".gpx", ".kml", ".rtz"):
            xml.fromstring(data)
        elif path.suffix in (".geojson", ".plan"):
            json.loads(data)
        elif path.suffix == ".csv" and not data.endswith(b"\n"):
            return f"{path.name} ends within a line"
    except (ValueError, xml.ParseError) as error:
        return f"{path.name}: {error}"
    return None


def exports(bench, rng):
    formats = rng.sample(sorted(_ROUTES), rng.randrange(2, len(_ROUTES) + 1))
    wrong = rng.random() < 0.3
    words = list(formats)
    if wrong:
        words.insert(rng.randrange(len(words) + 1), rng.choice(("nonsense", "", "CSV2", "policy2")))
    more = rng.choice(("", "", "--ensemble", "--waypoints 1", "--waypoints 4", "--route nominal"))
    command = c.line(f"export sea --out o {more}", *_files_of(formats))
    command = replace(command, words=(*command.words, "--format", ",".join(words)))
    bench.restore()
    kill = rng.choice((None, None, None, rng.uniform(0, 0.4)))
    limits = Limits(kill_after=kill, file_size=rng.choice((None, None, rng.randrange(4000))))
    outcome, found = bench.run_and_judge(command, (1, 2), limits)
    what = f"{'a format that there is none of' if wrong else 'formats'}, {limits.file_size} bytes"
    for name in formats:
        path = bench.folder / "o" / _ROUTES[name]
        broken = _broken_route(path) if path.exists() else None
        if broken:
            found.append(("half-written", broken))
    if wrong and not outcome.killed and outcome.status != 2:
        found.append(("silent", "was not refused"))
    if outcome.killed:
        what += f", killed after {kill:.3f} s"
    elif outcome.status != 0 and (bench.folder / "o").exists():
        found.append(("leftover", "its folder"))
    found = [one for one in found if one[1] != "o"]  # the folder of those that are there
    return command, what, found, outcome


# Several files of one thing


def _sound_legs(bench, file):
    return _legs(bench.answer(_aloud(c.observe(file)))[0])


def _legs(output):
    return sum(int(number) for number in re.findall(rb": \d+ fix(?:es)?, (\d+) legs? of", output))


def _shifted(rows, seconds):
    """The fixes of the same way, so much later: each between two of those that are there."""
    at = [_hours(row[0]) for row in rows[1:]]
    later = [rows[0]]
    for n, row in enumerate(rows[1:-1]):
        share = seconds / 3600 / (at[n + 1] - at[n])
        moved = list(row)
        time = _BEGIN + timedelta(seconds=3600 * at[n] + seconds)
        moved[0] = time.isoformat(timespec="seconds") + "Z"
        for k in (1, 2):
            moved[k] = f"{float(row[k]) + share * (float(rows[n + 2][k]) - float(row[k])):.6f}"
        later.append(moved)
    return later


def _more_of_one_track(rng, rows):
    """(name, rows of a second file that has nothing new to say)"""
    kind = rng.randrange(4)
    if kind == 0:
        return "the same again", rows
    if kind == 1:
        return "every other fix", [rows[0], *rows[1::2]]
    if kind == 2:
        return "its end", [rows[0], *rows[rng.randrange(2, len(rows) - 1) :]]
    return "fixes a little later", _shifted(rows, rng.choice((5, 20, 60)))


def _tracks_of_one_way(bench, rng):
    # Of a file that names currents other fixes have others; by speed and bearing they follow.
    what, rows = _more_of_one_track(rng, _rows((bench.sound / _STEERED).read_text()))
    expected = _sound_legs(bench, _STEERED)
    bench.restore()
    (bench.folder / "more.csv").write_text(_text(rows))
    names = [_STEERED, "more.csv"]
    if what != "every other fix" and rng.random() < 0.5:
        names.reverse()
    command = _aloud(
        c.line(f"observe ocean.h5 --track {names[0]} --track {names[1]} --out o.h5", "o.h5")
    )
    outcome, found = bench.run_and_judge(command, ())
    counted = _legs(outcome.output)
    if not found and names[0] == _STEERED and counted != expected:
        found = [("silent", f"{counted} legs in place of {expected}")]
    elif not found and counted > expected:
        found = [("silent", f"{counted} legs, more than the {expected} of the whole track")]
    return command, f"two files of one track: {what}", found, outcome


def _content(bench, environment):
    """What an environment holds, without where it comes from."""
    told = json.loads(bench.run(c.line(f"env info {environment} --json")).output)
    return {key: told[key] for key in ("time", "grid", "modes", "mean_flow", "flow_bound")}


def _forecast_in_parts(bench, rng):
    parts = ["forecast_a.nc", "forecast_b.nc"]
    what = rng.choice(("in order", "the other way round", "one twice", "one of another place"))
    if what == "the other way round":
        parts.reverse()
    elif what == "one twice":
        parts.append(rng.choice(parts))
    elif what == "one of another place":
        parts.append("forecast_c.nc")
    bench.restore()
    command = c.line(f"env import {' '.join(parts)} --lagged 2 --out o.h5", "o.h5")
    outcome, found = bench.run_and_judge(command, (2,))
    if not found and outcome.status == 0:
        if _content(bench, "o.h5") != _content(bench, "ocean.h5"):
            found = [("silent", "another forecast than that of the whole")]
        elif what == "one of another place":
            found = [("silent", "a file of another place was taken")]
    elif not found and what in ("in order", "the other way round"):
        found = [("status", "the parts of one forecast were refused")]
    return command, f"a forecast in parts: {what}", found, outcome


def files(bench, rng):
    return rng.choice((_tracks_of_one_way, _tracks_of_one_way, _forecast_in_parts))(bench, rng)


PILOT = {
    "tracks": tracks,
    "places": places,
    "options": options,
    "exports": exports,
    "files": files,
}
