"""A seeded campaign of damage against the program; see scripts/torture.sh."""

import argparse
import itertools
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
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path

from cases import KINDS, Bench
from running import NotSound, min_descriptors, min_memory, small_disk

# Results of cases without a fault, then the faults.
GOOD = ("same", "changed", "refused", "failed")
BAD = (
    *("crash", "hang", "half-written", "leftover", "silent", "status", "lines"),
    "raw text",
)

_bench = None


def prepare(program, scratch, seconds, minimums, numbers):
    """Makes a folder for a worker, with the undamaged files in it."""
    global _bench
    folder = scratch / f"{numbers.get():02d}"
    folder.mkdir()
    try:
        _bench = Bench(program, folder, seconds)
    except NotSound as error:  # run_case() raises it, because a pool hides an error of this function
        _bench = error
        return
    _bench.min_memory, _bench.min_descriptors = minimums
    _bench.disk = small_disk(folder)


def run_case(seed, kind, number):
    """(kind, number, words, what was done, results, outcome)"""
    if isinstance(_bench, NotSound):
        raise _bench
    try:
        command, what, found, outcome = KINDS[kind](_bench, random.Random(f"{seed}/{kind}/{number}"))
    except NotSound:
        raise
    except Exception:  # a fault of this script must not count as one of the program
        return kind, number, (), "torture itself failed", [("crash", traceback.format_exc())], None
    results = found or [({0: "same", 2: "refused"}.get(outcome.status, "failed"), "")]
    return kind, number, command.words, what, results, outcome


def tasks(chosen):
    """Cases of all kinds in turn, until their number or the time is reached"""
    end = None if chosen.seconds is None else time.monotonic() + chosen.seconds
    cases = ((kind, number) for number in itertools.count() for kind in chosen.kinds)
    for kind, number in itertools.islice(cases, chosen.count):
        if end is not None and time.monotonic() > end:
            return
        yield chosen.seed, kind, number


def results_of(pool, todo, room):
    """Yields results. Cases are submitted only as workers take them, so that the time limit holds."""
    waiting = {pool.submit(run_case, *task) for task in itertools.islice(todo, room)}
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        waiting |= {pool.submit(run_case, *task) for task in itertools.islice(todo, len(done))}
        yield from (future.result() for future in done)


def table(counts, kinds):
    """A row for each kind, and one for all"""
    columns = ("cases", *GOOD, *BAD)
    rows = [["", *columns]]
    for kind in [*kinds, "all"]:
        sums = [sum(counts[one, name] for one in kinds if kind in ("all", one)) for name in columns]
        rows.append([kind, *(str(n) if n else "." for n in sums)])
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/torture.sh", description="A seeded campaign of damage."
    )
    parser.add_argument("program", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="cases in all")
    parser.add_argument("--seconds", type=float, help="begin no case after this time (default: 60)")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)}")
    parser.add_argument("--case", help="KIND:NUMBER: only this one, with all output; its folder is left")
    parser.add_argument("--limit", type=float, default=30, help="seconds after which a case hangs (30)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
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


def repeat_one(chosen):
    result = run_case(chosen.seed, chosen.kinds[0], int(chosen.case.split(":")[1]))
    _, _, words, what, results, outcome = result
    print(f"tidewise {shlex.join(words)}\n{what}\nfolder: {_bench.folder}")
    if outcome:
        print(
            f"status {outcome.status} after {outcome.seconds:.2f} s\n"
            f"stdout: {outcome.output.decode(errors='replace')}\n"
            f"stderr: {outcome.errors.decode(errors='replace')}"
        )
    for name, why in results:
        print(f"{name}: {why}")
    return any(name in BAD for name, _ in results)


def campaign(chosen, pool):
    """Prints the counts, and a line for each fault. Returns True if there is one."""
    counts, begin = Counter(), time.monotonic()
    again = f"scripts/torture.sh --seed {chosen.seed} --limit {chosen.limit:g} --case"
    for result in results_of(pool, tasks(chosen), chosen.jobs + 1):
        kind, number, words, what, results, _ = result
        counts.update((kind, name) for name in {"cases", *(name for name, _ in results)})
        for name, why in results:
            if name in BAD:
                print(
                    f"{name}: {why}\n  {what}; tidewise {shlex.join(words)}\n"
                    f"  {again} {kind}:{number} {chosen.program}",
                    flush=True,
                )
    print(f"\n{table(counts, chosen.kinds)}\n")
    print(f"seed {chosen.seed}, {time.monotonic() - begin:.0f} s, {chosen.jobs} at once")
    return any(counts[key] for key in counts if key[1] in BAD)


def main():
    chosen = arguments()
    scratch = Path(tempfile.mkdtemp(prefix="tidewise_torture."))
    program = Path(shutil.copy(chosen.program, scratch / "tidewise"))
    if "disk" in chosen.kinds and small_disk(scratch) is None:
        print("disk: only by a limit on files; a small file system needs root")
    minimums = min_memory(program, scratch), min_descriptors(program, scratch)
    numbers = multiprocessing.Queue()
    for number in range(chosen.jobs):
        numbers.put(number)
    settings = (program, scratch, chosen.limit, minimums, numbers)
    if chosen.case:
        prepare(*settings)
        return repeat_one(chosen)
    try:
        with ProcessPoolExecutor(chosen.jobs, initializer=prepare, initargs=settings) as pool:
            return campaign(chosen, pool)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotSound as error:
        sys.exit(f"torture: {error}")
