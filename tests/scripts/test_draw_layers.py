"""The picture of the layers agrees with the code."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import draw_layers


class Picture(unittest.TestCase):
    def test_agrees_with_the_code(self):
        subprocess.run([ROOT / "scripts/draw_layers.py", "--check"], check=True)

    def test_leaves_out_indirect_uses(self):
        uses = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
        self.assertEqual(draw_layers.direct(uses), {"a": {"b"}, "b": {"c"}, "c": set()})
        self.assertEqual(draw_layers.floors(uses), {"a": 2, "b": 1, "c": 0})


if __name__ == "__main__":
    unittest.main()
