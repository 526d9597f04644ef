"""Docstrings of the public functions have the sections of numpydoc, for each argument."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import tidewise as tw
from tidewise import mdp, twp

_CALLED = {"Environment", "Mission", "Policy", "Vehicle"}  # classes with a public constructor


def public_functions() -> Iterator[tuple[str, Any]]:
    modules = [(tw, tw.__all__), (mdp, mdp.__all__), (twp, ["Policy", "seconds"])]
    for module, names in modules:
        for name in names:
            member = getattr(module, name)
            if inspect.isclass(member) and member.__module__.startswith("tidewise"):
                yield from methods_of(name, member)
            elif inspect.isroutine(member):
                yield name, member


def methods_of(name: str, kind: type) -> Iterator[tuple[str, Any]]:
    if name in _CALLED:
        yield name, kind
    for own, method in vars(kind).items():
        plain = getattr(method, "__func__", method)
        if not own.startswith("_") and inspect.isfunction(inspect.unwrap(plain)):
            yield f"{name}.{own}", plain


FUNCTIONS = dict(public_functions())


def sections_of(text: str) -> dict[str, str]:
    """Return the text of each section by its name."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(text), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section: str) -> list[str]:
    """Return the names before the colons of a section."""
    lines = re.findall(r"^(\w[\w, ]*?)(?: : .+)?$", section, re.MULTILINE)
    return [name.strip() for line in lines for name in line.split(",")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_argument_and_result_is_described(name):
    function = FUNCTIONS[name]
    called = inspect.unwrap(function)
    sections = sections_of(function.__doc__)
    signature = inspect.signature(function)  # in which keywords replace **options
    arguments = [name for name in signature.parameters if name not in ("self", "cls")]
    assert sorted(described(sections.get("Parameters", ""))) == sorted(arguments)
    returned = getattr(called, "__annotations__", {}).get("return", "None")
    if not inspect.isclass(function) and returned != "None":
        assert "Returns" in sections
    for section in sections:
        assert section in ("Parameters", "Returns", "Raises", "Warns", "Examples", "Attributes")
