"""Files, options and one-line errors of tidewise-plot."""

from __future__ import annotations

import shutil

import pytest
from matplotlib.figure import Figure
from PIL import Image

from tidewise import command
from tidewise.command import main

QUICK = ("--dpi", "60", "--animation", "none")


def plot(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_draws_all_pictures_of_a_run(time_run, capsys):
    small = ("--dpi", 60, "--animation", "gif", "--frames", 2, "--max-trajectories", 20)
    assert plot(time_run, *small) == 0
    names = {
        "mission.png",
        "environment.png",
        "environment_modes.png",
        "environment_coefficients.png",
        "policy.png",
        "histograms.png",
        "animation.gif",
    }
    folder = time_run / "figures"
    assert {path.name for path in folder.iterdir()} == names
    assert len(capsys.readouterr().out.splitlines()) == len(names)
    with Image.open(folder / "mission.png") as picture:
        assert picture.width == pytest.approx(17 / 2.54 * 60, abs=1)
        assert len(picture.convert("RGB").getcolors(2**24)) > 500


@pytest.mark.parametrize(("kind", "begin"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_writes_print_formats(net_energy_run, tmp_path, kind, begin):
    only = ("--only", "histograms,policy", "--format", kind, "--width", 12)
    assert plot(net_energy_run, *only, "--out", tmp_path, "--quiet") == 0
    for name in ("histograms", "policy"):
        assert (tmp_path / f"{name}.{kind}").read_bytes().startswith(begin)


def test_draws_departures_and_reach_on_request(time_run, tmp_path):
    assert plot(time_run, "--only", "departures,reach", "--out", tmp_path, "--dpi", 60) == 0
    for name in ("departures", "reach"):
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert picture.width == pytest.approx(17 / 2.54 * 60, abs=1)
    assert plot(time_run, "--only", "rehearsal", "--out", tmp_path) == 2


@pytest.fixture
def blank_pictures(monkeypatch):
    """Make pictures blank for tests that only check which pictures are drawn."""
    monkeypatch.setattr(command, "_draw", lambda *_: Figure())


def test_skips_pictures_of_missing_flights(unflown_run, tmp_path, capsys, blank_pictures):
    assert plot(unflown_run, "--out", tmp_path, *QUICK) == 0
    assert not (tmp_path / "mission.png").exists() and (tmp_path / "policy.png").exists()
    assert "mission, histograms left out" in capsys.readouterr().err
    assert plot(unflown_run, "--only", "mission") == 2
    assert "tidewise rollout" in capsys.readouterr().err


def test_skips_histograms_without_arrivals(lost_run, tmp_path, capsys, blank_pictures):
    assert plot(lost_run, "--out", tmp_path, *QUICK) == 0
    assert not (tmp_path / "histograms.png").exists() and (tmp_path / "mission.png").exists()
    assert "no flight arrived" in capsys.readouterr().err
    assert plot(lost_run, "--only", "mission,histograms", "--out", tmp_path / "none") == 2
    require_one_line(capsys, "flights arrived, so there is nothing to count")
    assert not (tmp_path / "none").exists()


def test_rollout_has_no_policy_picture(tidewise, time_run, tmp_path, capsys, blank_pictures):
    folder = tmp_path / "rollout"
    tidewise("rollout", time_run, "--at-xy", "15.5,8.5", "--time", 2, "--out", folder)
    assert plot(folder, "--out", tmp_path / "a", "--times", "10", *QUICK) == 0
    assert (tmp_path / "a" / "mission.png").exists()
    assert "policy left out" in capsys.readouterr().err


def test_draws_flights_of_a_rollout(tidewise, time_run, tmp_path):
    folder = tmp_path / "rollout"
    tidewise("rollout", time_run, "--at-xy", "15.5,8.5", "--time", 2, "--out", folder)
    only = ("--only", "mission,histograms", "--times", "10", "--dpi", 60)
    assert plot(folder, *only) == 0
    assert (folder / "figures" / "histograms.png").exists()


def test_accepts_times_with_units(metric_run, tmp_path):
    only = ("--only", "mission", "--out", tmp_path, "--dpi", 50)
    assert plot(metric_run, *only, "--times", "12h,1.5d,20") == 0
    assert (tmp_path / "mission.png").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--only", "missions"), "'missions' is no picture"),
        (("--level", "45"), "levels 0 to 44"),
        (("--level", "-1"), "no whole number"),
        (("--realization", "200"), "realizations 0 to 199"),
        (("--times", "10,soon"), "'soon' is no time"),
        (("--times", "2h"), "'2h' is no time"),
        (("--times", "100"), "ends 44 steps"),
        (("--dpi", "0"), "no number from 30"),
        (("--dpi", "2400", "--width", "100"), "dots a line"),
        (("--width", "8"), "environment needs 12 cm"),
        (("--format", "jpeg"), "invalid choice"),
        (("--environment", "nowhere.h5"), "--environment FILE"),
        (("--profile", "deep"), "has a single profile; leave this argument out"),
        (("--colour", "red"), "unrecognized arguments"),
    ],
)
def test_wrong_options_are_one_line_and_status_2(time_run, tmp_path, capsys, options, words):
    assert plot(time_run, "--out", tmp_path / "none", *options) == 2
    require_one_line(capsys, words)
    assert not (tmp_path / "none").exists()


def test_rejects_a_folder_that_is_no_run(tmp_path, time_run, capsys):
    assert plot(tmp_path / "nowhere") == 2
    require_one_line(capsys, "no such folder")
    assert plot(tmp_path) == 2
    require_one_line(capsys, "neither policy.h5 nor trajectories.nc")
    (tmp_path / "policy.h5").write_bytes(b"no policy")
    assert plot(tmp_path) == 2
    require_one_line(capsys, "cannot be opened as NetCDF-4")
    assert plot() == 2
    require_one_line(capsys, "RUN")


def test_rejects_an_environment_of_another_shape(washington_run, time_run, place, capsys):
    assert plot(time_run, "--environment", place / "washington.h5", *QUICK) == 2
    require_one_line(capsys, "not the run's environment")
    shutil.copy(time_run / "policy.h5", place / "policy_as_environment.h5")
    assert plot(time_run, "--environment", place / "policy_as_environment.h5", *QUICK) == 2
    require_one_line(capsys, "variable u_mean is missing")


def test_rejects_an_environment_too_small_for_the_flights(
    elsewhere_run, still_environment, wide_environment, short_environment, capsys
):
    only = ("--only", "mission")
    assert plot(elsewhere_run, "--environment", still_environment, *only) == 2
    require_one_line(capsys, "holds no more realizations than 1, and flights of")
    assert plot(elsewhere_run, "--environment", wide_environment, *only) == 2
    require_one_line(capsys, "cells, that of")
    assert plot(elsewhere_run, "--environment", short_environment, *only) == 2
    require_one_line(capsys, "has 20 levels, the flights of")


def test_rejects_files_that_are_no_runs(time_run, environment, tmp_path, capsys):
    shutil.copy(time_run / "policy.h5", tmp_path)
    shutil.copy(environment, tmp_path / "trajectories.nc")
    assert plot(tmp_path, *QUICK) == 2
    require_one_line(capsys, "variable energy is missing")


def test_failed_write_has_status_1(time_run, tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert plot(time_run, "--only", "policy", "--out", tmp_path / "file") == 1
    require_one_line(capsys, "cannot be written")


def require_one_line(capsys, words: str) -> None:
    error = capsys.readouterr().err
    assert error.startswith("tidewise-plot: error: ") and error.count("\n") == 1, error
    assert words in error
