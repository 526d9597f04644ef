"""Examples and options are read from the printed help."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import run_help

HELP = """Write a route
Usage: tidewise export [OPTIONS] run

Options:
  -h,--help                   Print this help message and exit
  -q,--quiet                  Say nothing
  --format F[,F…] REQUIRED    One or more; --plane goes with csv
  --environment,--truth FILE  Fly there

Examples:
  tidewise export runs/a --format csv
  tidewise research bench mdp --world G1 \\
      --peers quantecon
"""


class Help(unittest.TestCase):
    def test_examples_are_whole_commands(self):
        self.assertEqual(
            run_help.examples_of(HELP),
            ["tidewise export runs/a --format csv", "tidewise research bench mdp --world G1 --peers quantecon"],
        )
        self.assertEqual(run_help.examples_of("Options:\n  --x"), [])

    def test_options_equal_the_listed_ones(self):
        listed = {"--quiet", "--format", "--environment", "--truth"}
        self.assertEqual(run_help.options_of(HELP), listed)

    def test_unmentioned_options_are_found(self):
        helps = {"export": HELP.replace("--quiet", "--never-named-anywhere")}
        self.assertIn(("export", "--never-named-anywhere"), run_help.unspoken(helps))
        self.assertNotIn(("export", "--format"), run_help.unspoken(helps))

    def test_exceptions_have_a_reason(self):
        self.assertTrue(run_help.left_out("research bench mdp", "tidewise research bench mdp"))
        self.assertIsNone(run_help.left_out("view", "tidewise view runs/a"))
        self.assertTrue(run_help.left_out("init", "tidewise init rtofs.nc"))
        self.assertIsNone(run_help.left_out("init", "tidewise init --preset argo"))


if __name__ == "__main__":
    unittest.main()
