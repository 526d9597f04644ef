#!/usr/bin/env python3
"""Measures how often predicted arrivals come true (docs/trust/probabilities.md).

    scripts/benchmark_odds.py SET [FOLDER] [--work DIR] [--side NAME=OPTIONS] [--sides NAMES]

SET is one of --list; FOLDER holds its files, downloaded as --list describes; their SHA-256 is checked.
For each issue date the script writes a NetCDF forecast of what was known at that date, imports it by
'tidewise env import' with several settings (the sides), plans each mission, and takes the flights of the plan
as the prediction. The truth is the later field of the same source. One vehicle flies the policy through
it, by the classical Runge-Kutta method and its own interpolation. This flight uses only the policy table
and the positions of its cells from Tidewise. 'tidewise score' compares predictions and outcomes. Rows are
kept in DIR/rows.jsonl; a second call continues there.
Writes odds_SET.json into bench/results and odds_SET.png into docs/figures. Needs h5py, numpy, scipy and xarray;
matplotlib for the figure.
"""

import argparse
import hashlib
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import xarray

ROOT = Path(__file__).resolve().parents[1]
DRAWS = 2000  # of the bootstrap
PERCENTS = 5, 10, 25, 50, 75, 90, 95  # of the quantiles in a log of predictions
BASELINES = "aim", "crab"
NAMES = {
    "single": "one forecast", "lagged": "lagged members", "past": "errors of earlier forecasts",
    "known": "the true error model", "fitted": "an error model fitted by errors",
    "default": "the default error model", "hand": "the same model by --forecast-error FILE",
    "aim": "steer at the target", "crab": "compensate the current", "clairvoyant": "plan in the truth",
    "replanned": "replan with the error observed", "early": "plan for 0.85 of the time",
}


@dataclass(frozen=True)
class Set:
    """A source of currents, its forecasts, and the missions. Times in hours, lengths in metres."""

    about: str
    origin: str  # where to download it
    sha256: str  # of the names and bytes of all files, in order of name
    missions: tuple  # ((lon, lat) of the start, (lon, lat) of the target)
    speeds: tuple
    kind: str  # of the forecast: "persistence" of the last field, or the last "cycle" repeated
    cycle: float
    horizon: float
    step: float  # of levels
    spacing: float
    radius: float  # of targets
    first: float  # issue date, after the source's first time
    every: float
    lag: int  # of --lagged, in steps of the source
    length: float  # of the error's correlation, for replanning
    surfacing: float
    flight_step: float = 600.0  # [s]
    bbox: tuple | None = None  # west, south, east, north


SETS = {
    "agulhas": Set(
        "GlobCurrent v2 2002, daily geostrophic and Ekman currents at 1/4 degree, Agulhas Current",
        "https://github.com/OceanParcels/parcels-data, folder data/GlobCurrent_example_data (MIT)",
        "dd80dd93ac05fa8317639f60640fcd4f4c2347ed46bdef0752bfc56a6748076d",
        (((25.2, -36.0), (24.4, -37.3)), ((26.6, -38.4), (25.2, -37.5)), ((24.0, -38.7), (25.2, -37.6))),
        (0.35, 0.55), "persistence", 24.0, 12 * 24, 12, 20e3, 20e3, 96 * 24, 7 * 24, 4, 100e3, 48, 1200.0,
        (20.8, -40.2, 29.2, -34.4)),
    "washington": Set(
        "NOAA RTOFS global, October 2024, 3-hourly surface currents at 1/12 degree off Washington",
        "https://github.com/NOAA-ORR-ERD/PyGnome, py_gnome/scripts/example_scripts/example_files/"
        "wa_RTOFS_global.nc (public domain), as examples/washington/rtofs_washington_2024.nc",
        "9890f44e4679b4100829fb6f73b6cc6238378c029c28acd65f4e2a6a93f0d1db",
        (((-126.0, 47.0), (-125.6, 47.4)), ((-125.2, 48.0), (-125.6, 47.6)), ((-125.9, 48.5), (-125.4, 48.1))),
        (0.35, 0.5), "cycle", 24.0, 54, 3, 4e3, 4e3, 108, 6, 4, 30e3, 6),
    "roses": Set(
        "HF radar totals of ICATMAR, Bay of Roses, March 2023, hourly at 3 km",
        "https://github.com/ICATMAR/HFRadarData, folder ROSE (no licence stated: do not redistribute)",
        "edf7ff9cc879cac49a41b62b938d30bdc9fb5e8b84ec6224e0363f484a0f4790",
        (((3.42, 42.06), (3.58, 42.18)), ((3.70, 41.80), (3.52, 41.92)), ((3.58, 42.28), (3.46, 42.14))),
        (0.3, 0.45), "cycle", 24.0, 24, 1, 1.5e3, 2e3, 66, 6, 4, 10e3, 3),
    "synthetic": Set(
        "eddies and a tide drawn at random; the truth is the forecast plus an error of a known model",
        "drawn by this script", "",
        (((-0.17, 47.90), (0.13, 48.08)), ((0.20, 47.92), (-0.16, 48.09))),
        (0.4,), "synthetic", 12.42, 30, 2, 3e3, 3e3, 0, 1, 0, 15e3, 6),
}
DRAWN_DATES, DRAWN_TRUTHS, DRAWN_MEMBERS = 80, 5, 50  # of the synthetic set; truths, members of each forecast


# Measures in addition to those of 'tidewise score': ratios of sums over rows, so that the bootstrap draws issue dates by
# weights.

def ratio(numerator, denominator, dates, draws=DRAWS, seed=1):
    """[value, low, high] of sum(numerator) / sum(denominator), with a 90 % interval by a bootstrap over
    dates; NaN without rows. Arrays (row)."""
    numerator, denominator = np.asarray(numerator, float), np.asarray(denominator, float)
    if denominator.sum() == 0:
        return [math.nan] * 3
    _, group = np.unique(np.asarray(dates), return_inverse=True)
    sums = np.array([np.bincount(group, part) for part in (numerator, denominator)])
    count = sums.shape[1]
    weights = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), draws)
    above, below = weights @ sums[0], weights @ sums[1]
    drawn = above[below > 0] / below[below > 0]
    return [float(numerator.sum() / denominator.sum()), *map(float, np.quantile(drawn, [0.05, 0.95]))]


def to_log(row, horizon):
    """A line of a log of predictions, with its outcome."""
    times = np.sort(row["predicted"])
    count, arrived = len(times), int(np.isfinite(times).sum())

    def quantiles(total, missing):
        places = [-(-percent * total // 100) for percent in PERCENTS]  # rounded up
        return [3600 * float(times[n - 1]) if 0 < n <= arrived else missing for n in places]

    departure = np.datetime64("2000-01-01T00:00") + np.timedelta64(round(60 * row["day"] * 24), "m")
    deadline = departure + np.timedelta64(round(60 * horizon), "m")
    outcome = {"arrived": True, "time": 3600 * row["true"]} if math.isfinite(row["true"]) else {"arrived": False}
    return {"tidewise_prediction": 1, "departure": f"{departure}Z", "deadline": f"{deadline}Z",
            "arrival": {"probability": arrived / count, "quantiles": quantiles(count, None),
                        "quantiles_of_arrivals": quantiles(arrived, None)}, "outcome": outcome}


def scored(rows, horizon, tidewise, folder):
    """The measures of 'tidewise score', as JSON."""
    log = folder / "predictions.jsonl"
    log.write_text("".join(json.dumps(to_log(row, horizon)) + "\n" for row in rows))
    words = [str(tidewise), "score", str(log), "--json"]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def others(rows, row):
    """True times of the same mission by the same side at other dates: the climatology."""
    return [other["true"] for other in rows if other["mission"] == row["mission"] and other["speed"] == row["speed"]
            and other["date"] != row["date"]]


def measures(rows, horizon, tidewise, folder):
    """Measures of one side's rows with a prediction; times in hours, inf for no arrival."""
    results = scored(rows, horizon, tidewise, folder)
    dates, ones = [row["date"] for row in rows], np.ones(len(rows))
    arrived = np.array([math.isfinite(row["true"]) for row in rows])
    predicted = np.array([np.mean(np.isfinite(row["predicted"])) for row in rows])
    results["predicted"] = ratio(predicted, ones, dates)
    climate = [others(rows, row) for row in rows]
    if all(climate):
        rate = np.array([np.mean(np.isfinite(each)) for each in climate])
        results["brier_climatology"] = ratio((rate - arrived) ** 2, ones, dates)
        results["brier_gain"] = ratio((rate - arrived) ** 2 - (predicted - arrived) ** 2, ones, dates)
    return results


def compared(rows, horizon, reference="aim"):
    """Arrivals and capped mean time [h] of each side, and their differences from `reference` on the same missions."""
    by_key = {(row["side"], row["date"], row["mission"], row["speed"], row.get("draw")): row["true"] for row in rows}
    results = {}
    for side in dict.fromkeys(row["side"] for row in rows):
        keys = [key[1:] for key in by_key if key[0] == side and (reference, *key[1:]) in by_key]
        if not keys:
            continue
        reached, base = (np.array([by_key[name, *key] for key in keys]) for name in (side, reference))
        dates, ones = [key[0] for key in keys], np.ones(len(keys))
        results[side] = {
            "missions": len(keys), "arrived": ratio(np.isfinite(reached), ones, dates),
            "capped_hours": ratio(np.minimum(reached, horizon), ones, dates),
            "less_hours": ratio(np.minimum(reached, horizon) - np.minimum(base, horizon), ones, dates),
            "more_arrivals": ratio(np.isfinite(reached) * 1.0 - np.isfinite(base), ones, dates),
        }
    return results


# Sources.

@dataclass
class Series:
    """Currents: time [h since the first], lat, lon ascending, u and v (time, lat, lon) [m/s], NaN on land."""

    time: np.ndarray
    lat: np.ndarray
    lon: np.ndarray
    u: np.ndarray
    v: np.ndarray
    origin: str  # date of the first time

    def at(self, hours):
        """u, v (time, lat, lon) at these times, linear between the source's."""
        hours = np.atleast_1d(hours)
        if hours.min() < self.time[0] - 1e-6 or hours.max() > self.time[-1] + 1e-6:
            raise ValueError("a time outside the source")
        right = np.clip(np.searchsorted(self.time, hours), 1, len(self.time) - 1)
        share = ((hours - self.time[right - 1]) / (self.time[right] - self.time[right - 1]))[:, None, None]
        return [(1 - share) * part[right - 1] + share * part[right] for part in (self.u, self.v)]


def read_totals(files):
    """CODAR totals (.tuv). Points with values at 80 % of the times are kept; gaps are filled in time."""
    tables, times = [], []
    for file in files:
        text = file.read_text(errors="replace").splitlines()
        stamp = next((line for line in text if line.startswith("%TimeStamp:")), None)
        if stamp is None:
            continue
        end = next(n for n, line in enumerate(text) if line.startswith("%TableEnd"))
        rows = [line.split()[:4] for line in text[:end] if not line.startswith("%")]
        year, month, day, hour, *_ = map(int, stamp.split()[1:])
        times.append(np.datetime64(f"{year:04}-{month:02}-{day:02}T{hour:02}:00"))
        tables.append(np.array(rows, float))
    order = np.argsort(times)
    times = np.array(times)[order]
    gap = np.flatnonzero(np.diff(times) > np.timedelta64(6, "h"))
    if len(gap):
        order, times = order[gap[-1] + 1:], times[gap[-1] + 1:]
    # Rows are equally spaced in km, so a column's longitude differs between rows: it gets the middle row's.
    all_points = np.concatenate([table[:, :2] for table in tables])
    pitch = 3 / 111.1
    west, south = all_points.min(0)
    middle = math.radians(all_points[:, 1].mean())
    lat = np.arange(south, all_points[:, 1].max() + pitch / 2, pitch)
    lon = west + np.arange(0, (all_points[:, 0].max() - west) * math.cos(middle) / pitch + 0.5) * pitch / math.cos(middle)
    origin = all_points[:, 0].mean()
    grids = np.full((2, len(times), len(lat), len(lon)), np.nan)
    for n, which in enumerate(order):
        table = tables[which]
        j = np.rint((table[:, 1] - south) / pitch).astype(int)
        level = (table[:, 0] - origin) * np.cos(np.radians(table[:, 1])) / math.cos(middle) + origin
        i = np.rint((level - west) / (lon[1] - lon[0])).astype(int)
        inside = (i >= 0) & (i < len(lon)) & (j < len(lat))
        for component in (0, 1):
            grids[component, n, j[inside], i[inside]] = table[inside, 2 + component] / 100
    hours = (times - times[0]) / np.timedelta64(1, "h")
    kept = np.isfinite(grids[0]).mean(0) >= 0.8
    for j, i in zip(*np.nonzero(kept), strict=True):
        for component in (0, 1):
            column = grids[component, :, j, i]
            is_known = np.isfinite(column)
            grids[component, :, j, i] = np.interp(hours, hours[is_known], column[is_known])
    grids[:, :, ~kept] = np.nan
    return Series(hours, lat, lon, *grids, str(times[0]))


def read_source(name, folder):
    """Reads the files of a set. Errors: SystemExit if their checksum is another."""
    of = SETS[name]
    files = [folder] if folder.is_file() else sorted(file for file in folder.iterdir() if file.suffix in (".nc", ".tuv"))
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    if digest.hexdigest() != of.sha256:
        sys.exit(f"{folder}: SHA-256 of {len(files)} files is {digest.hexdigest()}, not {of.sha256}; "
                 f"download them again: {of.origin}")
    if files[0].suffix == ".tuv":
        return read_totals(files)
    u, v = ("eastward_eulerian_current_velocity", "northward_eulerian_current_velocity") if name == "agulhas" \
        else ("water_u", "water_v")
    opened = [xarray.open_dataset(file, decode_times=False) for file in files]
    times = np.concatenate([dataset.time.values for dataset in opened]).astype(float)
    units = opened[0].time.attrs.get("units") or opened[0].time.attrs["Unit"]
    lat, lon = opened[0].lat.values.astype(float), opened[0].lon.values.astype(float)
    fields = [np.concatenate([dataset[part].values for dataset in opened]).astype(float) for part in (u, v)]
    fields = [np.where(np.abs(field) < 50, field, np.nan) for field in fields]
    if of.bbox:
        west, south, east, north = of.bbox
        j, i = (np.flatnonzero((axis >= low) & (axis <= high)) for axis, low, high in
                ((lat, south, north), (lon, west, east)))
        lat, lon, fields = lat[j], lon[i], [field[:, j][:, :, i] for field in fields]
    unit, _, base = units.partition(" since ")
    base = "-".join(part.zfill(2) for part in base.split()[0].split("-"))
    hours = (times - times[0]) * {"days": 24, "hours": 1, "seconds": 1 / 3600}[unit]
    seconds = round(times[0] * {"days": 86400, "hours": 3600, "seconds": 1}[unit])
    first = np.datetime64(base) + np.timedelta64(seconds, "s")
    return Series(hours, lat, lon, *fields, str(first))


# Forecasts, from the data before an issue date.

def forecast(series, of, issue, leads):
    """u, v (lead, lat, lon) at these hours after `issue`, from the source up to `issue`; before it, the source."""
    leads = np.asarray(leads, float)
    if of.kind == "persistence":
        return series.at(issue + np.minimum(leads, 0))
    return series.at(issue + np.where(leads <= 0, leads, (leads % of.cycle) - of.cycle))


def earlier_files(folder, series, of, issue, leads):
    """The files for --past: the series up to `issue`, whose persistence has the forecast's errors; or the forecasts of
    all earlier times."""
    if of.kind == "persistence":
        known = series.time[series.time <= issue + 1e-6]
        write_forecast(folder / "archive.nc", series, 0, known, series.at(known))
        return ["archive.nc"]
    times = series.time[(series.time >= of.cycle) & (series.time <= issue + 1e-6)]
    for n, time in enumerate(times):
        write_forecast(folder / f"earlier_{n}.nc", series, time, leads, forecast(series, of, time, leads))
    return [f"earlier_{n}.nc" for n in range(len(times))]


def fit_model(planner, series, of, issue, leads):
    """model.toml: the error of the newest forecast that has ended by `issue`, at the points of the source."""
    start = issue - leads[-1]
    write_forecast(planner.folder / "ended.nc", series, start, leads, forecast(series, of, start, leads))
    write_forecast(planner.folder / "observed.nc", series, start, leads, series.at(start + leads))
    planner.bring_in("ended", "ended.nc")
    planner.run("errors", "ended.h5", "--radar", "observed.nc", "--representation", 0, "--out", "model.toml",
                "--overwrite")


def write_forecast(path, series, issue, leads, fields):
    """fields: ([member,] 2, lead, lat, lon)"""
    dims = ("member",) * (np.ndim(fields) == 5) + ("time", "lat", "lon")
    parts = np.moveaxis(np.asarray(fields, "f4"), -4, 0)
    data = {}
    for name, part, direction in zip("uv", parts, ("eastward", "northward"), strict=True):
        data[f"{name}o"] = dims, part, {"standard_name": f"{direction}_sea_water_velocity", "units": "m s-1"}
    units = f"hours since {series.origin.replace('T', ' ')}"
    coordinates = {
        "time": ("time", issue + leads, {"units": units, "standard_name": "time"}),
        "lat": ("lat", series.lat, {"units": "degrees_north", "standard_name": "latitude"}),
        "lon": ("lon", series.lon, {"units": "degrees_east", "standard_name": "longitude"}),
    }
    if len(dims) == 4:
        coordinates["member"] = np.arange(len(parts[0]))
    xarray.Dataset(data, coordinates).to_netcdf(path)


# Synthetic currents.

# [m/s, m, 1, h, h, h]
ERROR = {"rms": 0.15, "length": 15e3, "slow_share": 0.6, "slow_time": 40.0, "fast_time": 12.0, "period": 12.42}


def coefficients(generator, hours, count, share, slow, fast, period):
    """(time, count) of unit variance: an AR(1) process and a damped oscillation, as ForecastErrorModel has them."""
    step = hours[1] - hours[0]

    def process(memory, turn):
        keep = np.exp((-1 / memory + 2j * math.pi / turn if turn else -1 / memory) * step)
        noise = generator.standard_normal((2, len(hours), count))
        noise = noise[0] + 1j * noise[1]
        process_values = noise.copy()
        for n in range(1, len(hours)):
            process_values[n] = keep * process_values[n - 1] + math.sqrt(1 - abs(keep) ** 2) * noise[n]
        return process_values.real

    return math.sqrt(share) * process(slow, 0) + math.sqrt(1 - share) * process(fast, period)


def stream_waves(generator, hours, lat, lon, rms, length, series, waves=40):
    """u, v (time, lat, lon) without divergence, of `rms` [m/s] a component, whose longitudinal correlation is
    exp(-r²/2L²); series: (time, 2 waves) of unit variance."""
    x, y = np.meshgrid((lon - lon.mean()) * 111195 * math.cos(math.radians(lat.mean())), (lat - lat.mean()) * 111195)
    k = generator.standard_normal((waves, 2)) / length
    phase = k[:, :1, None] * x[None] + k[:, 1:, None] * y[None]
    basis = np.concatenate([-np.sin(phase), np.cos(phase)])  # the derivatives of cos and sin
    k = np.concatenate([k, k])
    scale = rms * length / math.sqrt(waves)
    return np.array([scale * np.tensordot(series, sign * k[:, axis, None, None] * basis, 1)
                     for axis, sign in ((1, -1), (0, 1))])


def draw_error(generator, hours, lat, lon):
    times = (ERROR[name] for name in ("slow_share", "slow_time", "fast_time", "period"))
    series = coefficients(generator, hours, 80, *times)
    return stream_waves(generator, hours, lat, lon, ERROR["rms"], ERROR["length"], series)


def fly_synthetic(planner, of, date, sides, extra, rows_done, emit):
    """All missions of one drawn forecast, each in several drawn truths."""
    lat, lon = 48 + np.arange(-15, 16) * 0.027, np.arange(-15, 16) * 0.040
    leads = np.arange(0, of.horizon + of.step + 1)
    generator = np.random.default_rng([1, int(date)])
    still = np.broadcast_to(generator.standard_normal((1, 80)), (len(leads), 80))
    tide = 0.1 * np.array([np.cos(2 * math.pi * leads / of.cycle), np.sin(2 * math.pi * leads / of.cycle)])
    known = stream_waves(generator, leads, lat, lon, 0.15, 25e3, still) + tide[:, :, None, None]
    truths = [known + draw_error(generator, leads, lat, lon) for _ in range(DRAWN_TRUTHS)]
    series = Series(leads.astype(float), lat, lon, *known, "2024-01-01T00:00")
    write_forecast(planner.folder / "single.nc", series, 0, leads, known)
    for side in sides:
        todo = [(number, speed) for number in range(len(of.missions)) for speed in of.speeds
                if (side, date, number, speed) not in rows_done]
        if not todo:
            continue
        if side == "known":
            members = [known + draw_error(generator, leads, lat, lon) for _ in range(DRAWN_MEMBERS)]
            write_forecast(planner.folder / "known.nc", series, 0, leads, members)
        source = planner.folder / ("known.nc" if side == "known" else "single.nc")
        options = ["--forecast-error", "default"] if side == "default" else shlex.split(extra.get(side, ""))
        environment = planner.bring_in(side, source, *options)
        for number, speed in todo:
            mission, length = of.missions[number], round(of.horizon / of.step)
            policy = planner.plan(environment, mission, speed, length)
            new_rows = []
            for draw, fields in enumerate(truths):
                if side == "replanned" and draw:  # it plans several times
                    break
                truth = Truth(lat, lon, leads * 3600.0, *fields)
                key = {"date": date, "mission": number, "speed": speed, "draw": draw}
                watch = None
                if side == "replanned":
                    watch = replanning(planner, environment, policy, mission, speed, of)
                new_rows.append({"side": side, "true": fly(policy, truth, steer_by(policy), of, watch),
                              "predicted": None if watch else policy.flown.tolist(), **key})
                if side == sides[0]:
                    new_rows += [{"side": name, "predicted": None, **key,
                               "true": fly(policy, truth, toward(policy.target, speed, name == "crab"), of)}
                              for name in BASELINES]
            for row in new_rows:
                emit(row)


# The independent flight.

class Truth:
    """Currents at a place [degrees] and a time [s after the issue date]: linear in time and space, over wet points."""

    def __init__(self, lat, lon, seconds, u, v):
        self.lat, self.lon, self.seconds = (np.asarray(axis, float) for axis in (lat, lon, seconds))
        self.wet = np.isfinite(u[0])
        self.field = np.stack([np.where(np.isfinite(part), part, 0.0) for part in (u, v)], -1)

    def _cell(self, lon, lat):
        i, j = (lon - self.lon[0]) / (self.lon[1] - self.lon[0]), (lat - self.lat[0]) / (self.lat[1] - self.lat[0])
        if not (0 <= i < len(self.lon) - 1 and 0 <= j < len(self.lat) - 1):
            raise LookupError("outside")
        return int(i), int(j), i - int(i), j - int(j)

    def is_wet(self, lon, lat):
        i, j, a, b = self._cell(lon, lat)
        return bool(self.wet[j + (b > 0.5), i + (a > 0.5)])

    def flow(self, lon, lat, seconds):
        i, j, a, b = self._cell(lon, lat)
        n = min(max(int(np.searchsorted(self.seconds, seconds, "right")) - 1, 0), len(self.seconds) - 2)
        c = (seconds - self.seconds[n]) / (self.seconds[n + 1] - self.seconds[n])
        weight = np.array([[(1 - a) * (1 - b), a * (1 - b)], [(1 - a) * b, a * b]])
        share = float((weight * self.wet[j:j + 2, i:i + 2]).sum())
        here = self.field[n:n + 2, j:j + 2, i:i + 2]
        east, north = np.einsum("tyxc,yx->tc", here, weight).T @ (1 - c, c)
        return east / max(share, 1e-9), north / max(share, 1e-9)


class Policy:
    """Actions by cell and level, and the map from the plane to degrees."""

    def __init__(self, run):
        with h5py.File(run / "policy.h5") as file:
            self.action, self.time = file["action"][...], file["time"][...].astype(float)
            self.heading, self.speed = file["heading"][...], file["speed"][...]
            self.x, self.y = file["x"][...], file["y"][...]
            self.map = np.stack([file[name][...] for name in ("lon", "lat", "meridian_convergence")], -1)
        self.time -= self.time[0]
        with h5py.File(run / "trajectories.nc") as file:
            self.start = float(file["x"][0, 0]), float(file["y"][0, 0])
            self.target = tuple(float(np.ravel(file.attrs[f"target_{axis}"])[0]) for axis in "xy")
            begin = file["time"][:, :1]
            last = np.nanmax(file["time"][...], axis=1) - begin[:, 0]
            self.flown = np.where(file["outcome"][...] == 0, last / 3600, np.inf)  # [h]

    def place(self, x, y):
        """(lon, lat, convergence [rad])"""
        i, j = (x - self.x[0]) / (self.x[1] - self.x[0]), (y - self.y[0]) / (self.y[1] - self.y[0])
        if not (0 <= i <= len(self.x) - 1 and 0 <= j <= len(self.y) - 1):
            raise LookupError("outside")
        m, n = min(int(i), len(self.x) - 2), min(int(j), len(self.y) - 2)
        a, b = i - m, j - n
        corner = self.map[n:n + 2, m:m + 2]
        south, north = ((1 - a) * row[0] + a * row[1] for row in corner)
        lon, lat, turned = (1 - b) * south + b * north
        return lon, lat, math.radians(turned)

    def is_target(self, x, y, radius):
        """True if the centre of the cell at (x, y) is in the target's disc."""
        centre = [axis[0] + round((at - axis[0]) / (axis[1] - axis[0])) * (axis[1] - axis[0])
                  for at, axis in ((x, self.x), (y, self.y))]
        return math.dist(centre, self.target) <= radius

    def velocity(self, x, y, seconds):
        """Velocity through the water along x and y, or None without an action."""
        level = int(seconds / (self.time[1] - self.time[0]) + 1e-6)
        if level >= len(self.action):
            return None
        action = self.action[level, round((y - self.y[0]) / (self.y[1] - self.y[0])),
                             round((x - self.x[0]) / (self.x[1] - self.x[0]))]
        if action < 0:
            return None
        return self.speed[action] * math.cos(self.heading[action]), self.speed[action] * math.sin(self.heading[action])


def toward(target, speed, compensate=False):
    """A controller that steers at the target, or holds the track to it in the current at its place."""

    def steer(x, y, _, flow):
        dx, dy = target[0] - x, target[1] - y
        far = math.hypot(dx, dy) or 1.0
        dx, dy = dx / far, dy / far
        across = (flow[1] * dx - flow[0] * dy) if compensate else 0.0
        across = min(max(-across, -speed), speed)
        along = math.sqrt(speed**2 - across**2)
        return along * dx - across * dy, along * dy + across * dx

    return steer


def fly(policy, truth, steer, of, observed=None):
    """Hours to the target, or inf. steer(x, y, seconds, flow) is called at every level;
    observed(middle, seconds, mean flow, place), which may return another steer, at every surfacing."""

    def flow(x, y, seconds):
        lon, lat, turned = policy.place(x, y)
        east, north = truth.flow(lon, lat, seconds)
        c, s = math.cos(turned), math.sin(turned)
        return np.array([east * c - north * s, north * c + east * s])

    place, seconds, h = np.array(policy.start), 0.0, of.flight_step
    flow_sum, flow_count, last_place = np.zeros(2), 0, place
    target = np.array(policy.target)
    try:
        while seconds < of.horizon * 3600 - 1:
            if observed and flow_count and seconds % (of.surfacing * 3600) == 0:
                steer = observed((last_place + place) / 2, seconds, flow_sum / flow_count, place) or steer
                flow_sum, flow_count, last_place = np.zeros(2), 0, place
            if seconds % (of.step * 3600) == 0:
                through_water = steer(*place, seconds, flow(*place, seconds))
                if through_water is None:  # in a cell of the target, outside its disc: arrived, as the mission counts
                    return seconds / 3600 if policy.is_target(*place, of.radius) else math.inf
            first = flow(*place, seconds)
            a = first + through_water
            b = flow(*(place + h / 2 * a), seconds + h / 2) + through_water
            c = flow(*(place + h / 2 * b), seconds + h / 2) + through_water
            d = flow(*(place + h * c), seconds + h) + through_water
            move = h / 6 * (a + 2 * b + 2 * c + d)
            before, after = (math.hypot(*(position - target)) - of.radius for position in (place, place + move))
            flow_sum, flow_count = flow_sum + first, flow_count + 1
            if after <= 0:
                return (seconds + h * (before / (before - after) if before > 0 else 0)) / 3600
            place, seconds = place + move, seconds + h
            lon, lat, _ = policy.place(*place)
            if not truth.is_wet(lon, lat):
                return math.inf
    except LookupError:
        return math.inf
    return math.inf


# Plans.

class Planner:
    """Runs the program in one folder."""

    def __init__(self, tidewise, folder, of):
        self.tidewise, self.folder, self.of = str(tidewise), folder, of
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *words):
        done = subprocess.run([self.tidewise, "-q", *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
        if done.returncode:
            raise RuntimeError(f"{shlex.join(map(str, words))}: {done.stderr.strip()}")

    def bring_in(self, name, source, *options):
        self.run("env", "import", source, "--out", f"{name}.h5", "--overwrite", "--spacing", f"{self.of.spacing}m",
                 "--step", f"{self.of.step}h", *options)
        return self.folder / f"{name}.h5"

    def plan(self, environment, mission, speed, horizon, departure=0, place=None):
        """place: position on the plane that replaces the mission's start."""
        start, target = mission
        where = f"start_lonlat = [{start[0]}, {start[1]}]" if place is None else f"start = [{place[0]}, {place[1]}]"
        (self.folder / "mission.toml").write_text(f"""[environment]
file = "{environment.name}"
[vehicle]
speeds = [{speed}]
headings = 16
[mission]
{where}
target_lonlat = [{target[0]}, {target[1]}]
target_radius = {self.of.radius}
departure = {departure}
horizon = {horizon}
[planner]
backend = "cpu"
threads = 1
[rollout]
realizations = "all"
baselines = "none"
""")
        self.run("plan", "mission.toml", "--out", "run", "--overwrite")
        return Policy(self.folder / "run")


def steer_by_policy_then(policy, after):
    """Steers by the policy while it has an action, then by `after`."""
    return lambda x, y, seconds, flow: policy.velocity(x, y, seconds) or after(x, y, seconds, flow)


def steer_by(policy):
    return lambda x, y, seconds, _: policy.velocity(x, y, seconds)


def replanning(planner, environment, policy, mission, speed, of):
    """A vehicle that observes the mean error of the flow between surfacings. It adds the error, which
    fades with distance by exp(-r²/2L²), to the forecast's mean, and replans. Earlier errors are kept."""
    path = planner.folder / "corrected.h5"
    shutil.copyfile(environment, path)
    x, y = np.meshgrid(policy.x, policy.y)

    def observed(middle, seconds, mean_flow, place):
        level = int(seconds / 3600 / of.step + 1e-6)
        with h5py.File(path, "r+") as file:
            first_level = max(level - int(of.surfacing / of.step), 0)
            j, i = (round((middle[k] - axis[0]) / (axis[1] - axis[0])) for k, axis in ((1, policy.y), (0, policy.x)))
            weight = np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * of.length**2))
            for k, name in enumerate(("u_mean", "v_mean")):
                error = mean_flow[k] - np.mean(file[name][first_level:level, j, i])
                file[name][level:] = file[name][level:] + (error * weight)[None].astype("f4")
        steps_left = round(of.horizon / of.step) - level
        if steps_left < 2:
            return None
        try:
            replanned = planner.plan(path, mission, speed, steps_left, level, place)
        except RuntimeError as error:  # the vehicle is in a closed cell
            print(error, file=sys.stderr)
            return None
        return lambda at_x, at_y, now, _: replanned.velocity(at_x, at_y, now)

    return observed


def fly_date(planner, series, of, issue, sides, extra, rows_done, emit):
    """All missions of one issue date."""
    grid = np.median(np.diff(series.time))
    leads = np.arange(0, of.horizon + of.step + grid, grid)
    leads = leads[issue + leads <= series.time[-1] + 1e-6]
    seconds = leads * 3600
    true_fields = series.at(issue + leads)
    truth = Truth(series.lat, series.lon, seconds, *true_fields)
    known = np.array(forecast(series, of, issue, leads))
    files = {}

    def source(side):
        name = f"{'truth' if side == 'clairvoyant' else 'lagged' if side == 'lagged' else 'single'}.nc"
        if name not in files:
            path, when, fields = planner.folder / name, leads, known
            if name == "truth.nc":
                fields = true_fields
            elif name == "lagged.nc":
                when = np.arange(-of.lag, len(leads) + of.lag) * grid
                fields = forecast(series, of, issue, when)
            write_forecast(path, series, issue, when, fields)
            files[name] = path
        return files[name]

    for side in sides:
        todo = [(number, speed) for number in range(len(of.missions)) for speed in of.speeds
                if (side, issue, number, speed) not in rows_done]
        if not todo:
            continue
        options = {"lagged": ["--lagged", of.lag], "default": ["--forecast-error", "default"],
                   "fitted": ["--forecast-error", "model.toml"]}.get(side, shlex.split(extra.get(side, "")))
        if side == "past":
            options = ["--past", *earlier_files(planner.folder, series, of, issue, leads)]
        elif side == "fitted":
            fit_model(planner, series, of, issue, leads)
        environment = planner.bring_in(side, source(side), *options)
        for number, speed in todo:
            mission, length = of.missions[number], round(of.horizon / of.step)
            policy = planner.plan(environment, mission, speed, length)

            def row(name, true, predicted=None, number=number, speed=speed):
                rows_done.add((name, issue, number, speed))
                emit({"side": name, "date": issue, "mission": number, "speed": speed, "true": true,
                      "predicted": predicted})

            if (BASELINES[0], issue, number, speed) not in rows_done:
                for name in BASELINES:
                    row(name, fly(policy, truth, toward(policy.target, speed, name == "crab"), of))
            if side == "replanned":
                shorter = planner.plan(environment, mission, speed, round(0.85 * length))
                after = toward(policy.target, speed, True)
                row("early", fly(policy, truth, steer_by_policy_then(shorter, after), of))
                row(side, fly(policy, truth, steer_by(policy), of,
                              replanning(planner, environment, policy, mission, speed, of)))
                continue
            predicted = None if side == "clairvoyant" else policy.flown.tolist()
            row(side, fly(policy, truth, steer_by(policy), of), predicted)


def issues(series, of):
    last = series.time[-1] - of.horizon - of.step
    return [float(hour) for hour in np.arange(of.first, last + 1e-6, of.every)]


# The report.

def draw(path, name, sides):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(4.6, 4.2))
    axes.plot([0, 1], [0, 1], color="0.6", lw=1)
    for number, (side, found) in enumerate(sides.items()):
        bins = [one for one in found["reliability"] if one["count"]]
        at = [one["predicted"] + 0.006 * (number - 1) for one in bins]
        value, low, high = np.array([[one["observed"][key] if one["observed"][key] is not None else math.nan
                                      for key in ("value", "low", "high")] for one in bins]).T
        axes.errorbar(at, value, [np.maximum(value - low, 0), np.maximum(high - value, 0)], marker="o", ms=4, lw=1,
                      capsize=2, label=f"{NAMES.get(side, side)} ({found['scored']})")
        for x, y, one in zip(at, value, bins, strict=True):
            axes.annotate(one["count"], (x, y), textcoords="offset points", xytext=(4, -8), fontsize=6,
                          color=f"C{number}")
    limits = -0.04, 1.04
    axes.set(xlabel="predicted probability of arrival", ylabel="share that arrived", xlim=limits, ylim=limits)
    axes.legend(fontsize=7, title=f"{name} (missions)", title_fontsize=7, loc="lower center",
                bbox_to_anchor=(0.5, 1.01), ncol=2)
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def report(name, of, rows, tidewise, folder, results, figures):
    horizon, predicted = of.horizon, {}
    rows = [row | {"day": row["date"] / (1 if of.kind == "synthetic" else 24)} for row in rows]
    for side in dict.fromkeys(row["side"] for row in rows if row["predicted"] is not None):
        predicted[side] = measures([row for row in rows if row["side"] == side], horizon, tidewise, folder)
    dates = len({row["date"] for row in rows if row["predicted"] is not None})
    found = {"set": name, "about": of.about, "origin": of.origin, "sha256": of.sha256, "dates": dates,
             "horizon_hours": horizon, "interval": "90 %, bootstrap over dates",
             "predictions": predicted, "controllers": compared(rows, horizon)}
    results.mkdir(parents=True, exist_ok=True)
    (results / f"odds_{name}.json").write_text(json.dumps(found, indent=1).replace("NaN", "null") + "\n")
    print(f"{name}: {dates} dates")

    def text(measure):
        three = [measure[key] for key in ("value", "low", "high")] if isinstance(measure, dict) else measure
        if three[0] is None or not np.isfinite(three[0]):
            return "–"
        return f"{100 * three[0]:.0f}" + ("" if three[1] is None else f" ({100 * three[1]:.0f}–{100 * three[2]:.0f})")

    print("| prediction | missions | predicted, % | arrived, % | given 95 % or more: arrived, % | 50 % windows "
          "| 90 % windows | 90 %, of arrivals | Brier score | less than climatology | CRPS, h |\n|" + " --- |" * 11)
    for side, one in predicted.items():
        gain = "{:+.3f} ({:+.3f} to {:+.3f})".format(*one["brier_gain"]) if "brier_gain" in one else "–"
        print(f"| {NAMES.get(side, side)} | {one['scored']} | {text(one['predicted'])} | {text(one['base_rate'])} | "
              f"{text(one['above_95'])} of {one['above_95']['count']} | {text(one['window_50'])} | "
              f"{text(one['window_90'])} | {text(one['window_90_of_arrivals'])} | {one['brier']['value']:.3f} | "
              f"{gain} | {one['crps']['value'] / 3600:.1f} |")
    print("| controller | missions | arrived % | capped mean [h] | less than straight [h] |\n|" + " --- |" * 5)
    for side, one in found["controllers"].items():
        print(f"| {NAMES.get(side, side)} | {one['missions']} | {text(one['arrived'])} | "
              f"{one['capped_hours'][0]:.1f} | " + "{:+.1f} ({:+.1f} to {:+.1f})".format(*one["less_hours"]) + " |")
    try:
        draw(figures / f"odds_{name}.png", name, predicted)
    except ImportError:
        print("matplotlib is not installed; no figure", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", choices=SETS)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--list", action="store_true", help="describe the sets and their downloads")
    parser.add_argument("--work", type=Path, help="default: runs/odds_SET")
    parser.add_argument("--sides", default="past,single,clairvoyant,lagged,replanned")
    parser.add_argument("--side", action="append", default=[], metavar="NAME=OPTIONS",
                        help="a further side: the single forecast, imported with these options")
    parser.add_argument("--dates", type=int, help="number of dates, spread evenly")
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="each Nth date, for several processes at once")
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise", type=Path)
    arguments = parser.parse_args()
    if arguments.list or not arguments.set:
        for name, of in SETS.items():
            print(f"{name}: {of.about}\n  {of.origin}\n  SHA-256 {of.sha256}")
        return 0
    of = SETS[arguments.set]
    work = arguments.work or Path("runs") / f"odds_{arguments.set}"
    work.mkdir(parents=True, exist_ok=True)
    table = work / "rows.jsonl"
    rows = [json.loads(line) for line in table.read_text().splitlines()] if table.is_file() else []
    if not arguments.report_only:
        extra = dict(option.split("=", 1) for option in arguments.side)
        sides = [side for side in arguments.sides.split(",") if side] + list(extra)
        done = {(row["side"], row["date"], row["mission"], row["speed"]) for row in rows}
        if of.kind == "synthetic":
            dates = [float(date) for date in range(DRAWN_DATES)]
        else:
            series = read_source(arguments.set, arguments.folder)
            dates = issues(series, of)
        if arguments.dates:
            dates = [dates[n] for n in np.unique(np.linspace(0, len(dates) - 1, arguments.dates).round().astype(int))]

        def emit(row):
            rows.append(row)
            with table.open("a") as file:
                file.write(json.dumps(row) + "\n")

        def one_date(issue):
            planner = Planner(arguments.tidewise.absolute(), (work / f"date_{issue:g}").absolute(), of)
            if of.kind == "synthetic":
                fly_synthetic(planner, of, issue, sides, extra, done, emit)
            else:
                fly_date(planner, series, of, issue, sides, extra, done, emit)
            shutil.rmtree(planner.folder)
            print(f"{issue:g} h", file=sys.stderr, flush=True)

        part, parts = map(int, arguments.part.split("/"))
        for issue in dates[part - 1::parts]:
            one_date(issue)
    report(arguments.set, of, rows, arguments.tidewise.absolute(), work, ROOT / "bench/results", ROOT / "docs/figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
