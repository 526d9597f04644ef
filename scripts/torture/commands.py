"""The commands that cases run, on the files of sound.py, and what an undamaged one answers."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

# Lines of stdout, keys of summary.json and columns of batch.csv that differ from run to run.
_VOLATILE_LINES = re.compile(rb"^(computed on|of which|written to|sweeps|seconds).*$", re.M)
_SECONDS = re.compile(rb"\d[\d.e+-]* (s|ms|MB|GB)\b")
_VOLATILE_KEYS = {"seconds", "pass", "peak_memory_bytes", "version", "device", "threads"}
_VOLATILE_FILES = {"batch.nc", "batch.log", "solution.h5"}


@dataclass(frozen=True)
class Command:
    name: str
    words: tuple
    outputs: tuple = ()
    # Leaves a folder that shows what was done even where all of it failed.
    keeps_folder: bool = False
    # What makes it go on after a kill, beside being run again.
    again: tuple = ()
    # Where it keeps what is done so far, until all is.
    restart: str = ""


def line(text, *outputs, name=None, **more):
    """A command that says nothing of its progress, as one writes it."""
    words = tuple(text.split())
    return Command(
        name or " ".join(words[:2] if words[0] in ("env", "mdp") else words[:1]),
        words + ("-q",),
        outputs,
        **more,
    )


CHECK = line("check m.toml")
INFO = line("env info gyre.h5")
PLAN = line("plan m.toml --out o", "o", again=("--overwrite",))
BUILD = line("build m.toml --out o.h5", "o.h5")
RESAMPLE = line("env resample gyre.h5 --out o.h5 --step 0.5", "o.h5")
ROLLOUT = line("rollout run --out o", "o", again=("--overwrite",))
ROLLOUT_ELSEWHERE = line(
    "rollout run --out o --at-xy 4.5,4.5 --time 1", "o", again=("--overwrite",)
)
ROLLOUT_IN_OTHER = line(
    "rollout run --environment other.h5 --out o", "o", again=("--overwrite",)
)
COMPARE = line("compare run later --fly --out o.nc --json o.json", "o.nc", "o.json")
REFINE = line("refine run --out o.h5", "o.h5")
BATCH = line("batch batch.toml --out o", "o", keeps_folder=True, again=("--resume",))
DRY_BATCH = line("batch batch.toml --out o --dry-run")
PLAN_MODEL = line("plan m.toml --model model.h5 --out o", "o", again=("--overwrite",))
SOLVE_MODEL = line("solve model.h5 --mission m.toml --out o.txt", "o.txt")
GYRE = line("env double-gyre --out o.h5 --nx 24 --ny 24 --nt 8 --modes 2 --realizations 8", "o.h5")
# An ocean from its dynamics; sound.py leaves it half done.
OCEAN = line(
    "env wind-driven-gyre --out o.h5 --nx 16 --ny 16 --nt 25 --modes 2 --realizations 10 "
    "--reynolds 20 --spin-up 0.02 --lead 0.001 --level-step 100000s --obstacle none "
    "--perturbations 10",
    "o.h5",
    restart="o.h5.restart",
)
GRIDWORLD = line("mdp gridworld --out o.h5 --nx 60", "o.h5")
CHECK_OCEAN = line("check ocean.toml")
INFO_OCEAN = line("env info ocean.h5 --json")
PLAN_OCEAN = line("plan ocean.toml --out o", "o", again=("--overwrite",))
EXPORT = line("export sea --format csv,gpx,slocum,policy --out o", "o")
RESAMPLE_OCEAN = line("env resample ocean.h5 --out o.h5 --step 3h", "o.h5")


def solve(model, solution="o.txt", *words):
    return line(f"solve {model} --out {solution} " + " ".join(words), solution)


def convert(model, other):
    return line(f"mdp convert {model} --out {other}", other)


def observe(track):
    return line(f"observe ocean.h5 --track {track} --out o.h5", "o.h5")


def replan(track):
    return line(f"replan sea --track {track} --baselines none --out o", "o")


def bring_in(forecast, *words):
    return line(f"env import {forecast} --out o.h5 --lagged 2 " + " ".join(words), "o.h5")


def _json_answer(value):
    if isinstance(value, dict):
        return {key: _json_answer(item) for key, item in value.items() if key not in _VOLATILE_KEYS}
    return [_json_answer(item) for item in value] if isinstance(value, list) else value


def _table_answer(text):
    rows = [line.split(",") for line in text.splitlines()]
    keep = [
        i
        for i, name in enumerate(rows[0])
        if "seconds" not in name and name not in ("device", "pass_missions")
    ]
    return "\n".join(",".join(row[i] for i in keep if i < len(row)) for row in rows)


def _file_answer(path: Path):
    data = path.read_bytes()
    if path.suffix == ".json" and data[:1] == b"{" and b'"seconds"' in data:
        return json.dumps(_json_answer(json.loads(data))).encode()
    if path.name == "batch.csv":
        return _table_answer(data.decode()).encode()
    return data


def files_of(folder: Path, outputs):
    """Of outputs that are there, without what is under way."""
    for output in outputs:
        path = folder / output
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            parts = file.relative_to(folder).parts
            if file.is_file() and not any(part.startswith(".") for part in parts):
                if file.name not in _VOLATILE_FILES:
                    yield file


def answer(command, folder, output):
    """What a command said and left, without what differs from run to run."""
    said = _SECONDS.sub(b"", _VOLATILE_LINES.sub(b"", output))
    files = {
        str(file.relative_to(folder)): hashlib.sha256(_file_answer(file)).hexdigest()
        for file in files_of(folder, command.outputs)
    }
    return said, files


def difference(given, expected):
    """Where two answers part, in words; None where they do not."""
    if given[1] != expected[1]:
        files = sorted(set(given[1].items()) ^ set(expected[1].items()))
        return f"not the usual {files[0][0]}"
    return None if given[0] == expected[0] else "not what is usually said"


def missing(command, folder):
    """An output that is not there; None where all are."""
    return next(
        (
            f"{output} is not there"
            for output in command.outputs
            if not (folder / output).exists()
        ),
        None,
    )


def not_whole(command, folder):
    """What an output that is there lacks of a whole one; None where nothing is missing."""
    for file in files_of(folder, command.outputs):
        data = file.read_bytes()
        if file.suffix in (".h5", ".nc") and data[:8] == b"\x89HDF\r\n\x1a\n":
            end = int.from_bytes(data[28:36], "little")
            if data[8] in (2, 3) and end != len(data):
                return f"{file.name} is {len(data)} bytes long and says {end}"
        elif file.suffix in (".h5", ".nc"):
            return f"{file.name} is no HDF5 file"
        if file.suffix == ".json":
            try:
                json.loads(data)
            except ValueError as error:
                return f"{file.name} is no JSON: {error}"
        if not data:
            return f"{file.name} is empty"
    return None
