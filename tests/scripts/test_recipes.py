"""The changes that docs/reference/recipes.md makes can still be made."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Recipes(unittest.TestCase):
    def test_apply(self):
        text = (ROOT / "docs/reference/recipes.md").read_text()
        changes = re.findall(r"^```diff\n(.*?)^```$", text, re.M | re.S)
        self.assertEqual(len(changes), 3)
        for change in changes:
            with self.subTest(change.partition("\n")[0]):
                made = subprocess.run(
                    ["git", "apply", "--check", "-"], cwd=ROOT, input=change, text=True, stderr=subprocess.PIPE
                )
                self.assertEqual(made.returncode, 0, f"{made.stderr}: make the recipe's change anew")


if __name__ == "__main__":
    unittest.main()
