"""Cases of a machine that fails: kills, full disks, little memory, few descriptors and threads,
closed streams, several processes at one place. The inputs are sound."""

import os
import shlex
import signal
import threading
from dataclasses import replace

import commands as c
from judge import faults as faults_of
from judge import leftovers, listing
from running import Limits, run

_COMMANDS = [
    c.CHECK,
    c.INFO,
    c.PLAN,
    c.BUILD,
    c.RESAMPLE,
    c.ROLLOUT,
    c.COMPARE,
    c.REFINE,
    c.BATCH,
    c.PLAN_MODEL,
    c.SOLVE_MODEL,
    c.GYRE,
    c.OCEAN,
    c.GRIDWORLD,
    c.EXPORT,
    c.observe("track.csv"),
    c.replan("steered.csv"),
    c.solve("world.h5"),
    c.solve("world.json"),
    c.convert("world.h5", "o.json"),
    c.convert("world.json", "o.h5"),
    c.convert("world.h5", "o.xml"),
    c.bring_in("forecast2.nc"),
    c.bring_in("forecast4.nc"),
]
WRITING = [command for command in _COMMANDS if command.outputs]
# A replan that was killed when it was done is refused the second time: it keeps what is there.
_REPEATED = [command for command in WRITING if command.name != "replan"]


def _differs(bench, command, outcome, with_output=True):
    """A fault where a run of status 0 gives another answer than one with all that it needs."""
    given, expected = bench.read_answer(command, outcome), bench.answer(command)
    difference = c.difference(given if with_output else (expected[0], given[1]), expected)
    return [("silent", difference)] if difference else []


def _limited(bench, command, limits, what, statuses=(1,)):
    bench.answer(command)
    bench.restore()
    if limits.user is not None:
        for folder, folders, files in os.walk(bench.folder):
            for name in [folder, *(os.path.join(folder, n) for n in [*folders, *files])]:
                os.chown(name, limits.user, limits.user)
    outcome, found = bench.run_and_judge(command, statuses, limits)
    if not found and outcome.status == 0:
        found = _differs(bench, command, outcome)
    return command, what, found, outcome


def kill(bench, rng):
    command = rng.choice(_REPEATED)
    duration = bench.duration(command)
    bench.restore()
    before = listing(bench.folder)
    found, moments = [], []
    for _ in range(rng.choice((1, 1, 2, 3))):
        moments.append(round(rng.uniform(0, 1.1 * duration), 4))
        outcome = bench.run(
            command, Limits(kill_after=moments[-1]), command.again if len(moments) > 1 else ()
        )
        if not outcome.killed:
            break
        # What has its final name must be whole.
        lacking = None if command.keeps_folder else c.not_whole(command, bench.folder)
        if lacking:
            found.append(("half-written", lacking))
    # What the killed ones left goes with the run that is not.
    outcome, more = bench.run_and_judge(command, (), again=command.again, before=before)
    found += more or _differs(bench, command, outcome, with_output="--resume" not in command.again)
    return command, f"killed after {moments} s, then repeated", found, outcome


def disk(bench, rng):
    command = rng.choice(WRITING)
    room = rng.randrange(int(1.05 * bench.largest_output(command)) + 1)
    statuses = (1,)
    if bench.disk is None or rng.random() < 0.5:
        return _limited(
            bench, command, Limits(file_size=room), f"no file longer than {room} bytes", statuses
        )
    pages = rng.randrange(2, 12 + 2 * bench.largest_output(command) // 4096)
    bench.restore()
    with bench.disk(pages * 4096) as output:
        moved = replace(
            command,
            restart=f"{output}/{command.restart}" if command.restart else "",
            outputs=tuple(f"{output}/{name}" for name in command.outputs),
            words=tuple(
                f"{output}/{word}" if word == "o" or word.startswith("o.") else word
                for word in command.words
            ),
        )
        outcome, found = bench.run_and_judge(moved, statuses)
    return command, f"a disk of {pages} pages", found, outcome


def memory(bench, rng):
    command = rng.choice(_COMMANDS)
    limit = bench.least_memory + int(2 ** rng.uniform(16, 28))
    return _limited(bench, command, Limits(memory=limit), f"{limit} bytes of address space")


def descriptors(bench, rng):
    limit = bench.least_descriptors + rng.randrange(6)
    return _limited(bench, rng.choice(_COMMANDS), Limits(descriptors=limit), f"{limit} descriptors")


def threads(bench, rng):
    limit = rng.randrange(1, 6)
    user = 100_000 + os.getpid()  # one that nobody is, as threads are limited for a user
    return _limited(
        bench, rng.choice(_COMMANDS), Limits(processes=limit, user=user), f"{limit} threads"
    )


def streams(bench, rng):
    quiet = rng.choice(_COMMANDS)
    command = replace(quiet, words=tuple(word for word in quiet.words if word != "-q"))
    kinds = ("pipe", "full", "reader_gone")
    limits = Limits(
        closed=rng.choice(((), (), (0,), (1,), (2,), (1, 2), (0, 1, 2))),
        standard_output=rng.choice(kinds),
        standard_error=rng.choice(kinds),
    )
    fails = rng.random() < 0.2  # an error has to be told as well
    bench.answer(command)
    bench.restore()
    before = listing(bench.folder)
    outcome = bench.run(command, limits, ("--no-such-option",) if fails else ())
    # SIGPIPE is how a program ends whose reader has left.
    gone = outcome.status == -signal.SIGPIPE and "reader_gone" in (
        limits.standard_output,
        limits.standard_error,
    )
    found = [] if gone else faults_of(outcome, (2,) if fails else (1,), errors_seen=False)
    # A result is right even where nobody could be told of it.
    found += leftovers(before, listing(bench.folder), command, not fails)
    lacking = c.not_whole(command, bench.folder) or (
        c.missing(command, bench.folder) if outcome.status == 0 else None
    )
    if lacking:
        found.append(("half-written", lacking))
    elif outcome.status == 0 and not found:
        found = _differs(bench, command, outcome, with_output=False)
    what = (
        f"closed {limits.closed}, stdout {limits.standard_output}, stderr {limits.standard_error}"
    )
    return command, what + (", --no-such-option" if fails else ""), found, outcome


def folders(bench, rng):
    """The working folder is removed, or nothing can be written to."""
    command = rng.choice(_COMMANDS)
    bench.answer(command)
    bench.restore()
    place = bench.folder / "gone"
    place.mkdir()
    before = listing(bench.folder)
    outcome = run(bench.program, command.words, place, bench.seconds, Limits(leave_folder=True))
    before.pop("gone", None)
    made = c.Command(command.name, command.words)
    found = faults_of(outcome, (1, 2)) + leftovers(
        before, listing(bench.folder), made, outcome.status == 0
    )
    return command, "in a folder that was removed", found, outcome


def together(bench, rng):
    """Several of one command at once: each is done or refused, and the result is one's."""
    command = rng.choice(
        [
            c.PLAN,
            c.ROLLOUT,
            c.BATCH,
            c.REFINE,
            c.GYRE,
            c.RESAMPLE,
            c.convert("world.h5", "o.json"),
            c.Command("rollout", ("rollout", "run", "-q")),
        ]
    )
    count = rng.randrange(2, 5)
    bench.answer(command)
    bench.restore()
    before = listing(bench.folder)
    outcomes = []
    workers = [
        threading.Thread(target=lambda: outcomes.append(bench.run(command))) for _ in range(count)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = [fault for outcome in outcomes for fault in faults_of(outcome, (1, 2))]
    done = [outcome for outcome in outcomes if outcome.status == 0]
    if not done:
        found.append(("status", "none of them was done"))
    elif command.outputs:
        lacking = c.missing(command, bench.folder) or c.not_whole(command, bench.folder)
        found += (
            [("half-written", lacking)]
            if lacking
            else _differs(bench, command, done[0], with_output=False)
        )
        found += leftovers(before, listing(bench.folder), command, True)
    else:
        results = len(
            [
                path
                for path in (bench.folder / "run").glob("rollout_*")
                if (path / "summary.json").exists()
            ]
        )
        if results != len(done):
            found.append(
                ("silent", f"{len(done)} say that they are done, and there are {results} results")
            )
    return (
        command,
        f"{count} at once",
        found,
        max(outcomes, key=lambda outcome: abs(outcome.status)),
    )


# Each is wrong by itself, whatever the files hold.
_REFUSED = [
    "rollout run --at-xy 500,500 --out o",
    "rollout run --at-xy nan,2 --out o",
    "rollout run --out o --at-xy ''",
    "rollout run --out o --time ''",
    "plan m.toml --set mission.start=[1e30,2] --out o",
    "plan m.toml --set vehicle.headings=8.5 --out o",
    "plan m.toml --set vehicle.speeds=[1e-308] --out o",
    "plan m.toml --threads -1 --out o",
    "plan m.toml --out o --arrival-at-least ''",
    "plan /dev/zero --out o",
    "env info /dev/zero",
    "env import /dev/zero --out o.h5",
    "env import forecast2.nc --obstacles /dev/zero --out o.h5",
    "export run --format csv,nonsense --out o",
    "export run --out o --format ,",
    "export run --out o --format csv,,gpx",
    "plan m.toml --threads 1000 --out o",
    "export run --format csv --threads 1000 --out o",
    "lookup sea --at -18.5,41.5 --time nan",
    "observe ocean.h5 --track track.csv --track /dev/zero --out o.h5",
    "export run --format policy,nonsense --out o",
    "observe gyre.h5 --track /dev/zero --out o.h5",
    "observe gyre.h5 --track m.toml --out o.h5",
    "replan run --passed -1 --at-xy 6.5,4.5 --time 3 --out o",
    "replan run --at-xy 500,500 --time 3 --out o",
    "solve /dev/zero --out o.txt",
]


def words(bench, rng):
    """A command that has to be refused, and to leave nothing."""
    command = c.Command("words", (*shlex.split(rng.choice(_REFUSED)), "-q"))
    bench.restore()
    outcome, found = bench.run_and_judge(command, (2,))
    if outcome.status == 0:
        found.append(("silent", "was not refused"))
    return command, "wrong words", found, outcome


FAULTS = {
    "kill": kill,
    "disk": disk,
    "memory": memory,
    "descriptors": descriptors,
    "threads": threads,
    "streams": streams,
    "folders": folders,
    "words": words,
    "together": together,
}
