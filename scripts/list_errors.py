#!/usr/bin/env python3
"""Lists the errors of wrong input by their codes, from the tables of the layers (error_codes.h).

    scripts/list_errors.py            prints the page of the reference, docs/reference/errors.md
    scripts/list_errors.py --check    prints nothing; fails where codes contradict each other

A code is unique in the program and thrown somewhere.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
ENTRY = re.compile(rf"TIDEWISE_ERROR\(\s*(\w+),\s*({TEXT})\)")
CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


def tables():
    """The files of the tables."""
    return sorted([ROOT / "base/error_codes.h", *ROOT.glob("*/error/codes.h")])


def entries(table):
    """Code and wording of each error in the text of a table."""
    for code, literals in ENTRY.findall(table):
        wording = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
        yield code, wording.replace('\\"', '"').replace("\\\\", "\\")


def faults(errors, code_text):
    """What is wrong with errors, of a program of this text."""
    used = set(re.findall(r"errors::(\w+)", code_text))
    for code, _ in errors:
        if not CODE.fullmatch(code):
            yield f"{code} must be small letters and digits, of two words or more"
        if code not in used:
            yield f"{code} is thrown nowhere"
    for code, count in Counter(code for code, _ in errors).items():
        if count > 1:
            yield f"{code} is listed {count} times"


def page(errors):
    """The page of the reference."""
    yield "# Errors"
    yield ""
    yield "Every error of wrong input ends with its code in brackets, in Python `InputError.code`. Braces stand for values."
    yield ""
    yield "| code | message |"
    yield "| --- | --- |"
    for code, wording in sorted(errors):
        shown = re.sub(r"\{[^{}]*\}", "{}", wording.replace("{{", "(").replace("}}", ")"))
        shown = re.sub(r"([|<>*_\[\]`\\])", r"\\\1", shown)
        yield f"| `{code}` | {shown} |"


def main(arguments):
    errors = [error for table in tables() for error in entries(table.read_text())]
    if arguments not in ([], ["--check"]):
        return f"usage: {sys.argv[0]} [--check]"
    if not arguments:
        print("\n".join(page(errors)))
        return 0
    sources = [
        path
        for table in tables()
        for suffix in ("h", "cpp", "cu")
        for path in (ROOT / table.relative_to(ROOT).parts[0]).rglob(f"*.{suffix}")
    ]
    wrong = list(faults(errors, "\n".join(path.read_text() for path in sources)))
    return "\n".join(wrong) if wrong or not errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
