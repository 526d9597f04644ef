"""Measures, forecasts and flights of scripts/benchmark_odds.py, against computed values."""

import dataclasses
import importlib.util
import math
import os
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import h5py  # noqa: F401
    import numpy as np
    import xarray  # noqa: F401
except ModuleNotFoundError as error:
    raise unittest.SkipTest(f"needs h5py, numpy and xarray, as build/python has: {error}") from error

ROOT = Path(__file__).resolve().parents[2]
specification = importlib.util.spec_from_file_location("benchmark_odds", ROOT / "scripts/benchmark_odds.py")
odds = importlib.util.module_from_spec(specification)
sys.modules["benchmark_odds"] = odds
specification.loader.exec_module(odds)


class Measures(unittest.TestCase):
    def test_log_has_quantiles_and_the_outcome(self):
        row = {"predicted": [*range(19, 0, -1), math.inf], "true": 4.5, "day": 0.25}
        line = odds.to_log(row, 30)
        self.assertEqual((line["departure"], line["deadline"]), ("2000-01-01T06:00Z", "2000-01-02T12:00Z"))
        self.assertEqual(line["arrival"]["probability"], 0.95)
        self.assertEqual([s / 3600 for s in line["arrival"]["quantiles"]], [1, 2, 5, 10, 15, 18, 19])
        self.assertEqual([s / 3600 for s in line["arrival"]["quantiles_of_arrivals"]], [1, 2, 5, 10, 15, 18, 19])
        self.assertEqual(line["outcome"], {"arrived": True, "time": 4.5 * 3600})
        line = odds.to_log(row | {"predicted": [1.0, math.inf], "true": math.inf}, 30)
        self.assertEqual(line["arrival"]["quantiles"][3:5], [3600, None])
        self.assertEqual(line["outcome"], {"arrived": False})

    def test_ratio_gives_the_share_and_draws_dates(self):
        value, low, high = odds.ratio([1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 2, 2])
        self.assertEqual((value, low, high), (0.5, 0.0, 1.0))
        self.assertEqual(odds.ratio([1, 0, 1, 0], [1] * 4, [1, 1, 2, 2]), [0.5, 0.5, 0.5])
        self.assertTrue(math.isnan(odds.ratio([0], [0], [1])[0]))

    def test_measures_are_those_of_the_program(self):
        program = Path(os.environ.get("TIDEWISE", ROOT / "build/cpu/app/tidewise"))
        if not program.is_file():
            raise unittest.SkipTest(f"{program} is not there")
        rows = [
            {"date": 1, "day": 1, "mission": 0, "speed": 1, "true": 4.0, "predicted": [3.0, 5.0]},
            {"date": 2, "day": 2, "mission": 0, "speed": 1, "true": math.inf, "predicted": [3.0, math.inf]},
        ]
        with tempfile.TemporaryDirectory() as folder:
            measures = odds.measures(rows, 10, program, Path(folder))
        self.assertEqual(measures["brier"]["value"], (0 + 0.25) / 2)
        # Among ranks from 0.5 to 1, those up to 0.95 are in the window.
        self.assertAlmostEqual(measures["window_90"]["value"], (1 + 0.9) / 2)
        self.assertEqual(measures["brier_climatology"][0], 1.0)  # each date's climatology is the other date
        self.assertEqual(measures["above_95"]["count"], 1)
        self.assertEqual(measures["dates"], 2)

    def test_comparison_uses_only_missions_of_both_sides(self):
        rows = [{"side": side, "date": date, "mission": 0, "speed": 1, "true": true, "predicted": None}
                for side, date, true in (("aim", 1, math.inf), ("aim", 2, 5.0), ("plan", 1, 8.0))]
        comparison = odds.compared(rows, 10)
        self.assertEqual(comparison["plan"]["missions"], 1)
        self.assertEqual(comparison["plan"]["less_hours"][0], -2.0)
        self.assertEqual(comparison["plan"]["more_arrivals"][0], 1.0)


def uniform(u, v):
    lat, lon = np.linspace(-1, 1, 21), np.linspace(-1, 1, 21)
    fields = [np.full((3, 21, 21), speed) for speed in (u, v)]
    return odds.Truth(lat, lon, [0, 36000, 72000], *fields)


class Plane:
    """A substitute for a policy's map, at the equator: a degree is 111195 m."""

    start, target = (0.0, 0.0), (36000.0, 0.0)

    def place(self, x, y):
        return x / 111195, y / 111195, 0.0

    def is_target(self, *_):
        return False


class Flights(unittest.TestCase):
    mission = dataclasses.replace(odds.SETS["washington"], horizon=20, step=1, radius=3600.0, surfacing=2)

    def test_straight_flight_ends_at_the_disc(self):
        steer = odds.toward(Plane.target, 1.0)
        self.assertAlmostEqual(odds.fly(Plane(), uniform(0.0, 0.0), steer, self.mission), 9.0, places=6)
        self.assertAlmostEqual(odds.fly(Plane(), uniform(0.5, 0.0), steer, self.mission), 6.0, places=6)

    def test_current_stronger_than_the_vehicle_prevents_arrival(self):
        self.assertEqual(odds.fly(Plane(), uniform(-1.5, 0.0), odds.toward(Plane.target, 1.0), self.mission), math.inf)

    def test_compensation_holds_the_track(self):
        steer = odds.toward(Plane.target, 1.0, True)
        self.assertAlmostEqual(odds.fly(Plane(), uniform(0.0, 0.6), steer, self.mission), 9 / 0.8, places=4)

    def test_observer_gets_the_mean_current(self):
        observed = []
        odds.fly(Plane(), uniform(0.25, 0.1), odds.toward(Plane.target, 1.0), self.mission,
                 lambda middle, seconds, met, place: observed.append((seconds, *met)))
        self.assertEqual(observed[0][0], 7200)
        np.testing.assert_allclose(observed[0][1:], (0.25, 0.1))

    def test_land_ends_a_flight(self):
        truth = uniform(0.0, 0.0)
        truth.wet[:, 12:] = False
        self.assertEqual(odds.fly(Plane(), truth, odds.toward(Plane.target, 1.0), self.mission), math.inf)


class Forecasts(unittest.TestCase):
    def setUp(self):
        hours = np.arange(0.0, 100)
        u = np.broadcast_to(hours[:, None, None], (100, 2, 2))
        self.series = odds.Series(hours, np.arange(2.0), np.arange(2.0), u, -u, "2024-01-01")

    def test_persistence_uses_no_later_field(self):
        settings = dataclasses.replace(odds.SETS["agulhas"], kind="persistence")
        u, v = odds.forecast(self.series, settings, 50, [-2, 0, 7])
        self.assertEqual([*u[:, 0, 0], *v[:, 0, 0]], [48, 50, 50, -48, -50, -50])

    def test_cycle_repeats_the_last_one(self):
        settings = dataclasses.replace(odds.SETS["agulhas"], kind="cycle", cycle=24.0)
        u, _ = odds.forecast(self.series, settings, 50, [0, 1, 23, 24, 25])
        self.assertEqual(u[:, 0, 0].tolist(), [50, 27, 49, 26, 27])

    def test_earlier_files_end_at_the_issue_date(self):
        settings = dataclasses.replace(odds.SETS["washington"], cycle=24.0)
        leads = np.array([0.0, 5, 10])
        with tempfile.TemporaryDirectory() as folder:
            names = odds.earlier_files(Path(folder), self.series, settings, 50, leads)
            self.assertEqual(len(names), 27)  # issued at 24, 25, ... 50
            with xarray.open_dataset(Path(folder) / names[-1], decode_times=False) as file:
                self.assertEqual(file.time.values.tolist(), [50, 55, 60])
                self.assertEqual(file.uo.values[:, 0, 0].tolist(), [50, 31, 36])
            settings = dataclasses.replace(settings, kind="persistence")
            self.assertEqual(odds.earlier_files(Path(folder), self.series, settings, 50, leads), ["archive.nc"])
            with xarray.open_dataset(Path(folder) / "archive.nc", decode_times=False) as file:
                self.assertEqual(file.time.values[-1], 50)

    def test_drawn_errors_have_the_model_moments(self):
        lat, lon, hours = 48 + np.arange(-8, 9) * 0.027, np.arange(-8, 9) * 0.04, np.arange(0.0, 25)
        generator = np.random.default_rng(1)
        drawn = np.array([odds.draw_error(generator, hours, lat, lon) for _ in range(60)])
        self.assertAlmostEqual(drawn.std(), odds.ERROR["rms"], delta=0.01)
        share, slow, fast = (odds.ERROR[name] for name in ("slow_share", "slow_time", "fast_time"))
        expected = share * math.exp(-12 / slow) + (1 - share) * math.exp(-12 / fast) * math.cos(2 * math.pi * 12 / 12.42)
        self.assertAlmostEqual((drawn[:, :, :-12] * drawn[:, :, 12:]).mean() / (drawn**2).mean(), expected, delta=0.06)


if __name__ == "__main__":
    unittest.main()
