"""Gliders' own files, drifters and radars, held against an independent reading (netCDF4)."""

from __future__ import annotations

import itertools
from pathlib import Path

import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

import tidewise as tw

GLIDERS = Path(__file__).resolve().parents[3] / "shared" / "data" / "gliders"
pytestmark = [pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")]
needs_gliders = pytest.mark.skipif(not GLIDERS.is_dir(), reason=f"{GLIDERS} is not there")


def ocean(west: float, east: float, south: float, north: float, begin: str, hours: int):
    """An invented forecast there and then, north up to some tenths of a degree."""
    times = np.datetime64(begin, "ns") + np.arange(0, hours + 1, 3) * np.timedelta64(3600, "s")
    lon, lat = np.linspace(west, east, 20), np.linspace(south, north, 20)
    x, y = np.meshgrid(np.linspace(0, 6, 20), np.linspace(0, 6, 20))
    k = np.arange(len(times))[:, None, None]
    speeds = {"u": 0.2 * np.sin(x + 0.3 * k) * np.cos(y), "v": 0.2 * np.cos(x - 0.2 * k) * np.sin(y)}
    forecast = xr.Dataset(
        {name: (("time", "lat", "lon"), value) for name, value in speeds.items()},
        {"time": times, "lat": lat, "lon": lon},
    )
    for name in speeds:
        forecast[name].attrs["units"] = "m s-1"
    forecast["lat"].attrs["units"] = "degrees_north"
    forecast["lon"].attrs["units"] = "degrees_east"
    return tw.Environment.from_xarray(forecast, spacing="5km", step="1h", lagged=3)


def assert_legs_are(legs: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Times to the second, numbers of dives, speeds exactly, directions within half a degree."""
    assert len(legs) == len(expected)
    legs = legs.sort_values("from").reset_index(drop=True)
    for mine, theirs in (("from", "begin"), ("until", "end")):
        seconds = legs[mine].to_numpy().astype("datetime64[ms]").astype(float) / 1000
        np.testing.assert_allclose(seconds, expected[theirs], atol=0.002)
    np.testing.assert_array_equal(legs.dive, expected.dive)
    ours = legs.u.to_numpy() + 1j * legs.v.to_numpy()
    theirs = expected.east.to_numpy() + 1j * expected.north.to_numpy()
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-6)
    assert np.abs(np.degrees(np.angle(ours / theirs))).max() < 1
    np.testing.assert_allclose(legs.u_error, np.hypot(0.02, 0.03), atol=1e-9)


@needs_gliders
def test_a_seagliders_dives_in_any_order():
    files = sorted(GLIDERS.glob("p005*.nc"))
    rows = []
    for file in files:
        with netCDF4.Dataset(file) as data:
            times = data["log_gps_time"][:]
            rows.append(
                {
                    "begin": times[1],  # the second fix is the last before the dive
                    "end": times[2],
                    "east": float(data["depth_avg_curr_east"][...]),
                    "north": float(data["depth_avg_curr_north"][...]),
                    "dive": data.dive_number,
                }
            )
    sea = ocean(-9.8, -7.4, 60.9, 62.1, "2008-06-06T09:00", 48)
    for order in itertools.permutations(files):
        learned = sea.observe(list(order), reject_beyond=0).learned
        assert_legs_are(learned.innovations, pd.DataFrame(rows))


@needs_gliders
def test_an_og1_file_has_eighteen_currents():
    file = next(GLIDERS.glob("sg033*.nc"))
    with netCDF4.Dataset(file) as data:
        table = pd.DataFrame(
            {
                "time": data["TIME"][:],
                "fix": np.ma.filled(data["LATITUDE_GPS"][:], np.nan),
                "east": np.ma.filled(data["DAVG_CURR_EAST"][:], np.nan),
                "north": np.ma.filled(data["DAVG_CURR_NORTH"][:], np.nan),
                "dive": data["divenum"][:],
            }
        )
    assert len(table) == 10_943
    rows = []
    for dive, of in table.groupby("dive"):
        fixes = of[of.fix.notna()]
        currents = of[of.east.notna()]
        if currents.empty:
            continue
        rows.append(
            {
                "begin": fixes.time[fixes.time < currents.time.min()].max(),
                "end": fixes.time[fixes.time > currents.time.max()].min(),
                "east": currents.east.unique().item(),
                "north": currents.north.unique().item(),
                "dive": dive,
            }
        )
    assert len(rows) == 18
    sea = ocean(-67, -65, 17.6, 19.4, "2010-09-03T00:00", 120)
    assert_legs_are(sea.observe(file, reject_beyond=0).learned.innovations, pd.DataFrame(rows))


def test_drifters_and_radars_correct_before_any_departure():
    sea = ocean(-9.8, -7.4, 60.9, 62.1, "2008-06-06T09:00", 48)
    # An ocean that has 0.25 m/s more to the east.
    hours = np.arange(12, 25)
    dates = np.datetime64("2008-06-06T09:00", "ns") + hours * np.timedelta64(3600, "s")
    lon, lat = np.linspace(-9, -8, 15), np.linspace(61.2, 61.8, 15)
    east = np.full((len(hours), 15, 15), 0.25)
    dimensions = ("time", "lat", "lon")
    field = xr.Dataset(
        {"u": (dimensions, east), "v": (dimensions, 0 * east), "u_error": (dimensions, 0 * east + 0.05),
         "v_error": (dimensions, 0 * east + 0.04)},
        {"time": dates, "lat": lat, "lon": lon},
    )
    for name in ("u", "v", "u_error", "v_error"):
        field[name].attrs["units"] = "m s-1"
    learned = sea.observe(radar=field, reject_beyond=0, inflation=3).learned
    legs = learned.innovations
    assert 50 < len(legs) <= 500
    np.testing.assert_allclose(np.hypot(legs.u, legs.v), 0.25, atol=1e-6)
    np.testing.assert_allclose(legs.u_error, np.hypot(0.05, 0.03), atol=1e-6)
    assert abs(legs.u_posterior - legs.u).mean() < abs(legs.u_forecast - legs.u).mean()
    metres = 111_195 * np.cos(np.radians(61.5))
    drifter = pd.DataFrame(
        {"time": dates, "lon": -8.8 + 0.25 * 3600 * (hours - 12) / metres, "lat": 61.5}
    )
    legs = sea.observe(drifter=drifter, radar=field, reject_beyond=0).learned.innovations
    ours = legs[legs.u_error < 0.05]  # without a speed of its own: 0.02 and 0.03 m/s, and fixes
    assert len(ours) == 12
    np.testing.assert_allclose(np.hypot(ours.u, ours.v), 0.25, rtol=0.01)


def test_nothing_to_learn_from_is_one_line():
    sea = ocean(-9.8, -7.4, 60.9, 62.1, "2008-06-06T09:00", 24)
    with pytest.raises(tw.InputError, match="nothing is given to learn from"):
        sea.observe()
    with pytest.raises(tw.InputError, match="drifter: names none"):
        sea.observe(drifter=[])


def half_axes(places: np.ndarray, probability: float) -> np.ndarray:
    """Of the region of (n, 2) places, the longer one first: by SciPy's distributions."""
    n = len(places)
    square = 2 * (n - 1) * (n + 1) / (n * (n - 2)) * stats.f.ppf(probability, 2, n - 2)
    if n >= 40:
        own = (n - 1) ** 2 / n * stats.beta.ppf(probability, 1, (n - 3) / 2)
        square *= np.quantile(distances(places, places), probability, method="hazen") / own
    return np.sqrt(square * np.linalg.eigvalsh(np.cov(places.T))[::-1])


def distances(places: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Squares, in standard deviations of the places, of others from their mean."""
    away = others - places.mean(axis=0)
    return np.einsum("ni,ij,nj->n", away, np.linalg.inv(np.cov(places.T)), away)


def test_where_it_comes_up_next(environment, plan):
    """Regions of a hundred flights, and how often they hold a vehicle in another ocean."""
    run = tw.open(plan("regions", environment, "rollout.realizations=100"))
    random = np.random.default_rng(3)
    within = {0.5: [], 0.9: []}
    for x, y in itertools.product((12.5, 20.5, 28.5), (10.5, 16.5, 22.5)):
        found = run.surfacing((x, y), time=2, after=4)
        flights = run.rollout((x, y), time=2, realizations="all", baselines="none")
        at = flights.trajectories.isel(obs=4)
        places = np.stack([at.x.values, at.y.values], axis=1)
        assert np.isfinite(places).all()
        np.testing.assert_allclose((found["x"], found["y"]), places[:100].mean(axis=0))
        for region in found["regions"]:
            axes = half_axes(places[:100], region["probability"])
            ours = (region["semi_major"], region["semi_minor"])
            np.testing.assert_allclose(ours, axes, rtol=1e-5)
        # The same regions of a hundred others, a hundred times.
        for _ in range(100):
            shuffled = random.permutation(places)
            ensemble, truths = shuffled[:100], shuffled[100:]
            for probability, held in within.items():
                spread = np.sqrt(np.linalg.eigvalsh(np.cov(ensemble.T))[1])
                square = (half_axes(ensemble, probability)[0] / spread) ** 2
                held.append(np.mean(distances(ensemble, truths) <= square))
    assert 0.48 < np.mean(within[0.5]) < 0.52
    assert 0.88 < np.mean(within[0.9]) < 0.92


def test_fixes_along_a_multi_index_and_in_half_precision_are_a_track():
    sea = ocean(-126, -125, 46, 47, "2024-10-29", 24)
    times = pd.date_range("2024-10-29T09:00", periods=4, freq="2h")
    fixes = xr.Dataset(
        {"lon": ("obs", -125.5 + 0.01 * np.arange(4)), "lat": ("obs", np.full(4, 46.5))},
        {"time": ("obs", times)},
    )
    plain = sea.observe(drifter=fixes).learned.innovations
    index = pd.MultiIndex.from_arrays([["a"] * 4, times], names=["buoy", "time"])
    both = fixes.drop_vars("time").assign_coords(
        xr.Coordinates.from_pandas_multiindex(index, "obs")
    )
    pd.testing.assert_frame_equal(sea.observe(drifter=both).learned.innovations, plain)
    half = fixes.assign(speed=("obs", np.zeros(4, "float16"), {"flag": None, "source": {"a": 1}}))
    pd.testing.assert_frame_equal(sea.observe(drifter=half).learned.innovations, plain)
    with pytest.raises(tw.InputError, match="^drifter: the attribute units of lon is a dict; give"):
        fixes["lon"].attrs["units"] = {"name": "degrees_east"}
        sea.observe(drifter=fixes)
