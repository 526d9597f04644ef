"""The runner of documents runs blocks as printed, and refuses failures and unnamed languages."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import run_docs

FENCE = "```"


def block(language, text, before=""):
    return f"{before}\n{FENCE}{language}\n{text}\n{FENCE}\n"


class Pages(unittest.TestCase):
    def setUp(self):
        os.environ["TIDEWISE"] = "/bin/true"  # no page here calls it
        os.environ["PYTHON"] = sys.executable

    def run_page(self, text):
        blocks, errors = run_docs.read_blocks("page.md", text)
        self.assertEqual(errors, [])
        with tempfile.TemporaryDirectory() as folder:
            with run_docs.Page(Path(folder)) as page:
                return list(page.run(blocks))

    def test_a_fence_without_a_language_is_refused(self):
        self.assertEqual(len(run_docs.read_blocks("page.md", block("", "ls"))[1]), 1)

    def test_a_hidden_comment_before_a_block_is_refused(self):
        self.assertEqual(len(run_docs.read_blocks("page.md", block("sh", "ls", "<!-- run -->"))[1]), 1)

    def test_blocks_run_in_order_in_one_folder(self):
        lines = self.run_page(
            block("sh", 'test -z "$(ls)"\nmkdir b && cd b')
            + block("toml", "a = 7", "Save this as `a.toml`:\n")
            + block("sh", "grep -q 7 a.toml && cd .. && ls")
            + block("output", "b")
            + block("python", "import os\nread = open('b/a.toml').read()")
            + block("python", "assert read == 'a = 7\\n'\nprint('it is', read)")
            + block("output", "it is   a = …")
            + block("console", "$ echo 5; exit 3\n5\n$ true")
            + block("sh", "false", "*Needs a GPU.*\n")
            + block("output", "of a GPU")
            + block("json", "{}", "Save a file as `x`.\n\nOnly shown:\n")
            + block("sh", "test ! -e x")
        )
        self.assertEqual(len(lines), 12)
        self.assertEqual(sum("not run: Needs a GPU" in line for line in lines), 2)

    def test_blocks_that_fail_are_errors(self):
        for page in (
            block("sh", "false\ntrue"),
            block("sh", "false", "Needs a GPU.\n"),
            block("sh", "false", "*Takes a while.*\n"),
            block("python", "assert False"),
            block("python", "raise SystemExit(1)"),
            block("python", "import os\nos._exit(0)"),
            block("sh", "echo 1") + block("output", "2"),
            block("console", "$ echo 1\n2"),
        ):
            with self.subTest(page), self.assertRaises(run_docs.Refused):
                self.run_page(page)


if __name__ == "__main__":
    unittest.main()
