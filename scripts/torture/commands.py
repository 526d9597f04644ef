"""The commands of cases on the files of undamaged.py, and their answers for undamaged files."""

import hashlib
import json
import re
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from pathlib import Path

# Lines of stdout, keys of summary.json and columns of batch.csv that differ from run to run.
_VOLATILE_LINES = re.compile(rb"^(computed on|of which|written to|sweeps|seconds).*$", re.M)
_SECONDS = re.compile(rb"\d[\d.e+-]* (s|ms|MB|GB)\b")
_VOLATILE_KEYS = {"seconds", "pass", "peak_memory_bytes", "version", "device", "threads"}
_VOLATILE_FILES = {"batch.nc", "batch.log", "solution.h5"}


@dataclass(frozen=True)
class Command:
    words: tuple
    outputs: tuple = ()
    # Leaves a folder with the results even if all missions failed.
    keeps_folder: bool = False
    # Options that resume it after a kill.
    again: tuple = ()
    # The folder of unfinished results.
    restart: str = ""


def line(text, **more):
    """A command as a user types it, without progress; outputs are its words `o` and `o.…`."""
    words = tuple(text.split())
    outputs = tuple(word for word in words if word == "o" or word.startswith("o."))
    if words[0] in ("plan", "rollout"):
        more = {"again": ("--overwrite",)} | more
    return Command((*words, "-q"), outputs, **more)


CHECK = line("check m.toml")
INFO = line("env info gyre.h5")
PLAN = line("plan m.toml --out o")
BUILD = line("research build m.toml --out o.h5")
RESAMPLE = line("env resample gyre.h5 --out o.h5 --step 0.5")
ROLLOUT = line("rollout run --out o")
ROLLOUT_ELSEWHERE = line("rollout run --out o --at-xy 4.5,4.5 --time 1")
ROLLOUT_IN_OTHER = line("rollout run --environment other.h5 --out o")
COMPARE = line("compare run later --cost flown --out o.nc --out o.json")
REFINE = line("research refine run --out o.h5")
BATCH = line("batch batch.toml --out o", keeps_folder=True, again=("--resume",))
DRY_BATCH = Command(("batch", "batch.toml", "--out", "o", "--dry-run", "-q"))
PLAN_MODEL = line("plan m.toml --model model.h5 --out o")
BUILD_PROCESS = line("research build m.toml --format process --out o.h5")
GYRE = line("env double-gyre --out o.h5 --nx 24 --ny 24 --nt 8 --modes 2 --realizations 8")
# A gyre from its dynamics; undamaged.py leaves it half done.
OCEAN = line(
    "env wind-driven-gyre --out o.h5 --nx 16 --ny 16 --nt 25 --modes 2 --realizations 10 "
    "--reynolds 20 --spin-up 0.02 --lead 0.001 --step 100000s --obstacle none "
    "--perturbations 10",
    restart="o.h5.restart",
)
GRIDWORLD = line("research mdp gridworld --out o.h5 --nx 60")
CHECK_OCEAN = line("check ocean.toml")
INFO_OCEAN = line("env info ocean.h5 --json")
PLAN_OCEAN = line("plan ocean.toml --out o")
RESAMPLE_OCEAN = line("env resample ocean.h5 --out o.h5 --step 3h")
EXPORT = line(
    "export sea --ensemble 400 --out o "
    "--format csv,geojson,gpx,kml,slocum,seaglider,moos,qgc-wpl,qgc-plan,rtz,policy"
)
OBSERVE = line("observe ocean.h5 --track track.csv --out o.h5")
OBSERVE_STEERED = line("observe ocean.h5 --track steered.csv --out o.h5")
REPLAN = line("replan sea --track steered.csv --baselines none --out o")


def solve(model):
    return line(f"research solve {model} --out o.txt")


def convert(model, ending):
    return line(f"research mdp convert {model} --out o.{ending}")


def bring_in(forecast, words=""):
    return line(f"env import {forecast} --out o.h5 --lagged 2 {words}")


def _json_answer(value):
    if isinstance(value, dict):
        return {key: _json_answer(item) for key, item in value.items() if key not in _VOLATILE_KEYS}
    return [_json_answer(item) for item in value] if isinstance(value, list) else value


def _table_answer(text):
    rows = [line.split(",") for line in text.splitlines()]
    volatile = ("device", "pass_missions")
    keep = [n for n, name in enumerate(rows[0]) if "seconds" not in name and name not in volatile]
    return "\n".join(",".join(row[n] for n in keep if n < len(row)) for row in rows)


def _file_answer(path: Path):
    data = path.read_bytes()
    if path.suffix == ".json" and data[:1] == b"{" and b'"seconds"' in data:
        return json.dumps(_json_answer(json.loads(data))).encode()
    return _table_answer(data.decode()).encode() if path.name == "batch.csv" else data


def files_of(folder: Path, outputs):
    """Outputs that exist, without unfinished ones"""
    for output in outputs:
        path = folder / output
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            is_hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
            if file.is_file() and not is_hidden and file.name not in _VOLATILE_FILES:
                yield file


def answer(command, folder, output):
    """Output and files of a command, without parts that differ from run to run"""
    files = {
        str(file.relative_to(folder)): hashlib.sha256(_file_answer(file)).hexdigest()
        for file in files_of(folder, command.outputs)
    }
    return _SECONDS.sub(b"", _VOLATILE_LINES.sub(b"", output)), files


def difference(given, expected):
    """The difference between two answers, as text; None if they are equal"""
    if given[1] != expected[1]:
        return f"not the usual {sorted(set(given[1].items()) ^ set(expected[1].items()))[0][0]}"
    return None if given[0] == expected[0] else "not the usual report"


def missing(command, folder):
    """A missing output; None if all exist"""
    absent = (f"{name} is not there" for name in command.outputs if not (folder / name).exists())
    return next(absent, None)


def not_whole(command, folder):
    """The part that an existing output lacks; None if it is complete"""
    for file in files_of(folder, command.outputs):
        data = file.read_bytes()
        try:
            if not data:
                return f"{file.name} is empty"
            if file.suffix in (".h5", ".nc"):
                end = int.from_bytes(data[28:36], "little")
                if data[:8] != b"\x89HDF\r\n\x1a\n":
                    return f"{file.name} is no HDF5 file"
                if data[8] in (2, 3) and end != len(data):
                    return f"{file.name} is {len(data)} bytes long and its header has {end}"
            elif file.suffix in (".json", ".geojson", ".plan"):
                json.loads(data)
            elif file.suffix in (".gpx", ".kml", ".rtz", ".xml"):
                xml.fromstring(data)
            elif file.suffix == ".csv" and not data.endswith(b"\n"):
                return f"{file.name} ends within a line"
        except (ValueError, xml.ParseError) as error:
            return f"{file.name}: {error}"
    return None
