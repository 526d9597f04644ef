"""Drifters go with the flow, and a share is of the same truths above and below; the page has what was measured."""

import json
import math
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "accuracy"))
import before_departure as study


class BeforeDeparture(unittest.TestCase):
    def test_a_drifter_goes_round_with_a_turning_flow_and_aside_by_its_slip(self):
        still = lambda: (0.0, 0.0)
        way = study.drift(lambda level, x, y: (-y, x), (1.0, 0.0), 4, math.pi / 2, still)
        for place, there in zip(way, [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)], strict=True):
            for one, expected in zip(place, there):
                self.assertAlmostEqual(one, expected, places=3)
        by_levels = study.drift(lambda level, x, y: (level, 0.0), (0.0, 0.0), 3, 10.0, lambda: (0.0, 0.5))
        for (x, y), there in zip(by_levels, [(0, 0), (0, 5), (10, 10), (30, 15)], strict=True):
            self.assertAlmostEqual(x, there[0])
            self.assertAlmostEqual(y, there[1])

    def test_a_share_by_hand(self):
        share, error = study.share_closed([2, 1, 3], [2, 4, 6])
        self.assertAlmostEqual(share, 0.5)
        self.assertAlmostEqual(error, 1 / math.sqrt(3) / 4)  # of 1, -1 and 0, over the mean of 4
        self.assertEqual(study.share_closed([1, 2], [2, 4])[1], 0)

    def test_who_does_not_arrive_is_counted_and_left_out_of_hours(self):
        hours = {kind: [9.0, 9.0, 9.0] for kind in study.KINDS}
        hours |= {"nothing": [10.0, 20.0, 30.0], "all": [8.0, 16.0, 8.0], "drifters": [9.0, 18.0, None]}
        line = study.row({"title": "sea", "hours": hours}, "drifters")
        self.assertEqual(line, "| sea | five drifters | 2 of 3 | 13.5 ± 4.5 | 1.50 ± 0.50 | 50 ± 0 |")

    def test_the_page_has_what_was_measured(self):
        results = json.loads((ROOT / "bench/results/accuracy_before_departure.json").read_text())
        self.assertIn(study.table(results), (ROOT / "docs/trust/learning.md").read_text())


if __name__ == "__main__":
    unittest.main()
