"""Observations and replanning in Python have the bits of the command line."""

from __future__ import annotations

import subprocess
import warnings

import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from inspection import assert_same_bits

import tidewise as tw

pytestmark = pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
FLIGHT = 7  # the realization of the vehicle's flow
OBSERVED = {"error": 0.05}
COMMAND_OPTIONS = ["--error", "0.05"]


def error_line(program, *options) -> str:
    done = subprocess.run([program, *map(str, options)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    return done.stderr.strip().removeprefix("tidewise: error: ")


@pytest.fixture(scope="module")
def run(time_run):
    return tw.open(time_run)


@pytest.fixture(scope="module")
def flight(run):
    """A Dataset along the fixes of the vehicle's first eight steps."""
    return run.trajectories.isel(trajectory=FLIGHT, obs=slice(0, 9)).load()


@pytest.fixture(scope="module")
def table(flight):
    names = ["time", "x", "y", "heading", "speed"]
    return pd.DataFrame({name: flight[name].values.astype(float) for name in names})


@pytest.fixture(scope="module")
def track(table, place):
    path = place / "glider.csv"
    table.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def observed(tidewise, time_run, track, place):
    """The posterior that the command line writes."""
    path = place / "observed.h5"
    tidewise("observe", time_run, "--track", track, *COMMAND_OPTIONS, "--out", path)
    return path


def test_accepts_files_tables_and_data_sets(run, environment, flight, table, track, observed):
    tables = (table, table.set_index("time"))
    for form in (track, str(track), *tables, flight, [track]):
        assert_same_bits(run.observe(form, **OBSERVED), observed)
    assert_same_bits(tw.Environment(environment).observe(table, **OBSERVED), observed)
    cut = [flight.isel(obs=slice(0, 5)), table.iloc[4:]]  # each item of a list is a track
    assert len(run.observe(cut, **OBSERVED).learned.innovations) == 8


def test_options_act_like_the_commands(tidewise, run, time_run, track, table, tmp_path):
    options = [*COMMAND_OPTIONS, "--fix-error", "0.1", "--representation", "0.05"]
    options += ["--inflation", "1.2", "--relaxation", "0.1", "--localisation", "10", "--seed", "5"]
    options += ["--method", "perturbed", "--reject-beyond", "9", "--add-mode", "4"]
    tidewise("observe", time_run, "--track", track, *options, "--out", tmp_path / "theirs.h5")
    settings = {"fix_error": 0.1, "representation": 0.05, "inflation": 1.2, "relaxation": 0.1}
    settings |= {"method": "perturbed", "reject_beyond": 9, "add_mode": 4.0}
    renamed = table.rename(columns={"speed": "pace"})
    for localisation in (10.0, np.timedelta64(10, "s")):
        ours = run.observe(
            renamed,
            **{**OBSERVED, **settings},
            column={"speed": "pace"},
            localisation=localisation,
            seed=5,
            out=tmp_path / "ours.h5",
        )
        assert ours.path == tmp_path / "ours.h5"
        assert_same_bits(ours, tmp_path / "theirs.h5")


def test_updates_are_a_table(run, observed):
    assert run.environment.learned is None
    learned = tw.Environment(observed).learned
    legs = learned.innovations
    assert len(legs) == 8 and "8 legs" in repr(learned)
    np.testing.assert_allclose(legs.u_innovation, legs.u - legs.u_forecast)
    with netCDF4.Dataset(observed) as file:
        np.testing.assert_array_equal(legs.u_posterior, file["observed_u_posterior"][:])
        np.testing.assert_array_equal(learned.spread.before, file["spread_before"][:])
        assert learned.chi_square == file.observations_chi_square
    # The vehicle flew in one of the 200 realizations, so the posterior must approach it.
    assert learned.degrees_of_freedom == 16
    assert legs.u_rank.dtype.kind == "i" and legs.u_rank.between(0, 200).all()
    before = (legs.u - legs.u_forecast).abs().mean()
    assert (legs.u - legs.u_posterior).abs().mean() < 0.5 * before
    spread = learned.spread
    assert list(spread.index) == list(run.environment.dataset.time.values)
    assert (spread.after[2:8] < 0.7 * spread.before[2:8]).all()


def test_replan_has_the_bits_of_the_command(tidewise, run, time_run, track, table, tmp_path):
    theirs = tmp_path / "theirs"
    tidewise("replan", time_run, "--track", track, *COMMAND_OPTIONS, "--out", theirs)
    ours = run.replan(table, **OBSERVED)
    for name in ("policy.h5", "trajectories.nc", "posterior.h5"):
        assert_same_bits(ours.folder / name, theirs / name)
    other = tw.open(theirs).comparison
    shown = str(other).splitlines()
    assert len(shown) < 12 and shown[0].split() == ["A", "B"]
    assert any(line.startswith("arrived") for line in shown)
    for figures in (ours.comparison.figures, other.figures):
        assert figures["comparisons"][0]["policy"] == other.figures["comparisons"][0]["policy"]
    assert str(ours.comparison).startswith(f"A: previous run, {time_run}; B: this run, ")
    assert "consistency: chi-square" in ours.report
    assert run.comparison is None
    assert ours.environment.learned.degrees_of_freedom == 16


def test_replan_accepts_place_and_time(run, still_environment, tmp_path):
    ours = run.replan(
        at=(20.5, 12.25),
        time=9,
        environment=tw.Environment(still_environment),
        settings={"mission.target_radius": 2.0},
        baselines="none",
        out=tmp_path / "ours",
    )
    assert ours.mission.departure == 9 and ours.start == (20.5, 12.25)
    assert ours.folder == tmp_path / "ours"
    assert ours.mission.table["rollout"]["baselines"] == "none"
    assert ours.mission.target_radius == 2 and ours.environment.path == still_environment
    assert not (ours.folder / "posterior.h5").exists()


def test_replanned_run_can_be_replanned_and_saved(run, table, tmp_path):
    first = run.replan(table.iloc[:5], **OBSERVED)
    second = first.replan(table, **OBSERVED)  # uses only new legs of the track
    assert len(second.environment.learned.innovations) == 8
    saved = second.save(tmp_path / "wednesday")
    files = {file.name for file in saved.folder.iterdir()}
    assert {"posterior.h5", "comparison.json", "policy.h5", "summary.json"} <= files
    expected = second.rollout().summary["rollout"]
    del first, second
    again = tw.open(tmp_path / "wednesday")
    assert again.environment.path == again.folder / "posterior.h5"
    assert again.rollout().summary["rollout"] == expected
    again.view(tmp_path / "page.html")
    assert again.act(table.iloc[-1][["x", "y"]], time=again.mission.departure) is not None


def test_saving_a_run_copies_its_temporary_environment(tmp_path):
    ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    run = tw.plan(tw.Mission(ocean, tw.Vehicle([1.0]), start=(20.5, 8.5), target=(20.5, 32.5)))
    later = run.replan(at=(20.5, 12.5), time=6)
    later.save(tmp_path / "later")
    expected = later.rollout().summary["rollout"]
    del ocean, run, later
    assert tw.open(tmp_path / "later").rollout().summary["rollout"] == expected


def test_compares_learning_and_clairvoyant_flights(small_run):
    run = small_run
    learning = run.rollout(
        mode="adaptive",
        realizations=3,
        error=0.1,
        every=9,
        seed=3,
        environment=run.environment,  # the flown realization is left out of it
    )
    clairvoyant = run.bound(realizations=3)
    assert "clairvoyant" in learning.report and "clairvoyant" in clairvoyant.report
    assert run.knowledge is None
    flights, gains = learning.knowledge.flights, learning.knowledge.gains
    assert list(flights.index) == ["open", "learning", "clairvoyant"]
    assert list(gains.index) == ["learning", "clairvoyant"]
    assert (flights.trajectories == 3).all() and flights.time.dtype == float
    if (flights.arrival_rate == 1).all():  # then the gain is the difference of the means
        saved = flights.time["open"] - flights.time["clairvoyant"]
        assert gains.time["clairvoyant"] == pytest.approx(saved)
    assert np.isfinite(learning.knowledge.consistency)
    figures = learning.knowledge.figures
    assert learning.knowledge.regret_closed[0] == figures["regret_closed"]["mean"]
    assert list(clairvoyant.knowledge.flights.index) == ["open", "clairvoyant"]
    assert clairvoyant.knowledge.regret_closed is None and clairvoyant.knowledge.consistency is None


def test_recognises_an_environment_with_other_names(metric_run, table):
    run = tw.open(metric_run)
    again = run.rollout(environment=run.environment, realizations=3, baselines="none")
    assert again.planned_on is None and "planned_on" not in again.summary
    cell = run.grid.dx
    metric = table.assign(time=table.time * run.grid.time_step, x=table.x * cell)
    metric = metric.assign(y=table.y * cell, speed=table.speed * cell / run.grid.time_step)
    legs = run.environment.observe(metric, fix_error=0.0).learned.innovations
    assert len(legs) == 8 and legs.u.abs().max() < 3 * cell / run.grid.time_step


def test_errors_name_tables_and_arguments(program, run, time_run, table, track, tmp_path):
    command = ["observe", time_run, "--out", tmp_path / "none.h5", "--track"]
    with pytest.raises(tw.InputError) as caught:
        run.observe(track)
    line = error_line(program, *command, track)
    assert str(caught.value) == line.replace("--", "")
    # A message names the temporary file of a table, without its folder.
    for wrong, expected in [
        (table.drop(columns="heading"), "track.csv: [track_speed_without_heading]"),
        (table.assign(x=table.x + 1000), "track.csv: line 2: [track_outside_environment]"),
        (table.assign(speed=-1.0), "track.csv: line 2: [track_speed_negative]"),
        (table.iloc[:1], "track.csv: [track_fixes_too_few]"),
        ([table, table.drop(columns="heading")], "track_2.csv: [track_speed_without_heading]"),
    ]:
        with pytest.raises(tw.InputError) as caught:
            run.observe(wrong, **OBSERVED, out=tmp_path / "none.h5")
        beginning, code = expected.rstrip("]").split("[")
        assert str(caught.value).startswith(beginning) and caught.value.code == code, caught.value
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "none.h5").exists()
    for options, line in [
        ({"track": 3}, "track: is an int"),
        ({"track": []}, "names none"),
    ]:
        with pytest.raises(tw.InputError, match=line):
            run.observe(**{**OBSERVED, **options})
    with pytest.raises(tw.InputError, match=r"\[replan_place_missing\]$"):
        run.replan(at=(20.5, 12.5))
    with pytest.raises(tw.InputError, match=r"^inflation: .*\[track_option_without_track\]$"):
        run.replan(at=(20.5, 12.5), time=9, inflation=1.1)
    with pytest.raises(tw.InputError, match=r"error: .*\[adaptive_error_missing\]$"):
        run.rollout(mode="adaptive")


def test_warnings_equal_the_commands_and_name_the_line(
    program, run, time_run, table, track, tmp_path
):
    shuffled = table.iloc[::-1].assign(speed=0.0)  # a track with a speed of 0
    path = tmp_path / "track.csv"
    shuffled.to_csv(path, index=False)
    options = ["observe", time_run, "--track", path, *COMMAND_OPTIONS, "--out", tmp_path / "a.h5"]
    done = subprocess.run(
        [program, *map(str, options)], capture_output=True, text=True, check=True
    ).stderr
    theirs = [
        line.removeprefix("tidewise: warning: ")
        .replace(f"{tmp_path}/", "")
        .replace("--reject-beyond ", "reject_beyond=")
        .replace("--add-mode", "add_mode")
        for line in done.splitlines()
        if line.startswith("tidewise: warning: ")
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run.observe(shuffled, **OBSERVED)
        tw.Environment(run.environment.path).observe(shuffled, **OBSERVED)
        run.replan(shuffled, **OBSERVED)
    ours = [w for w in caught if issubclass(w.category, tw.PlanWarning)]
    messages = [str(w.message) for w in ours]
    assert theirs and messages[: 2 * len(theirs)] == 2 * theirs
    assert all(w.filename == __file__ for w in ours)


def test_accepts_dates_in_every_form(washington_run):
    run = tw.open(washington_run)
    flight = run.trajectories.isel(trajectory=0, obs=slice(0, 5)).load()
    names = ["time", "lon", "lat", "speed", "bearing"]
    table = pd.DataFrame({name: flight[name].values for name in names})
    table = table.astype({"speed": float, "bearing": float})
    assert table.time.dtype.kind == "M"
    posterior = run.observe(table, localisation="24h")
    forms = {
        "text": table.time.dt.strftime("%Y-%m-%dT%H:%MZ"),
        "zone": table.time.dt.tz_localize("UTC").dt.tz_convert("America/Los_Angeles"),
        "objects": [moment.to_pydatetime() for moment in table.time],
    }
    for form, times in forms.items():
        again = run.observe(table.assign(time=times), localisation="24h")
        assert_same_bits(again, posterior)
        assert form
    by_index = run.observe(
        table.set_index("time").rename_axis(None),
        localisation=np.timedelta64(24, "h"),
    )
    assert_same_bits(by_index, posterior)
    legs = posterior.learned.innovations
    assert legs["until"].dtype.kind == "M"
    assert legs["until"].iloc[-1] == table.time.iloc[-1]
    as_dataset = run.observe(
        xr.Dataset.from_dataframe(table.rename_axis("fix")), localisation="24h"
    )
    assert_same_bits(as_dataset, posterior)
    assert run.replan(table, localisation="24h").mission.departure == 4
    with pytest.raises(tw.InputError, match=r"^time: .*\[replan_time_twice\]$"):
        run.replan(table, localisation="24h", time=table.time.iloc[-1])
    moved = run.replan(at=(-125.6, 47.4), time=np.datetime64("2024-10-30T03:00"))
    assert moved.mission.table["mission"]["departure"]


@pytest.fixture
def dives(diving_run):
    return tw.open(diving_run)


def test_legs_correct_the_profile_that_was_dived(dives):
    flight = dives.trajectories.isel(trajectory=FLIGHT, obs=slice(0, 13)).load()
    profiles = flight.profile.values[:-1]
    assert set(profiles) == {0, 1}
    posterior = dives.observe(flight, **OBSERVED)
    np.testing.assert_array_equal(posterior.learned.innovations.profile, profiles)
    assert posterior.learned.probability > 0.01
    assert posterior.profiles == ["up", "down"]
    up, down = (posterior.dataset.u_mean.isel(profile=n).values for n in (0, 1))
    np.testing.assert_array_equal(up, -down)
    mean = posterior.mean_arrays(12)[0]  # the first profile's flow, as in the run
    np.testing.assert_array_equal(mean, np.where(np.isnan(mean), mean, up[12]))
    # A track without depths needs a profile.
    no_depths = flight.drop_vars("profile")
    with pytest.raises(tw.InputError, match=r"\[track_profile_missing\]$"):
        dives.observe(no_depths, **OBSERVED)
    lower = dives.observe(no_depths, profile="down", **OBSERVED)
    assert set(lower.learned.innovations.profile) == {1}
    named = tw.Environment(dives.environment.path, profile="down").observe(no_depths, **OBSERVED)
    for name in ("u_mean", "coefficient"):
        np.testing.assert_array_equal(named.dataset[name], lower.dataset[name])


def test_replans_a_vehicle_that_dives(dives):
    flight = dives.trajectories.isel(trajectory=FLIGHT, obs=slice(0, 9)).load()
    later = dives.replan(flight, **OBSERVED)
    assert later.summary["first_action"]["profile"]["name"] in ("up", "down")
    assert later.environment.profiles == ["up", "down"]
    options = {"realizations": 2, "error": 0.05, "every": 20, "no_bound": True}
    learning = dives.rollout(mode="adaptive", **options)
    assert 0.5 < learning.summary["knowledge"]["learning"]["consistency"] < 1.5
