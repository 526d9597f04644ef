"""The check of words finds habits of wording and faults of commit subjects."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_words


class Words(unittest.TestCase):
    def test_habits_are_found(self):
        for line, habit in (
            ("/// Whether all modes are fixed.", "relative clause"),
            ("# What a reader prints.", "relative clause"),
            ("int most_rows = 3;", "most_"),
            ("the vehicle comes to a cell", "come to"),
            ("the plan told 95 %", "tell"),
        ):
            with self.subTest(line):
                self.assertEqual([name for name, *_ in check_words.findings(line)], [habit])

    def test_plain_text_is_accepted(self):
        for line in ("/// True if all modes are fixed.", "int max_rows = 3;", "the vehicle enters a cell",
                     "what a reader prints", "almost_equal(a, b)", "the outcome total"):
            with self.subTest(line):
                self.assertEqual(check_words.findings(line), [])

    def test_allowed_lines_are_skipped(self):
        self.assertEqual(check_words.findings("least_reward", [re.compile("least_reward")]), [])
        self.assertTrue(check_words.allowed())

    def test_subjects(self):
        for subject in ("Fix clang-tidy warnings", "Read modes", "Pass the level on", "Merge branch 'x'"):
            with self.subTest(subject):
                self.assertIsNone(check_words.subject_fault(subject))
        for subject in ("Fixed a test", "What clang-tidy finds", "fix: a test", "Fixes a test", "Add " + 70 * "x"):
            with self.subTest(subject):
                self.assertIsNotNone(check_words.subject_fault(subject))


if __name__ == "__main__":
    unittest.main()
