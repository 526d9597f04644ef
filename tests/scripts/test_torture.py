"""The campaign of damage reports all faults, and a seed always damages the same bytes."""

import random
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "torture"))

import cases
import commands
import damage
import running
from running import Limits, run
from undamaged import ClassicWriter

HDF5 = b"\x89HDF\r\n\x1a\n" + bytes([2, 8, 8, 0]) + bytes(16)
COMMAND = commands.Command((), ("o.h5",))


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, script, seconds=20, limits=Limits()):
        return run("/bin/sh", ["-c", script], self.folder, seconds, limits)

    def kinds(self, script, seconds=20):
        return [kind for kind, _ in running.faults(self.run_script(script, seconds), (2,))]

    def leftovers(self, before, succeeded):
        after = running.listing(self.folder)
        return [kind for kind, _ in running.leftovers(before, after, COMMAND, succeeded)]

    def test_a_refusal_and_a_success_are_no_faults(self):
        self.assertEqual(self.kinds("echo 'tidewise: error: no such key' >&2; exit 2"), [])
        warning = "echo 'tidewise: warning: coarse' >&2; "
        self.assertEqual(self.kinds(warning + "echo 'tidewise: error: x' >&2; exit 2"), [])
        self.assertEqual(self.kinds("echo done"), [])

    def test_each_fault_is_reported(self):
        error = "echo 'tidewise: error: x' >&2; "
        for script, kind in (
            ("kill -SEGV $$", "crash"),
            (error + "exit 134", "crash"),
            ("exec sleep 60", "hang"),
            (error + "exit 1", "status"),
            (error + error + "exit 2", "lines"),
            ("exit 2", "lines"),
            ("echo 'tidewise: warning: coarse' >&2; exit 2", "lines"),
            ("echo wrong >&2; exit 2", "lines"),
            ("echo 'tidewise: error: H5Dread() failed' >&2; exit 2", "raw text"),
            (r"printf 'a \033[31m b\n'", "raw text"),
            (r"printf '\377\n'", "raw text"),
            ("head -c 5000 /dev/zero | tr '\\0' x", "lines"),
            ("sleep 60 >/dev/null 2>&1 &", "leftover"),
        ):
            with self.subTest(script):
                self.assertEqual(self.kinds(script, seconds=1 if kind == "hang" else 20), [kind])

    def test_limits_reach_the_program(self):
        limits = Limits(file_size=4096)
        self.run_script("head -c 9000 /dev/zero > long; wc -c < long", limits=limits)
        self.assertLessEqual((self.folder / "long").stat().st_size, 4096)
        limited = self.run_script("ulimit -n", limits=Limits(descriptors=17))
        self.assertEqual(limited.output, b"17\n")
        self.assertTrue(self.run_script("exec sleep 60", limits=Limits(kill_after=0.2)).killed)

    def test_remaining_files_are_reported(self):
        (self.folder / "input").write_text("undamaged")
        before = running.listing(self.folder)
        self.assertEqual(self.leftovers(before, False), [])
        (self.folder / "o.h5").write_bytes(b"half")
        (self.folder / ".o.h5.7.tmp").touch()
        (self.folder / "input").write_text("not what it was")
        self.assertEqual(self.leftovers(before, False), ["leftover", "half-written", "half-written"])
        self.assertEqual(self.leftovers(before, True), ["leftover", "half-written"])

    def test_half_a_file_is_incomplete(self):
        self.assertIsNotNone(commands.missing(COMMAND, self.folder))
        hdf5 = HDF5 + (100).to_bytes(8, "little") + bytes(64)
        for name, data in (("o.h5", hdf5), ("o.geojson", b'{"a": [1]}'), ("o.kml", b"<a>b</a>")):
            command = commands.Command((), (name,))
            (self.folder / name).write_bytes(data)
            self.assertIsNone(commands.missing(command, self.folder))
            self.assertIsNone(commands.not_whole(command, self.folder))
            for part in (data[:-1], data[:5], b""):
                (self.folder / name).write_bytes(part)
                self.assertIsNotNone(commands.not_whole(command, self.folder))


class Damage(unittest.TestCase):
    def test_a_seed_gives_the_same_bytes(self):
        data = HDF5 + b"OHDR" + bytes(range(256)) * 20
        text = b'[mission]\nstart = [1.5, 2]\nname = "reef"\n'
        for functions, undamaged in ((damage.BINARY, data), (damage.TEXT, text)):
            for function, _ in functions:
                damaged = [function(random.Random(seed), undamaged) for seed in (*range(30), *range(30))]
                self.assertEqual(damaged[:30], damaged[30:], function.__name__)
                self.assertTrue(any(data != undamaged for data in damaged), function.__name__)

    def test_classic_files_follow_the_format(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.nc"
            writer = ClassicWriter(1, {"x": 2})
            writer.variable("x", ["x"], "d", [1.0, 2.0], {"units": "m"})
            writer.write(path)
            self.assertEqual(
                path.read_bytes(),
                bytes.fromhex(
                    "43444601 00000000 0000000a00000001 0000000178000000 00000002"
                    "0000000000000000 0000000b00000001 0000000178000000 0000000100000000"
                    "0000000c00000001 00000005756e697473000000 00000002 000000016d000000"
                    "00000006 00000010 00000068 3ff0000000000000 4000000000000000"
                ),
            )


class Page(unittest.TestCase):
    def test_the_page_describes_each_kind(self):
        page = (ROOT / "docs" / "trust" / "reliability.md").read_text()
        kinds = re.findall(r"\*([a-z]+)\*", page.partition("The kinds:")[2].partition("\nResults")[0])
        self.assertEqual(sorted(kinds), sorted(cases.KINDS))


if __name__ == "__main__":
    unittest.main()
