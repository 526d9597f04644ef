"""Cases of symbolic links that stand where the program makes temporary files and locks. They point
to a user's own files, which every command has to leave as they are."""

import os
import shutil

import commands as c
from faults import WRITING
from judge import leftovers, listing

_READING = [
    c.line("view sea --out o.html", "o.html"),
    c.line("rollout run --out o", "o"),
    c.line("export sea --format csv,policy --out o", "o"),
    c.line("compare run later --json o.json", "o.json"),
    c.line("refine sea --out o.h5", "o.h5"),
    c.line("reach sea --out o.nc", "o.nc"),
]
_COMMANDS = [command for command in WRITING if not command.restart] + _READING
# Folders of runs that a command reads or writes; each may hold a staging folder.
_RUN_FOLDERS = ("o", "run", "sea", "later")


def _make_treasure(folder):
    """A user's folder and file, under the names that the program gives to its own files"""
    treasure = folder / "treasure"
    (treasure / "photos").mkdir(parents=True)
    for name in ("diary.txt", "policy.h5", "summary.json", "trajectories.nc", "photos/a.jpg"):
        (treasure / name).write_text(f"a user's own {name}\n")
    return treasure


def _content(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def _temporary(rng, output):
    digits = rng.choice((12, 12, 16))
    return f".{output}.{rng.getrandbits(4 * digits):0{digits}x}.tmp"


def _temporaries(rng, command):
    """(place, target in the user's folder) of links beside the outputs"""
    for output in command.outputs:
        for _ in range(rng.choice((1, 2))):
            yield _temporary(rng, output), rng.choice((".", "photos", "diary.txt", "none"))


def _outputs(_rng, command):
    """The name of an output is a link. It may be replaced, and not be written through."""
    for output in command.outputs:
        if "." in output:
            yield output, "diary.txt"


def _staging(rng, _command):
    """The staging folder of a run is itself a link."""
    for run in rng.sample(_RUN_FOLDERS, 2):
        yield f"{run}/.run.tmp", rng.choice((".", "photos", "diary.txt", "none"))


def _within_staging(rng, _command):
    """A staging folder of a killed run has links where the earlier run would be."""
    for run in rng.sample(_RUN_FOLDERS, 2):
        for name in rng.sample(("left", "leaving", "entering", ".lock", "old"), 2):
            yield f"{run}/.run.tmp/{name}", "diary.txt" if name == ".lock" else "."


def _locks(rng, command):
    if command.name == "batch":
        for name in (".batch.lock", ".batch.table.lock", ".batch.lock.1of2"):
            yield f"o/{name}", "diary.txt"
    else:
        for output in command.outputs:
            yield f"{_temporary(rng, output)}/.lock", "diary.txt"


def _plant(rng, folder, links):
    planted = []
    for place, target in links:
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or path.exists():
            continue
        goal = folder / "treasure" / target
        path.symlink_to(goal if rng.random() < 0.5 else os.path.relpath(goal, path.parent))
        planted.append(place)
    return planted


def _without(found, planted):
    """Links and the folders made for them may stay or go."""
    own = {place for one in planted for place in (one, one.rsplit("/", 1)[0])}
    return {place: status for place, status in found.items() if place not in own}


def links(bench, rng):
    command = rng.choice(_COMMANDS)
    kind = rng.choice((_temporaries, _temporaries, _outputs, _staging, _within_staging, _locks))
    expected = bench.answer(command)
    bench.restore()
    treasure = _make_treasure(bench.folder)
    planted = _plant(rng, bench.folder, kind(rng, command))
    before, content = listing(bench.folder), _content(treasure)
    outcome, found = bench.run_and_judge(command, (1, 2), before=before)
    found = [one for one in found if one[0] not in ("leftover", "half-written")]
    if _content(treasure) != content:
        found.append(("lost", "a user's files behind a link were changed or removed"))
    else:
        after = _without(listing(bench.folder), planted)
        found += leftovers(_without(before, planted), after, command, outcome.status == 0)
    if not found and outcome.status == 0:
        difference = c.difference(bench.read_answer(command, outcome), expected)
        found = [("silent", difference)] if difference else []
    shutil.rmtree(treasure)
    return command, f"links {', '.join(planted)}", found, outcome
