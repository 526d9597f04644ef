"""Codes of errors are unique, and the parser of the tables lists all of them."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import list_errors

TABLE = """TIDEWISE_ERROR(file_missing, "{}: there is no such file");
TIDEWISE_ERROR(
    file_missing,
    "{}: holds \\"nothing\\"; "
    "fill it");
TIDEWISE_ERROR(lost, "{}: there is no such file");
TIDEWISE_ERROR(not_used, "no");
"""


class Codes(unittest.TestCase):
    def test_codes_of_the_program_are_unique(self):
        subprocess.run([ROOT / "scripts/list_errors.py", "--check"], check=True)

    def test_codes_of_every_table_are_listed(self):
        for table in list_errors.tables():
            text = table.read_text()
            self.assertEqual(len(list(list_errors.entries(text))), text.count("TIDEWISE_ERROR("))

    def test_faults_are_found(self):
        errors = list(list_errors.entries(TABLE))
        self.assertEqual(errors[1], ("file_missing", '{}: holds "nothing"; fill it'))
        self.assertEqual(
            list(list_errors.faults(errors, "errors::file_missing, errors::lost")),
            [
                "lost must be small letters and digits, of two words or more",
                "not_used is thrown nowhere",
                "file_missing is listed 2 times",
            ],
        )

    def test_plain_texts_have_no_code(self):
        for text in (
            'throw InputError("the file is bad");',
            'throw InputError(fmt::format("{}: {} is bad", file, value));',
            'throw InputError(name + ": is bad, " + error_text(errors::lost, name));',
            'InputError error(add_words("is bad", "; plan again"));',
            'throw InputError{"bad"};',
            'class NoLeg : public InputError {};\nthrow NoLeg("bad", track);',
        ):
            self.assertEqual(list(list_errors.plain_errors("\n" + text)), [text.count("\n") + 2])

    def test_codes_are_kept_in_texts_that_are_passed_on(self):
        for text in (
            'throw InputError(fmt::format("{}: line {}: {}", file, line, why));',
            'throw InputError(name + ": " + error_text(errors::lost, fmt::format("a {} b", 1)));',
            'throw InputError(fmt::format("{}: {}", file, add_words(what, "; plan again")));',
            "throw InputError(text);",
            'throw input_error(errors::lost, "the name");',
        ):
            self.assertEqual(list(list_errors.plain_errors(text)), [])


if __name__ == "__main__":
    unittest.main()
