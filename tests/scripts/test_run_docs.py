"""The runner of documents' recipes refuses what is not marked, and what fails."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import run_docs

FENCE = "```"


def block(mark, text, language=""):
    return f"{mark}\n{FENCE}{language}\n{text}\n{FENCE}\n"


class Recipes(unittest.TestCase):
    def setUp(self):
        os.environ["TIDEWISE"] = "/bin/true"  # nothing here calls it
        os.environ["PYTHON"] = sys.executable
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_page(self, text):
        blocks, errors = run_docs.read_blocks("page.md", text)
        self.assertEqual(errors, [])
        return list(run_docs.Page("page.md", self.folder).run(blocks))

    def test_a_block_without_a_mark_is_refused(self):
        for page in (
            "text\n" + block("", "ls"),
            block("<!-- runs -->", "ls"),
            block("<!-- not run -->", "ls"),
            block("<!-- run\nwhy: x -->", "ls"),
            block("<!-- run -->\ntext", "ls"),
            "text\n\n    tidewise check\n",
        ):
            with self.subTest(page):
                self.assertEqual(len(run_docs.read_blocks("page.md", page)[1]), 1)

    def test_recipes_run_in_their_order_and_place(self):
        said = self.run_page(
            block("<!-- save: a.toml\nthen: grep -q 7 a.toml -->", "a = 7", "toml")
            + block(
                "<!-- run\nfirst: mkdir b\nwith: 200 => 2\nin: b -->",
                "$ echo 200 > number  # small",
            )
            + block("<!-- run -->", "import os\nread = open('b/number').read()", "python")
            + block("<!-- run -->", "assert read == '2\\n'\nprint('it is', read)", "python")
            + block("<!-- output: same -->", "it is   2")
            + block("<!-- run\nstatus: 3 -->", "exit 3")
            + block("<!-- not run: needs a GPU -->", "false")
            + block("<!-- run\nneeds: no/such -->", "false")
        )
        self.assertEqual(len(said), 8)

    def test_recipes_that_fail_are_told(self):
        for page in (
            block("<!-- run -->", "false\ntrue"),
            block("<!-- run -->", "assert False", "python"),
            block("<!-- run\nstatus: 2 -->", "true"),
            block("<!-- run\nwith: a => b -->", "true"),
            block("<!-- run -->", "echo 1") + block("<!-- output: same -->", "2"),
            block("<!-- run\nthen: false -->", "true"),
            block("<!-- run -->", "a = 1", "toml"),
        ):
            with self.subTest(page), self.assertRaises(run_docs.Refused):
                for folder in self.folder.iterdir():
                    os.system(f"rm -rf {folder}")
                self.run_page(page)


if __name__ == "__main__":
    unittest.main()
