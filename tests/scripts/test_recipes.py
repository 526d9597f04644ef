"""The changes of docs/reference/recipes.md still apply; scripts/try_recipes.py builds and tests them."""

import importlib.util
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
specification = importlib.util.spec_from_file_location("try_recipes", ROOT / "scripts/try_recipes.py")
try_recipes = importlib.util.module_from_spec(specification)
specification.loader.exec_module(try_recipes)


class Recipes(unittest.TestCase):
    def test_changes_apply(self):
        recipes = try_recipes.recipes((ROOT / try_recipes.PAGE).read_text())
        self.assertEqual(len(recipes), 3)
        for name, commands, change in recipes:
            with self.subTest(name):
                self.assertIn("--gtest_filter", commands)
                made = subprocess.run(
                    ["git", "apply", "--check", "-"], cwd=ROOT, input=change, text=True, stderr=subprocess.PIPE
                )
                remedy = f"make the change again, as described at the top of {try_recipes.PAGE}"
                self.assertEqual(made.returncode, 0, f"{made.stderr}: {remedy}")


if __name__ == "__main__":
    unittest.main()
