"""Lazily opened forecasts: the import equals that of files, and reads only needed chunks."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from inspection import contents

import tidewise as tw
from tidewise import _lazy

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
FILES = {c: SHARED / "depth" / f"nemo_norwegian_sea_2000_{c.upper()}.nc" for c in "uv"}
CHUNKS = {"time": 1, "depth": 6, "y": 16, "x": 16}
BOX = (2.0, 66.0, 8.0, 69.0)

needs_data = pytest.mark.skipif(not FILES["u"].is_file(), reason="needs ../shared/data")


class CountedStore:
    """A store that records which chunks are read; defined only if zarr is installed."""

    def __new__(cls, path):
        zarr = pytest.importorskip("zarr", minversion="3")

        class Counted(zarr.storage.WrapperStore):
            async def get(self, key, prototype, byte_range=None):
                value = await super().get(key, prototype, byte_range)
                if value is not None:
                    self.read_counts[key] += 1
                return value

            def with_read_only(self, read_only=False):
                wrapped = type(self)(self._store.with_read_only(read_only))
                wrapped.read_counts = self.read_counts
                return wrapped

        store = Counted(zarr.storage.LocalStore(path, read_only=True))
        store.read_counts = Counter()
        return store


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """The two files of NEMO's C grid as Zarr, in small chunks."""
    pytest.importorskip("zarr", minversion="3")
    folder = tmp_path_factory.mktemp("zarr")
    paths = {}
    for component, file in FILES.items():
        with xr.open_dataset(file) as forecast:
            forecast = forecast.load()
        for variable in forecast.variables.values():
            variable.encoding = {}
        name = f"{component}o"
        sizes = forecast[name].sizes
        chunks = tuple(min(c, n) for c, n in zip(CHUNKS.values(), sizes.values(), strict=True))
        paths[component] = folder / f"{component}.zarr"
        forecast.to_zarr(
            paths[component], zarr_format=2, encoding={name: {"chunks": chunks}}, consolidated=True
        )
    return paths


@pytest.fixture(autouse=True)
def all_large(monkeypatch):
    """Lower the limit, since the files' fields are small and would be copied at once."""
    monkeypatch.setattr(_lazy, "_SMALL", 1 << 16)


def opened(store, chunks):
    return xr.open_zarr(store, consolidated=True, zarr_format=2, chunks=chunks)


def chunks_of(read_counts, name):
    """Return how often each chunk (time, depth, row, column) of a variable was read."""
    counts = {}
    for key, count in read_counts.items():
        if match := re.fullmatch(rf"{name}/(\d+)\.(\d+)\.(\d+)\.(\d+)", key):
            counts[tuple(int(n) for n in match.groups())] = count
    return counts


@needs_data
@pytest.mark.parametrize("chunks", [None, {}], ids=["plain", "dask"])
def test_store_imports_like_its_files_and_reads_only_needed_chunks(stores, chunks):
    options = {"spacing": "25km", "step": "5d", "lagged": 1, "bbox": BOX, "profile": {"d": "0:100"}}
    expected = tw.Environment.from_netcdf([], u=f"{FILES['u']}:uo", v=f"{FILES['v']}:vo", **options)
    counted = {c: CountedStore(path) for c, path in stores.items()}
    lazy = [opened(store, chunks) for store in counted.values()]
    reports = []
    ocean = tw.Environment.from_xarray(
        lazy, u="uo", v="vo", progress=lambda *a: reports.append(a), **options
    )
    assert contents(ocean) == contents(expected)
    assert [work for work, *_ in reports][0] == "reading the forecast"
    assert {work for work, *_ in reports} == {
        "reading the forecast", "measuring the ensemble", "reducing and writing",
    }  # fmt: skip
    for component, store in counted.items():
        with netCDF4.Dataset(FILES[component]) as file:
            depth, shape = file[f"depth{component}"][:].filled(), file[f"{component}o"].shape
            lon, lat = file["nav_lon"][:].filled(), file["nav_lat"][:].filled()
        west, south, east, north = BOX
        rows, columns = np.nonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north))
        # One further point around the box for the cells, and one for the other component.
        near = [
            set(range(max(n.min() - 3, 0) // 16, (n.max() + 3) // 16 + 1)) for n in (rows, columns)
        ]
        last = int(np.searchsorted(depth, 100 + 10)) // 6  # the first level below the dive
        read = chunks_of(store.read_counts, f"{component}o")
        assert set(read.values()) == {1}
        assert {t for t, *_ in read} == set(range(shape[0]))
        assert {z for _, z, *_ in read} == set(range(last + 1)) and last + 1 < -(-shape[1] // 6)
        assert {j for *_, j, _ in read} <= near[0] and {i for *_, i in read} <= near[1]
        assert len(near[0]) * len(near[1]) < -(-shape[2] // 16) * -(-shape[3] // 16)


@needs_data
def test_times_outside_are_left_unread(stores):
    counted = {c: CountedStore(path) for c, path in stores.items()}
    lazy = [opened(store, None) for store in counted.values()]
    times = lazy[0]["time_counter"].values
    assert len(times) > 4
    tw.Environment.from_xarray(
        lazy, u="uo", v="vo", spacing="25km", step="5d", depth=0.5, to=times[1]
    )
    for component, store in counted.items():
        read = chunks_of(store.read_counts, f"{component}o")
        assert {t for t, *_ in read} == {0, 1, 2, 3}
        assert {z for _, z, *_ in read} == {0}


@needs_data
def test_failing_store_is_one_line(stores, tmp_path):
    lazy = [opened(path, None) for path in stores.values()]

    def broken(self, tile):
        raise OSError("the connection\nwas lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_lazy._Field, "_load", broken)
        with pytest.raises(tw.RunError, match="the connection was lost") as caught:
            tw.Environment.from_xarray(lazy, u="uo", v="vo", spacing="25km", step="5d")
    assert "\n" not in str(caught.value)


def test_failing_small_store_is_one_line():
    """Small fields are copied at once, not read chunk by chunk."""

    def broken(block):
        raise OSError("the connection\nwas lost")

    dask = pytest.importorskip("dask.array")
    axes = {"time": pd.date_range("2024-10-29", periods=4, freq="3h")}
    axes |= {"lat": np.linspace(46, 47, 12), "lon": np.linspace(-126, -125, 12)}
    flow = dask.zeros((4, 12, 12), dtype="f4")
    flow = flow.map_blocks(broken, dtype="f4", meta=np.zeros(0, "f4"))
    fields = {name: (("time", "lat", "lon"), flow) for name in ("uo", "vo")}
    line = r"^the forecast: cannot be read \(the connection was lost\); check that its store"
    with pytest.raises(tw.RunError, match=line):
        tw.Environment.from_xarray(xr.Dataset(fields, axes), spacing="10km")


@pytest.mark.parametrize("mark", [".zgroup", ".zarray", "zarr.json"])
def test_store_given_as_a_file_is_refused_with_advice(tmp_path, mark):
    store = tmp_path / "wa.zarr"
    store.mkdir()
    with pytest.raises(tw.InputError, match=r"wa.zarr.*\[input_is_folder\]$"):
        tw.Environment.from_netcdf(store)
    (store / mark).write_text("{}")
    with pytest.raises(tw.InputError, match=r"wa.zarr.*\[input_is_zarr\]$"):
        tw.Environment.from_netcdf(store)


def test_boxes_equal_the_values_of_the_field(tmp_path):
    """Each value is the index of its element, and chunks do not divide the shape evenly."""
    values = np.arange(7 * 11 * 13, dtype="float32").reshape(7, 11, 13)
    for chunks in ((3, 4, 5), (7, 11, 13), (1, 1, 1)):
        variable = xr.Variable(("t", "y", "x"), values, encoding={"chunks": chunks})
        field = _lazy._Field(variable, tmp_path / f"{chunks}.chunks", lambda: None)
        random = np.random.default_rng(3)
        for _ in range(50):
            start = [int(random.integers(0, n)) for n in values.shape]
            count = [int(random.integers(1, n - a + 1)) for n, a in zip(values.shape, start, strict=True)]
            box = tuple(slice(a, a + n) for a, n in zip(start, count, strict=True))
            assert (field.read(start, count) == values[box]).all()
        chunk_count = np.prod([-(-n // c) for n, c in zip(values.shape, chunks, strict=True)])
        assert field.chunks_read <= chunk_count
        assert field.bytes_read <= values.nbytes


def test_cut_times_keeps_times_around_the_dates():
    dates = np.arange("2024-10-01", "2024-10-11", dtype="datetime64[D]").astype("datetime64[ns]")
    flow = xr.Variable(("time", "y"), np.zeros((10, 1 << 16), "float32"))
    forecast = xr.Dataset({"u": flow}, {"time": dates})
    assert _lazy.cut_times(forecast, dates[4], dates[5], 1).sizes["time"] == 10  # in memory
    lazy = forecast.chunk({"time": 1})
    assert list(_lazy.cut_times(lazy, dates[4], dates[5], 1)["time"].values) == list(dates[3:7])
    between = dates[4] + np.timedelta64(1, "h")
    assert list(_lazy.cut_times(lazy, between, None, 0)["time"].values) == list(dates[4:])
    assert list(_lazy.cut_times(lazy, None, between, 0)["time"].values) == list(dates[:6])


@needs_data
def test_unpacks_stores_opened_without_scaling(tmp_path):
    with xr.open_dataset(FILES["u"]) as forecast:
        box = forecast.isel(time_counter=slice(0, 4), depthu=slice(0, 8)).load()
    still = box["uo"] == 0
    packed = tmp_path / "packed.nc"
    names = {"_FillValue": np.int16(-30000), "scale_factor": 0.001, "dtype": "int16"}
    for variable in box.variables.values():
        variable.encoding = {}
    box.assign(uo=box["uo"].where(~still), vo=box["uo"].where(~still)).to_netcdf(
        packed, encoding={"uo": names, "vo": names}
    )
    options = {"u": "uo", "v": "vo", "spacing": "25km", "step": "5d", "lagged": 1, "depth": 10}
    expected = tw.Environment.from_netcdf(packed, **options)
    for masked in (True, False):
        with xr.open_dataset(packed, mask_and_scale=masked) as store:
            assert contents(tw.Environment.from_xarray(store, **options)) == contents(expected)


@pytest.fixture
def daily(tmp_path):
    """Daily means, dated at the begin of each day: u is 0.001 m/s per hour from day 0 to noon."""
    pytest.importorskip("zarr", minversion="3")
    begin = np.arange("2025-03-01", "2025-03-11", dtype="datetime64[D]").astype("datetime64[ns]")
    day = np.timedelta64(1, "D")
    lat, lon = np.arange(40, 44, 0.1), np.arange(-31, -26, 0.1)
    hours = 24.0 * np.arange(10)[:, None, None] + 12
    flow = np.broadcast_to(0.001 * hours, (10, lat.size, lon.size)).astype("float32")
    common = {"units": "m s-1", "cell_methods": "time: mean"}
    names = ("eastward_sea_water_velocity", "northward_sea_water_velocity")
    forecast = xr.Dataset(
        {
            name: (("time", "latitude", "longitude"), flow, {"standard_name": standard, **common})
            for name, standard in zip(("uo", "vo"), names, strict=True)
        },
        {
            "time": ("time", begin, {"bounds": "time_bnds"}),
            "latitude": ("latitude", lat, {"units": "degrees_north"}),
            "longitude": ("longitude", lon, {"units": "degrees_east"}),
        },
    ).assign(time_bnds=(("time", "nv"), np.stack([begin, begin + day], axis=1)))
    hours_since = {"units": "hours since 2025-03-01", "dtype": "float64"}
    forecast.to_netcdf(tmp_path / "daily.nc", encoding={"time": hours_since})
    forecast.to_zarr(tmp_path / "daily.zarr", zarr_format=2, consolidated=True)
    return tmp_path


@pytest.mark.parametrize("decode_coords", [True, "all"])
@pytest.mark.parametrize("decode_times", [True, False])
def test_means_are_placed_at_the_middle_of_their_bounds(daily, decode_coords, decode_times):
    options = {"spacing": "25km", "step": "12h", "sample": "begin"}
    expected = tw.Environment.from_netcdf(daily / "daily.nc", **options)
    assert str(expected.dates[0])[:16] == "2025-03-01T12:00"
    how = {"decode_coords": decode_coords, "decode_times": decode_times}
    with xr.open_dataset(daily / "daily.nc", **how) as forecast:
        assert contents(tw.Environment.from_xarray(forecast, **options)) == contents(expected)
    store = xr.open_zarr(daily / "daily.zarr", consolidated=True, zarr_format=2, chunks=None, **how)
    assert contents(tw.Environment.from_xarray(store, **options)) == contents(expected)


def test_import_of_few_days_reads_the_means_around_them(daily):
    times = {"from_": "2025-03-04T06:00", "to": "2025-03-06T18:00"}
    options = {"spacing": "25km", "step": "12h", "sample": "begin"} | times
    expected = tw.Environment.from_netcdf(daily / "daily.nc", **options)
    store = opened(daily / "daily.zarr", {"time": 1})
    assert contents(tw.Environment.from_xarray(store, **options)) == contents(expected)
