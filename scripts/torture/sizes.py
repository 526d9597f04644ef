"""Cases of inputs that are far too large: sparse files of many gigabytes, and grids that no memory
holds. They have to be refused at once, before they are read."""

import shlex

import commands as c
from running import Limits

_GIB = 2**30
SLOWEST = 2.0  # [s] of processor time
_TRACK = "observe ocean.h5 --track huge.csv --out o.h5"
# file, how it begins, command
_FILES = [
    ("huge.toml", "m.toml", "check huge.toml"),
    ("huge.toml", "m.toml", "plan huge.toml --out o"),
    ("huge.toml", "batch.toml", "batch huge.toml --out o"),
    (
        "huge.geojson",
        "obstacles.geojson",
        "env import forecast2.nc --obstacles huge.geojson --out o.h5",
    ),
    ("huge.csv", "dive.csv", "env import deep.nc --profile d=huge.csv --out o.h5"),
    ("huge.csv", "steered.csv", _TRACK),
    ("huge.csv", "steered.csv", "replan sea --track huge.csv --out o"),
    ("huge.csv", "steered.csv", "observe ocean.h5 --drifter huge.csv --out o.h5"),
    ("ship.csv", "ship.csv", "plan follow.toml --out o"),
    ("run/summary.json", "run/summary.json", "view run --out o.html"),
    ("run/summary.json", "run/summary.json", "compare run later --json o.json"),
    ("o.h5.restart/options.txt", "o.h5.restart/options.txt", " ".join(c.OCEAN.words)),
]
_GRIDS = [
    "env double-gyre --out o.h5 --nx 40000 --ny 40000",
    "env double-gyre --out o.h5 --nx 12 --ny 12 --nt 100000000",
    "env double-gyre --out o.h5 --nx 12 --ny 12 --realizations 2000000000",
    "env double-gyre --out o.h5 --nx 12 --ny 12 --modes 100000000",
    "env import forecast2.nc --out o.h5 --spacing 1m",
    "env import forecast2.nc --out o.h5 --realizations 2000000000",
    "env resample gyre.h5 --out o.h5 --spacing 0.0001",
    "env resample gyre.h5 --out o.h5 --step 1e-9",
    "env wind-driven-gyre --out o.h5 --nx 40000 --ny 40000 --nt 25",
    "mdp gridworld --out o.h5 --nx 2000000000",
]


def _make_huge(bench, rng, name, like):
    """A sparse file that begins as a sound one does"""
    path = bench.folder / name
    begin = (bench.sound / like).read_bytes()
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)  # a link to the undamaged file
    size = rng.choice((3, 12, 50)) * _GIB
    with path.open("wb") as file:
        file.write(begin)
        file.truncate(size)
    return f"{name} of {size // _GIB} GiB"


def sizes(bench, rng):
    bench.restore()
    if rng.random() < 0.6:
        name, like, text = rng.choice(_FILES)
        what = _make_huge(bench, rng, name, like)
    else:
        text = rng.choice(_GRIDS)
        what = "a size that no memory holds"
    words = tuple(word for word in shlex.split(text) if word != "-q")
    keeps = words[0] == "batch" or "restart" in what
    command = c.Command(words[0], (*words, "-q"), ("o",) if keeps else (), keeps_folder=keeps)
    outcome, found = bench.run_and_judge(command, (2,), Limits(memory=bench.least_memory + _GIB))
    if outcome.status == 0:
        found.append(("silent", "was taken"))
    if outcome.processor_seconds > SLOWEST:
        found.append(("hang", f"refused after {outcome.processor_seconds:.1f} s of processor time"))
    return command, what, found, outcome
