"""pip uses libraries of a build folder only if that is a release build of the checkout."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "build_backend"))

try:
    import backend
except ImportError as error:
    raise unittest.SkipTest(f"needs scikit-build-core and nanobind, as build/python has: {error}") from error


class FindBuild(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = Path(folder.name).resolve()
        for patch in (
            mock.patch.object(backend, "HERE", self.checkout / "python"),
            mock.patch.dict(backend.os.environ),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        backend.os.environ.pop("TIDEWISE_BUILD", None)

    def make_build(self, name="cpu", *, source=None, build_type="Release", sanitize="OFF"):
        folder = self.checkout / "build" / name
        folder.mkdir(parents=True)
        (folder / "CMakeCache.txt").write_text(
            f"CMAKE_HOME_DIRECTORY:INTERNAL={source or self.checkout}\n"
            f"CMAKE_BUILD_TYPE:STRING={build_type}\nTIDEWISE_SANITIZE:BOOL={sanitize}\n"
        )
        return folder

    def test_takes_release_build_of_this_checkout(self):
        self.assertIsNone(backend.find_build(None))
        folder = self.make_build()
        self.assertEqual(backend.find_build(None), folder)
        self.assertEqual(backend.find_build({"wheel.py-api": "py3"}), folder)

    def test_leaves_other_builds(self):
        for name, different in {
            "a": {"build_type": "Debug"},
            "b": {"sanitize": "ON"},
            "c": {"source": "/elsewhere"},
        }.items():
            folder = self.make_build(name, **different)
            backend.os.environ["TIDEWISE_BUILD"] = str(folder)
            with self.assertRaisesRegex(SystemExit, f"TIDEWISE_BUILD: {folder} is not a release"):
                backend.find_build(None)
            folder.rename(self.checkout / "build" / "cpu")
            del backend.os.environ["TIDEWISE_BUILD"]
            self.assertIsNone(backend.find_build(None))
            (self.checkout / "build" / "cpu").rename(folder)

    def test_takes_named_folder(self):
        self.make_build()
        folder = self.make_build("cuda")
        backend.os.environ["TIDEWISE_BUILD"] = str(folder)
        self.assertEqual(backend.find_build(None), folder)

    def test_settings_of_cmake_require_a_separate_build(self):
        self.make_build()
        self.assertIsNone(backend.find_build({"cmake.define.TIDEWISE_GYRE": "ON"}))


if __name__ == "__main__":
    unittest.main()
