#!/usr/bin/env python3
"""Peak memory of Environment.from_xarray on a Zarr store that is larger than memory should be.

  build/python/bin/python scripts/measure_lazy_import.py FOLDER [--times 80] [--levels 50] [--km 1000] [--spacing 3]

makes FOLDER/ocean.zarr (a quarter more than the box along each side and in time, which must stay
unread), imports the mean over dives to 1000 m of the box by a process of its own, and
prints what was read and the most memory that process and the one that guards it took. Needs numpy,
xarray, zarr and the package.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

LATITUDE, LONGITUDE = 45.0, -30.0  # of the middle
KM_A_DEGREE = 111.2


def make(folder, times, levels, km, spacing):
    """Eddies that drift, chunk by chunk."""
    import zarr

    side = round(1.25 * km / spacing)
    shape = (times + times // 4, levels, side, side)
    chunks = (8, 10, 128, 128)
    root = zarr.open_group(folder / "ocean.zarr", mode="w", zarr_format=2)

    def add(name, values, dims, **attributes):
        array = root.create_array(name, data=np.asarray(values), fill_value=None)  # 0 is a value
        array.attrs.update({"_ARRAY_DIMENSIONS": list(dims), **attributes})

    across = (np.arange(side) - (side - 1) / 2) * spacing / KM_A_DEGREE
    add("time", 3.0 * np.arange(shape[0]), ["time"], units="hours since 2024-10-01", axis="T")
    depth = np.geomspace(0.5, 3000, levels)
    add("depth", depth, ["depth"], units="m", positive="down", axis="Z")
    add("latitude", LATITUDE + across, ["latitude"], units="degrees_north")
    scale = np.cos(np.radians(LATITUDE))
    add("longitude", LONGITUDE + across / scale, ["longitude"], units="degrees_east")
    random = np.random.default_rng(1)
    eddies = random.normal(size=(2, side, side)).astype("float32")
    eddies = sum(np.roll(eddies, (i, j), (1, 2)) for i in range(8) for j in range(8)) / 40
    for name, eddy, called in zip(("uo", "vo"), eddies, ("eastward", "northward"), strict=True):
        array = root.create_array(
            name, shape=shape, chunks=chunks, dtype="float32", fill_value=None
        )
        array.attrs.update(
            {
                "_ARRAY_DIMENSIONS": ["time", "depth", "latitude", "longitude"],
                "standard_name": f"{called}_sea_water_velocity",
                "units": "m s-1",
            }
        )
        for first in range(0, shape[0], chunks[0]):
            last = min(first + chunks[0], shape[0])
            for top in range(0, levels, chunks[1]):
                fall = np.exp(-depth[top : top + chunks[1]] / 500).astype("float32")
                moved = np.stack([np.roll(eddy, t, 1) for t in range(first, last)])
                array[first:last, top : top + chunks[1]] = moved[:, None] * fall[None, :, None, None]
    zarr.consolidate_metadata(root.store)


def measure(folder, times, km):
    """In a process of its own."""
    import xarray as xr

    import tidewise as tw
    from tidewise import _lazy

    counted = []

    class Counted(_lazy.LentFields):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            counted.append(self)

    tw.Environment  # noqa: B018 (loads the module)
    sys.modules["tidewise.environment"].LentFields = Counted
    store = xr.open_zarr(folder / "ocean.zarr", chunks=None)
    half = km / 2 / KM_A_DEGREE
    wide = half / np.cos(np.radians(LATITUDE))
    begin = store.time.values[0]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    at = time.monotonic()
    ocean = tw.Environment.from_xarray(
        store,
        bbox=(LONGITUDE - wide, LATITUDE - half, LONGITUDE + wide, LATITUDE + half),
        to=begin + np.timedelta64(3 * (times - 1), "h"),
        profile={"dive": "0:1000"},
        spacing="10km",
        step="6h",
        lagged=1,
        modes=2,
    )
    print(
        json.dumps(
            {
                "cells": ocean.shape,
                "store_bytes": store.nbytes,
                "read_bytes": counted[0].bytes_read,
                "seconds": round(time.monotonic() - at, 1),
                "before_MB": before / 1024,
                "peak_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "guard_peak_MB": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
            }
        )
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=80, help="three-hourly, of the import; 80")
    parser.add_argument("--levels", type=int, default=50)
    parser.add_argument("--km", type=float, default=1000, help="side of the box; 1000")
    parser.add_argument("--spacing", type=float, default=3, help="of the store's points [km]; 3")
    parser.add_argument("--only-measure", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only_measure:
        measure(given.folder, given.times, given.km)
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    if not (given.folder / "ocean.zarr").exists():
        make(given.folder, given.times, given.levels, given.km, given.spacing)
    subprocess.run([sys.executable, __file__, *sys.argv[1:], "--only-measure"], check=True)


if __name__ == "__main__":
    main()
