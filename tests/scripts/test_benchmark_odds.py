"""Measures, forecasts and flights of scripts/benchmark_odds.py against values by hand."""

import dataclasses
import importlib.util
import math
import sys
import tomllib
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
    def test_window_is_of_order_statistics(self):
        times = [*range(1, 20)]  # 19 values: 5 % of 20 is the first
        self.assertEqual(odds.window(times, 0.9), (1, 19, 0.9))
        self.assertEqual(odds.window(times, 0.5), (5, 15, 0.5))

    def test_window_holds_no_arrival_as_infinity(self):
        self.assertEqual(odds.window([1.0, 2.0, math.inf], 0.9), (1.0, math.inf, 0.75))
        self.assertEqual(odds.window([1.0, *[math.inf] * 18], 0.5), (math.inf, math.inf, 0.9))
        self.assertTrue(all(math.isnan(end) for end in odds.window([], 0.9)))

    def test_window_covers_as_often_as_it_states(self):
        draw = np.random.default_rng(1)
        inside = 0
        for _ in range(4000):
            low, high, _ = odds.window(draw.normal(size=99), 0.9)
            inside += low <= draw.normal() <= high
        self.assertAlmostEqual(inside / 4000, 0.9, delta=3 * math.sqrt(0.09 / 4000))

    def test_crps_of_one_member_is_the_distance(self):
        self.assertEqual(odds.crps([3.0], 5.0), 2.0)

    def test_crps_of_two_members(self):
        # E|X - 1| = (1 + 2) / 2, E|X - X'| / 2 = (3 / 2) / 2
        self.assertAlmostEqual(odds.crps([0.0, 3.0], 1.0), 0.75)

    def test_ratio_gives_the_share_and_draws_dates(self):
        value, low, high = odds.ratio([1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 2, 2])
        self.assertEqual((value, low, high), (0.5, 0.0, 1.0))
        self.assertEqual(odds.ratio([1, 0, 1, 0], [1] * 4, [1, 1, 2, 2]), [0.5, 0.5, 0.5])
        self.assertTrue(math.isnan(odds.ratio([0], [0], [1])[0]))

    def test_reliability_sorts_into_ten_bins(self):
        bins = odds.reliability([0.0, 0.95, 1.0, 1.0], [0, 1, 1, 0], [1, 2, 3, 4])
        self.assertEqual([(one["from"], one["count"]) for one in bins], [(0.0, 1), (0.9, 3)])
        self.assertAlmostEqual(bins[1]["came_true"][0], 2 / 3)

    def test_measures_of_two_dates(self):
        rows = [
            {"date": 1, "mission": 0, "speed": 1, "true": 4.0, "predicted": [3.0, 5.0]},
            {"date": 2, "mission": 0, "speed": 1, "true": math.inf, "predicted": [3.0, math.inf]},
        ]
        found = odds.measures(rows, 10)
        self.assertEqual(found["brier"][0], (0 + 0.25) / 2)
        self.assertEqual(found["window_90"][0], 1.0)
        self.assertEqual(found["window_90_given_arrival"][0], 1.0)
        self.assertEqual(found["brier_climatology"][0], 1.0)  # each date's climatology is the other date
        # crps: 1 - 2 / 4, and of 3 and 10 against 10: 3.5 - 7 / 4
        self.assertAlmostEqual(found["crps_hours"][0], (0.5 + 1.75) / 2)
        self.assertEqual(found["told_95_count"], 1)

    def test_compared_counts_the_same_missions(self):
        rows = [{"side": side, "date": date, "mission": 0, "speed": 1, "true": true, "predicted": None}
                for side, date, true in (("aim", 1, math.inf), ("aim", 2, 5.0), ("plan", 1, 8.0))]
        found = odds.compared(rows, 10)
        self.assertEqual(found["plan"]["missions"], 1)
        self.assertEqual(found["plan"]["less_hours"][0], -2.0)
        self.assertEqual(found["plan"]["more_arrivals"][0], 1.0)


def uniform(u, v):
    lat, lon = np.linspace(-1, 1, 21), np.linspace(-1, 1, 21)
    fields = [np.full((3, 21, 21), one) for one in (u, v)]
    return odds.Truth(lat, lon, [0, 36000, 72000], *fields)


class Plane:
    """A policy's map: 111195 m are a degree, at the equator."""

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
        seen = []
        odds.fly(Plane(), uniform(0.25, 0.1), odds.toward(Plane.target, 1.0), self.mission,
                 lambda middle, seconds, met, place: seen.append((seconds, *met)))
        self.assertEqual(seen[0][0], 7200)
        np.testing.assert_allclose(seen[0][1:], (0.25, 0.1))

    def test_land_ends_a_flight(self):
        truth = uniform(0.0, 0.0)
        truth.wet[:, 12:] = False
        self.assertEqual(odds.fly(Plane(), truth, odds.toward(Plane.target, 1.0), self.mission), math.inf)


class Forecasts(unittest.TestCase):
    def setUp(self):
        hours = np.arange(0.0, 100)
        u = np.broadcast_to(hours[:, None, None], (100, 2, 2))
        self.series = odds.Series(hours, np.arange(2.0), np.arange(2.0), u, -u, "2024-01-01")

    def test_persistence_uses_nothing_later(self):
        of = dataclasses.replace(odds.SETS["agulhas"], kind="persistence")
        u, v = odds.forecast(self.series, of, 50, [-2, 0, 7])
        self.assertEqual([*u[:, 0, 0], *v[:, 0, 0]], [48, 50, 50, -48, -50, -50])

    def test_cycle_repeats_the_last_one(self):
        of = dataclasses.replace(odds.SETS["agulhas"], kind="cycle", cycle=24.0)
        u, _ = odds.forecast(self.series, of, 50, [0, 1, 23, 24, 25])
        self.assertEqual(u[:, 0, 0].tolist(), [50, 27, 49, 26, 27])

    def test_past_errors_end_at_the_issue_date(self):
        of = dataclasses.replace(odds.SETS["agulhas"], kind="persistence", past_every=10, past_count=20)
        errors = odds.past_errors(self.series, of, 50, np.array([0.0, 5, 10]))
        self.assertEqual(len(errors), 5)  # issued at 40, 30, ... 0
        self.assertEqual(errors[0, 0, :, 0, 0].tolist(), [0, 5, 10])

    def test_drawn_errors_have_the_model_moments(self):
        lat, lon, hours = 48 + np.arange(-8, 9) * 0.027, np.arange(-8, 9) * 0.04, np.arange(0.0, 25)
        generator = np.random.default_rng(1)
        drawn = np.array([odds.draw_error(generator, hours, lat, lon) for _ in range(60)])
        self.assertAlmostEqual(drawn.std(), odds.ERROR["rms"], delta=0.01)
        share, slow, fast = (odds.ERROR[name] for name in ("slow_share", "slow_time", "fast_time"))
        expected = share * math.exp(-12 / slow) + (1 - share) * math.exp(-12 / fast) * math.cos(2 * math.pi * 12 / 12.42)
        self.assertAlmostEqual((drawn[:, :, :-12] * drawn[:, :, 12:]).mean() / (drawn**2).mean(), expected, delta=0.06)

    def test_fit_recovers_length_and_time(self):
        lat, lon, hours = 48 + np.arange(-12, 13) * 0.027, np.arange(-12, 13) * 0.04, np.arange(0.0, 49)
        generator = np.random.default_rng(1)
        series = [odds.coefficients(generator, hours, 80, 1.0, 20.0, 10.0, 0) for _ in range(20)]
        errors = np.array([odds.stream_waves(generator, hours, lat, lon, 0.2, 10e3, one) for one in series])
        text = tomllib.loads(odds.fit_errors(errors, hours, lat, lon))["forecast_error"]
        self.assertAlmostEqual(float(text["length"][:-1]), 10e3, delta=1.5e3)
        self.assertAlmostEqual(float(text["slow_time"][:-1]), 20, delta=4)
        self.assertAlmostEqual(text["rms"][9][1], 0.2, delta=0.02)


if __name__ == "__main__":
    unittest.main()
