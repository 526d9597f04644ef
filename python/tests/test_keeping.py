"""Station keeping and target following."""

from __future__ import annotations

import pandas as pd
import pytest

import tidewise as tw

pytestmark = pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")


@pytest.fixture(scope="module")
def ocean():
    return tw.Environment.double_gyre(nx=30, ny=30, levels=30, modes=2, realizations=20)


def test_a_vehicle_stays_within_its_target(ocean):
    place = (15.5, 10.5)
    vehicle = tw.Vehicle(speeds=[0.4, 0.8], headings=8)
    mission = tw.Mission(ocean, vehicle, place, place, "stay", target_radius=2)
    run = tw.plan(mission)
    assert 0.3 < run.expected.within <= 1
    assert run.expected.distance is None
    ends = run.flights.ends
    flown = run.summary["rollout"]["within"]
    assert ends.harvested.mean() / 29 == pytest.approx(flown["mean"], rel=1e-6)
    assert flown["p10"] <= flown["p50"] <= flown["p90"]
    said = f"within the target {100 * flown['mean']:.3g} % of the time"
    assert repr(run).endswith(f": {said}>")
    assert f">{said}<" in run._repr_html_()
    expected = f"within the target {100 * run.expected.within:.3g} % of the time"
    assert expected != said and f">{expected}<" in run._repr_html_()
    unflown = tw.plan(mission, mode="none")
    assert repr(unflown).endswith(": not simulated>")


def test_batch_has_the_time_within_of_each_mission(ocean, tmp_path):
    place = (15.5, 10.5)
    mission = tw.Mission(ocean, tw.Vehicle(speeds=[0.8], headings=8), place, place, "stay")
    table = tw.batch(
        pd.DataFrame({"mission.target_radius": [2.0, 4.0]}), mission, out=tmp_path / "b"
    )
    for name in ("expected_within", "rollout_within_mean", "rollout_within_p10"):
        assert 0 < table[name][0] < table[name][1] <= 1
    assert "expected_distance" not in table


def test_pictures_show_no_arrivals(ocean, tmp_path, capsys):
    place = (15.5, 10.5)
    mission = tw.Mission(ocean, tw.Vehicle(speeds=[0.8], headings=8), place, place, "stay")
    folder = str(tw.plan(mission, out=tmp_path / "run").folder)
    from tidewise.command import main

    assert main([folder, "--only", "histograms,coefficients"]) == 0
    output = capsys.readouterr()
    reason = "a mission that stays or follows arrives nowhere"
    assert output.err == f"tidewise-plot: histograms left out: {reason}\n"
    assert output.out.endswith("environment_coefficients.png\n")
    assert main([folder, "--only", "histograms"]) == 2
    assert f"run: {reason}, so there is nothing to count" in capsys.readouterr().err


def test_vehicle_follows_a_track(ocean, tmp_path):
    track = tmp_path / "drifter.csv"
    track.write_text("level,x,y\n0,15.5,6.5\n29,15.5,14.5\n")
    vehicle = tw.Vehicle(speeds=[0.4, 0.8], headings=8)
    mission = tw.Mission(ocean, vehicle, (15.5, 6.5), objective="follow", follow=track)
    run = tw.plan(mission)
    assert 0 <= run.expected.distance < 3
    assert run.mission.objective == "follow"
    assert repr(run).endswith("cells away on average>")
    # One vertex for each level from the departure on; pictures draw them.
    assert run.followed[0] == (15.5, 6.5)
    assert run.followed[-1] == (15.5, 14.5)
    figure = run.plot.mission()
    assert any(len(line.get_xdata()) == len(run.followed) for line in figure.axes[0].lines)
    with pytest.raises(tw.InputError, match=r"\[follow_missing\]$"):
        tw.plan(tw.Mission(ocean, vehicle, (15.5, 6.5), objective="follow"))
