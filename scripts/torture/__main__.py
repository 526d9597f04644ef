"""A seeded campaign of damage against the program; see scripts/torture.sh."""

import argparse
import multiprocessing
import os
import random
import shlex
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from bench import Bench
from coverage import coverage_table
from damaged_inputs import DAMAGED, run_damaged
from faults import FAULTS
from flags import flags
from links import links
from machine import least_descriptors, least_memory, small_disk
from overwriting import overwriting
from parts import parts
from pilot import PILOT
from shapes import shapes
from sizes import sizes
from sound import NotSound

OTHERS = FAULTS | PILOT
OTHERS |= {one.__name__: one for one in (links, shapes, sizes, overwriting, parts, flags)}
KINDS = [*DAMAGED, *OTHERS]
# What a case may come to without a fault, then the faults.
GOOD = ("same", "changed", "refused", "failed")
BAD = (
    *("crash", "hang", "lost", "half-written", "leftover", "silent", "status", "lines"),
    "raw text",
)

_bench = None


def prepare(program, scratch, seconds, least, numbers):
    """In each worker: a place of its own, with the undamaged files in it."""
    global _bench
    number = numbers.get()
    place = scratch / f"{number:02d}"
    place.mkdir()
    try:
        _bench = Bench(program, place, seconds)
    except (
        NotSound
    ) as error:  # told by the first case: a worker that ends is started anew, for ever
        _bench = error
        return
    _bench.number, (_bench.least_memory, _bench.least_descriptors) = number, least
    _bench.disk = small_disk(place)


def run_case(task):
    """(kind, number, words, what was done, verdicts, outcome)"""
    if isinstance(_bench, NotSound):
        raise _bench
    seed, kind, number = task
    rng = random.Random(f"{seed}/{kind}/{number}")
    try:
        run = (
            (lambda: run_damaged(_bench, kind, rng))
            if kind in DAMAGED
            else (lambda: OTHERS[kind](_bench, rng))
        )
        command, what, found, outcome = run()
    except NotSound:
        raise
    except Exception:  # a fault of this script must not pass for the program's
        return kind, number, (), "torture itself failed", [("crash", traceback.format_exc())], None
    verdicts = found or [({0: "same", 1: "failed", 2: "refused"}.get(outcome.status, "failed"), "")]
    return kind, number, command.words, what, verdicts, outcome


def tasks(seed, kinds, count, seconds):
    """Kind after kind, until there are enough or time is up."""
    end = None if seconds is None else time.monotonic() + seconds
    number = 0
    while True:
        for kind in kinds:
            if (count is not None and count <= 0) or (end is not None and time.monotonic() > end):
                return
            if count is not None:
                count -= 1
            yield seed, kind, number
        number += 1


def rows_of(counts, kinds):
    """A row for each kind, with its counts as text; the first row has the names of the columns"""
    columns = ("cases", *GOOD, *BAD)
    rows = [["", *columns]]
    for kind in [*kinds, "all"]:
        mine = [(key, n) for key, n in counts.items() if kind in ("all", key[0])]
        cells = [sum(n for key, n in mine if key[1] == column) for column in columns]
        rows.append([kind, *(str(n) if n else "." for n in cells)])
    return rows


def plain_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )


def markdown_table(rows):
    """Columns without a count are left out, faults among them."""
    kept = [n for n, column in enumerate(zip(*rows)) if n < 6 or any(c != "." for c in column[1:])]
    lines = [[row[n] if row[n] != "." else "" for n in kept] for row in rows]
    lines.insert(1, ["---"] * len(kept))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/torture.sh", description="A seeded campaign of damage."
    )
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="cases in all")
    parser.add_argument("--seconds", type=float, help="begin no case after this time (default: 60)")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)}")
    parser.add_argument(
        "--case", help="KIND:NUMBER: this one alone, with all that it says; its folder is left"
    )
    parser.add_argument("--show", default="", help=f"tell these as well, of {', '.join(GOOD)}")
    parser.add_argument(
        "--limit", type=float, default=30, help="seconds after which a case hangs (30)"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="print the table of counts in Markdown"
    )
    parser.add_argument(
        "--describe", action="store_true", help="print the table of kinds in Markdown, run nothing"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    if chosen.describe:
        return chosen
    if chosen.program is None:
        parser.error("name the program, e.g. build/cpu/app/tidewise")
    if chosen.case:
        chosen.kinds, chosen.jobs = chosen.case.split(":")[0], 1
    chosen.kinds = chosen.kinds.split(",")
    for kind in chosen.kinds:
        if kind not in KINDS:
            parser.error(f"'{kind}' is no kind; there are {', '.join(KINDS)}")
    if not os.access(chosen.program, os.X_OK):
        parser.error(
            f"{chosen.program} is no program; build it: "
            "cmake --build --preset cpu --target tidewise"
        )
    if chosen.count is None and chosen.seconds is None:
        chosen.seconds = 60
    return chosen


def say_what_is_left_out(chosen, scratch):
    if os.geteuid() != 0 and "threads" in chosen.kinds:
        print("threads: left out; they are limited for a user, and only root can be another one")
        chosen.kinds.remove("threads")
    if "disk" in chosen.kinds and small_disk(scratch) is None:
        print("disk: by a limit on files alone; a small file system needs root")


def repeat_one(chosen, scratch):
    result = run_case((chosen.seed, chosen.kinds[0], int(chosen.case.split(":")[1])))
    kind, number, words, what, verdicts, outcome = result
    print(f"tidewise {shlex.join(words)}\n{what}\nfolder: {_bench.folder}")
    if outcome:
        print(
            f"status {outcome.status} after {outcome.seconds:.2f} s\nstdout: {outcome.output.decode(errors='replace')}"
            f"\nstderr: {outcome.errors.decode(errors='replace')}"
        )
    for verdict, why in verdicts:
        print(f"{verdict}: {why}")
    return any(verdict in BAD for verdict, _ in verdicts)


def campaign(chosen, pool):
    """The counts, and a line for each fault."""
    counts, begin = Counter(), time.monotonic()
    again = f"scripts/torture.sh --seed {chosen.seed} --limit {chosen.limit:g} --case"
    for kind, number, words, what, verdicts, _ in pool.imap_unordered(
        run_case, tasks(chosen.seed, chosen.kinds, chosen.count, chosen.seconds)
    ):
        counts[kind, "cases"] += 1
        for verdict in sorted({verdict for verdict, _ in verdicts}):
            counts[kind, verdict] += 1
        for verdict, why in verdicts:
            if verdict in BAD or verdict in chosen.show.split(","):
                print(
                    f"{verdict}: {why}\n  {what}; tidewise {shlex.join(words)}\n"
                    f"  {again} {kind}:{number} {chosen.program}",
                    flush=True,
                )
    rows = rows_of(counts, chosen.kinds)
    table = markdown_table(rows) if chosen.markdown else plain_table(rows)
    print(
        f"\n{table}\n\nseed {chosen.seed}, {time.monotonic() - begin:.0f} s, {chosen.jobs} at once"
    )
    return any(counts[key] for key in counts if key[1] in BAD)


class Throttled:
    """Tasks no faster than workers take them, so that time is up when it is up."""

    def __init__(self, pool, room):
        self._pool, self._room, self._is_over = pool, multiprocessing.Semaphore(room), False

    def imap_unordered(self, function, items):
        def held():
            for item in items:
                self._room.acquire()
                if self._is_over:
                    return
                yield item

        try:
            for result in self._pool.imap_unordered(function, held()):
                self._room.release()
                yield result
        finally:  # a pool cannot end while its thread of tasks waits
            self._is_over = True
            self._room.release()


def main():
    chosen = arguments()
    if chosen.describe:
        print(coverage_table())
        return 0
    scratch = Path(tempfile.mkdtemp(prefix="tidewise_torture."))
    scratch.chmod(0o755)
    program = scratch / "tidewise"  # where every user can run it
    shutil.copy(chosen.program, program)
    program.chmod(0o755)
    say_what_is_left_out(chosen, scratch)
    least = least_memory(program, scratch), least_descriptors(program, scratch)
    numbers = multiprocessing.Queue()
    for number in range(chosen.jobs):
        numbers.put(number)
    settings = (program, scratch, chosen.limit, least, numbers)
    if chosen.case:
        prepare(*settings)
        return 1 if repeat_one(chosen, scratch) else 0
    try:
        with multiprocessing.Pool(chosen.jobs, prepare, settings) as pool:
            return 1 if campaign(chosen, Throttled(pool, chosen.jobs + 1)) else 0
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotSound as error:
        sys.exit(f"torture: {error}")
