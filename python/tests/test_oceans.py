"""Synthetic and imported environments, and commands on runs."""

from __future__ import annotations

import json
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from conftest import ROOT
from inspection import assert_same_bits

import tidewise as tw
from tidewise import _lazy

pytestmark = pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
WASHINGTON = ROOT.parent / "shared" / "data" / "rtofs_washington_2024.nc"


@pytest.fixture
def output(program):
    """A function that returns the terminal's output of a command."""

    def run(*words) -> str:
        command = [program, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    return run


@pytest.mark.skipif(not WASHINGTON.is_file(), reason=f"{WASHINGTON} is not there")
def test_imports_a_data_set_like_its_file(tidewise, tmp_path):
    with xr.open_dataset(WASHINGTON) as forecast:
        ocean = tw.Environment.from_xarray(forecast, spacing="6km", step="6h", lagged=2)
    options = ["--spacing", "6km", "--step", "6h", "--lagged", 2]
    tidewise("env", "import", WASHINGTON, *options, "--out", tmp_path / "w.h5")
    assert_same_bits(ocean.path, tmp_path / "w.h5")
    assert ocean.is_geographic
    saved = ocean.save(tmp_path / "kept.h5")
    temporary = ocean.path
    del ocean
    assert not temporary.exists() and saved.shape[0] > 10


def small_forecast(kind="float32") -> xr.Dataset:
    """An eddy at four times, with numbers that float16 holds exactly."""
    k = np.arange(4)[:, None, None]
    y, x = np.mgrid[0:12, 0:12]
    fields = {
        "uo": (np.round(8 * np.sin(x / 4 + k)) / 32),
        "vo": (np.round(8 * np.cos(y / 4)) / 32 + 0 * k),
    }
    return xr.Dataset(
        {
            name: (("time", "lat", "lon"), field.astype(kind), {"units": "m s-1"})
            for name, field in fields.items()
        },
        {
            "time": pd.date_range("2024-10-29", periods=4, freq="3h"),
            "lat": np.linspace(46, 47, 12),
            "lon": np.linspace(-126, -125, 12),
        },
    )


@pytest.fixture(scope="module")
def small_ocean():
    return tw.Environment.from_xarray(small_forecast(), spacing="10km", lagged=1)


@pytest.mark.parametrize("chunks", [None, {"time": 1}], ids=["in memory", "lazy"])
@pytest.mark.parametrize("kind", ["float16", "longdouble"])
def test_imports_types_that_netcdf_lacks(small_ocean, kind, chunks, monkeypatch):
    forecast = small_forecast(kind)
    if chunks is not None:
        pytest.importorskip("dask")
        monkeypatch.setattr(_lazy, "_SMALL", 1 << 8)
        forecast = forecast.chunk(chunks)
    ocean = tw.Environment.from_xarray(forecast, spacing="10km", lagged=1)
    assert_same_bits(ocean.path, small_ocean.path)
    assert forecast["uo"].dtype == np.dtype(kind), "the caller's own is as it was"


def test_ignores_attributes_that_netcdf_cannot_hold(small_ocean):
    unusual = {
        "nothing": None,
        "yes": True,
        "numpy's": np.bool_(False),
        "object": {"codec": {"id": "blosc"}},
        "mixed": [1, None],
        "rows": [[1, 2], [3, 4]],
        "when": np.datetime64("2024-10-29"),
        "half": np.float16(0.5),
        "huge": 2**70,
        7: "a name that is none",
        "a/b": "another",
    }
    forecast = small_forecast()
    forecast.attrs = dict(unusual)
    for name in ("uo", "vo", "lat", "time"):
        forecast[name].attrs.update(unusual)
    forecast["uo"].attrs |= {"standard_name": None, "_FillValue": None}
    attributes = dict(forecast["uo"].attrs)
    ocean = tw.Environment.from_xarray(forecast, spacing="10km", lagged=1)
    assert_same_bits(ocean.path, small_ocean.path)
    assert forecast["uo"].attrs == attributes, "the caller's own are as they were"


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("units", {"text": "m s-1"}, "a dict"),
        ("units", True, "a bool"),
        ("scale_factor", [0.1, None], "a list"),
        ("grid_mapping", object(), "an object"),
        ("_FillValue", np.datetime64("2024-10-29"), "a datetime64"),
    ],
)
def test_rejects_an_attribute_that_changes_the_meaning(name, value, kind):
    forecast = small_forecast()
    forecast["uo"].attrs[name] = value
    line = (
        rf"^forecast: the attribute {name} of uo is {kind}; give it text or numbers, or remove it$"
    )
    with pytest.raises(tw.InputError, match=line):
        tw.Environment.from_xarray(forecast, spacing="10km")
    with pytest.raises(tw.InputError, match=r"^forecast\[1\]: the attribute"):
        tw.Environment.from_xarray([small_forecast(), forecast], spacing="10km")


def test_data_that_no_file_can_hold_is_one_line(small_ocean):
    stacked = small_forecast().stack(point=("lat", "lon"))
    line = r"^forecast: the coordinate point is a MultiIndex of lat, lon, .*\.unstack\('point'\)$"
    with pytest.raises(tw.InputError, match=line):
        tw.Environment.from_xarray(stacked, spacing="10km")
    again = tw.Environment.from_xarray(stacked.unstack("point"), spacing="10km", lagged=1)
    assert_same_bits(again.path, small_ocean.path)  # as the message advises
    for odd in (np.full(12, 1j), np.array([object()] * 12)):
        with pytest.raises(tw.InputError, match="^forecast: cannot be written as NetCDF") as caught:
            tw.Environment.from_xarray(small_forecast().assign(odd=("lat", odd)), spacing="10km")
        assert "\n" not in str(caught.value) and "drop_vars" in str(caught.value)


def test_rejects_a_data_set_that_is_no_forecast():
    empty = xr.Dataset({"height": ("x", [1.0, 2.0])})
    with pytest.raises(tw.InputError) as caught:
        tw.Environment.from_xarray(empty)
    assert "\n" not in str(caught.value)


def test_gyre_equals_that_of_the_command(environment):
    ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=4, realizations=200)
    assert_same_bits(ocean.path, environment)
    assert ocean.dates is None and not ocean.is_geographic


def test_makes_an_environment_from_arrays(environment):
    with xr.open_dataset(environment) as file:
        file.load()
    fields = {
        name: file[name].values.astype(float)
        for name in ("u_mean", "v_mean", "u_mode", "v_mode", "coefficient")
    }
    axes = {name: file[name].values for name in ("x", "y", "time")}
    mask = np.broadcast_to(file.obstacle_mask.values, file.u_mean.shape)
    ocean = tw.Environment.from_arrays(
        **fields, **axes, scalar=file.scalar_mean.values, masked=mask
    )
    ours, theirs = (
        tw.plan(
            tw.Mission(world, tw.Vehicle([0.5, 1.0]), start=(20.5, 8.5), target=(20.5, 32.5)),
            mode="none",
        )
        for world in (ocean, environment)
    )
    assert np.array_equal(ours.policy.value.values, theirs.policy.value.values)
    with pytest.raises(tw.InputError, match="u_mode: has the shape"):
        tw.Environment.from_arrays(**(fields | {"u_mode": fields["u_mean"]}), **axes)
    with pytest.raises(tw.InputError, match="not evenly spaced"):
        tw.Environment.from_arrays(**fields, **(axes | {"x": axes["x"] ** 2}))
    with pytest.raises(tw.InputError, match=r"u_mean .*\[environment_array_size\]$"):
        tw.Environment.from_arrays(**fields, **(axes | {"x": axes["x"][:-1]}))


def test_arrays_may_have_modes_fixed_in_time(environment):
    with xr.open_dataset(environment) as file:
        file.load()
    fields = {name: file[name].values for name in ("u_mean", "v_mean", "coefficient")}
    axes = {name: file[name].values for name in ("x", "y", "time")}
    modes = {name: file[name].values[0] for name in ("u_mode", "v_mode")}
    levels = len(file.time)
    fixed = tw.Environment.from_arrays(**fields, **modes, **axes)
    repeated = tw.Environment.from_arrays(
        **fields, **{name: np.stack([mode] * levels) for name, mode in modes.items()}, **axes
    )
    assert fixed.dataset["u_mode"].dims == ("mode", "y", "x")
    mode = modes["u_mode"].shape[0] - 1
    assert np.array_equal(fixed.mode(2, mode)[0], modes["u_mode"][mode])
    for ours, theirs in zip(fixed.realization_arrays(2, 1), repeated.realization_arrays(2, 1), strict=True):
        assert np.array_equal(ours, theirs)
    ours, theirs = (
        tw.plan(
            tw.Mission(world, tw.Vehicle([0.5, 1.0]), start=(20.5, 8.5), target=(20.5, 32.5)),
            mode="none",
        )
        for world in (fixed, repeated)
    )
    assert np.array_equal(ours.policy.value.values, theirs.policy.value.values)
    with pytest.raises(tw.InputError, match="v_mode: has the shape"):
        repeated_v = np.stack([modes["v_mode"]] * levels)
        tw.Environment.from_arrays(**fields, **(modes | {"v_mode": repeated_v}), **axes)


def test_batch_has_the_results_of_single_plans(environment, tmp_path):
    mission = tw.Mission(environment, tw.Vehicle([1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    table = pd.DataFrame(
        {
            "name": ["now", "later", "ashore"],
            "mission.departure": [0, 4, 99],
            "mission.objective": ["time", "energy", None],
        }
    )
    with pytest.warns(tw.PlanWarning, match="1 of 3"):
        rows = tw.batch(table, mission, out=tmp_path / "batch")
    assert list(rows["status"]) == ["done", "done", "failed"]
    assert "departure" in rows["message"][2]
    for row in (0, 1):
        single = tw.plan(
            tw.Mission(
                environment,
                tw.Vehicle([1.0]),
                start=(20.5, 8.5),
                target=(20.5, 32.5),
                departure=[0, 4][row],
                objective=["time", "energy"][row],
            )
        )
        in_batch = tw.open(rows["directory"][row])
        assert np.array_equal(single.policy.value.values, in_batch.policy.value.values)
        assert rows["expected_time"][row] == pytest.approx(single.expected.time, rel=1e-6)
    with pytest.raises(tw.InputError, match=r"mission.depature.*\[key_misspelled\]$"):
        tw.batch(table.rename(columns={"mission.departure": "mission.depature"}), mission)
    with pytest.raises(tw.InputError, match="give mission"):
        tw.batch(table)


def test_comparison_equals_that_of_the_command(time_run, net_energy_run, output, tmp_path):
    ours = tw.open(time_run).compare(net_energy_run)
    text = output("compare", time_run, net_energy_run, "--out", tmp_path / "c.json", "-q")
    assert ours.text == text
    assert ours.figures == json.loads((tmp_path / "c.json").read_text())
    assert set(ours.difference.sizes) >= {"time", "y", "x"}


def test_rollout_equals_that_of_the_command(time_run, tidewise_rollout):
    theirs = tw.open(tidewise_rollout(time_run, "--at-xy", "12.5,10.5", "--time", 3))
    ours = tw.open(time_run).rollout(at=(12.5, 10.5), time=3)
    assert ours.summary["rollout"] == theirs.summary["rollout"]
    assert np.array_equal(ours.trajectories.x.values, theirs.trajectories.x.values, equal_nan=True)
    with pytest.raises(tw.InputError, match=r"\[rollout_departure_outside\]$"):
        tw.open(time_run).rollout(time=99)


def test_a_run_is_exported_refined_and_shown(time_run, output, tmp_path):
    run = tw.open(time_run)
    report = run.export(tmp_path / "ours.csv", plane=True)
    output("export", time_run, "--format", "csv", "--plane", "--out", tmp_path / "theirs.csv", "-q")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    assert "waypoints" in report
    with pytest.raises(tw.InputError, match="its ending is no format"):
        run.export(tmp_path / "route.xyz")
    with pytest.raises(tw.InputError, match=r"\[route_format_not_possible\]$"):
        run.export(tmp_path / "route.gpx")
    refined = run.refine(tmp_path / "refined.h5", realizations=50)
    assert refined.path.is_file() and "of them improved" in refined.report
    page = run.view(tmp_path / "run.html").read_text()
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")


def test_saved_run_needs_no_other_files(tmp_path):
    ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    run = tw.plan(tw.Mission(ocean, tw.Vehicle([1.0]), start=(20.5, 8.5), target=(20.5, 32.5)))
    temporary = run.folder
    saved = run.save(tmp_path / "run")
    expected = run.expected
    del run, ocean
    assert not temporary.exists()
    assert saved.expected == expected
    assert saved.environment.path == tmp_path / "run" / "environment.h5"
    assert len(saved.rollout(time=2).flights) == 20
    copied = saved.save(tmp_path / "copy")
    assert copied.expected == expected
    with pytest.raises(tw.InputError, match="holds a run already"):
        saved.save(tmp_path / "copy")


@pytest.mark.parametrize("named", [False, True])
def test_mission_accepts_a_runs_environment(time_run, metric_run, named, tmp_path):
    """The metric run has other variable names, and a batch reads its file."""
    cell = 5000.0 if named else 1.0
    ocean = tw.open(metric_run if named else time_run).environment
    mission = tw.Mission(
        ocean,
        tw.Vehicle([cell / 6220.8 if named else 1.0]),
        (20.5 * cell, 8.5 * cell),
        (20.5 * cell, 32.5 * cell),
    )
    again = tw.plan(mission, mode="none")
    assert again.environment.path == ocean.path
    table = tw.batch(pd.DataFrame({"mission.departure": [0]}), mission, out=tmp_path / "batch")
    assert table["expected_time"][0] == pytest.approx(again.expected.time, rel=1e-6)


def test_environment_of_a_run_outlives_the_run():
    ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    places = {"start": (20.5, 8.5), "target": (20.5, 32.5)}
    run = tw.plan(tw.Mission(ocean, tw.Vehicle([1.0]), **places), mode="none")
    expected, world = run.expected, run.environment
    del run, ocean
    assert tw.plan(tw.Mission(world, tw.Vehicle([1.0]), **places), mode="none").expected == expected


def test_pictures_are_methods_of_a_run(time_run):
    run = tw.open(time_run)
    for draw in (run.plot.mission, run.plot.policy, run.plot.histograms):
        assert draw().axes


def test_build_without_the_gyre_reports_it():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((tw.InputError, tw.RunError)) as caught:
            tw.Environment.wind_driven_gyre(nx=1)
    assert "\n" not in str(caught.value)
