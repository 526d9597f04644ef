#!/usr/bin/env python3
"""Cuts the currents of `tidewise example norway` out of a model of the Norwegian Sea.

  scripts/make_norway_example.py [--data ../shared/data/depth] [--out examples/norway]

Keeps the box of 3° to 16° E and 67.5° to 71° N of NEMO's own grid, all six times, and every level to
the first below 200 m, then every second one to the first below 1000 m: what dives of 0:200 and 0:1000 feel. Velocities
stay as they are, in whole millimetres a second, and are packed into 16 bits. Needs netCDF4 and numpy.
"""

import argparse
import pathlib

import netCDF4
import numpy

BOX = (3.0, 16.0, 67.5, 71.0)  # degrees east, degrees north
CREDIT = (
    "NEMO ORCA025-N006 off Norway, six five-day means of January 2000: cut from the example data of "
    "OceanParcels/parcels-data (MIT, see CREDIT.md)"
)


def box_of(lon, lat):
    """Rows and columns of the grid that hold the box, as slices."""
    west, east, south, north = BOX
    inside = (lon >= west) & (lon <= east) & (lat >= south) & (lat <= north)
    return tuple(slice(n.min(), n.max() + 1) for n in numpy.nonzero(inside))


def levels_of(depth):
    upper, last = numpy.searchsorted(depth, [200.0, 1000.0])  # the first that is no less
    return [*range(upper), *range(upper, last, 2), last]


def pack(velocity):
    """In mm/s, each told apart from the next; the model's fill value is land, and that is 0 in this grid."""
    whole = numpy.rint(numpy.ma.filled(velocity, 0.0) * 1000)
    if numpy.abs(whole).max() >= 32767:
        raise SystemExit("a velocity beyond 32 m/s is no velocity: look at the source")
    return whole.astype(numpy.int16)


def cut(source, name, box, out):
    with netCDF4.Dataset(source) as whole, netCDF4.Dataset(out, "w") as part:
        velocity = whole[name]
        velocity.set_auto_scale(True)
        depth_name = velocity.dimensions[1]
        levels = levels_of(whole[depth_name][:])
        sizes = [len(whole["time_centered"]), len(levels), *(one.stop - one.start for one in box)]
        for dimension, size in zip(velocity.dimensions, sizes):
            part.createDimension(dimension, size)
        part.title = CREDIT

        def copy(variable, values, kind, **options):
            made = part.createVariable(variable, kind, whole[variable].dimensions, zlib=True, complevel=9,
                                       shuffle=True, **options)
            made.setncatts({key: whole[variable].getncattr(key) for key in whole[variable].ncattrs()
                            if key not in ("_FillValue", "least_significant_digit")})
            if variable == name:
                made.scale_factor = numpy.float32(0.001)
                made.set_auto_maskandscale(False)
            made[:] = values

        copy("time_centered", whole["time_centered"][:], "f8")
        copy(depth_name, whole[depth_name][:][levels], "f4")
        for place in ("nav_lon", "nav_lat"):
            copy(place, whole[place][box], "f4")
        copy(name, pack(velocity[:, levels, box[0], box[1]]), "i2",
             chunksizes=(1, len(levels), *sizes[2:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data/depth"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("examples/norway"))
    arguments = parser.parse_args()
    sources = {c: arguments.data / f"nemo_norwegian_sea_2000_{c}.nc" for c in "UV"}
    with netCDF4.Dataset(sources["U"]) as grid:
        box = box_of(grid["nav_lon"][:], grid["nav_lat"][:])
    for component, name in (("U", "uo"), ("V", "vo")):
        out = arguments.out / f"norway_{component}.nc"
        cut(sources[component], name, box, out)
        print(f"{out}: {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
