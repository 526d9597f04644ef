"""Drifters, radars and tables as tracks; prediction of the next surfacing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import tidewise as tw

pytestmark = [pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")]


def ocean(west: float, east: float, south: float, north: float, begin: str, hours: int):
    """Return a synthetic forecast; its plane's +y is nearly north."""
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


def test_drifters_and_radars_correct_a_forecast():
    sea = ocean(-9.8, -7.4, 60.9, 62.1, "2008-06-06T09:00", 48)
    # All observations are 0.25 m/s to the east.
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
    of_drifter = legs[legs.u_error < 0.05]  # errors of 0.02 and 0.03 m/s and of fixes
    assert len(of_drifter) == 12
    np.testing.assert_allclose(np.hypot(of_drifter.u, of_drifter.v), 0.25, rtol=0.01)


def test_covariances_taper_over_a_day_by_default():
    sea = ocean(-9.8, -7.4, 60.9, 62.1, "2008-06-06T09:00", 72)
    glider = tw.Vehicle(speeds=[0.5])
    mission = tw.Mission(sea, glider, start=(-9, 61.3), target=(-8.3, 61.6), target_radius=1e4)
    run = tw.plan(mission, backend="cpu")
    hours = np.arange(0, 13, 3)
    times = run.trajectories.time.values[0, 0] + hours * np.timedelta64(3600, "s")
    places = {"time": times, "lon": -9 + 0.005 * hours, "lat": 61.3}
    track = pd.DataFrame(places | {"u": 0.1, "v": 0.1})

    def corrected(**options):
        return run.replan(track, **options).environment.dataset.coefficient.values

    default = corrected()
    np.testing.assert_array_equal(default, corrected(localisation="24h"))
    assert np.abs(default - corrected(localisation="96h")).max() > 1e-3


def test_missing_observations_are_one_line():
    sea = ocean(-9.8, -7.4, 60.9, 62.1, "2008-06-06T09:00", 24)
    with pytest.raises(tw.InputError, match=r"\[observations_missing\]$"):
        sea.observe()
    with pytest.raises(tw.InputError, match="drifter: names none"):
        sea.observe(drifter=[])


def test_predicts_the_next_surfacing(environment, plan):
    run = tw.open(plan("regions", environment, "rollout.realizations=100"))
    found = run.surfacing((20.5, 10.5), time=2, after=4)
    flights = run.rollout((20.5, 10.5), time=2, realizations=100, baselines="none")
    at = flights.trajectories.isel(obs=4)
    np.testing.assert_allclose((found["x"], found["y"]), (at.x.mean(), at.y.mean()))
    assert [region["probability"] for region in found["regions"]] == [0.5, 0.9]
    with pytest.raises(tw.InputError, match="^surfacing: no flight starts there: in target"):
        run.surfacing((20.5, 32.5), time=2, after=4)


def test_fixes_along_a_multi_index_and_in_half_precision_are_a_track():
    sea = ocean(-126, -125, 46, 47, "2024-10-29", 24)
    times = pd.date_range("2024-10-29T09:00", periods=4, freq="2h")
    fixes = xr.Dataset(
        {"lon": ("obs", -125.5 + 0.01 * np.arange(4)), "lat": ("obs", np.full(4, 46.5))},
        {"time": ("obs", times)},
    )
    plain = sea.observe(drifter=fixes).learned.innovations
    index = pd.MultiIndex.from_arrays([["a"] * 4, times], names=["buoy", "time"])
    indexed = fixes.drop_vars("time").assign_coords(
        xr.Coordinates.from_pandas_multiindex(index, "obs")
    )
    pd.testing.assert_frame_equal(sea.observe(drifter=indexed).learned.innovations, plain)
    half = fixes.assign(speed=("obs", np.zeros(4, "float16"), {"flag": None, "source": {"a": 1}}))
    pd.testing.assert_frame_equal(sea.observe(drifter=half).learned.innovations, plain)
    with pytest.raises(tw.InputError, match="^drifter: the attribute units of lon is a dict; give"):
        fixes["lon"].attrs["units"] = {"name": "degrees_east"}
        sea.observe(drifter=fixes)
