"""All libraries in a wheel have a reviewed licence, and none is only under the GPL.

scripts/check_recipes.sh runs these tests.
"""

import importlib.util
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHEEL = ROOT / "packaging" / "wheel"
specification = importlib.util.spec_from_file_location("add_licences", WHEEL / "add_licences.py")
add_licences = importlib.util.module_from_spec(specification)
specification.loader.exec_module(add_licences)


class Licences(unittest.TestCase):
    def test_no_library_is_only_under_the_gpl(self):
        table = add_licences.read_table((WHEEL / "licences.txt").read_text())
        self.assertGreater(len(table), 15)
        for library, licence in table.items():
            if "GPL" in licence:
                self.assertTrue(licence.endswith(" WITH GCC-exception-3.1"), library)

    def test_renamed_libraries_are_recognised(self):
        self.assertEqual(
            add_licences.original_name("libproj-222f463f.so.25.9.1.1"), "libproj.so.25.9.1.1"
        )
        self.assertEqual(
            add_licences.original_name("libcurl-gnutls-d6f8f84d.so.4"), "libcurl-gnutls.so.4"
        )

    @unittest.skipUnless(shutil.which("dpkg-query"), "of Debian's packages")
    def test_library_without_reviewed_licence_is_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            with self.assertRaises(SystemExit) as refusal:
                add_licences.notices(["libc.so.6"], Path(scratch))
            self.assertIn("/usr/share/doc/libc6/copyright", str(refusal.exception))
            self.assertEqual(list(Path(scratch).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
