"""Controls the worker process from the server; one request at a time, which can be cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import Any

_LONGEST_LINE = 2**24  # maximum size of an answer's line
_SECONDS_TO_STOP = 2.0  # after an interrupt; then the process is killed
# The new process gets the module path of this one, since its own may differ.
_CODE = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from tidewise.serving.worker import main
main()
"""

AnswerHandler = Callable[[dict[str, Any], bytes], None]  # arguments: an answer, its body


class WorkFailedError(Exception):
    """A request that failed, with the reason in one line."""

    def __init__(self, line: str, kind: str) -> None:
        """`kind`: refused, cancelled or ended (the process ended)."""
        super().__init__(line)
        self.line, self.kind = line, kind


class WorkerProcess:
    """Owns the worker process and its temporary folder."""

    def __init__(self) -> None:
        """Make the object; start() starts the process."""
        self._process: asyncio.subprocess.Process | None = None
        self._folder = ""
        self._killing: asyncio.TimerHandle | None = None
        self._cancelled = False
        self.busy = False

    async def start(self) -> None:
        """Start the process, whose imports run before the first request."""
        if self._process is not None:
            return
        # A killed worker leaves its files in this folder, which is removed.
        self._folder = tempfile.mkdtemp(prefix="tidewise-serve-")
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _CODE, json.dumps(sys.path)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            env={**os.environ, "TMPDIR": self._folder},
            start_new_session=True,  # the terminal's Ctrl-C reaches only the server
        )

    async def ask(self, request: dict[str, Any], handle_answer: AnswerHandler) -> list[str]:
        """Send `request` and call `handle_answer` with each answer. Returns warnings.

        Errors: WorkFailedError.
        """
        self.busy, self._cancelled = True, False
        try:
            await self.start()
            return await self._converse(request, handle_answer)
        finally:
            self.busy = False
            if self._killing is not None:
                self._killing.cancel()
                self._killing = None

    async def _converse(self, request: dict[str, Any], handle_answer: AnswerHandler) -> list[str]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                answer = json.loads(line)
                body = await process.stdout.readexactly(answer.pop("bytes", 0))
                if "failed" in answer:
                    raise WorkFailedError(answer["failed"], answer["kind"])
                if "done" in answer:
                    return answer["warnings"]
                if "ready" not in answer:
                    handle_answer(answer, body)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        await self._clear()
        if self._cancelled:
            raise WorkFailedError("cancelled", "cancelled")
        status = process.returncode or 0
        why = signal.Signals(-status).name if status < 0 else f"status {status}"
        raise WorkFailedError(f"the planning process ended ({why}); try again", "ended")

    def cancel(self) -> None:
        """Cancel the work at its next level; if that takes too long, kill the process."""
        if not self.busy or self._process is None or self._cancelled:
            return
        self._cancelled = True
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)
        loop = asyncio.get_running_loop()
        self._killing = loop.call_later(_SECONDS_TO_STOP, self._kill)

    def _kill(self) -> None:
        """Kill the process and the processes that read files for it."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _clear(self) -> None:
        """Drop a process that ended, and remove its files."""
        process, self._process = self._process, None
        if process is not None:
            await process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def stop(self) -> None:
        """End the process."""
        self._cancelled = True
        self._kill()
        await self._clear()
