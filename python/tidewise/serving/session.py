"""The accepted run, the proposal, and the one job in progress."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tidewise.errors import InputError, RunError
from tidewise.serving.schema import RefusedRequestError
from tidewise.serving.watch import DIVES, WatchedFolder
from tidewise.serving.worker_process import AnswerHandler, WorkerProcess, WorkFailedError

SECONDS_BETWEEN_LOOKS = 2.0


@dataclass
class ShownRun:
    """A run and its data for the page."""

    folder: Path
    figures: dict[str, Any] = field(default_factory=dict)
    mission: dict[str, Any] = field(default_factory=dict)
    view: bytes = b""  # JSON; empty until it is requested

    @property
    def id(self) -> str:
        """Name of its folder, unique in the session."""
        return self.folder.name


@dataclass
class Proposal(ShownRun):
    """A run that can be accepted or rejected."""

    reason: str = "drag"  # or "watch"
    changes: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return its facts for the page."""
        return {
            **{"id": self.id, "reason": self.reason},
            **{"figures": self.figures, "mission": self.mission},
        }


@dataclass
class Job:
    """Work in progress."""

    number: int
    task: asyncio.Task[Any] | None = None
    progress: dict[str, Any] = field(
        default_factory=lambda: {"work": "", "done": 0, "total": 0, "unit": ""}
    )


class Session:
    """The state that requests read and change; only one event loop may use it."""

    def __init__(self, run: Path, watched: WatchedFolder | None) -> None:
        """`run`: the folder of the first run."""
        self.accepted = ShownRun(run)
        self.proposal: Proposal | None = None
        self._stem = re.sub(r"-\d{3,}$", "", run.name)
        self._worker = WorkerProcess()
        self._job: Job | None = None
        self._numbers = itertools.count(1)
        self._failed: str | None = None
        self._warnings: list[str] = []
        self._watched = watched
        self._watch_message = ""
        self.inbox = Path(tempfile.mkdtemp(prefix="tidewise-serve-"))  # private, until close()
        self._dives: list[Path] = []  # copies of dives that the accepted run has not used
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Read the first run. Errors: InputError, RunError."""
        try:
            await self._open()
        except WorkFailedError as error:
            kind = InputError if error.kind == "refused" else RunError
            raise kind(error.line) from None
        if self._watched is not None:
            self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """End the work, and remove proposals."""
        if self._watching is not None:
            self._watching.cancel()
        await self._worker.stop()
        if self._job is not None and self._job.task is not None:
            await asyncio.wait([self._job.task])
        self._discard_proposal()
        _remove(self.inbox)
        if self._watched is not None:
            self._watched.close()

    # Requests of the page.

    def state(self) -> dict[str, Any]:
        """Return the state of the job, the proposal and the watched folder."""
        job, watched = self._job, self._watched
        progress = job.progress if job is not None else Job(0).progress
        watch = None
        if watched is not None:
            watch = {"folder": watched.name, "message": self._watch_message}
        return {
            "job": None if job is None else job.number,
            **progress,
            "failed": self._failed,
            "warnings": self._warnings,
            "proposal": self._proposal_json(),
            "watch": watch,
        }

    def view(self) -> bytes:
        """Return view data of the accepted run, as JSON."""
        more = {
            **{"id": self.accepted.id, "mission": self.accepted.mission},
            "proposal": self._proposal_json(),
        }
        return _with_keys(self.accepted.view, more)

    def view_of_proposal(self) -> bytes:
        """Return view data of the proposal. Errors: RefusedRequestError."""
        if self.proposal is None or not self.proposal.view:
            raise RefusedRequestError(409, "none", "there is no proposal")
        more = {"id": self.proposal.id, "mission": self.proposal.mission}
        return _with_keys(self.proposal.view, more)

    def plan(self, changes: dict[str, Any]) -> int:
        """Plan with another start, target or departure. Returns the job's number.

        Errors: RefusedRequestError.
        """
        self._require_idle()
        if not changes:
            line = "contains no change; give start, target or departure"
            raise RefusedRequestError(400, "schema", line)
        dated = isinstance(self.accepted.mission.get("departure"), str)
        if "departure" in changes and dated != isinstance(changes["departure"], str):
            line = "departure must be a date" if dated else "departure must be a time level"
            raise RefusedRequestError(400, "schema", line)
        if self.proposal is not None:
            if self.proposal.reason == "watch":
                line = "accept or reject the route of the last dive first"
                raise RefusedRequestError(409, "decide_first", line)
            changes = {**self.proposal.changes, **changes}
        request = {"do": "plan", "changes": changes}
        return self._begin(lambda job: self._propose(job, request, "drag", changes))

    def cancel(self) -> None:
        """End the job, if there is one."""
        self._worker.cancel()

    def accept(self, name: str) -> None:
        """Make the proposal the accepted run. Errors: RefusedRequestError."""
        proposal = self._require_proposal(name)
        self.accepted, self.proposal = proposal, None
        if proposal.reason == "watch":
            self._dives.clear()

    def reject(self, name: str) -> None:
        """Remove the proposal. Errors: RefusedRequestError."""
        self._require_proposal(name)
        self._discard_proposal()

    async def export(self, format: str) -> dict[str, Any]:
        """Return the accepted run's route. Errors: RefusedRequestError."""
        self._require_idle()
        request = {"do": "export", "run": str(self.accepted.folder), "format": format}
        route: dict[str, Any] = {}
        job = self._job = Job(next(self._numbers))

        def handle_answer(answer: dict[str, Any], _: bytes) -> None:
            job.progress = answer.get("progress", job.progress)
            route.update(answer.get("route", {}))

        try:
            await self._worker.ask(request, handle_answer)
        except WorkFailedError as error:
            status = {"refused": 422, "cancelled": 409, "ended": 503}[error.kind]
            raise RefusedRequestError(status, error.kind, error.line) from None
        finally:
            self._job = None
        return route

    # Work.

    def _require_idle(self) -> None:
        if self._job is not None:
            raise RefusedRequestError(409, "busy", "another plan is being made; wait, or cancel it")

    def _require_proposal(self, name: str) -> Proposal:
        self._require_idle()
        if self.proposal is None:
            raise RefusedRequestError(409, "none", "there is no proposal")
        if self.proposal.id != name:
            raise RefusedRequestError(409, "stale", "another proposal has taken its place")
        return self.proposal

    def _proposal_json(self) -> dict[str, Any] | None:
        if self.proposal is None:
            return None
        return {**self.proposal.to_json(), "accepted": self.accepted.figures}

    def _begin(self, work: Callable[[Job], Awaitable[Any]]) -> int:
        """Start a job in the background."""
        self._failed, self._warnings = None, []

        async def run() -> None:
            try:
                await work(job)
            except WorkFailedError as error:
                self._failed = None if error.kind == "cancelled" else error.line
            except OSError as error:
                self._failed = f"{error.strerror}: {error.filename}"
            finally:
                self._job = None

        job = self._job = Job(next(self._numbers))
        job.task = asyncio.create_task(run())
        return job.number

    async def _open(self) -> None:
        request = {"do": "open", "run": str(self.accepted.folder)}
        self._warnings = await self._worker.ask(
            request, self._answer_handler(Job(0), self.accepted)
        )

    def _answer_handler(self, job: Job, run: ShownRun) -> AnswerHandler:
        def handle_answer(answer: dict[str, Any], body: bytes) -> None:
            job.progress = answer.get("progress", job.progress)
            if "figures" in answer:
                run.figures, run.mission = answer["figures"], answer["mission"]
                if isinstance(run, Proposal):
                    self._replace_proposal(run)
            if "view" in answer:
                run.view = body

        return handle_answer

    async def _propose(
        self, job: Job, request: dict[str, Any], reason: str, changes: dict[str, Any]
    ) -> None:
        """Make a run in a new folder; the folder is removed unless it becomes the proposal."""
        folder = self._new_folder()
        proposal = Proposal(folder, reason=reason, changes=changes)
        try:
            if reason == "watch":
                request["tracks"] = _copy_all(self._dives, folder)
            request |= {"run": str(self.accepted.folder), "out": str(folder)}
            self._warnings = await self._worker.ask(request, self._answer_handler(job, proposal))
        except BaseException:
            if self.proposal is proposal:
                self.proposal = None
            _remove(folder)
            raise

    def _replace_proposal(self, proposal: Proposal) -> None:
        if self.proposal is not None:
            _remove(self.proposal.folder)
        self.proposal = proposal

    def _discard_proposal(self) -> None:
        proposal, self.proposal = self.proposal, None
        if proposal is not None:
            _remove(proposal.folder)

    def _new_folder(self) -> Path:
        """Return a free folder in that of the accepted run: RUN-001, or the next number."""
        for number in itertools.count(1):
            folder = self.accepted.folder.parent / f"{self._stem}-{number:03}"
            try:
                folder.mkdir()
                return folder
            except FileExistsError:
                continue
        raise AssertionError

    # The watched folder.

    async def _watch(self) -> None:
        assert self._watched is not None
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            try:
                names = await asyncio.to_thread(self._watched.look)
                if not names or self._job is not None:
                    continue
                new = [self._watched.take(name, self.inbox) for name in names]
            except OSError as error:
                self._watch_message = f"cannot be read ({error.strerror})"
                continue
            arrived = [copy for copy in new if copy is not None]
            if arrived:
                self._begin(partial(self._replan, arrived))

    async def _replan(self, arrived: list[Path], job: Job) -> None:
        """Replan from the accepted run with all dives that it has not used."""
        names = ", ".join(copy.name for copy in arrived)
        before = list(self._dives)
        self._dives = [copy for copy in before if copy not in arrived] + arrived
        self._watch_message = f"replanning by {names}"
        try:
            await self._propose(job, {"do": "replan"}, "watch", {})
            self._watch_message = f"replanned by {names}"
        except WorkFailedError as error:
            self._dives = before
            self._watch_message = error.line
            raise


def _with_keys(view: bytes, more: dict[str, Any]) -> bytes:
    """Add keys to an object of JSON without parsing its megabytes."""
    return view.rstrip()[:-1] + b"," + json.dumps(more).encode()[1:]


def _copy_all(dives: list[Path], folder: Path) -> list[str]:
    """Copy dives into the folder of the run that uses them."""
    target = folder / DIVES
    target.mkdir()
    return [str(shutil.copyfile(dive, target / dive.name)) for dive in dives]


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
