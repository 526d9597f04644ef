"""Plans in this process have the bits of the command line."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import threading
import time
import warnings

import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from inspection import assert_same_bits

import tidewise as tw

START, TARGET = (20.5, 8.5), (20.5, 32.5)


@pytest.fixture
def mission(environment):
    return tw.Mission(environment, tw.Vehicle(speeds=[0.5, 1.0]), start=START, target=TARGET)


@pytest.fixture(scope="module")
def run(environment):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tw.plan(
            tw.Mission(environment, tw.Vehicle(speeds=[0.5, 1.0]), start=START, target=TARGET)
        )


@pytest.fixture(scope="module")
def large():
    """An environment in which a plan takes seconds."""
    return tw.Environment.double_gyre(nx=140, ny=140, levels=50, modes=4, realizations=1000)


def assert_same_files(ours, theirs) -> None:
    for name in ("policy.h5", "trajectories.nc"):
        assert_same_bits(ours / name, theirs / name)


def assert_same_summary(ours, theirs) -> None:
    for key in ("value_at_start", "start", "target", "departure", "first_action", "expected"):
        assert ours[key] == theirs[key], key
    for key in ("rollout", "baselines", "warnings", "problem"):
        assert ours[key] == theirs[key], key


def error_line(program, *options) -> str:
    """Return the message of a command that fails because of its input."""
    done = subprocess.run([program, *map(str, options)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    return done.stderr.strip().removeprefix("tidewise: error: ")


def test_double_gyre_plan_has_the_bits_of_the_command(run, time_run):
    assert_same_files(run.folder, time_run)
    assert_same_summary(run.summary, tw.open(time_run).summary)


@pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
def test_mission_file_plan_has_the_bits_of_the_command(time_run, place, environment, tmp_path):
    read = tw.Mission.read(place / "time.toml")
    assert read.environment.path == environment
    ours = tw.plan(read, out=tmp_path / "run")
    assert_same_files(tmp_path / "run", time_run)
    assert ours.folder == tmp_path / "run"
    energy = tw.plan(tw.Mission.read(place / "time.toml", settings={"mission.objective": "energy"}))
    assert energy.mission.objective == "energy"


def test_policy_for_all_departures_flies_from_each_level(environment):
    mission = tw.Mission(
        environment, tw.Vehicle(speeds=[1.0]), start=START, target=TARGET, decide_every=3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every, single = tw.plan(mission, all_departures=True), tw.plan(mission)
        assert every.rollout(time=4).summary["departure"]["level"] == 4
        later = every.rollout(time=4.25).summary
    assert later["departure"] == {"level": 4, "time": 4.25}
    assert later["mission"]["mission"]["departure"] == 4.25
    with pytest.raises(tw.InputError, match=r"level 3 or 6.*\[policy_departure_phase\]$"):
        single.rollout(time=4)


def test_warnings_equal_those_of_the_command(place, time_run, program):
    slow = ["--set", "vehicle.speeds=[0.5]"]  # half a cell a step, which causes a warning
    words = [program, "plan", place / "time.toml", "--out", place / "warned", *slow]
    output = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stderr
    theirs = [
        line.removeprefix("tidewise: warning: ")
        .replace("--set vehicle.speeds=[0.5]", "settings vehicle.speeds=[0.5]")
        .replace(": --spacing ", ": spacing=")
        for line in output.splitlines()
        if line.startswith("tidewise: warning: ")
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tw.plan(tw.Mission.read(place / "time.toml", settings={"vehicle.speeds": [0.5]}))
    ours = [str(w.message) for w in caught if issubclass(w.category, tw.PlanWarning)]
    assert theirs and ours == theirs
    assert all(w.filename == __file__ for w in caught)


def test_errors_equal_those_of_the_command(place, program, time_run):
    wrong = place / "wrong.toml"
    wrong.write_text((place / "time.toml").read_text() + 'objective = "tim"\n')
    with pytest.raises(tw.InputError) as caught:
        tw.Mission.read(wrong)
    assert str(caught.value) == error_line(program, "check", wrong)
    assert caught.value.code == "key_value_invalid"
    assert isinstance(caught.value, ValueError)
    with pytest.raises(tw.InputError) as caught:
        tw.Environment.open(place / "no.h5")
    assert str(caught.value) == error_line(program, "env", "info", place / "no.h5")
    assert caught.value.code == "file_missing"
    with pytest.raises(tw.InputError) as caught:
        tw.plan(tw.Mission.read(place / "time.toml", settings={"mission.start": [20.5, 99.5]}))
    setting = "mission.start=[20.5, 99.5]"
    line = error_line(
        program, "plan", place / "time.toml", "--set", setting, "--out", place / "none"
    )
    in_python = f"settings {setting}"
    assert line.startswith(f"--set {setting}: ")
    assert str(caught.value) == line.replace(f"--set {setting}", in_python)
    assert not (place / "none").exists()


@pytest.mark.parametrize(
    "keys, said",
    [
        ({"objective": "tim"}, r'^objective is "tim".*\[key_value_invalid\]$'),
        ({"horizon": -1}, r"^horizon is -1.*\[key_value_invalid\]$"),
        ({"arrival_reward": object()}, "no mission holds"),
        ({"departure": np.datetime64("NaT")}, "is no date"),
    ],
)
def test_mission_is_validated_when_it_is_made(environment, keys, said):
    with pytest.raises(tw.InputError, match=said) as caught:
        tw.Mission(environment, tw.Vehicle([1.0]), start=START, target=TARGET, **keys)
    assert "\n" not in str(caught.value)


def test_ctrl_c_ends_a_plan_and_leaves_no_files(large, tmp_path, ctrl_c):
    mission = tw.Mission(large, tw.Vehicle([0.5, 1.0]), start=(70.5, 28.5), target=(70.5, 112.5))
    ctrl_c(0.5)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tw.plan(mission, out=tmp_path / "run", backend="cpu", threads=1)
    assert time.monotonic() - began < 30
    assert not (tmp_path / "run").exists()


def test_ctrl_c_ends_a_command_and_the_next_one_runs(tmp_path, ctrl_c):
    ctrl_c(0.3)
    with pytest.raises(KeyboardInterrupt):
        tw.Environment.double_gyre(nx=400, ny=400, levels=400, modes=10, realizations=10)
    assert tw.Environment.double_gyre(nx=20, ny=20, levels=5, modes=1, realizations=2).shape[0] == 5


def test_other_threads_run_and_progress_is_reported(large):
    mission = tw.Mission(large, tw.Vehicle([0.5, 1.0]), start=(70.5, 28.5), target=(70.5, 112.5))
    ticks, over, reports = [], threading.Event(), []

    def tick():
        while not over.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    tw.plan(mission, mode="none", backend="cpu", progress=lambda *news: reports.append(news))
    seconds = time.monotonic() - began
    over.set()
    thread.join()
    assert len(ticks) > 20 * seconds
    assert max(np.diff(ticks)) < 0.25 * seconds
    assert {unit for _, _, _, unit in reports} == {"levels"}
    assert any(0 < done < total for _, done, total, _ in reports)


def test_exception_of_a_progress_function_ends_the_work(large):
    def refuse(*_):
        raise LookupError("enough")

    mission = tw.Mission(large, tw.Vehicle([1.0]), start=(70.5, 28.5), target=(70.5, 112.5))
    with pytest.raises(LookupError, match="enough"):
        tw.plan(mission, progress=refuse)


def test_draws_a_progress_bar(mission, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tw.PlanWarning)
        tw.plan(mission, progress=True)
    assert "levels" in capsys.readouterr().err


def test_arrays_are_not_copied(run):
    values = run.values_at(3)
    assert values.dtype == np.float32 and not values.flags.owndata
    assert np.array_equal(values, run.policy.value[3].values)
    assert np.array_equal(run.actions_at(3), run.policy.action[3].values)
    assert np.shares_memory(np.from_dlpack(values), values)


def test_act_returns_the_policys_action(run):
    policy = run.policy
    action = int(policy.action[5, 10, 12])
    steering = run.act((12.7, 10.2), time=5.9)
    assert steering.heading == pytest.approx(float(policy.heading[action]))
    assert steering.speed == float(policy.speed[action])
    assert steering.value == float(policy.value[5, 10, 12])
    for moment in ("soon", float("nan")):
        with pytest.raises(tw.InputError, match="are numbers|is no time"):
            run.act((1.0, 1.0), time=moment)
    assert run.act(at_xy=(12.7, 10.2), time=5.9) == steering
    with pytest.raises(TypeError, match=r"use at=\(lon, lat\)"):
        run.act(lon=1.0, lat=2.0, time=5)
    with pytest.raises(tw.InputError, match="give one of them"):
        run.act(time=5)
    with pytest.raises(tw.InputError, match="is no place; give two numbers"):
        run.act(1.0, time=5)
    with pytest.raises(TypeError, match="time"):
        run.act(START)


def test_act_returns_why_there_is_no_action(run, environment, tmp_path):
    with netCDF4.Dataset(environment) as file:
        row, column = np.argwhere(np.asarray(file["obstacle_mask"][5]) == 1)[0]
    for place, moment, reason in [
        (TARGET, 5, "arrived"),
        ((column + 0.5, row + 0.5), 5, "land"),
        ((-10.0, 5.0), 5, "outside"),
        (START, -0.5, "before the forecast"),
        (START, 44, "time is up"),
        (START, 45, "after the forecast"),
    ]:
        result = run.act(place, time=moment)
        assert not result and result.reason == reason
        assert str(result).startswith(f"at={place} at time={moment}: ")
    with pytest.raises(AttributeError, match="no heading.*outside the grid"):
        run.act((-10.0, 5.0), time=5).heading  # noqa: B018
    run.save(tmp_path / "saved")
    with_lost = tmp_path / "saved" / "policy.h5"
    with netCDF4.Dataset(with_lost, "a") as file:
        file.mission = file.mission.replace(str(environment), "/gone.h5")
    for place, reason in [(TARGET, "no action"), ((-10.0, 5.0), "outside")]:
        assert tw.open(with_lost).act(place, time=5).reason == reason
    short = tw.Mission(
        environment, tw.Vehicle(speeds=[1.0]), start=START, target=TARGET, horizon=35
    )
    for moment in (35, 36, 44):  # the forecast lasts longer than the mission
        assert tw.plan(short, mode="none").act(START, time=moment).reason == "time is up"


@pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
def test_gpu_plan_has_the_same_bits(mission, tmp_path):
    try:
        on_gpu = tw.plan(mission, backend="cuda")
    except tw.InputError as error:
        pytest.skip(str(error))
    on_gpu.save(tmp_path / "gpu")
    tw.plan(mission, backend="cpu").save(tmp_path / "cpu")
    assert_same_files(tmp_path / "gpu", tmp_path / "cpu")


def test_each_leg_of_a_mission_has_values_and_actions(environment, tmp_path):
    place = (30.5, 20.5)
    mission = tw.Mission(
        environment,
        tw.Vehicle(speeds=[1.0]),
        start=START,
        target=TARGET,
        via=[{"point": place, "radius": 3.0}],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = tw.plan(mission)
        run.save(tmp_path / "saved")
    assert run.legs == 2
    for planned in (run, tw.open(tmp_path / "saved")):
        for leg, action in ((1, "action"), (2, "action_leg_2")):
            stored = planned.policy[action][5].values
            np.testing.assert_array_equal(
                planned.actions_at(5, leg=leg), np.where(stored < 0, -1, stored)
            )
        assert not np.array_equal(planned.actions_at(5), planned.actions_at(5, leg=2))
        # Within the via point the first leg has ended.
        assert planned.act(place, time=5) == planned.act(place, time=5, leg=2)
        assert planned.act(START, time=5) != planned.act(START, time=5, leg=2)
        assert planned.act(TARGET, time=5)
        assert planned.act(TARGET, time=5, leg=2).reason == "arrived"
    with pytest.raises(
        tw.InputError, match=r"^leg 3: .*\[policy_leg_outside\]$"
    ):
        run.act(START, time=5, leg=3)


def test_rejects_degrees_in_place_of_lengths(washington_run):
    run = tw.open(washington_run)
    time = run.grid.dates[2]
    assert run.act((-125.9, 46.9), time=time)
    with pytest.raises(tw.InputError, match=r"at_xy=\(-125.9, 46.9\) is a longitude and"):
        run.act(at_xy=(-125.9, 46.9), time=time)


def test_accepts_dates_in_every_form(washington_run):
    ocean = tw.Environment(tw.open(washington_run).mission.environment_file)
    assert ocean.dates.dtype == np.dtype("datetime64[s]")
    level = ocean.dates[4]
    forms = [
        str(level),
        level,
        level.astype("datetime64[ns]"),
        level.item(),
        level.item().replace(tzinfo=datetime.timezone.utc),
        4,
    ]
    for form in forms:
        run = tw.plan(
            tw.Mission(
                ocean,
                tw.Vehicle([0.5]),
                start=(-126.0, 46.8),
                target=(-124.95, 48.45),
                departure=form,
                horizon=datetime.timedelta(days=3),
            ),
            mode="none",
        )
        assert run.mission.departure == 4
        assert run.mission.horizon == 12
    assert run.policy.time.dtype.kind == "M"
    assert run.policy.value.coords["lon"].dims == ("y", "x")
    at = (-125.2, 47.6)
    action = run.act(at, time=level)
    assert action == run.act(at, time=str(level)) == run.act(at, time=level + 3600)
    assert 0 <= action.bearing < 360 and action.level == 4
    assert run.act(at, time="2030-01-01").reason == "after the forecast"
    assert run.act(at, time="2020-01-01").reason == "before the forecast"
    assert run.act((-124.0, 47.5), time=level).reason == "land"


def test_plans_without_xarray_and_matplotlib(tmp_path):
    """Planning needs only NumPy, and errors name the missing packages."""
    script = """
import sys
for name in ("xarray", "netCDF4", "matplotlib", "pandas", "tqdm"):
    sys.modules[name] = None
import tidewise as tw
ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
run = tw.plan(tw.Mission(ocean, tw.Vehicle([1.0]), start=(20.5, 8.5), target=(20.5, 32.5)))
print(run.values_at(0).shape, run)
for broken in (lambda: run.policy, lambda: run.plot.mission(), lambda: tw.batch("a.toml")):
    try:
        broken()
    except tw.RunError as error:
        print(error)
"""
    command = [sys.executable, "-W", "ignore", "-c", script]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0].startswith("(40, 40) <Run run: 100 % of 20 flights arrive, after ")
    assert "pip install 'tidewise[xarray]'" in lines[1]
    assert "pip install 'tidewise[plot]'" in lines[2]
    assert "pip install 'tidewise[pandas]'" in lines[3]


def test_old_processor_is_an_error():
    from tidewise._load import require_processor

    require_processor("")
    with pytest.raises(tw.RunError, match="has no AVX2.*x86-64-v3.*newer machine"):
        require_processor("AVX2")


@pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
@pytest.mark.parametrize("mode", ["continuous", "none"])
def test_plan_has_the_report_of_the_command(program, time_run, place, tmp_path, mode):
    file = place / "time.toml"
    command = ["plan", file, "--details", "--out", tmp_path / "theirs", "--set", f"rollout.mode={mode}"]
    done = subprocess.run([program, *map(str, command)], capture_output=True, text=True, check=True)
    ours = tw.plan(file, mode=mode, out=tmp_path / "ours")

    def lines_of(report):
        varying = ("computed on", "Written to", "to rehearse")
        return [line for line in report.splitlines() if not line.startswith(varying)]

    assert lines_of(ours.report) == lines_of(done.stdout)
    assert "\nWritten to " in ours.report
    assert "Written to" not in tw.plan(file, mode=mode).report
    assert ours.report.startswith("Heading ")
    assert ours.save(tmp_path / "saved").report.splitlines()[0] == ours.report.splitlines()[0]


def test_failing_row_is_named_by_its_number(run, tmp_path):
    rows = pd.DataFrame({"mission.start": [[20.5, 8.5], [20.5, 99.0]]})
    mission = tw.Mission(run.environment, tw.Vehicle([1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
    with pytest.warns(tw.PlanWarning, match=r"1 of 2 missions failed.* \(table: row 1: missi"):
        table = tw.batch(rows, mission)
    assert table["message"][1].startswith("table: row 1: mission.start is [20.5, 99], outside")
    assert np.isnan(table["message"][0])


def test_reach_joins_the_policys_data_set(run):
    reach = run.reach()
    assert reach.arrival_probability.max() == 1
    time_to_go = run.policy.time_to_go
    column, row = int(START[0]), int(START[1])
    assert float(time_to_go[0, row, column]) == pytest.approx(run.expected.time, rel=1e-5)
    chance = float(run.policy.arrival_probability[0, row, column])
    assert chance == pytest.approx(run.expected.arrival_probability, abs=1e-6)
    assert np.isnan(float(time_to_go[-1, row, column]))  # at the last level no vehicle is under way


def test_reach_writes_geojson(run, tmp_path):
    from matplotlib.path import Path as Outline

    reach = run.reach(tmp_path / "reach.geojson")
    row, column = int(START[1]), int(START[0])
    assert float(reach.delay[0, row, column]) == pytest.approx(0, abs=1e-4)
    features = json.loads((tmp_path / "reach.geojson").read_text())["features"]
    condition_of = {
        "chance of arriving": lambda level, at_least: reach.arrival_probability[level] >= at_least,
        "delay": lambda level, at_most: reach.delay[level] <= at_most,
        "flights": lambda level, share: reach.flight_density[level] >= 1,
    }
    x, y = np.meshgrid(reach.x, reach.y)
    centres = np.column_stack([x.ravel(), y.ravel()])
    counts = dict.fromkeys(condition_of, 0)
    for feature in features[::7]:
        facts, rings = feature["properties"], sum(feature["geometry"]["coordinates"], [])
        # A point in an odd number of rings is inside.
        within = sum(Outline(ring).contains_points(centres).astype(int) for ring in rings) % 2
        expected = condition_of[facts["kind"]](facts["level"], *list(facts.values())[1:2]).values
        assert (within.reshape(x.shape) == expected).mean() > 0.999  # except for values on the line
        counts[facts["kind"]] += 1
    assert min(counts.values()) > 2


def test_departures_equal_rollouts(run):
    departures = run.departures(first=3, last=9, every=6)
    assert departures.level.values.tolist() == [3, 9]
    for n, level in enumerate((3, 9)):
        flown = run.rollout(time=level).summary["rollout"]
        assert float(departures.arrival_rate[n]) == flown["arrival_rate"]
        assert float(departures.time[n]) == flown["time"]["mean"]
    assert departures.attrs["best"] in departures.departure
    equal = departures.attrs["no_different"]
    assert equal[0] == departures.attrs["best"] and set(equal) <= set(departures.departure.values)


@pytest.mark.parametrize("chosen", [[7], [7, 3, 11], (2, 0), np.array([4, 5])])
def test_flies_a_list_of_realizations(run, chosen):
    flown = run.rollout(realizations=chosen)
    assert sorted(flown.flights.ends.realization) == sorted(chosen)
    assert f"{len(chosen)} arrived" in repr(flown.flights)


def test_a_vehicle_is_validated_when_it_is_made():
    with pytest.raises(tw.InputError, match=r"slocum-g3.*\[key_value_invalid\]"):
        tw.Vehicle(preset="slocum")
    with pytest.raises(tw.InputError, match="key_value_invalid"):
        tw.Vehicle(speeds=[-1.0])


def test_a_mission_shows_vehicle_departure_and_deadline(small_mission):
    text = repr(small_mission)
    assert "vehicle=Vehicle(" in text and "departure=" in text
    assert "deadline=" in text or "horizon=" in text


def test_mission_of_a_file_shows_the_same(place, time_run):
    settings = {"mission.deadline": 30, "vehicle.speeds": [0.5]}
    text = repr(tw.Mission.read(place / "time.toml", settings=settings))
    assert f"file={str(place / 'time.toml')!r}" in text
    for part in ("target=[20.5, 32.5]", "vehicle=(speeds=[0.5]", "departure=0", "deadline=30"):
        assert part in text


@pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
def test_dates_of_a_batch_are_datetime64():
    flow = np.full((5, 12, 12), 0.1, "float32")
    axes, dates = ("time", "lat", "lon"), pd.date_range("2024-10-29", periods=5, freq="3h")
    places = {"lat": np.linspace(46, 47, 12), "lon": np.linspace(-126, -125, 12)}
    forecast = xr.Dataset({"uo": (axes, flow), "vo": (axes, flow)}, {"time": dates, **places})
    sea = tw.Environment.from_xarray(forecast, spacing="10km")
    start, target = (-125.8, 46.3), (-125.6, 46.4)
    mission = tw.Mission(sea, tw.Vehicle(speeds=[2.0]), start, target, target_radius=5e3)
    leaving = ["2024-10-29T00:00", "2024-10-29T03:00"]
    swept = tw.batch({"mission.departure": leaving}, mission, backend="cpu")
    expected = np.array(leaving, "datetime64[ns]")
    np.testing.assert_array_equal(swept.departure, expected)
    np.testing.assert_array_equal(swept.departure_date, expected)


def test_a_batch_holds_tracks_of_some_flights_and_the_ends_of_all(small_mission, tmp_path):
    (tmp_path / "m.toml").write_text(small_mission.toml())
    (tmp_path / "b.toml").write_text(
        '[batch]\nmission = "m.toml"\ntracks = 6\n[vary]\nmission.departure = [0]\n'
    )
    table = tw.batch(tmp_path / "b.toml", out=tmp_path / "b", backend="cpu")
    sampled = tw.open(str(table.directory[0]))
    whole = tw.plan(small_mission, backend="cpu")
    assert len(sampled.flights) == 6
    assert list(sampled.trajectories.trajectory.values) == [0, 3, 6, 10, 13, 16]
    pd.testing.assert_frame_equal(sampled.flights.ends, whole.flights.ends)
    assert repr(sampled.flights) == repr(whole.flights)
    assert len(sampled.flight_weights()) == len(whole.flights)


def test_a_batch_takes_dicts_and_sweeps(small_mission):
    rows = [{"mission.departure": n} for n in (0, 2)]
    table = tw.batch(rows, small_mission, backend="cpu")
    assert list(table.departure) == [0, 2]
    swept = tw.batch(
        {"mission.departure": [0, 2], "vehicle.speeds": [[0.5], [1.0]]},
        small_mission,
        backend="cpu",
    )
    assert dict(swept.sizes) == {"departure": 2, "speeds": 2}
    assert list(swept.speeds.values) == [0.5, 1.0]
    with pytest.raises(tw.InputError, match="mission is a MissionEcho; give a Mission"):
        tw.batch(rows, tw.open(str(swept.directory.values[0, 0])).mission)
    slow = tw.open(str(swept.directory.isel(departure=0, speeds=0).item()))
    assert list(slow.policy.speed.values) == pytest.approx([0.5] * slow.policy.sizes["action_index"])
    with pytest.raises(tw.InputError, match="a list of values"):
        tw.batch({"mission.departure": 3}, small_mission)
