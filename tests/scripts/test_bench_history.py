"""Each recorded figure appears once in its history, with its commit and machine."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import bench_history

PATH = "bench/results/a.json"


def record(machine, **sides):
    listed = [{"name": name, "median": 2, "samples": samples} for name, samples in sides.items()]
    return {"title": "a: small", "machine": machine, "unit": "ms", "sides": listed}


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / PATH).parent.mkdir(parents=True)
        self.git("init", "--quiet")

    def git(self, *words):
        author = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
        subprocess.run(["git", *author, *words], cwd=self.root, check=True, capture_output=True)

    def commit(self, figures):
        (self.root / PATH).write_text(json.dumps(figures))
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "-m", "figures")

    def test_figures_of_one_side(self):
        self.commit(record("M1", fast=[3, 1, 2]))
        self.commit(record("M1", fast=[3, 1, 2], slow=[9]))  # only slow is new
        self.commit(record("M2", fast=[4, 4, 5], slow=[9]))
        points = bench_history.history(self.root, PATH)["fast"]
        summaries = [(p.figure.median, p.figure.least, p.figure.most, p.figure.machine) for p in points]
        self.assertEqual(summaries, [(2, 1, 3, "M1"), (4, 4, 5, "M2")])
        self.assertNotEqual(points[0].commit, points[1].commit)
        # Figures of another machine are separate.
        self.assertEqual(bench_history.picture(points).count("<polyline"), 2)
        page = bench_history.page(self.root)
        for word in (points[0].commit, points[1].commit, "M1", "M2", "1 … 3", "a: small", "[ms]"):
            self.assertIn(word, page)

    def test_figures_of_worlds_and_lists(self):
        figures = [{"name": "sweeps", "seconds": [0.5, 0.7, 0.6]}]
        world = {"name": "G2", "figures": figures}
        listed = bench_history.figures_of([{"title": "t", "machine": "M", "worlds": [world]}])
        self.assertEqual([(f.name, f.median, f.unit) for f in listed], [("G2: sweeps", 0.6, "s")])

    def test_every_record_of_this_repository_is_read(self):
        for path in (ROOT / "bench/results").glob("*.json"):
            bench_history.figures_of(json.loads(path.read_text()))


if __name__ == "__main__":
    unittest.main()
