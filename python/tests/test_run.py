"""Opened runs: contents, positions and units."""

from __future__ import annotations

import pickle
import shutil

import numpy as np
import pytest

import tidewise
from tidewise.units import Unit, choose_units, format_among, format_number


def test_a_run_opens_lazily_with_its_mission(time_run, environment):
    run = tidewise.open_run(time_run)
    assert run.mission.objective == "time"
    assert run.mission.environment_file == environment
    assert run.policy["value"].shape == (45, 40, 40)
    assert not run.environment.dataset["u_mode"].variable._in_memory
    assert run.trajectories.sizes["trajectory"] == 200
    assert run.start == (20.5, 8.5)


def test_opens_a_run_by_its_policy_file(time_run):
    assert tidewise.open_run(time_run / "policy.h5").folder == time_run
    assert tidewise.Run(str(time_run)).folder == time_run


def test_an_environment_that_was_moved_can_be_named(time_run, environment, tmp_path):
    moved = shutil.copy(environment, tmp_path / "moved.h5")
    assert tidewise.open_run(time_run, moved).environment.path == moved
    missing = tidewise.open_run(time_run, tmp_path / "gone.h5")
    with pytest.raises(tidewise.InputError, match="environment=FILE"):
        missing.environment  # noqa: B018


def test_renames_variables_to_standard_names(metric_run):
    run = tidewise.open_run(metric_run)
    assert {"u_mean", "coefficient", "realization_weight"} <= set(run.environment.dataset.variables)
    u, v = run.environment.realization_arrays(3, 5)
    mean, _ = run.environment.mean_arrays(3)
    coefficient = run.environment.coefficients(3)[:, 5]
    expected = mean + sum(c * run.environment.mode(3, m)[0] for m, c in enumerate(coefficient))
    np.testing.assert_allclose(u, expected)
    assert np.array_equal(np.isnan(v), run.environment.closed(3))


def test_units_fit_the_domain(time_run, metric_run):
    plain = tidewise.open_run(time_run).units
    assert (plain.length.name, plain.time.name) == ("cells", "steps")
    assert plain.speed.name == "cells per step"
    metric = tidewise.open_run(metric_run).units
    assert (metric.length, metric.time) == (Unit(1e3, "km"), Unit(3600.0, "hours"))
    assert metric.speed.name == "m s⁻¹"
    # With this c_f a step at full speed costs 1, which is no joule.
    grid = tidewise.open_run(metric_run).grid
    scaled = choose_units(grid, 2.5e-4, 0.8).energy
    assert scaled == Unit(1.0, "–") and scaled.text(49.5) == "49.5"
    assert choose_units(grid, 2.5e-4, 0.8, c_t=0.1).energy.name.endswith("J")
    assert choose_units(grid, 1e6, 0.8, c_t=2.0).energy == Unit(1e6, "MJ")
    assert choose_units(grid, 1.0, 0.8).energy.name.endswith("m² s⁻¹")


def test_power_of_dives_is_in_watts(metric_run):
    """The power may be 0, and c_t may be 0."""
    run = tidewise.open_run(metric_run)
    run.mission.table["vehicle"]["energy"] = {"c_f": 1.0, "c_t": 0.0}
    assert run.units.energy.name.endswith("m² s⁻¹")
    for power in [[1.4, 0.9], [0.0, 0.0]]:
        run = tidewise.open_run(metric_run)
        run.mission.table["vehicle"]["energy"] = {"c_f": 1.0, "c_t": 0.0}
        run.mission.table["vehicle"]["profile_power"] = power
        assert run.units.energy.name.endswith("J")


def test_positions_in_degrees_are_found_on_the_plane(washington_run):
    run = tidewise.open_run(washington_run)
    x, y = run.target
    attributes = run.trajectories.attrs
    slack = 0.02 * run.grid.dx
    assert x == pytest.approx(attributes["target_x"], abs=slack)
    assert y == pytest.approx(attributes["target_y"], abs=slack)
    assert str(run.grid.dates[0]).startswith("2024-10-28T")


def test_paths_equal_the_flights(time_run):
    run = tidewise.open_run(time_run)
    numbers = run.flights.chosen(7)
    assert len(numbers) == 7
    paths = run.flights.paths(numbers)
    for number, path in zip(numbers, paths, strict=True):
        assert len(path) == run.flights.ends.steps[number] + 1
        assert np.isfinite(path).all()
        assert path[0].tolist() == [20.5, 8.5]
    assert len(run.flights.chosen(10**6)) == len(run.flights)


def test_formats_numbers_with_few_digits():
    assert [format_number(v) for v in (0.0, 12.0, 12.34, -0.5, 1234.5)] == [
        *("0", "12", "12.3", "−0.5", "1234")
    ]
    assert [format_among(14.1834, 1.0), format_among(438.7, 400.0)] == ["14.18", "439"]


def test_missing_reach_is_an_error_with_advice(time_run, tmp_path):
    run = tidewise.open(time_run).save(tmp_path / "run")
    with pytest.raises(AttributeError, match=r"^time_to_go: is not there yet; run.reach\(\) makes"):
        _ = run.policy.time_to_go
    with pytest.raises(KeyError, match=r"delay: is not there yet; run.reach\(\) makes it"):
        run.policy.isel(time=0)["delay"]
    with pytest.raises(AttributeError, match="no attribute 'time_to_stay'"):
        _ = run.policy.time_to_stay
    again = pickle.loads(pickle.dumps(run.policy.isel(time=0).load()))
    assert (again.action == run.policy.action[0]).all()
    run.reach()
    assert run.policy.time_to_go.dims == ("time", "y", "x")
    assert run.policy["delay"].attrs["long_name"] == "arrival after the one expected from the start"


def test_environment_with_profiles_requires_a_choice(diving_run):
    environment = tidewise.Environment(tidewise.open_run(diving_run).environment.path)
    assert environment.profiles == ["up", "down"]
    with pytest.raises(tidewise.InputError, match="has the profiles up, down; choose one with"):
        environment.mean(level=0)


def test_ends_of_flights_are_a_data_frame(time_run, washington_run):
    plain = tidewise.open_run(time_run).flights
    ends = plain.ends
    assert list(ends.index) == list(range(200)) and ends.index.name == "trajectory"
    assert np.array_equal(ends.arrived, plain.arrays.arrived)
    assert set(ends.outcome[ends.arrived]) == {"target"} or ends.outcome[ends.arrived].nunique() == 1
    assert np.allclose(ends.end - ends.departure, ends.duration)
    assert np.allclose(ends.net_energy, ends.energy - ends.harvested)
    dated = tidewise.open_run(washington_run)
    ends = dated.flights.ends
    assert ends.departure.dtype.kind == ends.end.dtype.kind == "M" and ends.duration.dtype.kind == "m"
    last = np.fmax.reduce(dated.trajectories.time.values, axis=1)  # the latest, ignoring NaT
    assert abs(ends.end.values - last).max() < np.timedelta64(1, "ms")


def test_headings_are_degrees_at_places_and_dates(washington_run):
    run = tidewise.open_run(washington_run)
    headings = run.headings
    assert headings.dims == ("time", "y", "x") and headings.attrs["units"] == "degree"
    assert headings.time.dtype.kind == "M" and {"lon", "lat"} <= set(headings.coords)
    level = run.mission.departure
    assert np.array_equal(headings.isel(time=level), run.bearing(level), equal_nan=True)
    cell = run.sel(*(float(run.policy[axis][7, 9]) for axis in ("lon", "lat")))
    assert np.array_equal(cell.action, run.policy.action[:, 7, 9])
    first = run.summary["first_action"]
    start = run.mission.start
    heading = run.sel(start.first, start.second).heading_degrees.isel(time=level)
    assert float(heading) == pytest.approx(first["bearing"], abs=0.5)
    with pytest.raises(tidewise.InputError, match="outside of the grid"):
        run.sel(10.0, 10.0)


def test_flows_are_data_sets(metric_run):
    environment = tidewise.open_run(metric_run).environment
    at_level = environment.realization(5, level=3)
    assert at_level.u.dims == ("y", "x") and at_level.u.attrs["units"] == "m s-1"
    assert np.array_equal(at_level.v, environment.realization_arrays(3, 5)[1], equal_nan=True)
    all_levels = environment.realization(5)
    assert all_levels.u.dims == ("time", "y", "x")
    assert np.array_equal(all_levels.u.isel(time=3), at_level.u, equal_nan=True)
    assert np.array_equal(environment.mean().v[3], environment.mean_arrays(3)[1], equal_nan=True)
    with pytest.raises(tidewise.InputError, match="realization 900"):
        environment.realization(900)


def test_surfacing_begins_at_the_start(washington_run):
    run = tidewise.open_run(washington_run)
    departure = run.grid.dates[run.mission.departure]
    assert run.surfacing() == run.surfacing(at_xy=run.start, time=departure, after="6h")


def test_headings_have_the_legs_of_a_mission():
    gyre = tidewise.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    via = [{"point": [25.5, 20.5], "radius": 2.0}]
    ends = {"start": (20.5, 8.5), "target": (20.5, 32.5)}
    run = tidewise.plan(tidewise.Mission(gyre, tidewise.Vehicle(speeds=[1.0]), via=via, **ends))
    assert run.headings.dims == ("leg", "time", "y", "x")
    action = run.actions_at(3, leg=2)
    degrees = np.degrees(run.policy.heading.values)[action.clip(0)] % 360
    expected = np.where(action >= 0, degrees.astype("f4"), np.nan)
    assert np.array_equal(run.headings.sel(leg=2).isel(time=3), expected, equal_nan=True)
