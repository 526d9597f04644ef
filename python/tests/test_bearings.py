"""Bearings from true north."""

from __future__ import annotations

import numpy as np
import pytest

import tidewise


def test_bearings_equal_those_on_the_globe(washington_run):
    run = tidewise.open_run(washington_run)
    level = run.mission.departure
    bearing = run.bearing(level)
    action = run.policy["action"][level].values.astype(int)
    assert np.array_equal(np.isfinite(bearing), action >= 0)
    lon, lat = run.policy["lon"].values, run.policy["lat"].values
    # Compute the heading on a sphere, from the directions to the eastern and northern neighbours.
    row, column = np.argwhere((action >= 0)[:-1, :-1])[0]
    a = np.radians([lon[row, column], lat[row, column]])
    heading = float(run.policy["heading"][action[row, column]])
    steps = []
    for r, c in ((row, column + 1), (row + 1, column)):
        b = np.radians([lon[r, c], lat[r, c]])
        steps.append([(b[0] - a[0]) * np.cos((a[1] + b[1]) / 2), b[1] - a[1]])
    east, north = np.cos(heading) * np.array(steps[0]) + np.sin(heading) * np.array(steps[1])
    on_sphere = np.degrees(np.arctan2(east, north))
    # The sphere and the cell's size limit the agreement to a fraction of a degree.
    assert abs((on_sphere - bearing[row, column] + 180) % 360 - 180) < 0.3
    flown = run.trajectories
    first = flown.isel(trajectory=0, obs=0)
    assert first.bearing.attrs["units"] == "degree"
    assert float(first.bearing) == pytest.approx(run.summary["first_action"]["bearing"], abs=1e-3)


def test_a_plane_without_longitudes_has_no_north(time_run):
    run = tidewise.open_run(time_run)
    with pytest.raises(tidewise.InputError, match="no lon and lat"):
        run.bearing(0)
    assert "bearing" not in run.trajectories
