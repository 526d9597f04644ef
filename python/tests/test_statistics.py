"""Distributions, compared with hand-computed values and with summary.json."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import tidewise
from tidewise.statistics import WEIGHT_TOTAL, integer_weights, mode_variances, spread_of


def test_quantiles_are_values_of_flights():
    spread = spread_of(np.array([4.0, 1.0, 3.0, 2.0]), np.ones(4, int))
    assert (spread.min, spread.p05, spread.p50, spread.p95, spread.max) == (1, 1, 2, 4, 4)
    assert spread.mean == 2.5


def test_weights_move_quantiles_and_zero_weight_is_ignored():
    spread = spread_of(np.array([1.0, 2.0, 3.0, 99.0]), np.array([1, 1, 8, 0]))
    assert (spread.p50, spread.max) == (3, 3)
    assert spread.mean == pytest.approx(2.7)


def test_an_empty_distribution_is_nan():
    spread = spread_of(np.zeros(0), np.zeros(0, int))
    assert all(math.isnan(value) for value in dataclasses.astuple(spread))


def test_integer_weights_sum_to_the_total():
    weights = integer_weights(np.array([1.0, 1.0, 1.0]))
    assert weights.sum() == WEIGHT_TOTAL
    assert weights.tolist() == [5592406, 5592405, 5592405]


def test_variance_of_coefficients():
    variance = mode_variances(np.array([[1.0, 3.0], [5.0, 5.0]]), None)
    assert variance.tolist() == [[1.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("name", ["time_run", "net_energy_run", "chain_run", "metric_run"])
def test_quantiles_equal_those_of_the_summary(name, request):
    run = tidewise.open_run(request.getfixturevalue(name))
    rollout = run.summary["rollout"]
    assert rollout["arrival_rate"] > 0
    ends = run.flights.ends
    weights = run.flight_weights()[ends.arrived]
    for quantity, values in {
        "time": ends.duration,
        "energy": ends.energy,
        "net_energy": ends.net_energy,
    }.items():
        spread = spread_of(values[ends.arrived], weights)
        expected = rollout[quantity]
        for key in ("min", "max", "p05", "p50", "p95"):
            value = getattr(spread, key)
            assert value == pytest.approx(expected[key], rel=1e-14), (quantity, key)
        assert spread.mean == pytest.approx(expected["mean"], rel=1e-12)


def test_arrival_rate_is_weighted(metric_run):
    run = tidewise.open_run(metric_run)
    weights = run.flight_weights()
    assert weights.max() > 6 * weights.min()
    share = weights[run.flights.ends.arrived].sum() / weights.sum()
    assert share == pytest.approx(run.summary["rollout"]["arrival_rate"], rel=1e-12)
