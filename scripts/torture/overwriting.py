"""Cases of outputs that name what must not be lost: an input, another output of the command, a file
of a run, or a file of another kind. A file of the same kind may be replaced, and keeps its
permissions."""

import shutil

import commands as c
from judge import listing

_IMPORT = "env import forecast2.nc --lagged 2"
_DEEP = "env import deep.nc --lagged 2"
# command, the output that must be refused; {} stands for one of the names of the file
_REFUSED = [
    # an input
    ("env import forecast2.nc --out {}", "forecast2.nc"),
    (f"{_IMPORT} --obstacles obstacles.geojson --out {{}}", "obstacles.geojson"),
    (f"{_DEEP} --profile d=dive.csv --out {{}}", "dive.csv"),
    (f"{_IMPORT} --bathymetry depth.nc --out {{}}", "depth.nc"),
    ("env resample gyre.h5 --step 0.5 --out {}", "gyre.h5"),
    ("build m.toml --out {}", "gyre.h5"),
    ("build m.toml --out {}", "m.toml"),
    ("plan m.toml --out {}", "m.toml"),
    ("plan m.toml --out {}", "gyre.h5"),
    ("batch batch.toml --out {}", "batch.toml"),
    ("observe ocean.h5 --track track.csv --out {}", "ocean.h5"),
    ("observe ocean.h5 --track track.csv --out {}", "track.csv"),
    ("solve world.json --out {}", "world.json"),
    ("solve model.h5 --mission m.toml --out {}", "model.h5"),
    ("solve model.h5 --mission m.toml --out {}", "m.toml"),
    ("mdp convert world.h5 --out {}", "world.h5"),
    ("rehearse chase --source forecast2.nc --out {}", "ship.csv"),
    ("rehearse sea --source forecast2.nc --out {}", "forecast2.nc"),
    ("rehearse sea --source forecast2.nc --out {}", "ocean.h5"),
    ("departures sea --csv {}", "ocean.h5"),
    ("reach sea --out o.nc --geojson {}", "ocean.h5"),
    ("view sea --out {}", "ocean.h5"),
    # a file of a run
    ("observe sea --track track.csv --out {}", "sea/policy.h5"),
    ("observe sea --track track.csv --out {}", "sea/trajectories.nc"),
    ("env resample gyre.h5 --step 0.5 --out {}", "run/policy.h5"),
    ("env double-gyre --nx 12 --ny 12 --nt 8 --out {}", "run/policy.h5"),
    ("build m.toml --out {}", "run/policy.h5"),
    ("refine run --out {}", "run/policy.h5"),
    ("refine run --out {}", "later/policy.h5"),
    ("reach sea --out {}", "sea/trajectories.nc"),
    ("reach sea --out o.nc --geojson {}", "sea/summary.json"),
    ("departures sea --json {}", "sea/summary.json"),
    ("departures sea --csv {}", "later/summary.json"),
    ("compare run later --json {}", "run/summary.json"),
    ("compare run later --out {}", "later/trajectories.nc"),
    ("rehearse sea --source forecast2.nc --out {}", "run/summary.json"),
    ("lookup sea --at=-18.5,41.5 --regions {}", "sea/summary.json"),
]
_OTHER_KIND = [
    ("env double-gyre --nx 12 --ny 12 --nt 8 --out {}", "track.csv"),
    ("env resample gyre.h5 --step 0.5 --out {}", "model.h5"),
    ("build m.toml --out {}", "other.h5"),
    ("env import forecast2.nc --out {}", "world.h5"),
    ("mdp convert world.h5 --out {}", "summary.json"),
    ("mdp gridworld --nx 5 --out {}", "other.h5"),
    ("departures sea --csv {}", "m.toml"),
    ("departures sea --json {}", "obstacles.geojson"),
    ("reach sea --out {}", "other.h5"),
    ("view sea --out {}", "track.csv"),
    ("init --environment ocean.h5 --start=-19,41 --target=-16.5,43 --out {}", "track.csv"),
]
# two outputs of one command
_TWICE = [
    ("reach sea --out {} --geojson {}", "o.nc"),
    ("departures sea --csv {} --json {}", "o.csv"),
    ("compare run later --out {} --json {}", "o.nc"),
]
# command, a file of the same kind that it may replace
_REPLACED = [
    ("env double-gyre --nx 12 --ny 12 --nt 8 --modes 2 --realizations 5 --out {}", "other.h5"),
    ("env resample gyre.h5 --step 0.5 --out {}", "other.h5"),
    ("env import forecast2.nc --lagged 2 --out {}", "learned.h5"),
    ("observe ocean.h5 --track track.csv --out {}", "learned.h5"),
    ("build m.toml --out {}", "model.h5"),
    ("mdp convert world.json --out {}", "world.h5"),
    ("reach sea --out {}", "reach.nc"),
    ("departures sea --csv {}", "departures.csv"),
    ("view sea --out {}", "page.html"),
]


def _names(rng, place):
    """The same file under another name; the folder `alias` is a link to the working folder."""
    folder, _, name = place.rpartition("/")
    return rng.choice(
        (
            place,
            place,
            f"./{place}",
            f"alias/{place}",
            f"run/../{place}",
            f"{folder or '.'}/./{name}",
        )
    )


def _own_copies(bench):
    """The case has copies in place of links, as a command may write where it must not."""
    shutil.rmtree(bench.folder, ignore_errors=True)
    shutil.copytree(bench.sound, bench.folder, symlinks=True)
    (bench.folder / "alias").symlink_to(bench.folder, target_is_directory=True)
    (bench.folder / "summary.json").write_text('{"a user": "keeps this"}\n')


def _contents(folder):
    return {
        place: (folder / place).read_bytes()
        for place in listing(folder)
        if (folder / place).is_file()
    }


def _command(text):
    words = (*text.split(), "-q")
    return c.Command(words[0], words)


def _refused(bench, command, what):
    before = _contents(bench.folder)
    outcome, found = bench.run_and_judge(command, (2,))
    after = _contents(bench.folder)
    lost = sorted(place for place in before if after.get(place) != before[place])
    if lost:
        found = [one for one in found if one[0] != "half-written"]
        found.append(("lost", f"{', '.join(lost)} was replaced or is gone"))
    elif outcome.status == 0:
        found.append(("silent", "was not refused"))
    return command, what, found, outcome


def _same_kind(bench, rng):
    """A file of the same kind is replaced, whole, and its permissions stay."""
    text, place = rng.choice(_REPLACED)
    if not (bench.folder / place).exists():
        bench.run(c.Command("make", (*text.format(place).split(), "-q")))
    mode = rng.choice((0o600, 0o640, 0o664))
    (bench.folder / place).chmod(mode)
    before = listing(bench.folder)
    before.pop(place)
    words = (*text.format(_names(rng, place)).split(), "-q")
    command = c.Command(words[0], words, (place,))
    outcome, found = bench.run_and_judge(command, (), before=before)
    if outcome.status == 0:
        now = (bench.folder / place).stat().st_mode & 0o777
        if now != mode:
            found.append(("lost", f"the permissions {mode:o}, which are {now:o} now"))
    return command, f"{place} of the same kind is replaced", found, outcome


def _with_overwrite(bench, rng):
    """A file of another kind is replaced on demand."""
    # init never replaces a file.
    text, place = rng.choice([one for one in _OTHER_KIND if not one[0].startswith("init")])
    before = listing(bench.folder)
    before.pop(place)
    words = (*text.format(place).split(), "--overwrite", "-q")
    command = c.Command(words[0], words, (place,))
    outcome, found = bench.run_and_judge(command, (), before=before)
    return command, f"{place} of another kind, with --overwrite", found, outcome


def overwriting(bench, rng):
    _own_copies(bench)
    kind = rng.random()
    if kind < 0.15:
        return _same_kind(bench, rng)
    if kind < 0.2:
        return _with_overwrite(bench, rng)
    if kind < 0.3:
        text, name = rng.choice(_TWICE)
        command = _command(text.format(_names(rng, name), _names(rng, name)))
        return _refused(bench, command, "two outputs of one name")
    text, place = rng.choice(_REFUSED if kind < 0.8 else _OTHER_KIND)
    return _refused(bench, _command(text.format(_names(rng, place))), f"the output is {place}")
