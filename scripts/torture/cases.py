"""The kinds of cases. Each is a function of (bench, rng) that returns (command, what was done, faults, outcome)."""

import os
import shlex
import threading
from dataclasses import replace

import commands as c
import damage
import undamaged
from running import Limits, NotSound, faults, leftovers, listing, run


class Bench:
    """The files of one worker: the undamaged files, the folder of the current case, and the program."""

    def __init__(self, program, place, seconds):
        # Cases use the path at which the undamaged files were made, because runs record it.
        self.program, self.seconds = program, seconds
        self.folder, self.undamaged = place / "case", place / "undamaged"
        undamaged.make(program, self.folder, seconds)
        self.folder.rename(self.undamaged)
        self._learned = {}

    def restore(self):
        undamaged.restore(self.undamaged, self.folder)

    def run(self, command, limits=Limits(), again=()):
        return run(self.program, [*command.words, *again], self.folder, self.seconds, limits)

    def learn(self, command):
        """(answer, seconds, bytes of the largest output) of the command on undamaged files"""
        if command not in self._learned:
            self.restore()
            outcome = self.run(command)
            if outcome.status != 0:
                raise NotSound(
                    f"{command.words} on undamaged files: {outcome.status}, {outcome.errors!r}"
                )
            sizes = [file.stat().st_size for file in c.files_of(self.folder, command.outputs)]
            answer = c.answer(command, self.folder, outcome.output)
            self._learned[command] = answer, outcome.seconds, max(sizes, default=1)
        return self._learned[command]

    def difference(self, command, outcome, with_output=True):
        """The difference between the answer of a run and that on undamaged files; None if they are equal"""
        given, expected = c.answer(command, self.folder, outcome.output), self.learn(command)[0]
        return c.difference(given if with_output else (expected[0], given[1]), expected)

    def try_out(self, command, statuses, limits=Limits(), again=(), before=None):
        """(outcome, faults) of one run; `before` lists the files that may exist."""
        before = before or listing(self.folder)
        outcome = self.run(command, limits, again)
        found = faults(outcome, statuses)
        if not outcome.killed and not outcome.hung:
            found += leftovers(before, listing(self.folder), command, outcome.status == 0)
        if outcome.status == 0:
            if command.restart and (self.folder / command.restart).exists():
                found.append(("leftover", command.restart))
            lacking = c.missing(command, self.folder) or c.not_whole(command, self.folder)
            if lacking:
                found.append(("half-written", lacking))
        return outcome, found


# Damaged inputs: one file of the undamaged set is damaged, one command reads it.

_OF_POLICIES = (c.ROLLOUT, c.ROLLOUT_ELSEWHERE, c.COMPARE, c.REFINE)
_CHECKPOINTS = ("checkpoint.h5", "spun_up.h5", "levels_000000.h5", "options.txt")
_TEXT_ENDINGS = (".json", ".xml", ".toml", ".geojson", ".txt", ".csv")
# kind: [(file that is damaged, commands that read it)]
_DAMAGED = {
    "environments": [
        ("gyre.h5", (c.CHECK, c.INFO, c.PLAN, c.BUILD, c.RESAMPLE, c.ROLLOUT, c.DRY_BATCH)),
        ("ocean.h5", (c.CHECK_OCEAN, c.INFO_OCEAN, c.PLAN_OCEAN, c.RESAMPLE_OCEAN)),
        ("other.h5", (c.ROLLOUT_IN_OTHER,)),
    ],
    "policies": [
        ("run/policy.h5", (*_OF_POLICIES, c.ROLLOUT_IN_OTHER)),
        ("run/policy.h5", _OF_POLICIES),
        ("run/summary.json", (c.COMPARE,)),
    ],
    "checkpoints": [(f"o.h5.restart/{file}", (c.OCEAN,)) for file in _CHECKPOINTS],
    "models": [("model.h5", (c.PLAN_MODEL,))],
    "processes": [
        (file, (c.solve(file), c.convert(file, "json"), c.convert(file, "h5")))
        for file in (*["world.h5"] * 3, "world.json", "world.xml")
    ],
    "forecasts": [(f"forecast{n}.nc", (c.bring_in(f"forecast{n}.nc"),)) for n in (1, 2, 5, 4, 4)],
    "texts": [
        ("m.toml", (c.CHECK, c.PLAN)),
        ("batch.toml", (c.DRY_BATCH, c.BATCH)),
        ("obstacles.geojson", (c.bring_in("forecast2.nc", "--obstacles obstacles.geojson"),)),
    ],
    "tracks": [("track.csv", (c.OBSERVE,)), ("steered.csv", (c.OBSERVE_STEERED, c.REPLAN))],
}


def _damage(kind, rng, path):
    """Damages one file. Returns (name of the damage, True if a result that differs must be refused)."""
    data, status = path.read_bytes(), path.stat()
    table = damage.TEXT if path.suffix in _TEXT_ENDINGS else damage.BINARY
    how, must_be_refused = rng.choice(table)
    damaged = how(rng, data)
    path.unlink()  # removes a link; the undamaged file stays
    path.write_bytes(damaged)
    # A failing disk leaves the file's date unchanged; an editor does not.
    if rng.random() < 0.7:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    if kind == "checkpoints":  # they have checksums, so that a changed number must be found
        must_be_refused = True
    # compare prints contents of summaries; rows of tracks may be left out; a run records all bytes of
    # its environment, also meaningless ones after the end.
    is_free = path.name == "summary.json" or kind == "tracks" or (kind, how) == ("environments", damage.extend)
    return how.__name__, must_be_refused and not is_free and damaged != data


def _damaged(kind):
    def case(bench, rng):
        file, readers = rng.choice(_DAMAGED[kind])
        command = rng.choice(readers)
        bench.learn(command)
        bench.restore()
        how, must_be_refused = _damage(kind, rng, bench.folder / file)
        # Only a batch in which missions failed may end with 1.
        outcome, found = bench.try_out(command, (1, 2) if command.keeps_folder else (2,))
        if not found and outcome.status == 0 and (other := bench.difference(command, outcome)):
            found = [("silent" if must_be_refused else "changed", other)]
        return command, f"{file}: {how}", found, outcome

    return case


# A machine that fails: kills, full disks, little memory, few descriptors, several processes at one
# place. The inputs are undamaged.

_WRITING = [
    *(c.PLAN, c.BUILD, c.RESAMPLE, c.ROLLOUT, c.COMPARE, c.REFINE, c.BATCH, c.PLAN_MODEL),
    *(c.BUILD_PROCESS, c.GYRE, c.OCEAN, c.GRIDWORLD, c.EXPORT, c.OBSERVE, c.REPLAN),
    *(c.solve("world.h5"), c.solve("world.json"), c.convert("world.json", "h5")),
    *(c.convert("world.h5", "json"), c.convert("world.h5", "xml")),
    *(c.bring_in("forecast2.nc"), c.bring_in("forecast4.nc")),
]
_COMMANDS = [c.CHECK, c.INFO, *_WRITING]
# Without REPLAN, which is refused the second time if it was killed after its last write.
_REPEATED = [command for command in _WRITING if command is not c.REPLAN]


def _silent(difference):
    return [("silent", difference)] if difference else []


def _limited(bench, command, limits, what):
    bench.learn(command)
    bench.restore()
    outcome, found = bench.try_out(command, (1,), limits)
    if not found and outcome.status == 0:
        found = _silent(bench.difference(command, outcome))
    return command, what, found, outcome


def kill(bench, rng):
    command = rng.choice(_REPEATED)
    duration = bench.learn(command)[1]
    bench.restore()
    before = listing(bench.folder)
    found, moments = [], []
    for _ in range(rng.choice((1, 1, 2, 3))):
        again = command.again if moments else ()
        moments.append(round(rng.uniform(0, 1.1 * duration), 4))
        if not bench.run(command, Limits(kill_after=moments[-1]), again).killed:
            break
        # Files with their final names must be complete.
        lacking = None if command.keeps_folder else c.not_whole(command, bench.folder)
        if lacking:
            found.append(("half-written", lacking))
    # The last run, which is not killed, removes files of the killed ones.
    outcome, more = bench.try_out(command, (), again=command.again, before=before)
    with_output = "--resume" not in command.again
    found += more or _silent(bench.difference(command, outcome, with_output))
    return command, f"killed after {moments} s, then repeated", found, outcome


def disk(bench, rng):
    command = rng.choice(_WRITING)
    largest = bench.learn(command)[2]
    if bench.disk is None or rng.random() < 0.5:
        room = rng.randrange(int(1.05 * largest) + 1)
        what = f"no file longer than {room} bytes"
        return _limited(bench, command, Limits(file_size=room), what)
    pages = rng.randrange(2, 12 + 2 * largest // 4096)
    bench.restore()
    with bench.disk(pages * 4096) as place:
        words = (f"{place}/{word}" if word in command.outputs else word for word in command.words)
        moved = replace(
            command,
            words=tuple(words),
            outputs=tuple(f"{place}/{name}" for name in command.outputs),
            restart=command.restart and f"{place}/{command.restart}",
        )
        outcome, found = bench.try_out(moved, (1,))
    return command, f"a disk of {pages} pages", found, outcome


def memory(bench, rng):
    limit = bench.min_memory + int(2 ** rng.uniform(16, 28))
    what = f"{limit} bytes of address space"
    return _limited(bench, rng.choice(_COMMANDS), Limits(memory=limit), what)


def descriptors(bench, rng):
    limit = bench.min_descriptors + rng.randrange(6)
    return _limited(bench, rng.choice(_COMMANDS), Limits(descriptors=limit), f"{limit} descriptors")


_AT_ONCE = (c.PLAN, c.ROLLOUT, c.BATCH, c.REFINE, c.GYRE, c.RESAMPLE, c.convert("world.h5", "json"))


def together(bench, rng):
    """Several processes of one command at once: each succeeds or is refused, and the result is that of a single one."""
    command, count = rng.choice(_AT_ONCE), rng.randrange(2, 5)
    bench.learn(command)
    bench.restore()
    before, outcomes = listing(bench.folder), []

    def work():
        outcomes.append(bench.run(command))

    workers = [threading.Thread(target=work) for _ in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = [fault for outcome in outcomes for fault in faults(outcome, (1, 2))]
    done = [outcome for outcome in outcomes if outcome.status == 0]
    if not done:
        found.append(("status", "none of them was done"))
    elif lacking := c.missing(command, bench.folder) or c.not_whole(command, bench.folder):
        found.append(("half-written", lacking))
    else:
        found += _silent(bench.difference(command, done[0], with_output=False))
    found += leftovers(before, listing(bench.folder), command, bool(done))
    return command, f"{count} at once", found, max(outcomes, key=lambda one: abs(one.status))


# Command lines that are wrong for any contents of the files. tests/cli/bad_inputs_test.cpp
# has the message of each kind of error.

_WRONG = [
    "rollout run --at-xy 500,500 --out o",
    "rollout run --at-xy nan,2 --out o",
    "rollout sea --at-xy=-17,42 --out o",
    "rollout sea --at=-17,42,3 --out o",
    "rollout sea --at=16,42 --out o",
    "rollout run --out o --time ''",
    "plan m.toml --set mission.start=[1e30,2] --out o",
    "plan m.toml --set vehicle.headings=8.5 --out o",
    "plan m.toml --set vehicle.speeds=[1e-308] --out o",
    "plan m.toml --threads 1000 --out o",
    "plan /dev/zero --out o",
    "env info /dev/zero",
    "env import /dev/zero --out o.h5",
    "env import forecast2.nc --obstacles /dev/zero --out o.h5",
    "env import forecast2.nc --out o.h5 --spacing 1m",
    "env import forecast2.nc --out o.h5 --realizations 2000000000",
    "env resample gyre.h5 --out o.h5 --spacing 0.0001",
    "env resample gyre.h5 --out o.h5 --step 1e-9",
    "env double-gyre --out o.h5 --nx 40000 --ny 40000",
    "env double-gyre --out o.h5 --nx 12 --ny 12 --nt 100000000",
    "env double-gyre --out o.h5 --nx 12 --ny 12 --modes 100000000",
    "env wind-driven-gyre --out new.h5 --nx 40000 --ny 40000 --nt 25",
    "research mdp gridworld --out o.h5 --nx 2000000000",
    "export run --out o --format ,",
    "export run --out o --format csv,,gpx",
    "export run --format policy,nonsense --out o",
    "lookup sea --at -18.5,41.5 --time nan",
    "observe ocean.h5 --track track.csv --track /dev/zero --out o.h5",
    "observe gyre.h5 --track m.toml --out o.h5",
    "replan run --leg 0 --at-xy 6.5,4.5 --time 3 --out o",
    "replan run --at-xy 500,500 --time 3 --out o",
    "research solve /dev/zero --out o.txt",
]
# Command lines, and their options that take a number, a length or a time
_OPTIONS = {
    "rollout run --out o": "--time --realizations --seed --threads --flights",
    "rollout sea --out o --mode adaptive": "--every --error --inflation "
    "--relaxation --localisation",
    "replan sea --out o --at=-18.5,41.5": "--time",
    "replan sea --out o --at=-18.5,41.5 --time 1": "--leg --threads",
    "observe ocean.h5 --track track.csv --out o.h5": "--error --fix-error --representation "
    "--localisation --inflation --relaxation --reject-beyond --add-mode --seed",
    "plan m.toml --out o": "--threads --arrival-at-least",
    "env import forecast2.nc --out o.h5": "--spacing --step --steady --lagged --modes --variance "
    "--from --to --bbox --depth --seed --realizations --forecast-error --error-rms",
    "env resample gyre.h5 --out o.h5": "--step --spacing --vehicle-speed --variance",
    "env double-gyre --out o.h5 --nx 12 --ny 12": "--nt --modes --realizations --seed",
    "export sea --format csv --out o": "--ensemble --waypoints --tolerance --capture-radius",
    "export sea --format policy --out o": "--from --to --bbox",
    "research refine run --out o.h5": "--realizations --threads",
    "research solve world.h5 --out o.txt": "--gamma --tolerance --max-sweeps --threads",
    "lookup sea --at=-18.5,41.5": "--time",
}
_NO_NUMBERS = ("", " ", "abc", "nan", "1e999", "9" * 400, "5;6", "0x", "--", "1 2", "٣", "\x1b[31m")


def _refused(bench, words, what):
    command = c.Command((*words, "-q"))
    bench.restore()
    # Wrong words must be refused before much memory is allocated.
    outcome, found = bench.try_out(command, (2,), Limits(memory=bench.min_memory + 2**30))
    if outcome.status == 0:
        found.append(("silent", "was not refused"))
    return command, what, found, outcome


def words(bench, rng):
    return _refused(bench, shlex.split(rng.choice(_WRONG)), "wrong words")


def options(bench, rng):
    line = rng.choice(list(_OPTIONS))
    option, value = rng.choice(_OPTIONS[line].split()), rng.choice(_NO_NUMBERS)
    return _refused(bench, [*line.split(), f"{option}={value}"], "no value of that option")


KINDS = {kind: _damaged(kind) for kind in _DAMAGED}
KINDS |= {one.__name__: one for one in (kill, disk, memory, descriptors, together, words, options)}
