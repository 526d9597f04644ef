"""The campaign of damage reports what is wrong, and damages the same bytes for the same seed."""

import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
TORTURE = ROOT / "scripts" / "torture"
sys.path.insert(0, str(TORTURE))

import byte_damage
import commands
import hdf5_patch
import judge
import links
import text_damage
from classic_netcdf import ClassicWriter
from coverage import COVERAGE, coverage_table
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

    def test_classic_files_hold_attributes_of_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.nc"
            writer = ClassicWriter(1, {"x": 1})
            writer.variable("x", ["x"], "h", [7], {"_FillValue": ("h", [-1])})
            writer.write(path)
            # name of 10 bytes, NC_SHORT, one number
            self.assertIn(
                bytes.fromhex("0000000a5f46696c6c56616c75650000 00000003 00000001 ffff0000"),
                path.read_bytes(),
            )


class Hdf5Patch(unittest.TestCase):
    sound = (TORTURE / "forecast4.nc").read_bytes()

    def test_checksums_are_those_of_lookup3(self):
        # Jenkins' own test vectors
        self.assertEqual(hdf5_patch.checksum(b""), 0xDEADBEEF)
        self.assertEqual(hdf5_patch.checksum(b"Four score and seven years ago"), 0x17770551)

    def test_a_replaced_dataset_has_the_new_shape_and_valid_checksums(self):
        before = hdf5_patch.datasets(self.sound)
        self.assertEqual(before["water_u"].shape, (12, 8, 9))
        for shape, letter in (((8,), "d"), ((2, 3, 4), "f"), ((), "i"), ((0, 5), "q")):
            file = hdf5_patch.replaced(self.sound, "lat", shape, letter, [1, 2])
            after = hdf5_patch.datasets(file)
            self.assertEqual((after["lat"].shape, after["lat"].letter), (shape, letter))
            self.assertEqual(after["lat"].attributes, before["lat"].attributes)
            self.assertEqual(after["water_u"], before["water_u"])
            for begin, end, seal in hdf5_patch._structures(file):
                self.assertTrue(hdf5_patch._is_sealed(file, begin, end, seal))

    def test_values_are_repeated(self):
        file = hdf5_patch.replaced(self.sound, "lon", (3,), "d", [1.5, 1e12])
        self.assertIn(struct.pack("<3d", 1.5, 1e12, 1.5), file)


class Links(unittest.TestCase):
    def test_links_lead_to_the_users_files(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            treasure = links._make_treasure(folder)
            planted = links._plant(
                random.Random(1),
                folder,
                [(".o.h5.0123456789ab.tmp", "photos"), ("o/.run.tmp", ".")],
            )
            for place in planted:
                self.assertTrue((folder / place).is_symlink())
                self.assertTrue((folder / place).resolve().is_relative_to(treasure))


class Coverage(unittest.TestCase):
    def test_the_page_has_the_table_of_kinds(self):
        page = (ROOT / "docs" / "trust" / "reliability.md").read_text()
        self.assertIn(coverage_table(), page)

    def test_each_kind_is_described(self):
        command = [sys.executable, "-B", str(TORTURE), "--help"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        kinds = re.search(r"--kinds KINDS\s+of ([^)]*?)\n  --", text, re.S).group(1)
        self.assertEqual({kind.strip() for kind in kinds.split(",")}, set(COVERAGE))


if __name__ == "__main__":
    unittest.main()
