"""Requests of the page: JSON objects of positions, times and format names, and nothing else."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, get_args

from tidewise._types import RouteFormat

FORMATS = get_args(RouteFormat)
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z", re.ASCII)
_NAME = re.compile(r"[\w.-]{1,255}")
_MAX_COORDINATE = 1e9  # [m, cells or degrees]
_MAX_LEVEL = 1e6


class RefusedRequestError(Exception):
    """A request that is refused, with its HTTP status and a stable code."""

    def __init__(self, status: int, code: str, line: str) -> None:
        """`line`: what is wrong and what is allowed."""
        super().__init__(line)
        self.status, self.code, self.line = status, code, line


def read_request(body: bytes, schema: Mapping[str, Callable[[str, Any], Any]]) -> dict[str, Any]:
    """Parse a body. Errors: RefusedRequestError unless it is an object of these keys."""
    try:
        request = json.loads(body, object_pairs_hook=_without_repeats, parse_constant=_not_json)
    except (ValueError, RecursionError):
        raise RefusedRequestError(400, "json", "the body must be a JSON object") from None
    if not isinstance(request, dict):
        raise RefusedRequestError(400, "json", "the body must be a JSON object")
    for key in request:
        if key not in schema:
            allowed = ", ".join(schema) or "none"
            raise RefusedRequestError(400, "schema", f"unknown key; allowed: {allowed}")
    return {key: schema[key](key, value) for key, value in request.items()}


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key is repeated")
    return entries


def _not_json(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _refuse(key: str, allowed: str) -> NoReturn:
    raise RefusedRequestError(400, "schema", f"{key} must be {allowed}")


def _number(key: str, value: Any, low: float, high: float, allowed: str) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high or not math.isfinite(value):
        _refuse(key, allowed)
    return float(value)


def position(key: str, value: Any) -> list[float]:
    """Parse two numbers: x and y, or longitude and latitude."""
    allowed = "two finite numbers"
    if not isinstance(value, list) or len(value) != 2:
        _refuse(key, allowed)
    return [_number(key, number, -_MAX_COORDINATE, _MAX_COORDINATE, allowed) for number in value]


def moment(key: str, value: Any) -> str | float:
    """Parse a date in UTC, or a time level."""
    allowed = "a date such as 2024-10-29T12:00Z, or a time level"
    if isinstance(value, str):
        if not _DATE.fullmatch(value):
            _refuse(key, allowed)
        return value
    return _number(key, value, 0, _MAX_LEVEL, allowed)


def name(key: str, value: Any) -> str:
    """Parse the name of a proposal; it is compared, never used as a path."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        _refuse(key, "the id of a proposal")
    return value


def route_format(key: str, value: Any) -> str:
    """Parse the name of a format of routes."""
    if not isinstance(value, str) or value not in FORMATS:
        _refuse(key, f"one of {', '.join(FORMATS)}")
    return value
