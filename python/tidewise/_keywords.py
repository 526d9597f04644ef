"""Rewords messages of the command line for Python: options as keywords, files as objects."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from tidewise import _types
from tidewise.errors import InputError, RunError

P = ParamSpec("P")
T = TypeVar("T")

# Options whose arguments have other names.
_RENAMED = {
    "from": "from_",
    "gamma": "discount",
    "nt": "levels",
    "set": "settings",
    "truth": "environment",
    "with": "others",
}

# Temporary files that represent objects, and names of these objects.
_OBJECTS: tuple[tuple[str, str], ...] = (
    (r"environment\.h5", "the environment"),
    (r"posterior\.h5", "the posterior"),
    (r"forecast\.nc", "the forecast"),
    (r"forecast_(\d+)\.nc", r"forecast[\1]"),
    (r"run(?=[:,;\s]|$)", "the run"),
    (r"mission\.toml", "mission"),
    (r"batch\.toml", "table"),
    ("", ""),  # any other option keeps its name
)


def without_temporary(line: str) -> str:
    """Return a message with names of objects in place of paths of temporary files."""
    folder = re.escape(tempfile.gettempdir().rstrip("/")) + r"/tidewise-[^/\s]+/"
    for file, name in _OBJECTS:
        line = re.sub(folder + file, name, line)
    return line


def in_keywords(line: str) -> str:
    """Return a message with arguments in place of options; whole commands are not changed."""
    parts = re.split(r"('(?:tidewise|env|cmake) [^']*'|\((?:tidewise|env) [^)]*\))", line)
    option = r"--([a-z][a-z-]*)(?:=| (?=[A-Z\d.…/+-]))?"  # and a value, if one follows
    return "".join(part if n % 2 else re.sub(option, _named, part) for n, part in enumerate(parts))


def _named(option: re.Match[str]) -> str:
    value = "=" if option[0][-1] in " =" else ""
    return _RENAMED.get(option[1], option[1].replace("-", "_")) + value


def python_line(line: str) -> str:
    """Return a message of the command line, reworded for Python."""
    return without_temporary(in_keywords(line))


@contextmanager
def python_errors(reword: Callable[[str], str] = python_line) -> Iterator[None]:
    """Reword InputError and RunError that are raised inside for Python."""
    try:
        yield
    except (InputError, RunError) as error:
        line = reword(str(error))
        if line == str(error):
            raise
        raise type(error)(line) from None


def kind_of(value: object) -> str:
    """Describe a refused value: "a dict", "an int", "None"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def whole_number(name: str, value: Any, minimum: int) -> int:
    """Validate a whole number. Raises InputError for any other value."""
    maximum = 2**31 - 1
    try:
        whole = not isinstance(value, bool) and int(value) == value and minimum <= value <= maximum
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise InputError(
            f"{name} is {value!r}; it must be a whole number from {minimum} to {maximum}"
        )
    return int(value)


def all_but(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a command's options: a function's locals() without `names`."""
    all_arguments = {**arguments, **arguments.get("options", {})}
    return {name: value for name, value in all_arguments.items() if name not in (*names, "options")}


def _spelled_out(function: Callable[..., Any]) -> inspect.Signature:
    """Return a function's signature with its **options: Unpack[KIND] of _types spelled out."""
    parameters = dict(inspect.signature(function).parameters)
    if (options := parameters.pop("options", None)) is not None:
        kind = getattr(_types, options.annotation[len("Unpack[") : -1])
        for name, value in kind.__annotations__.items():
            annotation = value.__forward_arg__
            default = False if annotation == "bool" else None
            parameters[name] = options.replace(
                name=name, kind=options.KEYWORD_ONLY, default=default, annotation=annotation
            )
    return inspect.signature(function).replace(parameters=list(parameters.values()))


def renamed(**names: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Accept the earlier names of arguments for one version, with a DeprecationWarning.

    Parameters
    ----------
    **names : str
        The present name for each earlier name.
    """

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(function)
        def call(*arguments: P.args, **keywords: P.kwargs) -> T:
            for old, new in names.items():
                if old in keywords:
                    line = f"{function.__qualname__}: {old} is called {new} now"
                    warnings.warn(line, DeprecationWarning, stacklevel=2)
                    keywords[new] = keywords.pop(old)
            return function(*arguments, **keywords)

        return call

    return decorated


def by_keywords(**advice: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function so that the error for an unknown argument names the nearest one.

    `advice`: a text for each former argument. Raises TypeError.
    """

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        signature = _spelled_out(function)
        names = list(signature.parameters)
        if names[0] in ("self", "cls"):
            del names[0]
        called = function.__qualname__.removesuffix(".__init__")

        @functools.wraps(function)
        def call(*arguments: P.args, **keywords: P.kwargs) -> T:
            for name in keywords:
                if name not in names:
                    raise TypeError(f"{called}: has no argument {name}; {_instead(name)}")
            return function(*arguments, **keywords)

        def _instead(name: str) -> str:
            if name in advice:
                return advice[name]
            if "__" in name and "settings" in names:
                return f"give settings={{'{name.replace('__', '.')}': …}}"
            near = difflib.get_close_matches(name, names, 1)
            return f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"

        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    return decorated
