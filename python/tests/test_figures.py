"""Pictures are not blank, and have labels and legends."""

from __future__ import annotations

import shutil

import netCDF4
import numpy as np
import pytest
from matplotlib.contour import ContourSet
from conftest import ROOT
from inspection import labels_of, rendered, require_picture, shown_texts
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.quiver import Quiver

import tidewise
from tidewise.figures import frame
from tidewise.figures.profiles import at_profile


def texts(figure) -> str:
    return " ".join(text.get_text() for text in shown_texts(figure)).replace("\n", " ")


def has_colour(picture: np.ndarray, colour: str) -> bool:
    return bool((picture == np.round(255 * np.array(to_rgb(colour)))).all(-1).any())


def paths_in(axes) -> list:
    """Return the collection of the flights; collections of streamlines have another zorder."""
    return [c for c in axes.collections if isinstance(c, LineCollection) and c.get_zorder() == 3]


def test_mission_has_four_times(time_run):
    run = tidewise.open_run(time_run)
    figure = tidewise.draw_mission(run, max_flights=50)
    require_picture(figure)
    assert len(figure.axes) == 6  # four moments, two colour bars
    labels = [label for axes in figure.axes for label in labels_of(axes)]
    assert {"x (cells)", "y (cells)"} <= set(labels)
    assert {"flow speed (cells per step)", "arrival time (steps)"} <= set(labels)
    assert "50 of 200 flights shown" in texts(figure)
    lengths = [len(paths_in(axes)[0].get_paths()[0].vertices) for axes in figure.axes[:4]]
    assert lengths == sorted(lengths) and lengths[0] < lengths[3]
    assert figure.get_size_inches()[0] * 2.54 == pytest.approx(17.0)


def test_colours_follow_the_objective(net_energy_run, metric_run):
    figure = tidewise.draw_mission(tidewise.open_run(net_energy_run))
    assert "net energy (–)" in texts(figure)
    figure = tidewise.draw_mission(tidewise.open_run(metric_run))
    require_picture(figure)
    assert "energy (10³ m² s⁻¹)" in texts(figure)
    assert "x (km)" in texts(figure) and "hours" in texts(figure)


@pytest.mark.parametrize("count", [1, 3, 5])
def test_mission_has_a_panel_for_each_time(time_run, count):
    run = tidewise.open_run(time_run)
    figure = tidewise.draw_mission(run, times=[4.0 * n for n in range(1, count + 1)])
    rendered(figure)
    assert len(figure.axes) == count + 2
    assert "t = 4 steps" in texts(figure)


def test_flights_and_arrows_are_coloured_by_profile(diving_run):
    from tidewise.figures import palette

    run = tidewise.open_run(diving_run)
    for figure in (tidewise.draw_mission(run, times=[30.0]), tidewise.draw_policy(run)):
        require_picture(figure)
        key = [text.get_text() for text in figure.legends[0].get_texts()]
        assert key == ["up, 0–50 m", "down, 0–1000 m"]
    assert "coloured by its dive" in texts(figure)
    (arrows,) = [c for c in figure.axes[0].collections if isinstance(c, Quiver)]
    drawn = {tuple(np.round(colour[:3], 3)) for colour in arrows.get_facecolors()}
    assert drawn == {tuple(np.round(to_rgb(c), 3)) for c in palette.PROFILES[:2]}

    # Each piece of the flight has the profile in trajectories.nc.
    figure = tidewise.draw_mission(run, times=[60.0], realization=3)
    assert "flow of realization 3 on dives of up" in texts(figure)
    (lines,) = paths_in(figure.axes[0])
    number = int(np.flatnonzero(run.flights.ends.realization == 3)[0])
    dives = run.trajectories["profile"].values[number, : run.flights.ends.steps[number]].astype(int)
    changes = np.flatnonzero(np.diff(dives)) + 1
    assert len(changes) > 0
    assert len(lines.get_paths()) == len(changes) + 1
    for colour, profile in zip(lines.get_colors(), dives[[0, *changes]], strict=True):
        assert tuple(colour[:3]) == pytest.approx(to_rgb(palette.PROFILES[profile]))


def test_flow_is_that_of_the_named_profile(diving_run, time_run):
    run = tidewise.open_run(diving_run)
    path = run.environment.path
    up, down = (tidewise.Environment(path, profile=name).mean_arrays(30)[0] for name in ("up", "down"))
    assert np.nanmax(np.abs(up + down)) == 0 and np.nanmax(np.abs(up)) > 0.1
    for draw in (tidewise.draw_environment, tidewise.draw_modes):
        assert "on dives of up" in texts(draw(run, level=30))
        assert "on dives of down" in texts(draw(run, level=30, profile="down"))
    figure = run.plot.mission(times=[30.0], profile="down")
    assert "mean flow on dives of down" in texts(figure)
    shown = at_profile(run, "down").environment
    np.testing.assert_array_equal(shown.mean_arrays(30)[0], down)
    np.testing.assert_array_equal(run.environment.mean_arrays(30)[0], up)
    with pytest.raises(tidewise.InputError, match="profile deep: .* chooses among up, down"):
        tidewise.draw_mission(run, profile="deep")
    with pytest.raises(tidewise.InputError, match="profile up: .* has a single profile; leave"):
        tidewise.draw_mission(tidewise.open_run(time_run), profile="up")


def test_cells_open_to_one_profile_are_no_obstacle(diving_run, tmp_path):
    # Cell (3, 4) is closed to both profiles, (5, 6) to the first one, (7, 8) to the second one.
    run = tidewise.open_run(diving_run)
    path = tmp_path / "shelf.h5"
    shutil.copyfile(run.environment.path, path)
    with netCDF4.Dataset(path, "r+") as file:
        mask = file["obstacle_mask"]
        level = (0,) if mask.ndim == 4 else ()
        for profile, cells in ((0, ((3, 4), (5, 6))), (1, ((3, 4), (7, 8)))):
            for cell in cells:
                mask[(*level, profile, *cell)] = 1
        velocity = {name: np.array(file[name][0]) for name in ("u_mean", "u_mode")}
    assert tidewise.Environment(path, profile="up").mask(0)[5, 6] == 1
    both = tidewise.Environment(path, profile="up")
    both._vehicle_profiles = ["up", "down"]
    assert [both.mask(0)[cell] for cell in ((3, 4), (5, 6), (7, 8))] == [1, 0, 0]
    u, _ = both.mean_arrays(0)
    assert np.isnan(u[3, 4])
    assert u[5, 6] == velocity["u_mean"][1, 5, 6]
    assert u[7, 8] == velocity["u_mean"][0, 7, 8]
    assert both.mode(0, 1)[0][5, 6] == velocity["u_mode"][1, 1, 5, 6]
    assert both._at_profile("down").mean_arrays(0)[0][7, 8] == velocity["u_mean"][0, 7, 8]


def test_dives_show_the_depths_of_a_flight(diving_run, time_run):
    run = tidewise.open_run(diving_run)
    figure = run.plot.dives(realization=3)
    rendered(figure)
    (axes,) = figure.axes
    number = int(np.flatnonzero(run.flights.ends.realization == 3)[0])
    steps = run.flights.ends.steps[number]
    profiles = run.trajectories["profile"].values[number, :steps].astype(int)
    time = run.trajectories["time"].values[number, : steps + 1]
    boxes = [box.get_paths()[0].get_extents() for box in axes.collections]
    first = [0, *(np.flatnonzero(np.diff(profiles)) + 1)]
    assert [box.x0 for box in boxes] == pytest.approx(list(time[first] - time[0]))
    assert boxes[-1].x1 == pytest.approx(time[-1] - time[0])
    assert [box.y1 for box in boxes] == [[50.0, 1000.0][p] for p in profiles[first]]
    assert axes.yaxis_inverted()
    assert "dives of realization 3" in texts(figure)
    assert "the median flight" in texts(tidewise.draw_dives(run))
    with pytest.raises(tidewise.InputError, match="has a single profile"):
        tidewise.draw_dives(tidewise.open_run(time_run))


def test_one_realization_shows_its_flight(time_run):
    run = tidewise.open_run(time_run)
    figure = tidewise.draw_mission(run, times=[10.0], realization=3)
    assert len(paths_in(figure.axes[0])[0].get_paths()) == 1
    assert "flow of realization 3, and the flight through it, which" in texts(figure)


def test_draws_a_mission_that_fails(lost_run):
    run = tidewise.open_run(lost_run)
    figure = tidewise.draw_mission(run)
    require_picture(figure)
    assert "did not arrive (200 of 200 flights)" in texts(figure)
    with pytest.raises(tidewise.InputError, match="none of its 200 flights arrived"):
        tidewise.draw_histograms(run)


def test_station_keeping_is_coloured_by_time_within(plan, environment):
    run = tidewise.open_run(plan("stays", environment, "mission.objective=stay"))
    figure = tidewise.draw_mission(run, times=[10.0])
    require_picture(figure)
    lasted = run.flights.arrays.outcome == 3
    assert lasted.any()
    assert "arrive" not in texts(figure)
    assert "time within the target" in texts(figure)
    if not lasted.all():
        assert "did not last until the end" in texts(figure)


def test_draws_chain_flights(chain_run):
    run = tidewise.open_run(chain_run)
    require_picture(tidewise.draw_mission(run, times=[20.0]))
    with pytest.raises(tidewise.InputError, match="chain"):
        tidewise.draw_mission(run, realization=0)


def test_draws_the_environment(net_energy_run):
    run = tidewise.open_run(net_energy_run)
    figure = tidewise.draw_environment(run, level=20)
    require_picture(figure)
    assert "radiation (–)" in texts(figure)
    assert "Level 20" in texts(figure)


def test_modes_have_their_shares_of_the_variance(time_run):
    figure = tidewise.draw_modes(tidewise.open_run(time_run))
    require_picture(figure)
    shares = [
        float(axes.get_title(loc="left").split(":")[1].split("%")[0]) for axes in figure.axes[:4]
    ]
    assert sum(shares) == pytest.approx(100.0, abs=0.3)


def test_draws_coefficients_in_pairs(metric_run):
    figure = tidewise.draw_coefficients(tidewise.open_run(metric_run), max_modes=3)
    require_picture(figure)
    assert len(figure.axes) == 6  # three marginals, three pairs
    assert "kurtosis" in texts(figure)


def test_policy_is_arrows_over_the_value(metric_run):
    run = tidewise.open_run(metric_run)
    figure = tidewise.draw_policy(run, level=10)
    require_picture(figure)
    assert "value (10³ m² s⁻¹)" in texts(figure)
    rendered(tidewise.draw_policy(run, level=run.policy.sizes["time"] - 1))  # no cell has an action


def test_draws_reach(metric_run):
    run = tidewise.open_run(metric_run)
    figure = tidewise.draw_reach(run)
    require_picture(figure)
    key = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert key[-3:] == ["10 % arrive", "50 % arrive", "90 % arrive"]
    assert {"90 % of flights", "one hour late"} <= set(key)
    with pytest.raises(tidewise.InputError, match="level 999"):
        run.plot.reach(level=999)


def test_reach_of_a_mission_that_never_arrives(lost_run):
    run = tidewise.open_run(lost_run)
    assert np.isnan(run.expected.time)
    assert "level 0" in run.plot.reach().axes[0].get_title(loc="left")


def test_draws_departures(time_run, metric_run):
    run = tidewise.open_run(metric_run)
    result = run.departures(first=0, last=20, every=5)
    figure = run.plot.departures(result)
    require_picture(figure)
    assert {"under way (h)", "flights (%)"} <= {axes.get_ylabel() for axes in figure.axes}
    for axes, drawn in zip(figure.axes, (result.time, 100 * result.arrival_rate), strict=True):
        (line,) = [line for line in axes.lines if len(line.get_xdata()) == 5]
        assert np.array_equal(line.get_ydata(), drawn, equal_nan=True)
    key = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    same = result.attrs["best"] == result.attrs["earliest_arrival"]
    assert key == ["best", "there first"][: 1 if same else 2]
    assert "5 departures" in texts(figure)

    run = tidewise.open_run(time_run)
    figure = tidewise.draw_departures(run)  # all departures of a run in steps
    require_picture(figure)
    assert "under way (steps)" in texts(figure)


def test_closed_cells_of_a_policy_equal_the_mask(time_run):
    from tidewise.figures.policy import _closed_and_target

    run = tidewise.open_run(time_run)
    action = run.policy["action"][12].values
    value = run.policy["value"][12].values
    closed, target = _closed_and_target(run, action, value)
    assert closed.any() and np.array_equal(closed, run.environment.closed(12))
    around = [[31, 20], [32, 19], [32, 20], [32, 21], [33, 20]]  # within a cell's width
    assert np.argwhere(target).tolist() == around


def test_cells_outside_the_forecast_have_a_colour_and_a_caption(time_run, tmp_path):
    import shutil

    import netCDF4

    from tidewise.figures import palette

    path = tmp_path / "edge.h5"
    shutil.copy(tidewise.open_run(time_run).environment.path, path)
    with netCDF4.Dataset(path, "a") as file:
        file["obstacle_mask"][..., :4] = 2
    run = tidewise.open_run(time_run, environment=path)
    assert (run.environment.mask(12)[:, :4] == 2).all() and run.environment.closed(12)[:, :4].all()
    for figure in (
        tidewise.draw_environment(run, level=12),
        tidewise.draw_modes(run, level=12),
    ):
        assert "violet cells: beyond the forecast" in texts(figure)
        assert has_colour(rendered(figure), palette.CLOSED)
        assert has_colour(rendered(figure), palette.BEYOND)
    # A mission's closed cells are transparent, which changes their colours.
    assert "violet cells: beyond the forecast" in texts(tidewise.draw_mission(run))
    inside = tidewise.draw_environment(tidewise.open_run(time_run), level=12)
    assert "beyond" not in texts(inside) and not has_colour(rendered(inside), palette.BEYOND)


def test_histograms_mark_their_quantiles(net_energy_run):
    run = tidewise.open_run(net_energy_run)
    figure = tidewise.draw_histograms(run)
    require_picture(figure, min_colours=40)
    assert len(figure.axes) == 4  # time, energy, net energy, harvested
    time = run.summary["rollout"]["time"]
    marked = [line.get_xdata()[0] for line in figure.axes[0].lines]
    assert marked == [time[key] for key in ("p05", "p50", "mean", "p95")]
    shares = sum(patch.get_height() for patch in figure.axes[0].patches)
    assert shares == pytest.approx(100 * run.summary["rollout"]["arrival_rate"])


def test_forecasts_without_error_have_no_percentages(monkeypatch, time_run, metric_run):
    monkeypatch.setattr(tidewise.Run, "uncertainty", "lagged")
    run = tidewise.open_run(time_run)
    figure = tidewise.draw_histograms(run)
    assert "%" not in texts(figure) and "p95" not in texts(figure)
    assert figure.axes[0].get_ylabel() == "simulated missions"
    counts = sum(patch.get_height() for patch in figure.axes[0].patches)
    assert counts == pytest.approx(run.flights.ends.arrived.sum())
    run = tidewise.open_run(metric_run)
    result = run.departures(first=0, last=20, every=5)
    figure = run.plot.departures(result)
    assert "%" not in texts(figure)
    (line,) = [line for line in figure.axes[1].lines if len(line.get_xdata()) == 5]
    assert np.array_equal(line.get_ydata(), result.arrival_rate, equal_nan=True)


def test_harvest_is_shown_only_for_harvesting_missions(time_run):
    figure = tidewise.draw_histograms(tidewise.open_run(time_run))
    assert len(figure.axes) == 2  # although the environment has a scalar field


def test_single_flight_with_net_gain_has_a_histogram(tidewise_rollout, net_energy_run):
    folder = tidewise_rollout(net_energy_run, "--realizations", "1")
    run = tidewise.open_run(folder)
    assert len(run.flights) == 1 and run.flights.ends.net_energy[0] < 0
    rendered(tidewise.draw_histograms(run))
    rendered(tidewise.draw_mission(run))


def test_names_the_environment_of_the_plan(elsewhere_run):
    run = tidewise.open_run(elsewhere_run)
    assert run.planned_on == "still.h5"
    assert "Planned in still.h5." in texts(tidewise.draw_mission(run, times=[10.0]))
    assert "Planned in still.h5." in texts(tidewise.draw_histograms(run))
    assert run.environment.realization_count == 200


def test_map_has_degrees_and_a_coast(washington_run):
    run = tidewise.open_run(washington_run)
    figure = tidewise.draw_mission(run, times=[6 * 3600.0, 60 * 3600.0])
    require_picture(figure)
    assert [c for c in figure.axes[0].collections if isinstance(c, ContourSet) and list(c.levels) == [0.5]]
    assert "48°N" in texts(figure) and "126°W" in texts(figure)
    assert "t\u00a0=\u00a00 is 2024-10-28" in texts(figure)
    require_picture(tidewise.draw_policy(run))
    require_picture(tidewise.draw_modes(run))
    rendered(tidewise.draw_coefficients(run))  # too few realizations for densities


def test_rehearsal_is_drawn_with_the_flights(request, washington_run):
    run = tidewise.open_run(washington_run)
    with pytest.raises(
        tidewise.InputError, match="there is no such file; make it with 'tidewise rehe"
    ):
        run.plot.rehearsal(washington_run / "none.geojson")
    (washington_run / "other.geojson").write_text('{"features": []}')
    with pytest.raises(tidewise.InputError, match="holds no rehearsal"):
        run.plot.rehearsal(washington_run / "other.geojson")
    data = ROOT.parent / "shared" / "data" / "rtofs_washington_2024.nc"
    run_program = request.getfixturevalue("tidewise")
    run_program("rehearse", washington_run, "--source", data)
    figure = run.plot.rehearsal()
    require_picture(figure)
    flights, rehearsals = paths_in(figure.axes[0])
    assert len(flights.get_paths()) == len(rehearsals.get_paths()) == 5
    start = frame.Frame(run).place(run.start)
    for path in [*flights.get_paths(), *rehearsals.get_paths()]:
        assert path.vertices[0] == pytest.approx(start, abs=0.01 * abs(start[0]))
    assert "5 rehearsals and 5 flights of one policy; a member and its" in texts(figure)
