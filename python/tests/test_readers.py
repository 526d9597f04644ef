"""Formats that other libraries decode: GRIB, unstructured grids, HF radars, Slocum binaries."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import tidewise as tw

pytestmark = [
    pytest.mark.filterwarnings("ignore::tidewise.PlanWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def needs(module: str):
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


DEGREES = {"units": "degrees_east"}, {"units": "degrees_north"}


def field(lon, lat):
    """Return u and v of eddies half a degree wide, at most 1 m/s."""
    a, b = 2 * np.pi * (lon + 126), 2 * np.pi * (lat - 46)
    return np.sin(a) * np.cos(b), -np.cos(a) * np.sin(b)


@pytest.fixture(scope="module")
def forecast() -> xr.Dataset:
    """A day of currents with land in a corner."""
    lon, lat = -126 + 0.05 * np.arange(21), 46 + 0.05 * np.arange(23)
    times = np.datetime64("2024-10-28T12:00", "ns") + np.arange(9) * np.timedelta64(3, "h")
    u, v = field(*np.meshgrid(lon, lat))
    land = np.add.outer(lat - 46, lon + 126) < 0.3
    growth = 1 + 0.1 * np.arange(9)[:, None, None]
    axes = ("time", "lat", "lon")
    components = {"u": np.where(land, np.nan, u * growth), "v": np.where(land, np.nan, v * growth)}
    return xr.Dataset(
        {name: (axes, values, {"units": "m s-1"}) for name, values in components.items()},
        {"time": times, "lat": ("lat", lat, DEGREES[1]), "lon": ("lon", lon, DEGREES[0])},
    )


def write_grib(path: Path, forecast: xr.Dataset, edition: int, messages: dict[str, dict]) -> None:
    """Write a forecast run, with rows from the north as most centres do."""
    import eccodes

    lon, lat, times = (forecast[name].values for name in ("lon", "lat", "time"))
    keys = {
        "Ni": len(lon), "Nj": len(lat),
        "longitudeOfFirstGridPointInDegrees": lon[0], "longitudeOfLastGridPointInDegrees": lon[-1],
        "latitudeOfFirstGridPointInDegrees": lat[-1], "latitudeOfLastGridPointInDegrees": lat[0],
        "iDirectionIncrementInDegrees": 0.05, "jDirectionIncrementInDegrees": 0.05,
        "dataDate": 20241028, "dataTime": 1200,
        "bitmapPresent": 1, "bitsPerValue": 16, "missingValue": 9999,
    }  # fmt: skip
    with path.open("wb") as file:
        for n, time in enumerate(times):
            for name, component_keys in messages.items():
                message = eccodes.codes_grib_new_from_samples(f"regular_ll_sfc_grib{edition}")
                for key, value in {**component_keys, **keys}.items():
                    eccodes.codes_set(message, key, value)
                eccodes.codes_set(message, "step", int((time - times[0]) / np.timedelta64(1, "h")))
                values = np.nan_to_num(forecast[name].values[n, ::-1], nan=9999.0)
                eccodes.codes_set_values(message, values.ravel())
                eccodes.codes_write(message, file)
                eccodes.codes_release(message)


WMO = [
    {"centre": "kwbc", "discipline": 10, "parameterCategory": 1, "parameterNumber": n}
    for n in (2, 3)
]
GRIB = {
    "edition 2 of NCEP": (2, {"u": WMO[0], "v": WMO[1]}),
    "edition 2 of ECMWF": (2, {"u": {"shortName": "uoe"}, "v": {"shortName": "von"}}),
    "edition 1 of ECMWF": (1, {"u": {"paramId": 151131}, "v": {"paramId": 151132}}),
}


@needs("cfgrib")
@pytest.mark.parametrize("edition, messages", GRIB.values(), ids=GRIB)
def test_grib_becomes_the_same_environment_as_netcdf(tmp_path, forecast, edition, messages):
    file = tmp_path / "forecast.grib"
    write_grib(file, forecast, edition, messages)
    read = tw.read_grib(file)
    assert dict(read.sizes) == {"time": 9, "latitude": 23, "longitude": 21}
    np.testing.assert_array_equal(read.time, forecast.time)
    assert list(tmp_path.iterdir()) == [file]  # no index file
    flow, expected = (
        tw.Environment.from_xarray(d, spacing="5km", step="3h").mean() for d in (read, forecast)
    )
    for name in ("u", "v"):
        np.testing.assert_allclose(flow[name], expected[name], atol=1e-4)  # 16-bit values


@needs("cfgrib")
def test_components_in_grib_are_chosen_by_keys(tmp_path, forecast):
    file = tmp_path / "wind.grib"
    write_grib(file, forecast, 2, {"u": {"paramId": 165}, "v": {"paramId": 166}})
    read = tw.read_grib(file)
    assert read.u.standard_name == "eastward_wind"
    xr.testing.assert_equal(tw.read_grib(file, u="10u", v="10v", keys={"edition": 2}), read)
    with pytest.raises(tw.InputError, match="has no u='uoe' and v='von'; list its messages"):
        tw.read_grib(file, u="uoe", v="von")
    with pytest.raises(tw.InputError, match="^v: is missing; give both components"):
        tw.read_grib(file, u="10u")
    text = tmp_path / "text.grib"
    text.write_text("no GRIB")
    with pytest.raises(tw.InputError, match="cannot be read as GRIB"):
        tw.read_grib(text)


def write_messages(path: Path, sample: str, messages: list[tuple[dict, float]]) -> None:
    """Write messages with these keys, whose values at all points are nearly the number."""
    import eccodes

    with path.open("wb") as file:
        for keys, value in messages:
            message = eccodes.codes_grib_new_from_samples(sample)
            for key, setting in keys.items():
                eccodes.codes_set(message, key, setting)
            count = keys.get("Nx", 0) * keys.get("Ny", 0)
            count = count or eccodes.codes_get_size(message, "values")
            values = value + 1e-4 * np.linspace(0, 1, count)
            eccodes.codes_set_values(message, values)
            eccodes.codes_write(message, file)
            eccodes.codes_release(message)


@needs("cfgrib")
@pytest.mark.parametrize("flag, angle", [(0, 0.0), (8, -27.4)], ids=["to the east", "along axes"])
def test_grib_on_a_map_has_its_components_rotated(tmp_path, flag, angle):
    file = tmp_path / "polar.grib"
    grid = {
        "Nx": 40, "Ny": 40, "DxInMetres": 50000, "DyInMetres": 50000, "jScansPositively": 1,
        "latitudeOfFirstGridPointInDegrees": 50.0, "longitudeOfFirstGridPointInDegrees": 280.0,
        "orientationOfTheGridInDegrees": -100.0, "LaDInDegrees": 60, "dataDate": 20241028,
        "resolutionAndComponentFlags": flag,
    }  # fmt: skip
    messages = [
        ({"paramId": 165 + n, **grid, "step": step}, 1.0 - n) for step in (0, 6) for n in (0, 1)
    ]
    write_messages(file, "polar_stereographic_sfc_grib2", messages)
    ocean = tw.Environment.from_xarray(
        tw.read_grib(file), bbox=(-78, 52, -68, 58), spacing="40km", step="6h"
    )
    flow = ocean.mean(level=0)  # the middle of the box is 27° from the map's meridian
    direction = np.degrees(np.arctan2(flow.v.mean(), flow.u.mean()))
    assert float(direction) == pytest.approx(angle, abs=1.0)


@needs("cfgrib")
def test_reads_grib_with_members_and_depths(tmp_path):
    file = tmp_path / "depths.grib"
    messages = [
        ({"typeOfLevel": kind, "level": level, **WMO[n], "step": step}, 0.1 * level)
        for step in (0, 6)
        for kind, level in (("surface", 0), ("depthBelowSea", 10), ("depthBelowSea", 50))
        for n in (0, 1)
    ]
    write_messages(file, "regular_ll_sfc_grib2", messages)
    with pytest.raises(tw.InputError, match="select some by keys$"):
        tw.read_grib(file)
    read = tw.read_grib(file, keys={"typeOfLevel": "depthBelowSea"})
    np.testing.assert_array_equal(read.depth, [10, 50])
    np.testing.assert_allclose(read.u.sel(depth=50), 5.0, atol=1e-3)
    file = tmp_path / "members.grib"
    messages = [
        (
            {"productDefinitionTemplateNumber": 1, "paramId": 262506 - n, "step": step,
             "perturbationNumber": member, "numberOfForecastsInEnsemble": 3},
            0.1 * member,
        )
        for step in (0, 6)
        for member in range(3)
        for n in (0, 1)
    ]  # fmt: skip
    write_messages(file, "regular_ll_sfc_grib2", messages)
    read = tw.read_grib(file)
    assert read.sizes["number"] == 3
    np.testing.assert_allclose(read.u.sel(number=2), 0.2, atol=1e-3)


@needs("eccodes")
def test_libraries_of_eccodes_do_not_replace_those_of_tidewise():
    """eccodes loads a PROJ for the whole process; a mixture of two crashed at exit."""
    code = "import eccodes, tidewise._load"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def write_mesh(path: Path, location: str, nodes: int = 50) -> None:
    """Write a UGRID file: triangles in a box with an island, u and v at nodes or faces."""
    from scipy.spatial import Delaunay

    random = np.random.default_rng(1)
    lon, lat = np.meshgrid(np.linspace(-126, -125, nodes), np.linspace(46, 47, nodes))
    shift = random.uniform(-0.3, 0.3, (2, nodes, nodes)) / nodes
    lon, lat = (lon + shift[0]).ravel(), (lat + shift[1]).ravel()
    faces = Delaunay(np.column_stack([lon, lat])).simplices
    centre = np.hypot(lon[faces].mean(1) + 125.5, lat[faces].mean(1) - 46.5)
    faces = faces[centre > 0.15]
    centres = lon[faces].mean(1), lat[faces].mean(1)
    u, v = field(*((lon, lat) if location == "node" else centres))
    topology = {
        "cf_role": "mesh_topology", "topology_dimension": 2, "node_coordinates": "lon lat",
        "face_node_connectivity": "nv", "face_coordinates": "lonc latc", "face_dimension": "face",
    }  # fmt: skip
    connectivity = {"cf_role": "face_node_connectivity", "start_index": 0}
    attributes = {"units": "m s-1", "mesh": "mesh", "location": location}
    mesh = xr.Dataset(
        {
            "mesh": ((), 0, topology),
            "nv": (("face", "three"), faces.astype("int32"), connectivity),
            "u": (("time", location), np.stack([u, 2 * u, 3 * u]), attributes),
            "v": (("time", location), np.stack([v, 2 * v, 3 * v]), attributes),
        },
        {
            "lon": ("node", lon, DEGREES[0]),
            "lat": ("node", lat, DEGREES[1]),
            "lonc": ("face", centres[0], DEGREES[0]),
            "latc": ("face", centres[1], DEGREES[1]),
            "time": pd.date_range("2024-10-28", periods=3, freq="h"),
        },
    )
    if location == "face":  # in the form of FVCOM: corners counted from 1, and layers
        mesh["nv"] = (
            ("three", "face"),
            (faces.T + 1).astype("int32"),
            connectivity | {"start_index": 1},
        )
        layers = xr.DataArray([1.0, 0.5], dims="siglay")
        for name in ("u", "v"):
            mesh[name] = (mesh[name] * layers).transpose("time", "siglay", "face")
            mesh[name].attrs = attributes
    mesh.to_netcdf(path)


@needs("uxarray")
@pytest.mark.parametrize("location", ["node", "face"])
def test_unstructured_velocity_is_interpolated_within_its_mesh(tmp_path, location):
    file = tmp_path / "mesh.nc"
    write_mesh(file, location)
    read = tw.read_unstructured(file)
    lon, lat = np.meshgrid(read.lon, read.lat)
    distance = np.hypot(lon + 125.5, lat - 46.5)
    for role, expected in zip("uv", field(lon, lat), strict=True):
        assert np.isnan(read[role].values[:, distance < 0.13]).all()
        inner = (distance > 0.2) & (np.abs(lon + 125.5) < 0.45) & (np.abs(lat - 46.5) < 0.45)
        error = read[role].values - expected * np.array([1, 2, 3])[:, None, None]
        assert np.sqrt(np.mean(error[0, inner] ** 2)) < 0.003
        assert np.abs(error[2, inner]).max() < 0.05
    ocean = tw.Environment.from_xarray(read, spacing="3km", step="1h")
    assert ocean.level_count == 3
    part = tw.read_unstructured(file, spacing=0.01, bbox=(-125.9, 46.1, -125.7, 46.3))
    assert dict(part.sizes) == {"time": 3, "lat": 20, "lon": 14}
    expected = field(*np.meshgrid(part.lon, part.lat))[0]
    np.testing.assert_allclose(part.u[0], expected, atol=0.02)
    if location == "face":
        lower = tw.read_unstructured(file, layer=-1)
        np.testing.assert_allclose(lower.u, 0.5 * read.u, atol=1e-6)
        with pytest.raises(tw.InputError, match="layer: is 2, and siglay has 2"):
            tw.read_unstructured(file, layer=2)


@needs("uxarray")
def test_unstructured_files_without_mesh_or_velocity_are_refused(tmp_path, forecast):
    file = tmp_path / "mesh.nc"
    write_mesh(file, "node")
    for options, line in (
        ({"u": "a", "v": "b"}, "has no variable a; it has"),
        ({"bbox": (0, 0, 1, 1)}, "has no points in the box"),
        ({"bbox": (1, 0, 0, 1)}, "give west < east"),
        ({"spacing": 1e-6}, "choose a smaller bbox or a wider spacing"),
    ):
        with pytest.raises(tw.InputError, match=line):
            tw.read_unstructured(file, **options)
    forecast.to_netcdf(tmp_path / "regular.nc")
    with pytest.raises(tw.InputError, match="uxarray finds no mesh in it"):
        tw.read_unstructured(tmp_path / "regular.nc")


LLUV = """%CTF: 1.00
%FileType: LLUV {kind}
%LLUVSpec: 1.03  2006 10 05
%Manufacturer: CODAR Ocean Sensors. SeaSonde
%Site: {site} ""
%TimeStamp: {stamp}
%TimeZone: "{zone}" {hours:+.3f} 0
%TimeCoverage: 75 Minutes
%Origin:  47.9000000  -124.7000000
%GreatCircle: "WGS84" 6378137.000  298.257223562997
%TableType: LLUV {table}
%TableColumns: {count}
%TableColumnTypes: {columns}
%TableRows: {rows}
%TableStart:
%%   Longitude   Latitude    U comp   V comp  VectorFlag
%%     (deg)       (deg)     (cm/s)   (cm/s)  (GridCode)
"""


def write_lluv(path: Path, table: pd.DataFrame, *, site: str, hour: int, zone=("UTC", 0)) -> Path:
    is_total = "VELO" not in table
    header = LLUV.format(
        kind='tots "CurrentMap"' if is_total else 'rdls "RadialMap"',
        site=site, stamp=f"2024 10 29  {hour:02d} 00 00", zone=zone[0], hours=zone[1],
        table="TOT4" if is_total else "RDL9", count=len(table.columns),
        columns=" ".join(table.columns), rows=len(table),
    )  # fmt: skip
    path.write_text(
        header + table.to_string(header=False, index=False) + "\n%TableEnd:\n%%\n%End:\n"
    )
    return path


EAST, NORTH = 0.3, -0.2  # [m/s], the current at the radars


def radials(lon: float, lat: float) -> pd.DataFrame:
    """Return the current as measured by a site; beams over land have wrong values."""
    kilometres, bearing = (
        axis.ravel() for axis in np.meshgrid(np.arange(3, 60, 3.0), np.arange(180, 360, 5.0))
    )
    metres, towards = 1000 * kilometres, np.radians(bearing)
    head = (bearing + 180) % 360
    speed = 100 * (EAST * np.sin(np.radians(head)) + NORTH * np.cos(np.radians(head)))
    flag = np.where(bearing > 345, 128, 0)
    return pd.DataFrame({
        "LOND": lon + metres * np.sin(towards) / 111_195 / np.cos(np.radians(lat)),
        "LATD": lat + metres * np.cos(towards) / 111_195,
        "VELO": np.where(flag, 90.0, speed), "HEAD": head, "VFLG": flag, "ETMP": 999.0,
    })  # fmt: skip


SITES = {"NORT": (-124.7, 47.9), "SOUT": (-124.4, 47.3)}


@needs("hfradarpy")
def test_radials_of_two_sites_are_combined_and_observed(tmp_path, forecast):
    files = [
        write_lluv(tmp_path / f"{site}_{hour}.ruv", radials(*place), site=site, hour=hour)
        for hour in (0, 1)
        for site, place in SITES.items()
    ]
    radar = tw.read_radar(files)
    has_current = np.isfinite(radar.u.values)
    assert has_current.sum() > 50
    np.testing.assert_allclose(radar.u.values[has_current], EAST, atol=1e-5)
    np.testing.assert_allclose(radar.v.values[has_current], NORTH, atol=1e-5)
    assert float(np.hypot(radar.dopx, radar.dopy).max()) <= 2
    moved = forecast.assign_coords(lon=forecast.lon + 0.5, lat=forecast.lat + 1.2)
    sea = tw.Environment.from_xarray(moved, spacing="5km", step="1h", lagged=3)
    legs = sea.observe(radar=radar, reject_beyond=0).learned.innovations
    np.testing.assert_allclose(legs.u.to_numpy(), EAST, atol=0.02)  # the plane's x is nearly east
    with pytest.raises(tw.InputError, match="has radials of one site, and at 2024-10-29T01:00:00"):
        tw.read_radar(files[2])


@needs("hfradarpy")
def test_totals_are_read_with_their_errors_in_utc(tmp_path):
    table = pd.DataFrame({
        "LOND": [-124.8, -124.7, -124.6], "LATD": [47.5, 47.5, 47.6],
        "VELU": [10.0, 20.0, 30.0], "VELV": [-5.0, -6.0, 999.0], "VFLG": [0, 128, 0],
        "UQAL": [3.0, 3.0, 3.0], "VQAL": [4.0, 4.0, 4.0],
    })  # fmt: skip
    first = write_lluv(tmp_path / "a.tuv", table, site="A", hour=1, zone=("CET", 1))
    second = write_lluv(tmp_path / "b.tuv", table.iloc[:1], site="A", hour=3)
    radar = tw.read_radar([second, first])
    np.testing.assert_array_equal(
        radar.time, np.array(["2024-10-29T00:00", "2024-10-29T03:00"], "datetime64[ns]")
    )
    np.testing.assert_allclose(radar.u.squeeze(), [0.1, 0.1])  # without land and invalid vectors
    np.testing.assert_allclose(radar.v_error.squeeze(), [0.04, 0.04])
    radial = write_lluv(tmp_path / "c.ruv", radials(*SITES["NORT"]), site="NORT", hour=1)
    with pytest.raises(tw.InputError, match="totals and radials are mixed"):
        tw.read_radar([first, radial])
    torn = tmp_path / "torn.tuv"
    torn.write_text(first.read_text().partition("%End")[0])
    with pytest.raises(tw.InputError, match="cannot be read as CODAR's LLUV"):
        tw.read_radar(torn)


@pytest.fixture
def slocum() -> Path:
    """An example dive of dbdreader: a Slocum off Toulon, January 2008."""
    import dbdreader

    return Path(dbdreader.__file__).parent / "data" / "ammonite-2008-028-01-000.mbd"


@needs("dbdreader")
def test_slocums_current_belongs_to_the_dive_before_its_fix(tmp_path, slocum, forecast):
    track = tw.read_slocum(slocum, cache=tmp_path)
    assert list(track.columns) == ["time", "lon", "lat", "u", "v", "depth"]
    assert track.time.dtype.kind == "M"
    np.testing.assert_allclose(track.lat, [43.0105, 43.0071], atol=1e-4)
    np.testing.assert_allclose(
        track[["u", "v", "depth"]].iloc[1], [-0.0542, 0.0554, 608.4], rtol=1e-3
    )
    begin = np.datetime64("2008-01-29T00:00", "ns")
    moved = forecast.assign_coords(
        lon=forecast.lon + 131.5,
        lat=forecast.lat - 3.5,
        time=begin + (forecast.time - forecast.time[0]),
    )
    sea = tw.Environment.from_xarray(moved, spacing="5km", step="1h", lagged=3)
    legs = sea.observe(track, reject_beyond=0).learned.innovations
    assert len(legs) == 1
    np.testing.assert_allclose(np.hypot(legs.u, legs.v), np.hypot(0.0542, 0.0554), rtol=1e-2)


@needs("dbdreader")
def test_slocum_files_that_cannot_be_decoded_are_one_line(tmp_path, slocum):
    for name, line in (
        ("amadeus-2014-204-05-000.sbd", "093bd5ed"),  # without its cache file
        ("dbd2asc_output.txt", "dbdreader cannot decode it"),
    ):
        with pytest.raises(tw.InputError, match=line):
            tw.read_slocum(slocum.with_name(name), cache=tmp_path)
    with pytest.raises(tw.InputError, match="there is no such file"):
        tw.read_slocum(tmp_path / "none.sbd")


@pytest.mark.parametrize(
    "read, module, extra",
    [
        (tw.read_grib, "cfgrib", "grib"),
        (tw.read_unstructured, "uxarray", "unstructured"),
        (tw.read_radar, "hfradarpy.radials", "radar"),
        (tw.read_slocum, "dbdreader", "slocum"),
    ],
)
def test_a_missing_library_is_one_line_with_the_command(monkeypatch, read, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(tw.RunError, match=rf"pip install 'tidewise\[{extra}\]'$"):
        read("file")
