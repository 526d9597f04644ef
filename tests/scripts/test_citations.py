"""Pages under docs that code and other pages name exist; the site only checks links."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = {"docs/reference/errors.md"}  # by docs/site/conf.py
CITED = re.compile(r"(?<![\w./-])docs/[\w/]+\.(?:md|rst|png|gif)")


class Citations(unittest.TestCase):
    def test_named_pages_exist(self):
        count = 0
        for line in subprocess.run(
            ["git", "grep", "--untracked", "-nIE", r"docs/[A-Za-z0-9_/]+\.(md|rst|png|gif)"],
            cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True,
        ).stdout.splitlines():
            place, number, text = line.split(":", 2)
            # The changelog has former names of pages.
            for page in CITED.findall(text) if place != "CHANGELOG.md" else []:
                count += 1
                with self.subTest(f"{place}:{number}"):
                    self.assertTrue(page in GENERATED or (ROOT / page).is_file(), f"there is no {page}")
        self.assertGreater(count, 100)

    def test_every_page_is_in_the_order_of_the_site(self):
        index = (ROOT / "docs/site/index.md").read_text()
        listed = {
            (ROOT / "docs/site" / entry).resolve() for entry in re.findall(r"^(\.\./[\w/.]+)$", index, re.M)
        }
        for page in [*ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/**/*.rst"), *ROOT.glob("docs/**/*.ipynb")]:
            if page.name != "index.md":
                with self.subTest(page.name):
                    self.assertIn(page.with_suffix(""), listed)
        self.assertGreater(len(listed), 40)

    def test_folders_have_at_most_thirty_files(self):
        for folder in (ROOT / "docs").iterdir():
            if folder.is_dir():
                self.assertLessEqual(len(list(folder.iterdir())), 30, folder)


if __name__ == "__main__":
    unittest.main()
