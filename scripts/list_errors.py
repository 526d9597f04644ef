#!/usr/bin/env python3
"""Lists the errors of wrong input by their codes, from the tables of the layers (error_codes.h).

    scripts/list_errors.py            prints the page of the reference, docs/reference/errors.md
    scripts/list_errors.py --check    prints nothing; fails if a rule is broken

The rules: a code is unique in the program and is thrown somewhere. Each InputError has a code: it is made by
input_error(), or contains a text of error_text() after the place of the error.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
ENTRY = re.compile(rf"TIDEWISE_ERROR\(\s*(\w+),\s*({TEXT})\)")
CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
PLACES = {"and", "attribute", "column", "line", "profile", "time", "variable"}


def tables():
    """The files of the tables."""
    return sorted([ROOT / "base/error_codes.h", *ROOT.glob("*/error/codes.h")])


def entries(table):
    """Code and wording of each error in the text of a table."""
    for code, literals in ENTRY.findall(table):
        wording = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
        yield code, wording.replace('\\"', '"').replace("\\\\", "\\")


def faults(errors, code_text):
    """The faults of errors in a program with this text."""
    used = set(re.findall(r"errors::(\w+)", code_text))
    for code, _ in errors:
        if not CODE.fullmatch(code):
            yield f"{code} must be small letters and digits, of two words or more"
        if code not in used:
            yield f"{code} is thrown nowhere"
    for code, count in Counter(code for code, _ in errors).items():
        if count > 1:
            yield f"{code} is listed {count} times"


def closing(text, opening):
    """The index after the bracket that closes the one at `opening`."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'|[()\[\]{}]', text[opening:]):
        depth += (token[0] in "([{") - (token[0] in ")]}")
        if depth == 0:
            return opening + token.end()
    return len(text)


def without_calls(text, name):
    """`text` without the arguments of each call of `name`."""
    while call := re.search(rf"\b{name}\(", text):
        text = text[: call.start()] + text[closing(text, call.end() - 1) :]
    return text


def plain_errors(code_text):
    """The line of each InputError whose text is not one of a table."""
    code_text = re.sub(r"//[^\n]*", "", code_text)
    kinds = {"InputError", *re.findall(r"class (\w+)[^;{]*: public InputError\b", code_text)}
    for made in re.finditer(rf"\b(?:{'|'.join(sorted(kinds))})\b(?:\s+\w+)?\s*[({{]", code_text):
        opening = made.end() - 1
        argument = without_calls(code_text[opening : closing(code_text, opening)], "error_text")
        words_added = r"\badd_words\((?:\w+(?:\.\w+\(\))?)?,"  # after the text of another call
        argument = without_calls(re.sub(words_added, "added(", argument), "added")
        for literal in LITERAL.findall(argument):
            words = set(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^{}]*\}|--\w+|\w+\.\w+", "", literal)))
            if words - PLACES:
                yield code_text.count("\n", 0, made.start()) + 1
                break


def page(errors):
    """The page of the reference."""
    yield "# Errors"
    yield ""
    yield "Every error of wrong input ends with its code in brackets, in Python `InputError.code`. Braces mark values."
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
    sources += (ROOT / "python/bindings").glob("*.cpp")
    texts = {path.relative_to(ROOT): path.read_text() for path in sources}
    wrong = list(faults(errors, "\n".join(texts.values())))
    for path, text in texts.items():
        wrong += [f"{path}:{line}: an InputError without a code" for line in plain_errors(text)]
    return "\n".join(wrong) if wrong or not errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
