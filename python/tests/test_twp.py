"""twp.py, which reads a policy on board in Python, compared with the header in C."""

from __future__ import annotations

import math
import random
import shutil
import subprocess
import sys
import zlib

import numpy as np
import pytest
import xarray as xr
from conftest import ROOT

import tidewise as tw
from tidewise import twp

pytestmark = [pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")]

# Reads lookups, "xy X Y TIME" or "ll LON LAT TIME"; prints all bits of the header's results.
PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include "tidewise_policy.h"
static unsigned char bytes[1 << 24];
static void number(double value) {
  if (value == value) printf(" %a", value); else printf(" nan");
}
int main(int count, char** words) {
  struct tw_policy p;
  struct tw_policy_action a;
  double x, y, time;
  char way[3];
  FILE* file = fopen(words[1], "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  if (count != 2 || tw_policy_open(&p, bytes, size) != TW_POLICY_OK) return 2;
  if (tw_policy_check(&p) != TW_POLICY_OK) return 3;
  while (scanf("%2s %la %la %la", way, &x, &y, &time) == 4) {
    int code = strcmp(way, "ll") == 0 ? tw_policy_act_lonlat(&p, x, y, time, &a)
                                      : tw_policy_act_xy(&p, x, y, time, &a);
    printf("%d %s |", code, tw_policy_text(code));
    number(a.heading); number(a.bearing); number(a.speed); number(a.value); number(a.x);
    number(a.y); number(a.hold_until); number(a.dive_from); number(a.dive_to);
    printf(" %d %d %d %d\n", (int)a.action, (int)a.level, (int)a.row, (int)a.column);
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """A function that returns the header's results for a list of lookups."""
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("ask")
    (folder / "ask.c").write_text(PROGRAM)
    build = [compiler, "-std=c11", "-O2", "-I", ROOT / "include", "ask.c", "-o", "ask", "-lm"]
    subprocess.run(build, cwd=folder, check=True)

    def run(policy, questions):
        text = "".join(f"{way} {a.hex()} {b.hex()} {t.hex()}\n" for way, a, b, t in questions)
        done = subprocess.run(
            [folder / "ask", policy], input=text, capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    return run


def in_words(action: twp.Action) -> str:
    numbers = (action.heading, action.bearing, action.speed, action.value, action.x, action.y)
    numbers += (action.hold_until, action.dive_from, action.dive_to)
    indices = (action.action, action.level, action.row, action.column)
    written = ["nan" if math.isnan(number) else float(number).hex() for number in numbers]
    written += ["-1" if number is None else str(number) for number in indices]
    return f"{action.code} {action.status} | " + " ".join(written)


def as_c_writes(line: str) -> str:
    """Convert hexadecimal numbers of C, 0x1.8p+1, to those of Python, 0x1.8000000000000p+1."""
    head, _, numbers = line.partition(" | ")
    words = numbers.split()
    words[:9] = [number if number == "nan" else float.fromhex(number).hex() for number in words[:9]]
    return f"{head} | " + " ".join(words)


def compare(path, ask, geographic: bool) -> dict[str, int]:
    """Compare both implementations in ten thousand lookups. Returns the number of each status."""
    policy = twp.Policy.read(path)
    generator = random.Random(7)
    width, height = policy.plan_columns * policy.dx, policy.plan_rows * policy.dy
    questions = []
    for _ in range(8000):
        x = policy.x0 + (1.2 * generator.random() - 0.1) * width
        y = policy.y0 + (1.2 * generator.random() - 0.1) * height
        time = policy.t0 + (1.2 * generator.random() - 0.1) * policy.plan_levels * policy.dt
        questions.append(("xy", x, y, time))
    for n in range(200):  # edges of cells and levels
        j, i, k = n % policy.plan_rows, n % policy.plan_columns, n % policy.plan_levels
        x, y = policy.x0 + (i - 0.5) * policy.dx, policy.y0 + (j - 0.5) * policy.dy
        questions.append(("xy", x, y, policy.t0 + k * policy.dt))
    odd = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e300, 91.0, 180.0]
    questions += [(way, a, b, t) for way in ("xy", "ll") for a in odd for b in odd for t in odd]
    if geographic:
        for _ in range(4000):
            lon, lat = -18 + 8 * generator.random(), 40 + 8 * generator.random()
            time = policy.t0 + generator.random() * policy.plan_levels * policy.dt
            questions.append(("ll", lon + 360 * generator.randint(-1, 1), lat, time))
    answers = ask(path, questions)
    assert len(answers) == len(questions)
    statuses: dict[str, int] = {}
    for (way, a, b, time), line in zip(questions, answers):
        action = policy.at_lonlat(a, b, time) if way == "ll" else policy.at_xy(a, b, time)
        assert in_words(action) == as_c_writes(line), (way, a, b, time)
        statuses[action.status] = statuses.get(action.status, 0) + 1
    return statuses


def test_lookups_return_the_same_bits_on_a_plane(time_run, ask, tmp_path):
    run = tw.open(time_run)
    run.export(tmp_path / "whole.twp", value=True)
    statuses = compare(tmp_path / "whole.twp", ask, geographic=False)
    assert statuses["ok"] > 3000
    assert statuses["no longitude and latitude"] > 0
    assert {"in target", "closed", "past the end", "outside", "too early"} <= set(statuses)
    run.export(tmp_path / "part.twp", bbox=(10, 10, 30, 25), plane=True, from_=5, to=20)
    statuses = compare(tmp_path / "part.twp", ask, geographic=False)
    assert statuses["ok"] > 300
    assert {"beyond the window", "too late"} <= set(statuses)


def test_lookups_return_the_same_bits_by_longitude_and_latitude(ask, tmp_path):
    times = np.datetime64("2024-10-28", "ns") + np.arange(0, 49, 6) * np.timedelta64(3600, "s")
    lon, lat = np.linspace(-17, -11, 20), np.linspace(41, 47, 20)
    x, y = np.meshgrid(np.linspace(0, 6, 20), np.linspace(0, 6, 20))
    k = np.arange(len(times))[:, None, None]
    speeds = {"u": 0.2 * np.sin(x + 0.3 * k), "v": 0.2 * np.cos(y - 0.2 * k)}
    forecast = xr.Dataset(
        {name: (("time", "lat", "lon"), value + 0 * (x + y)) for name, value in speeds.items()},
        {"time": times, "lat": lat, "lon": lon},
    )
    for name in speeds:
        forecast[name].attrs["units"] = "m s-1"
    forecast["lat"].attrs["units"] = "degrees_north"
    forecast["lon"].attrs["units"] = "degrees_east"
    ocean = tw.Environment.from_xarray(forecast, spacing="20km", step="2h", lagged=2)
    mission = tw.Mission(
        ocean,
        tw.Vehicle(speeds=[1.0]),
        start=(-15, 43),
        target=(-14, 44),
        decide_every=3,
    )
    tw.plan(mission, backend="cpu").export(tmp_path / "ocean.twp", value=True)
    statuses = compare(tmp_path / "ocean.twp", ask, geographic=True)
    assert statuses["ok"] > 3000
    policy = twp.Policy.read(tmp_path / "ocean.twp")
    assert policy.flags & twp.HOLDS and policy.flags & twp.HAS_DATES
    action = policy.at_lonlat(-15, 43, twp.seconds("2024-10-28T12:00Z"))
    assert action.code == 0
    assert action.magnetic(16.5) == pytest.approx((action.bearing - 16.5) % 360)
    assert action.magnetic(-200) < 360

    # From a shell, with a copy of the file outside the package.
    shutil.copy(twp.__file__, tmp_path / "copied.py")
    question = ["copied.py", "ocean.twp", "-15", "43"]

    def call(*more):
        command = [sys.executable, "-I", *question, *more]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = call("2024-10-28T12:00", "16.5")
    assert (done.returncode, done.stderr) == (0, "")
    words = f"heading {action.bearing:.1f}° true, {action.magnetic(16.5):.1f}° magnetic"
    assert done.stdout.startswith(words)
    assert call("2023-10-28").stdout == "too early\n"
    assert call("whenever").returncode == 2


def test_damaged_files_are_refused(time_run, tmp_path):
    tw.open(time_run).export(tmp_path / "whole.twp")
    data = (tmp_path / "whole.twp").read_bytes()
    twp.Policy(data + b"more")  # padding to a page of flash memory

    def with_header(at, value):
        changed = bytearray(data)
        changed[at : at + 4] = value.to_bytes(4, "little")
        changed[120:124] = zlib.crc32(bytes(changed[:120])).to_bytes(4, "little")
        return bytes(changed)

    flipped = bytearray(data)
    flipped[-1] ^= 1
    for bad in (b"", data[:100], data[:-1], bytes(flipped), b"X" + data[1:]):
        with pytest.raises(twp.PolicyError):
            twp.Policy(bad)
    assert twp.Policy(bytes(flipped), check=False).actions > 0
    with pytest.raises(twp.PolicyError, match="version 3"):
        twp.Policy(with_header(8, 3))
    for at in (12, 16, 20, 24, 28, 32, 36, 40, 44, 116):
        with pytest.raises(twp.PolicyError):
            twp.Policy(with_header(at, 0xFFFFFF00))


def test_dates_count_as_seconds():
    assert twp.seconds("1970-01-02T00:00Z") == 86400
    assert twp.seconds("1970-01-02 00:00") == 86400
    assert twp.seconds("1970-01-02T02:00+02:00") == 86400
    with pytest.raises(ValueError):
        twp.seconds("soon")
