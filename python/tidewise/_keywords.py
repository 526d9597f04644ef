"""The terminal's words in Python's: options are keywords, and temporary files are objects."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from tidewise import _types
from tidewise.errors import InputError, RunError

P = ParamSpec("P")
T = TypeVar("T")

_FLAGS = (
    "add_mode|all_departures|all_states|drifting|ensemble|force|fly|no_bound|overwrite|plane|resume"
    "|value"
)
_WORDED = "backend|components|engine|format|landing|method|mode|objective|sample|u|v|zeros"
_VALUE = r"[A-Z][A-Z_]*(?![a-z])\S*?|[-+]?[\d.…]\S*?|/\S+?"  # FILE, a number, a date, a path

# What an option is called as an argument, where that is not its own name.
_RENAMED = {
    "from": "from_",
    "nt": "levels",
    "truth": "environment",
    "with": "others",
}

# Of lines whose options have their names as arguments already.
_OPTIONS: tuple[tuple[str, str], ...] = (
    (r"; see 'tidewise [a-z -]+ --help'", ""),
    (r"--at LON,LAT \(--at_xy X,Y\)", "at=…"),
    (r"--at \(or --at_xy\)", "at"),
    (r"--no_cost", "cost=False"),
    (r"--set ([\w.]+)=(.+?)(?=: |; |$)", r"settings={'\1': \2}"),
    (r"--column ([a-z_]+)=(\S+?)(?=[\s,;)]|$)", r"column={'\1': '\2'}"),
    (r"'\} column=\{'", "', '"),  # of several one dict
    (rf"--({_FLAGS})\b", r"\1=True"),
    (rf"--({_WORDED})[ =](?!is\b|and\b|or\b|for\b)([a-z][\w-]*)", r"\1='\2'"),
    (r"--([a-z_]+)[ =]([\d.]+[a-z]+)(?=[:;,.)]?(?:\s|$))", r"\1='\2'"),  # 3km, 40h
    (rf"--([a-z_]+)[ =]({_VALUE})(?=[:;,.)]?(?:\s|$))", r"\1=\2"),
    (r"^--([a-z_]+)[ =](\S+): ", r"\1=\2: "),  # what was given, whatever it is
    (r"--([a-z_]+)", r"\1"),
)

# Files that stand for what was given as an object.
_OBJECTS: tuple[tuple[str, str], ...] = (
    (r"environment\.h5", "the environment"),
    (r"posterior\.h5", "the posterior"),
    (r"forecast\.nc", "the forecast"),
    (r"forecast_(\d+)\.nc", r"forecast[\1]"),
    (r"run(?=[:,;\s]|$)", "the run"),
    (r"mission\.toml", "mission"),
    (r"batch\.toml", "table"),
    ("", ""),  # any other by its name alone
)


def without_temporary(line: str) -> str:
    """A line without folders that nobody named: what lies in them by what it is."""
    folder = re.escape(tempfile.gettempdir().rstrip("/")) + r"/tidewise-[^/\s]+/"
    for file, name in _OBJECTS:
        line = re.sub(folder + file, name, line)
    return line


# What is done with a forecast's file at the terminal, and in Python when it is brought in.
_FINER = re.compile(r"bring the forecast in(, or 'env resample' it,)? with ((?:--\w+ \S+ ?)+)")


def _finer_in_python(advice: re.Match[str]) -> str:
    options = advice[2].rstrip()
    keywords = _with_arguments(options).replace(" ", ", ")
    resampled = f", or its file by 'tidewise env resample {options}'" if advice[1] else ""
    return f"bring the forecast in by Environment.from_netcdf({keywords}){resampled}"


def in_keywords(line: str) -> str:
    """A line of the terminal with arguments for options; whole commands stay as they are."""
    line = _FINER.sub(_finer_in_python, line)
    parts = re.split(r"('(?:tidewise|env) (?![^']*--help)[^']*'|\((?:tidewise|env) [^)]*\))", line)
    return "".join(part if n % 2 else _with_arguments(part) for n, part in enumerate(parts))


def _with_arguments(text: str) -> str:
    text = re.sub(r"--([a-z][a-z-]*)", _named, text)
    for option, argument in _OPTIONS:
        text = re.sub(option, argument, text)
    return text


def _named(option: re.Match[str]) -> str:
    return f"--{_RENAMED.get(option[1], option[1].replace('-', '_'))}"


def python_line(line: str) -> str:
    """As the terminal says it, in Python's words."""
    return without_temporary(in_keywords(line))


@contextmanager
def python_errors(say: Callable[[str], str] = python_line) -> Iterator[None]:
    """InputError and RunError from here are said in Python's words."""
    try:
        yield
    except (InputError, RunError) as error:
        line = say(str(error))
        if line == str(error):
            raise
        raise type(error)(line) from None


def kind_of(value: object) -> str:
    """What a value is, for a line that refuses it: "a dict", "an int", "None"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def whole_number(name: str, value: Any, least: int) -> int:
    """An argument that counts something. Errors: InputError for what is no whole number."""
    most = 2**31 - 1
    try:
        whole = not isinstance(value, bool) and int(value) == value and least <= value <= most
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise InputError(
            f"{name} is {value!r}; it must be a whole number from {least} to {most}"
        )
    return int(value)


def all_but(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    """A function's arguments, of its locals(), but these: those that a command has as options."""
    given = {**arguments, **arguments.get("options", {})}
    return {name: value for name, value in given.items() if name not in (*names, "options")}


def _spelled_out(function: Callable[..., Any]) -> inspect.Signature:
    """A function's signature, with each of **options: Unpack[KIND], which is one of _types."""
    parameters = dict(inspect.signature(function).parameters)
    if (options := parameters.pop("options", None)) is not None:
        kind = getattr(_types, options.annotation[len("Unpack[") : -1])
        for name, value in kind.__annotations__.items():
            told = value.__forward_arg__
            default = False if told == "bool" else None
            parameters[name] = options.replace(
                name=name, kind=options.KEYWORD_ONLY, default=default, annotation=told
            )
    return inspect.signature(function).replace(parameters=list(parameters.values()))


def by_keywords(**gone: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Of a function: an argument that it does not have is refused in a line that names the nearest.

    `gone`: what was an argument, and what to say instead. Errors: TypeError.
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
            if name in gone:
                return gone[name]
            if "__" in name and "settings" in names:
                return f"give settings={{'{name.replace('__', '.')}': …}}"
            near = difflib.get_close_matches(name, names, 1)
            return f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"

        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    return decorated
