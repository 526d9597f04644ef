"""The process that plans, so that the server stays responsive and can end a plan at any time.

It reads a request per line from standard input, as JSON, and answers with lines of JSON. A line
with "bytes" is followed by that number of bytes. SIGINT ends the work, not the process.
"""

from __future__ import annotations

import base64
import datetime
import json
import math
import os
import queue
import re
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tidewise._load import core
from tidewise.errors import InputError, PlanWarning, RunError
from tidewise.mission import Mission, settings_of
from tidewise.planning import plan_as_asked
from tidewise.run import Run
from tidewise.serving.watch import DIVES

MISSION_FILE = "mission.toml"
_BYTES_PER_ROW = 62  # memory of transition counts
_MAX_BYTES = 4 * 2**30
_ENDINGS = {
    "slocum": "ma",
    "qgc-wpl": "waypoints",
    "qgc-plan": "plan",
    "moos": "bhv",
    "policy": "twp",
    "seaglider": "targets",
}


class _PreparationEndedError(Exception):
    """Ends preparations when a request other than a plan waits."""


class _Worker:
    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # output of libraries must not mix with answers
        self._requests: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._working = False
        self._preparing = False
        self._counts: tuple[str, Any] | None = None  # with the keys that they depend on
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._read, daemon=True).start()

    def run(self) -> None:
        """Answer requests until standard input ends."""
        self._answer({"ready": True})
        while (request := self._requests.get()) is not None:
            if request["do"] == "prepare":
                self._try_to_prepare(request["run"])
                continue
            try:
                self._working = True
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", PlanWarning)
                    getattr(self, f"_{request.pop('do')}")(**request)
                self._working = False
                lines = [str(w.message) for w in caught if w.category is PlanWarning]
                self._answer({"done": True, "warnings": lines})
            except KeyboardInterrupt:
                self._working = False
                self._answer({"failed": "cancelled", "kind": "cancelled"})
            except (InputError, RunError, OSError, MemoryError) as error:
                self._working = False
                self._answer({"failed": _line_of(error), "kind": "refused"})

    def _try_to_prepare(self, run: str) -> None:
        """Make transition counts before the first plan; a request for a plan waits for them."""
        try:
            self._working = self._preparing = True
            self._prepare(run)
        except KeyboardInterrupt:
            self._working = False
            if not self._requests.empty():  # the request that waited was cancelled
                self._requests.get()
                self._answer({"failed": "cancelled", "kind": "cancelled"})
        except _PreparationEndedError:
            self._requests.put({"do": "prepare", "run": run})
        except (InputError, RunError, OSError, MemoryError):
            pass  # the plan reports the error
        finally:
            self._working = self._preparing = False

    def _prepare(self, run: str) -> None:
        base = Run(run)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / MISSION_FILE
            file.write_text(mission_text(base, {}))
            mission = Mission.read(file)
            self._counts_of(base, mission, mission.core)

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            self._requests.put(json.loads(line))
        self._requests.put(None)
        os.kill(os.getpid(), signal.SIGINT)  # the server ended, so the work ends too

    def _interrupt(self, *_: object) -> None:
        if self._working:
            raise KeyboardInterrupt

    def _answer(self, message: dict[str, Any], body: bytes = b"") -> None:
        if body:
            message = {**message, "bytes": len(body)}
        try:
            self._out.write(json.dumps(message).encode() + b"\n" + body)
            self._out.flush()
        except BrokenPipeError:
            os._exit(1)  # the server ended; files of this process are already removed

    def _report(self, work: str, done: int, total: int, unit: str) -> None:
        if self._preparing:
            if self._requests.empty():
                return  # the server reads only answers to its requests
            waiting = self._requests.queue[0]
            if waiting is None or waiting["do"] != "plan":
                raise _PreparationEndedError
        self._answer({"progress": {"work": work, "done": done, "total": total, "unit": unit}})

    def _open(self, run: str) -> None:
        self._show(Run(run))
        self._requests.put({"do": "prepare", "run": run})

    def _plan(self, run: str, changes: dict[str, Any], out: str) -> None:
        base, file = Run(run), Path(out) / MISSION_FILE
        file.write_text(mission_text(base, changes))
        mission = Mission.read(file)
        compiled = mission.core
        counts = self._counts_of(base, mission, compiled)
        planned = plan_as_asked(mission, compiled, out=out, progress=self._report, counts=counts)
        self._show(planned)

    def _counts_of(self, run: Run, mission: Mission, compiled: Any) -> Any:
        """Return counts that missions with this vehicle and environment share; None: too large.

        They take most of a plan's time, so plans after the first one take little.
        """
        table = run.summary["mission"]
        key = json.dumps([table[name] for name in ("environment", "vehicle", "planner")])
        if self._counts is None or self._counts[0] != key:
            self._counts = None  # frees memory before the next counts are made
            problem = run.summary["problem"]
            rows = math.prod(problem[name] for name in ("nx", "ny", "levels", "actions"))
            if rows * _BYTES_PER_ROW > min(_MAX_BYTES, _available_bytes() / 2):
                return None
            self._counts = key, core.count(mission.environment.core, compiled, self._report)
        return self._counts[1]

    def _replan(self, run: str, tracks: list[str], out: str) -> None:
        self._show(Run(run).replan(tracks, out=out, progress=self._report))

    def _show(self, run: Run) -> None:
        self._answer({"figures": figures_of(run), "mission": mission_of(run)})
        self._answer({"view": True}, core.view_data(str(run.folder)).encode())

    def _export(self, run: str, format: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"route.{_ENDINGS.get(format, format)}"
            path = path.with_name("targets") if format == "seaglider" else path
            Run(run).export(path, format)
            written = [file for file in Path(folder).rglob("*") if file.is_file()]
            content = written[0].read_bytes()
        answer = {"name": written[0].name}
        if format == "policy":
            answer["base64"] = base64.b64encode(content).decode()
        else:
            answer["text"] = content.decode()
        self._answer({"route": answer})


def _line_of(error: Exception) -> str:
    """Return an error as one line, without folders that are removed on failure."""
    line = " ".join((str(error) or "out of memory").split())
    mission = rf"\S*\b{re.escape(MISSION_FILE)}(:\d+)?: "
    return re.sub(rf"^({mission}|\S*/{DIVES}/)", "", line)


def _available_bytes() -> float:
    text = Path("/proc/meminfo").read_text()
    match = re.search(r"MemAvailable:\s+(\d+) kB", text)
    return 1024.0 * int(match[1]) if match else 0.0


def mission_text(run: Run, changes: Mapping[str, Any]) -> str:
    """Return a run's mission as a mission file, with another start, target or departure.

    Errors: InputError if the mission has no target that could be moved.
    """
    table = run.summary["mission"]
    keys = {key: value for key, value in _flat(table).items() if not key.startswith("output.")}
    environment = Path(keys["environment.file"])
    if not environment.is_file() and (run.folder / environment.name).is_file():
        keys["environment.file"] = str((run.folder / environment.name).absolute())
    if "target" in changes and keys.get("mission.objective") == "follow":
        raise InputError("the mission follows a track and has no target; move the start instead")
    geographic = _is_geographic(run)
    for role in ("start", "target"):
        if role in changes:
            named = f"mission.{role}"
            forms = {named + form for form in ("", "_lonlat", "_polygon", "_polygon_lonlat")}
            keys = {key: value for key, value in keys.items() if key not in forms}
            keys[f"{named}_lonlat" if geographic else named] = changes[role]
    if "departure" in changes:
        keys["mission.departure"] = _level_or_date(changes["departure"])
        # A later departure shortens the time until the deadline.
        if keys.pop("mission.horizon", None) is not None:
            deadline = run.summary["deadline"]
            keys["mission.deadline"] = deadline.get("date", deadline["level"])
    return "\n".join([*settings_of(keys), ""])


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return values by full names of keys; tables within lists stay tables."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            values |= _flat(value, f"{prefix}{key}.")
        else:
            # TOML has no larger integers; the program also writes them as floats.
            is_too_large = isinstance(value, int) and value >= 2**63
            values[prefix + key] = float(value) if is_too_large else value
    return values


def _level_or_date(departure: Any) -> Any:
    is_whole = isinstance(departure, float) and departure.is_integer()
    return int(departure) if is_whole else departure


def _is_geographic(run: Run) -> bool:
    return "lon" in (run.summary.get("start") or {})


def mission_of(run: Run) -> dict[str, Any]:
    """Return places and times of the mission, for the page's markers and its list of departures."""
    summary, keys = run.summary, run.summary["mission"]["mission"]
    geographic = _is_geographic(run)
    axes = ("lon", "lat") if geographic else ("x", "y")

    def place(role: str) -> list[float] | None:
        position = summary.get(role) or {}
        return [position[axis] for axis in axes] if axes[0] in position else None

    departure, last = summary["departure"], int(summary["deadline"]["level"])
    departures: list[Any] = list(range(last))
    chosen: Any = keys.get("departure", 0)
    if "date" in departure:
        chosen = departure["date"]
        departures = [_iso(date) for date in _dates(run)[:last]]
    return {
        "start": place("start"),
        "target": None if keys.get("objective") == "follow" else place("target"),
        "departure": chosen,
        "geographic": geographic,
        "departures": departures,
    }


def _dates(run: Run) -> list[float]:
    """Return seconds since 1970 of the environment's levels; empty if its file is missing."""
    table = run.summary["mission"]["environment"]
    file = Path(table["file"])
    if not file.is_file():
        file = run.folder / file.name
    if not file.is_file():
        return []
    return list(core.Environment.open(file, dict(table.get("names", {}))).facts()["dates"])


def _iso(seconds: float) -> str:
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return date.strftime("%Y-%m-%dT%H:%M:%SZ")


def figures_of(run: Run) -> dict[str, Any]:
    """Return the first part of the terminal's report, with arrival and probability as numbers."""
    answer = (run.report or "").partition("\n\n")[0].splitlines()
    figures: dict[str, Any] = {
        "answer": [line for line in answer if not line.startswith("Written to")],
        "arrival": None,
    }
    recommended = run.summary.get("recommendation") or {}
    outlook = recommended.get("outlook") or {}
    if (time := outlook.get("time")) is not None:
        date = None
        if departs := recommended.get("departure"):
            left = datetime.datetime.fromisoformat(departs.replace("Z", "+00:00"))
            date = _iso(left.timestamp() + time)
        probability = outlook.get("arrival_probability")
        figures["arrival"] = {"time": time, "date": date, "probability": probability}
    return figures


def main() -> None:
    """Run the worker."""
    _Worker().run()
