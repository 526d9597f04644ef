"""scripts/gpu_box.sh with SANITIZE=only, on stand-ins for the compiler, the tools and the tests: it goes case by case."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Prints what a program of GoogleTest does of its two cases; `HANG` (once), `DIE` and `FAIL` name the one that does so.
TESTS = """#!/bin/bash
for word; do case $word in --gtest_filter=*) filter=${word#*=} ;; esac; done
if [[ $1 == --gtest_list_tests ]]; then
  [[ $filter != *"${NONE:-nothing}"* ]] || exit 0
  printf 'Running main()\\nMany/Suite.\\n  First/0  # GetParam() = 3\\n  Second/0\\n'
  exit
fi
code=0
for name in ${filter//:/ }; do
  echo "[ RUN      ] $name"
  [[ $name != *${HANG:-nothing}* || -e hung ]] || { touch hung; sleep 60; }
  [[ $name != *${DIE:-nothing}* ]] || kill -SEGV $$
  word="      OK"
  [[ $name != *${FAIL:-nothing}* ]] || { word=" FAILED "; code=1; }
  echo "[ $word ] $name (3 ms)"
done
exit $code
"""
TOOL = """#!/bin/bash
while [[ $1 == --* ]]; do shift 2; done
exec "$@"
"""


# Of the script's list `sanitized`; each runs both cases of the program below.
ENTRIES = 10


class Sanitizing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/gpu_box.sh", self.folder / "scripts")
        for name in ("unit/solver_test", "unit/mdp_test", "unit/model_builder_test", "golden/golden_test"):
            self.write(f"build/cuda-gpu/tests/{name}", TESTS)
        self.write("bin/compute-sanitizer", TOOL)
        for name in ("nvcc", "cmake", "nvidia-smi", "c++"):
            self.write(f"bin/{name}", f'#!/bin/sh\necho {name} "$@"\n')

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def sanitize(self, **settings):
        own = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "SANITIZE": "only", **settings}
        done = subprocess.run(
            ["scripts/gpu_box.sh", "results"], cwd=self.folder, env={**os.environ, **own},
            capture_output=True, text=True, timeout=100, check=False)
        kept = self.folder / "results/sanitizer.txt"
        return done.returncode, done.stdout, done.stderr, kept.read_text() if kept.exists() else ""

    def test_builds_and_runs_its_tests_alone(self):
        status, printed, errors, kept = self.sanitize(SANITIZE_TOOLS="memcheck synccheck")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("--target golden_test mdp_test model_builder_test solver_test", printed)
        self.assertNotIn("Results", printed)
        self.assertEqual(kept.count("[       OK ] Many/Suite.Second/0 (3 ms)"), 2 * ENTRIES)
        self.assertRegex(kept, r"== synccheck: \d+ s")

    def test_a_case_that_hangs_is_ended_and_the_rest_runs(self):
        status, _, errors, kept = self.sanitize(HANG="First", SANITIZE_LIMIT="1", SANITIZE_TOOLS="memcheck")
        self.assertEqual(status, 1)
        self.assertIn("memcheck: unit/solver_test: Many/Suite.First/0: took longer than 1 s", errors)
        self.assertEqual(kept.count("OK ] Many/Suite.Second/0"), ENTRIES)

    def test_a_case_that_dies_is_named_and_the_rest_runs(self):
        status, _, errors, kept = self.sanitize(DIE="First", SANITIZE_TOOLS="initcheck")
        self.assertEqual(status, 1)
        self.assertIn("initcheck: golden/golden_test: Many/Suite.First/0: its process ended", errors)
        self.assertEqual(kept.count("OK ] Many/Suite.Second/0"), ENTRIES)

    def test_a_case_that_fails_fails_it(self):
        status, _, errors, _ = self.sanitize(FAIL="Second", SANITIZE_TOOLS="initcheck")
        self.assertEqual(status, 1)
        self.assertIn("initcheck: unit/solver_test: exit status 1", errors)

    def test_a_filter_that_names_no_test_is_an_error(self):
        status, _, errors, kept = self.sanitize(NONE="DeviceBits")
        self.assertEqual((status, kept), (1, ""))
        self.assertIn("unit/mdp_test has no case that is named 'DeviceBits/0.*", errors)


if __name__ == "__main__":
    unittest.main()
