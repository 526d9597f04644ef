#!/usr/bin/env python3
"""The picture of docs/trust/depth.md: a rehearsed way through three depths, from above and as a section.

  scripts/accuracy/depth_picture.py FOLDER NUMBER [--data ../shared/data] [--out docs/figures/depth.png]

FOLDER is what depth.py --keep left, NUMBER a mission of its glider. Left the rehearsals of the forecast
itself, each planned with one profile alone in grey and with the choice among all by the depth that it dives, over
the surface's current; right the dives of the choice, over the speed of the forecast where and when it passed.
Needs './python[plot]', h5py and netCDF4.
"""

import argparse
import datetime
import json
import pathlib

import h5py
import netCDF4
import numpy

from tidewise.figures import page, palette
from tidewise.saving import save_figure

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_DOTS = 130  # an inch
# Okabe's and Ito's colours.
_COLOURS = {"surface": "#E69F00", "shallow": "#009E73", "deep": "#CC79A7"}
_DEPTHS = {"surface": "at the surface", "shallow": "0–200 m", "deep": "0–1000 m"}
_FASTEST = 0.25  # [m s-1] of the colours
_EPOCH = datetime.datetime(1970, 1, 1)


def read_way(run):
    """Of the forecast itself: places, seconds since 1970, depths, profiles; and start and target."""
    features = json.loads((run / "rehearsal.geojson").read_text())["features"]
    kinds = {feature["properties"]["kind"]: feature for feature in features}
    way = next(feature for feature in features if feature["properties"]["kind"] == "rehearsal"
               and feature["properties"]["name"] == "the forecast")
    told = way["properties"]
    seconds = [(datetime.datetime.fromisoformat(one.rstrip("Z")) - _EPOCH).total_seconds()
               for one in told["datetimes"]]
    ends = [kinds[kind]["geometry"]["coordinates"] for kind in ("start", "target")]
    return (numpy.array(way["geometry"]["coordinates"]), numpy.array(seconds), numpy.array(told["depths"]),
            numpy.array(told["profiles"]), ends)


def dived(profiles, key):
    """Where a line of these points is in that profile: at those that it led to, and from."""
    on = profiles == key
    return on | numpy.append(on[1:], False)


class Source:
    """The speed in the two files, at the point nearest to a place: for a picture."""

    def __init__(self, data):
        self._fields = {}
        for name in "uv":
            with netCDF4.Dataset(data / f"depth/nemo_norwegian_sea_2000_{name.upper()}.nc") as file:
                flow = numpy.ma.filled(file[f"{name}o"][:].astype(float), numpy.nan)
                time = file["time_counter"]
                dates = netCDF4.num2date(time[:], time.units, time.calendar, only_use_cftime_datetimes=False)
                self.times = numpy.array([(date - _EPOCH).total_seconds() for date in dates])
                self.depth = file[f"depth{name}"][:].filled()
                flow[:, (flow == 0).all(axis=0)] = numpy.nan
                self._fields[name] = file["nav_lon"][:], file["nav_lat"][:], flow

    def speed(self, place, seconds):
        after = numpy.clip(numpy.searchsorted(self.times, seconds), 1, len(self.times) - 1)
        share = (seconds - self.times[after - 1]) / (self.times[after] - self.times[after - 1])
        parts = []
        for lon, lat, flow in self._fields.values():
            away = ((lon - place[0]) * numpy.cos(numpy.radians(place[1]))) ** 2 + (lat - place[1]) ** 2
            j, i = numpy.unravel_index(numpy.argmin(away), away.shape)
            parts.append((1 - share) * flow[after - 1, :, j, i] + share * flow[after, :, j, i])
        return numpy.hypot(*parts)


def draw_from_above(axes, folder, number, ways):
    with h5py.File(folder / "glider.h5") as file:
        lon, lat = file["lon"][...], file["lat"][...]
        speed = numpy.hypot(file["u_mean"][0, 0], file["v_mean"][0, 0])
        shut = file["obstacle_mask"][...].reshape(-1, *lon.shape)[0] != 0
    places, _, _, profiles, (start, target) = ways["choice"]
    every = numpy.vstack([way[0] for way in ways.values()] + [[start], [target]])
    field = axes.pcolormesh(lon, lat, numpy.where(shut, numpy.nan, speed), cmap="Blues", vmin=0, vmax=_FASTEST,
                            shading="nearest", rasterized=True)
    axes.figure.colorbar(field, ax=axes, orientation="horizontal", label="current at the surface, at the departure (m/s)")
    for key, way in ways.items():
        if key != "choice":
            axes.plot(*way[0].T, color="0.35", linewidth=0.7)
    for key, colour in _COLOURS.items():
        on = dived(profiles, key)
        line = numpy.where(on[:, None], places, numpy.nan)
        axes.plot(*line.T, color=colour, linewidth=1.8, label=_DEPTHS[key])
    axes.plot(*start, "o", color=palette.START, markeredgecolor=palette.INK, markersize=5, zorder=5)
    axes.plot(*target, "*", color=palette.TARGET, markeredgecolor=palette.INK, markersize=9, zorder=5)
    west, south = every.min(axis=0) - (0.4, 0.2)
    east, north = every.max(axis=0) + (0.4, 0.2)
    axes.set(xlim=(west, east), ylim=(south, north), xlabel="longitude (°)", ylabel="latitude (°)",
             aspect=1 / numpy.cos(numpy.radians((south + north) / 2)))
    axes.legend(loc="lower left", frameon=False, fontsize=7, title="the choice dives", title_fontsize=7)


def draw_section(axes, way, source):
    places, seconds, depths, profiles, _ = way
    hours = (seconds - seconds[0]) / 3600
    some = numpy.linspace(0, len(places) - 1, min(len(places), 400)).astype(int)
    speed = numpy.array([source.speed(places[n], seconds[n]) for n in some]).T
    field = axes.pcolormesh(hours[some], source.depth, speed, cmap="Blues", vmin=0, vmax=_FASTEST, shading="nearest",
                            rasterized=True)
    axes.figure.colorbar(field, ax=axes, orientation="horizontal", label="current where and when it passes (m/s)")
    for key, colour in _COLOURS.items():
        line = numpy.where(dived(profiles, key), depths, numpy.nan)
        axes.plot(hours, line, color=colour, linewidth=0.9)
    axes.set(ylim=(1050, -20), xlabel="hours under way", ylabel="depth (m)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("number")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--out", type=pathlib.Path, default=_ROOT / "docs/figures/depth.png")
    arguments = parser.parse_args()
    ways = {key: read_way(arguments.folder / f"glider_{arguments.number}_{key}") for key in (*_COLOURS, "choice")}
    with palette.styled():
        figure = page.make_page(page.PAGE_WIDTH, 10)
        left, right = figure.subplots(1, 2)
        draw_from_above(left, arguments.folder, arguments.number, ways)
        draw_section(right, ways["choice"], Source(arguments.data))
        page.put_letter(left, 0, "ways, as rehearsed")
        page.put_letter(right, 1, "the choice's dives")
        page.put_caption(figure, (
            "A glider of 0.25 m/s off Norway that decides each 6 h, rehearsed in the forecast's own levels. (a) In colours with the choice "
            "among three depths, in grey with each of them alone. Circle: start; star: target. (b) Its dives at 0.1 m/s up and down; "
            "white is below the bottom."))
        page.trim_page(figure)
        save_figure(figure, arguments.out, _DOTS)


if __name__ == "__main__":
    main()
