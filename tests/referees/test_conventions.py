"""'tidewise env import' reads coordinates like cf-xarray, and centres a C grid like xgcm."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import xarray as xr
from scipy.interpolate import LinearNDInterpolator, RegularGridInterpolator

from fleet import metres_per_degree

pytest.importorskip("cf_xarray")
xgcm = pytest.importorskip("xgcm")

FACTORS = {"m s-1": 1, "m/s": 1, "cm s-1": 0.01, None: 1}  # to m/s
EAST, NORTH = "eastward_sea_water_velocity", "northward_sea_water_velocity"
STEP = np.timedelta64(6, "h")


def imported(run, folder, *words):
    """Return longitude, latitude, times, and the mean flow to east and north, (time, y, x)."""
    run(folder, "env", "import", *words, "--sample", "begin", "--out", "env.h5")
    with h5py.File(folder / "env.h5") as file:
        longitude, latitude = file["lon"][:], file["lat"][:]
        u, v = (
            np.where(file["obstacle_mask"][:] == 0, file[name][:], np.nan)
            for name in ("u_mean", "v_mean")
        )
    times = xr.open_dataset(folder / "env.h5").time.values
    # Angle from east to the plane's +x in each cell.
    east, north = metres_per_degree(latitude)
    along = [np.gradient(degrees, axis=1, edge_order=2) for degrees in (longitude, latitude)]
    angle = np.arctan2(north * along[1], east * along[0])
    return (
        longitude,
        latitude,
        times,
        u * np.cos(angle) - v * np.sin(angle),
        u * np.sin(angle) + v * np.cos(angle),
    )


def assert_alike(run, folder, path, source, east, north, *words):
    """Require the source's flow, bilinear between the coordinates that cf-xarray finds."""
    longitude, latitude, times, *flow = imported(run, folder, path, *words)
    names = [source.cf[name].name for name in ("T", "latitude", "longitude")]
    source = source.sortby(names)
    # A point without one of the components has no velocity.
    source = source.where(source[east].notnull() & source[north].notnull())
    np.testing.assert_array_equal(times, source[names[0]].values)
    period = 360 * np.round((source[names[2]].values.mean() - longitude.mean()) / 360)
    for variable, component in zip((east, north), flow, strict=True):
        field = source[variable].transpose(*names, ...)
        field = field.mean(field.dims[3:]) * FACTORS[field.attrs.get("units")]
        axes = source[names[1]].values, source[names[2]].values
        flow_at = RegularGridInterpolator(axes, np.moveaxis(field.values, 0, -1), bounds_error=False)
        expected = np.moveaxis(flow_at((latitude, longitude + period)), -1, 0)
        in_both = np.isfinite(expected) & np.isfinite(component)
        # Cells with land at one of their four points are left out.
        assert in_both.sum() > 0.7 * np.isfinite(component).sum()
        np.testing.assert_allclose(
            component[in_both], expected[in_both], atol=2e-4 * np.nanmax(np.abs(expected))
        )


@pytest.mark.parametrize(
    ("name", "east", "north", "step"),
    [
        ("rtofs_washington_2024.nc", "water_u", "water_v", "3h"),
        ("wind_ensemble_21_members_2015.nc", "x_wind", "y_wind", "6h"),
    ],
)
def test_real_files_are_read_by_the_coordinates_that_cf_xarray_finds(
    run, data, tmp_path, name, east, north, step
):
    source = xr.load_dataset(data / name).cf.guess_coord_axis()
    assert_alike(run, tmp_path, data / name, source, east, north, "--step", step)


@pytest.fixture
def field():
    """A random flow on coordinates whose names have no meaning."""
    generator = np.random.default_rng(3)
    shape = 4, 12, 15
    axes = {
        "r": np.datetime64("2020-02-27T12") + STEP * np.arange(shape[0]),
        "p": -20 + 0.25 * np.arange(shape[1]),
        "q": -30 + 0.25 * np.arange(shape[2]),
    }
    flow = {name: (list(axes), generator.normal(0, 0.3, shape)) for name in ("a", "b")}
    field = xr.Dataset(flow, coords=axes)
    field.a.attrs, field.b.attrs = (
        {"standard_name": EAST, "units": "m s-1"},
        {"standard_name": NORTH, "units": "m s-1"},
    )
    return field


def by_standard_names(field):
    for name, standard_name in {"r": "time", "p": "latitude", "q": "longitude"}.items():
        field[name].attrs = {"standard_name": standard_name}
    return field, {}


def by_units(spelling):
    def change(field):
        field.p.attrs = {"units": spelling.replace("east", "north").replace("E", "N")}
        field.q.attrs = {"units": spelling}
        field.r.attrs = {"axis": "T"}
        return field, {}

    return change


def packed_and_turned(field):
    """Pack centimetres in two bytes, change orders and directions, and longitudes to 0 to 360."""
    field, _ = by_units("degrees_east")(field)
    field = field.assign_coords(q=field.q % 360).isel(p=slice(None, None, -1))
    packing = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 5.0, "_FillValue": -32768}
    for name in ("a", "b"):
        field[name] = (100 * field[name]).assign_attrs(field[name].attrs | {"units": "cm s-1"})
    field["a"] = field.a.where(field.a.p != field.a.p[3])
    packed = {name: dict(packing) for name in ("a", "b")}
    return field.transpose("q", "r", "p"), packed | {
        "r": {"units": "hours since 2020-02-01 06:00", "dtype": "f8"}
    }


@pytest.mark.parametrize(
    "change",
    [by_standard_names, packed_and_turned]
    + [
        by_units(units)
        for units in ("degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE")
    ],
)
def test_coordinates_are_found_by_their_attributes(run, tmp_path, field, change):
    changed, encoding = change(field.copy(deep=True))
    for name in ("p", "q"):
        encoding.setdefault(name, {})["_FillValue"] = None
    changed.to_netcdf(tmp_path / "field.nc", encoding=encoding)
    source = xr.load_dataset(tmp_path / "field.nc")
    east, north = (source.cf[name].name for name in (EAST, NORTH))
    assert (east, north) == ("a", "b")
    assert_alike(
        run, tmp_path, "field.nc", source, east, north, "--step", "6h", "--spacing", "10km"
    )


def test_a_c_grid_is_centred_as_by_xgcm(run, tmp_path):
    """At the equator, cells of the plane nearly coincide with the source's points."""
    count, width = 16, 10e3  # number of points along an axis, and their distance [m]
    east, north = (width / metres for metres in metres_per_degree(0.0))
    index = np.arange(count) - count // 2
    axes = {"time": np.datetime64("2020-01-01") + STEP * np.arange(5)}
    axes |= {
        "y": north * index,
        "x": east * index,
        "y_v": north * (index + 0.5),
        "x_u": east * (index + 0.5),
    }
    source = xr.Dataset(coords=axes)
    wave = 2 * np.pi / 5  # per point
    phase = xr.DataArray(np.arange(5.0), dims="time")
    source["u"] = 0.3 * np.sin(phase + wave * (source.y / north + source.x_u / east))
    source["v"] = 0.3 * np.sin(phase + wave * (source.y_v / north - source.x / east))
    for name in ("x", "x_u", "y", "y_v"):
        source[name].attrs["units"] = "degrees_east" if name[0] == "x" else "degrees_north"
    source.u.attrs["standard_name"] = "sea_water_x_velocity"
    source.v.attrs["standard_name"] = "sea_water_y_velocity"
    source.to_netcdf(tmp_path / "c.nc")

    grid = xgcm.Grid(
        source,
        coords={"X": {"center": "x", "right": "x_u"}, "Y": {"center": "y", "right": "y_v"}},
        padding="fill",
        autoparse_metadata=False,
    )
    centred = [grid.interp(source.u, "X"), grid.interp(source.v, "Y")]
    words = "--step", "6h", "--spacing", f"{width}m"
    longitude, latitude, _, *imported_flow = imported(run, tmp_path, "c.nc", *words)
    places = {
        "x": xr.DataArray(longitude, dims=("j", "i")),
        "y": xr.DataArray(latitude, dims=("j", "i")),
    }
    inner = (abs(longitude) < 5 * east) & (abs(latitude) < 5 * north)
    assert inner.sum() >= 81
    for expected, component in zip(centred, imported_flow, strict=True):
        values = expected.interp(places).values[:, inner]
        # A single face in place of the mean of two would have an error of 0.17.
        np.testing.assert_allclose(component[:, inner], values, atol=3e-3)


def test_nemos_curved_c_grid_is_centred_and_turned(run, data, tmp_path):
    """Currents off Norway, on axes turned by up to 37 degrees, with zeros for land."""
    paths = {name: data / f"depth/nemo_norwegian_sea_2000_{name.upper()}.nc" for name in ("u", "v")}
    u, v = (xr.load_dataset(path) for path in paths.values())
    words = [word for name, path in paths.items() for word in (f"--{name}", f"{path}:{name}o")]
    longitude, latitude, times, *imported_flow = imported(run, tmp_path, *words, "--step", "5d")
    for name in u.cf.axes["T"]:
        np.testing.assert_array_equal(times, u[name].values)

    # Faces of a cell lie to the east and to the north of its centre.
    nodes = {"u": (("time", "y", "x_u"), u.uo.isel({u.cf["Z"].name: 0}).values)}
    nodes["v"] = (("time", "y_v", "x"), v.vo.isel({v.cf["Z"].name: 0}).values)
    for axis, name in (("lon", "nav_lon"), ("lat", "nav_lat")):
        nodes[axis] = (("y", "x_u"), u[name].values)
    rows, columns = u.nav_lon.shape
    axes = {"y": np.arange(rows), "y_v": np.arange(rows) + 0.5}
    source = xr.Dataset(
        nodes, coords=axes | {"x": np.arange(columns), "x_u": np.arange(columns) + 0.5}
    )
    grid = xgcm.Grid(
        source,
        coords={"X": {"center": "x", "right": "x_u"}, "Y": {"center": "y", "right": "y_v"}},
        padding="fill",
        fill_value=np.nan,
        autoparse_metadata=False,
    )
    wet = source.where(source != 0)
    along = [grid.interp(wet.u, "X").values, grid.interp(wet.v, "Y").values]
    centre = [grid.interp(source[name], "X").values for name in ("lon", "lat")]
    east, north = metres_per_degree(centre[1])
    turn = np.arctan2(north * np.gradient(centre[1], axis=1), east * np.gradient(centre[0], axis=1))
    expected = [
        along[0] * np.cos(turn) - along[1] * np.sin(turn),
        along[0] * np.sin(turn) + along[1] * np.cos(turn),
    ]
    # Cells of the environment that lie within a twentieth of the spacing from a centre.
    places = np.isfinite(centre[0])
    points = np.column_stack([values[places] for values in centre])
    index = LinearNDInterpolator(points, np.argwhere(places))((longitude, latitude))
    nearest = np.nan_to_num(index).round().astype(int)
    near = (abs(index - nearest) < 0.05).all(axis=-1)
    row, column = nearest[near].T
    reference, ours = np.array(expected)[:, :, row, column], np.array(imported_flow)[:, :, near]
    wet = np.isfinite(reference + ours).all(axis=(0, 1))
    assert wet.sum() > 100
    error, flow = (np.sqrt(np.mean(d[:, :, wet] ** 2)) for d in (ours - reference, reference))
    assert error < 0.03 * flow
