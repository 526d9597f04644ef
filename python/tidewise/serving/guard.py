"""Checks each request before the application runs, and adds security headers to each answer.

A page of another site may send requests to 127.0.0.1 from the user's browser. The checks of Host
and Origin refuse them, also if DNS makes the other site's name point here (rebinding). Another user
of this computer may connect, too, but does not have the token.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tidewise.serving.schema import RefusedRequestError

MAX_BODY = 64 * 1024
_BODY_SECONDS = 10.0  # for the whole body
_TOKEN_HEADER = b"x-tidewise-token"

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Guard:
    """An ASGI application that passes allowed requests to another one."""

    def __init__(self, app: Any, port: int, token: str) -> None:
        """`app`: the other application; `port`: the port of the server; `token`: of its page."""
        self._app = app
        self._host = f"127.0.0.1:{port}".encode()
        self._origin = b"http://" + self._host
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        async def send_with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_security(message["headers"])}
            await send(message)

        try:
            self._check_headers(scope)
            body = await self._read_body(scope, receive)
        except RefusedRequestError as refused:
            await _refuse(refused, send_with_headers)
            return

        unread = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> dict[str, Any]:
            return unread.pop() if unread else await receive()

        await self._app(scope, receive_whole, send_with_headers)

    def _check_headers(self, scope: Scope) -> None:
        """Check the headers. Errors: RefusedRequestError."""
        if _only(scope, b"host") != self._host:
            raise RefusedRequestError(403, "host", "the Host header is not this server's")
        origin = _only(scope, b"origin")
        method, path = scope["method"], scope["path"]
        if method == "GET":
            if origin not in (None, self._origin):
                raise RefusedRequestError(403, "origin", "the Origin header is not this server's")
            if path != "/":
                raise RefusedRequestError(404, "not_found", "there is no such page")
            return
        if method != "POST" or path == "/":
            raise RefusedRequestError(405, "method", "GET the page /, POST all other requests")
        if origin != self._origin:
            raise RefusedRequestError(403, "origin", "the Origin header is not this server's")
        if not hmac.compare_digest(_only(scope, _TOKEN_HEADER) or b"", self._token):
            line = "the token is missing or wrong; open the address that the terminal shows"
            raise RefusedRequestError(403, "token", line)
        kind = (_only(scope, b"content-type") or b"").lower().replace(b" ", b"")
        if kind not in (b"application/json", b"application/json;charset=utf-8"):
            raise RefusedRequestError(415, "content_type", "the body must be application/json")
        if _only(scope, b"content-encoding") is not None:
            raise RefusedRequestError(415, "content_type", "the body must not be compressed")

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes:
        """Read the body. Errors: RefusedRequestError for one that is too large."""
        too_large = RefusedRequestError(413, "too_large", f"the body exceeds {MAX_BODY} bytes")
        length = _only(scope, b"content-length")
        if length is not None and (not length.isdigit() or int(length[:20]) > MAX_BODY):
            raise too_large

        async def read() -> bytes:
            body = b""
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RefusedRequestError(400, "json", "the body is incomplete")
                body += message.get("body", b"")
                if len(body) > MAX_BODY:
                    raise too_large
                if not message.get("more_body", False):
                    return body

        try:
            return await asyncio.wait_for(read(), _BODY_SECONDS)
        except asyncio.TimeoutError:
            raise RefusedRequestError(408, "timeout", "the body did not arrive in time") from None


def _only(scope: Scope, name: bytes) -> bytes | None:
    """Return the value of a header; b"" if it is repeated, which no check accepts."""
    values = [value for key, value in scope["headers"] if key == name]
    return None if not values else values[0] if len(values) == 1 else b""


def _with_security(headers: Any) -> list[tuple[bytes, bytes]]:
    extended = list(headers)
    names = {name.lower() for name, _ in extended}
    if b"content-security-policy" not in names:
        policy = b"default-src 'none'; frame-ancestors 'none'"
        extended.append((b"content-security-policy", policy))
    return [
        *extended,
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", b"no-store"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"cross-origin-opener-policy", b"same-origin"),
    ]


async def _refuse(refused: RefusedRequestError, send: Send) -> None:
    """Answer and close the connection: the rest of a body is not read."""
    body = json.dumps({"error": refused.line, "code": refused.code}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
