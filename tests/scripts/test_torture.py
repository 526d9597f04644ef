"""The campaign of damage tells what is wrong, and damages the same bytes for the same seed."""

import random
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "torture"))

import byte_damage
import commands
import judge
import text_damage
from classic_netcdf import ClassicWriter
from running import Limits, run

HDF5 = b"\x89HDF\r\n\x1a\n" + bytes([2, 8, 8, 0]) + bytes(16)
COMMAND = commands.Command("try", (), ("o.h5",))


class Judging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, script, seconds=20, limits=Limits()):
        return run("/bin/sh", ["-c", script], self.folder, seconds, limits)

    def kinds(self, script, statuses=(2,), seconds=20):
        return [kind for kind, _ in judge.faults(self.run_script(script, seconds), statuses)]

    def test_a_refusal_and_a_success_are_no_faults(self):
        self.assertEqual(self.kinds("echo 'tidewise: error: no such key' >&2; exit 2"), [])
        self.assertEqual(self.kinds("echo done"), [])

    def test_each_fault_is_told(self):
        error = "echo 'tidewise: error: x' >&2; "
        for script, kind in (
            ("kill -SEGV $$", "crash"),
            (error + "exit 134", "crash"),
            ("exec sleep 60", "hang"),
            (error + "exit 1", "status"),
            (error + error + "exit 2", "lines"),
            ("exit 2", "lines"),
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
        self.run_script(
            "head -c 9000 /dev/zero > long; wc -c < long", limits=Limits(file_size=4096)
        )
        self.assertLessEqual((self.folder / "long").stat().st_size, 4096)
        self.assertEqual(
            self.run_script("ulimit -n", limits=Limits(descriptors=17)).output, b"17\n"
        )
        self.assertTrue(self.run_script("exec sleep 60", limits=Limits(kill_after=0.2)).killed)
        self.assertNotEqual(
            self.run_script("echo x", limits=Limits(standard_output="full")).status, 0
        )

    def test_what_is_left_is_told(self):
        (self.folder / "input").write_text("sound")
        before = judge.listing(self.folder)
        self.assertEqual(judge.leftovers(before, judge.listing(self.folder), COMMAND, False), [])
        (self.folder / "o.h5").write_bytes(b"half")
        (self.folder / ".o.h5.7.tmp").touch()
        (self.folder / "input").write_text("not what it was")
        kinds = [
            kind for kind, _ in judge.leftovers(before, judge.listing(self.folder), COMMAND, False)
        ]
        self.assertEqual(kinds, ["leftover", "half-written", "half-written"])
        kinds = [
            kind for kind, _ in judge.leftovers(before, judge.listing(self.folder), COMMAND, True)
        ]
        self.assertEqual(kinds, ["leftover", "half-written"])

    def test_half_a_file_is_not_whole(self):
        self.assertIsNotNone(commands.missing(COMMAND, self.folder))
        whole = HDF5 + (100).to_bytes(8, "little") + bytes(64)
        (self.folder / "o.h5").write_bytes(whole)
        self.assertIsNone(commands.missing(COMMAND, self.folder))
        self.assertIsNone(commands.not_whole(COMMAND, self.folder))
        for part in (whole[:-1], whole[:5], b""):
            (self.folder / "o.h5").write_bytes(part)
            self.assertIsNotNone(commands.not_whole(COMMAND, self.folder))


class Damage(unittest.TestCase):
    def test_a_seed_gives_the_same_bytes(self):
        data = HDF5 + b"OHDR" + bytes(range(256)) * 20
        text = b'[mission]\nstart = [1.5, 2]\nname = "reef"\n'
        for functions, sound in ((byte_damage.BINARY, data), (text_damage.TEXT, text)):
            for damage, _ in functions:
                made = [damage(random.Random(seed), sound) for seed in (*range(30), *range(30))]
                self.assertEqual(made[:30], made[30:], damage.__name__)
                self.assertTrue(any(one != sound for one in made), damage.__name__)

    def test_classic_files_are_as_the_format_says(self):
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


if __name__ == "__main__":
    unittest.main()
