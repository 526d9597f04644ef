"""Measures of predictions, from a log that Python writes."""

from __future__ import annotations

import json

import pytest

import tidewise as tw

TIMES = [10, 11, 12, 14, 16, 18, 20]


def line(day: int, probability: float, time: float | None) -> str:
    return json.dumps(
        {
            "tidewise_prediction": 1,
            "departure": f"2024-10-{day:02}T00:00:00Z",
            "deadline": f"2024-10-{day:02}T00:01:40Z",
            "arrival": {
                "probability": probability,
                "quantiles": TIMES[:5] + [None, None],
                "quantiles_of_arrivals": TIMES,
            },
            "outcome": {"arrived": time is not None, "time": time},
        }
    )


def test_measures_equal_hand_computed_values(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join([line(1, 0.8, 15), line(2, 0.6, None)]) + "\n")
    measures = tw.score(log, out=tmp_path / "scored.jsonl")
    assert measures["scored"] == 2
    assert measures["dates"] == 2
    assert measures["brier"]["value"] == pytest.approx((0.04 + 0.36) / 2)
    assert measures["brier"]["low"] == pytest.approx(0.04)
    assert measures["window_90"]["value"] == pytest.approx((1 + 0.35 / 0.4) / 2)
    assert measures["window_50"]["value"] == pytest.approx((1 + 0.15 / 0.4) / 2)
    assert measures["reliability"][8]["predicted"] == pytest.approx(0.8)
    assert tw.score(tmp_path / "scored.jsonl") == measures


def test_names_a_bad_line(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(line(1, 0.8, 15) + "\n{}\n")
    with pytest.raises(tw.InputError, match="line 2"):
        tw.score(log)
