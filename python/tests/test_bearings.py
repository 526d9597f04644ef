"""True bearings, and the examples of docs/plan/outputs.md that show how to come by them."""

from __future__ import annotations

import re
import shutil

import numpy as np
import pytest
from conftest import ROOT

import tidewise


def test_bearings_are_those_of_the_globe(washington_run):
    run = tidewise.open_run(washington_run)
    level = run.mission.departure
    bearing = run.bearing(level)
    action = run.policy["action"][level].values.astype(int)
    assert np.array_equal(np.isfinite(bearing), action >= 0)
    lon, lat = run.policy["lon"].values, run.policy["lat"].values
    # The way from a cell to its eastern neighbour, turned by the heading, by hand on a sphere.
    row, column = np.argwhere((action >= 0)[:-1, :-1])[0]
    here = np.radians([lon[row, column], lat[row, column]])
    heading = float(run.policy["heading"][action[row, column]])
    step = []
    for r, c in ((row, column + 1), (row + 1, column)):
        there = np.radians([lon[r, c], lat[r, c]])
        step.append([(there[0] - here[0]) * np.cos((here[1] + there[1]) / 2), there[1] - here[1]])
    east, north = np.cos(heading) * np.array(step[0]) + np.sin(heading) * np.array(step[1])
    by_hand = np.degrees(np.arctan2(east, north))
    # A sphere and half a cell: true to a fraction of a degree.
    assert abs((by_hand - bearing[row, column] + 180) % 360 - 180) < 0.3
    flown = run.trajectories
    first = flown.isel(trajectory=0, obs=0)
    assert first.bearing.attrs["units"] == "degree"
    assert float(first.bearing) == pytest.approx(run.summary["first_action"]["bearing"], abs=1e-3)


def test_a_plane_without_longitudes_has_no_north(time_run):
    run = tidewise.open_run(time_run)
    with pytest.raises(tidewise.InputError, match="no lon and lat"):
        run.bearing(0)
    assert "bearing" not in run.trajectories


@pytest.mark.parametrize("which", ["time_run", "washington_run"])
def test_the_examples_of_the_page_run(which, request, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "run"
    shutil.copytree(request.getfixturevalue(which), folder)
    monkeypatch.chdir(folder)
    page = (ROOT / "docs" / "plan" / "outputs.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(blocks) >= 4
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/plan/outputs.md", "exec"), names)  # noqa: S102
    printed = capsys.readouterr().out
    assert ("clockwise from true north" in printed) == (which == "washington_run")
    if which == "time_run":
        return
    # Towards east and north the arrow points where the bearing says.
    run = tidewise.open_run(folder)
    arrow = np.degrees(np.arctan2(names["east"].values, names["north"].values))
    off = (arrow - run.bearing(0) + 180) % 360 - 180
    assert np.nanmax(np.abs(off)) < 1e-6
