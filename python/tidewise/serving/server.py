"""The web server: Starlette and uvicorn on 127.0.0.1, in a thread."""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
import threading
import weakref
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tidewise._load import core
from tidewise._types import File
from tidewise.errors import InputError, RunError
from tidewise.run import Run
from tidewise.serving import schema
from tidewise.serving.guard import Guard
from tidewise.serving.schema import RefusedRequestError, read_request
from tidewise.serving.session import Session
from tidewise.serving.watch import WatchedFolder

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
_MAX_CONNECTIONS = 32


class Served:
    """A running server."""

    def __init__(self, run: Run | File, *, watch: File | None = None, browser: bool = True) -> None:
        """Start the server; parameters as in `serve`."""
        opened = run if isinstance(run, Run) else Run(run)
        if not opened.has_policy:
            raise InputError(f"{opened.folder}: holds no policy.h5; serve a run of 'tidewise plan'")
        self._kept = opened  # keeps the run's temporary folder, if there is one
        since = (opened.folder / "summary.json").stat().st_mtime if opened.summary else 0.0
        watched = None if watch is None else WatchedFolder(Path(watch), since)
        self._session = Session(opened.folder, watched)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))  # a free port, chosen by the system
        port = self._socket.getsockname()[1]
        token = secrets.token_hex(16)
        #: The address of the page. Browsers do not send the part after "#" to servers.
        self.url = f"http://127.0.0.1:{port}/#{token}"
        self._failure: BaseException | None = None
        self._ready = threading.Event()
        # join() of a thread in Python 3.11 does not survive Ctrl-C, so wait for an event instead.
        self._ended = threading.Event()
        self._server = uvicorn.Server(
            uvicorn.Config(
                Guard(self._application(), port, token),
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=_MAX_CONNECTIONS,
                timeout_graceful_shutdown=1,
            )
        )
        threading.Thread(target=self._run, name="tidewise serve", daemon=True).start()
        self._end = weakref.finalize(self, _stop, self._server, self._ended)
        self._ready.wait()
        if self._failure is not None:
            self.close()
            raise self._failure
        if browser:
            self._open_browser()

    @property
    def folder(self) -> Path:
        """The folder of the accepted run."""
        return self._session.accepted.folder

    @property
    def run(self) -> Run:
        """The accepted run."""
        accepted = Run(self.folder)
        accepted._kept.append(self._kept)
        return accepted

    def wait(self) -> None:
        """Return when the server ends; Ctrl-C ends it."""
        try:
            while not self._ended.wait(0.5):
                pass
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """End the server and the work. A proposal that was not accepted is removed."""
        self._end()

    def __enter__(self) -> Served:
        """Serve until the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the server."""
        self.close()

    def __repr__(self) -> str:
        """Return its run and its address, without the token."""
        return f"Served({str(self.folder)!r}, {self.url.partition('#')[0]!r})"

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except (InputError, RunError) as error:
            self._failure = error
        finally:
            self._socket.close()
            self._ready.set()
            self._ended.set()

    async def _serve(self) -> None:
        try:
            await self._session.open()
            serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
            while not self._server.started and not serving.done():
                await asyncio.sleep(0.01)
            self._ready.set()
            await serving
        finally:
            await self._session.close()

    def _open_browser(self) -> None:
        """Open the page through a private file: other users can read the browser's command line."""
        file = self._session.inbox / "open.html"
        file.touch(0o600)
        file.write_text(f'<meta http-equiv="refresh" content="0; url={self.url}">\n')
        webbrowser.open(file.as_uri())

    def _application(self) -> Starlette:
        session = self._session
        page = core.served_page()
        found = _POLICY.search(page)
        assert found is not None
        policy = {"content-security-policy": f"{found[1]}; frame-ancestors 'none'"}

        async def get_page(_: Request) -> Response:
            return HTMLResponse(page, headers=policy)

        async def quit_server(_: dict[str, Any]) -> dict[str, Any]:
            self._server.should_exit = True
            return {}

        async def run(_: dict[str, Any]) -> bytes:
            return session.view()

        async def proposal(_: dict[str, Any]) -> bytes:
            return session.view_of_proposal()

        async def plan(request: dict[str, Any]) -> dict[str, Any]:
            return {"job": session.plan(request)}

        async def state(_: dict[str, Any]) -> dict[str, Any]:
            return session.state()

        async def cancel(_: dict[str, Any]) -> dict[str, Any]:
            session.cancel()
            return {}

        async def accept(request: dict[str, Any]) -> dict[str, Any]:
            session.accept(_needed(request, "id"))
            return {}

        async def reject(request: dict[str, Any]) -> dict[str, Any]:
            session.reject(_needed(request, "id"))
            return {}

        async def export(request: dict[str, Any]) -> dict[str, Any]:
            return await session.export(_needed(request, "format"))

        changes = {
            "start": schema.position,
            "target": schema.position,
            "departure": schema.moment,
        }
        posts: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
            "run": (run, {}),
            "proposal": (proposal, {}),
            "plan": (plan, changes),
            "state": (state, {}),
            "cancel": (cancel, {}),
            "accept": (accept, {"id": schema.name}),
            "reject": (reject, {"id": schema.name}),
            "export": (export, {"format": schema.route_format}),
            "quit": (quit_server, {}),
        }
        routes = [
            Route(f"/api/{name}", _post(answer, keys), methods=["POST"])
            for name, (answer, keys) in posts.items()
        ]

        app = Starlette(
            routes=[Route("/", get_page), *routes],
            exception_handlers={HTTPException: _on_not_found, RefusedRequestError: _on_refused},
        )
        app.router.redirect_slashes = False
        return app


def _post(answer: Callable[..., Any], keys: dict[str, Any]) -> Callable[..., Any]:
    """Return a route that accepts an object of these keys."""

    async def handle(request: Request) -> Response:
        content = await answer(read_request(await request.body(), keys))
        if isinstance(content, bytes):
            return Response(content, media_type="application/json")
        return JSONResponse(content)

    return handle


def _needed(request: dict[str, Any], key: str) -> Any:
    if key not in request:
        raise RefusedRequestError(400, "schema", f"{key} is missing")
    return request[key]


async def _on_not_found(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    line = {"error": "there is no such request", "code": "not_found"}
    return JSONResponse(line, status)


async def _on_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedRequestError)
    return JSONResponse({"error": error.line, "code": error.code}, error.status)


def _stop(server: uvicorn.Server, ended: threading.Event) -> None:
    server.should_exit = True
    ended.wait(30)
