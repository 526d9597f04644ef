"""Every call of docs/trust/wrong_calls.md is answered as that page says, and loses nothing.

Run as a program it prints the page with the answers that there are now.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "trust" / "wrong_calls.md"
TERMINAL, PYTHON = "$ ", ">>> "


def blocks(page: str) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def calls(page: str, prompt: str) -> list[tuple[str, str]]:
    """(call, answer): a line each."""
    lines = [line for block in blocks(page) for line in block.splitlines()]
    pairs = zip(lines, lines[1:], strict=False)
    return [(one.removeprefix(prompt), answer) for one, answer in pairs if one.startswith(prompt)]


def told(page: str, mark: str) -> list[str]:
    """Lines of the blocks without prompts that hold a word."""
    plain = [block for block in blocks(page) if not block.startswith((TERMINAL, PYTHON))]
    return [line for block in plain if mark in block for line in block.splitlines()]


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def put_on_path(program: str, folder: Path) -> None:
    (folder / "tidewise").symlink_to(Path(program).absolute())
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def make_folder(page: str, folder: Path) -> None:
    commands = "\n".join(told(page, "tidewise example"))
    done = shell(f"set -e\n{commands}", folder)
    assert done.returncode == 0, done.stderr


def names_of(page: str) -> dict[str, object]:
    """What the page's first block of Python makes."""
    names: dict[str, object] = {}
    exec("\n".join(told(page, "import tidewise as tw")), names)  # noqa: S102
    return names


def python_answer(call: str, names: dict[str, object]) -> str:
    try:
        eval(call, names)  # noqa: S307
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"
    return "nothing is refused"


def terminal_answer(call: str, folder: Path) -> tuple[int, str]:
    done = shell(call, folder)
    return done.returncode, (done.stdout + done.stderr).replace(f"{folder}/", "…/").rstrip("\n")


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(program, page, tmp_path_factory):
    """The page's, and where calls are made."""
    before, path = Path.cwd(), os.environ["PATH"]
    put_on_path(program, tmp_path_factory.mktemp("path"))
    made = tmp_path_factory.mktemp("calls")
    make_folder(page, made)
    os.chdir(made)
    yield made
    os.chdir(before)
    os.environ["PATH"] = path


@pytest.fixture(scope="module")
def names(folder, page):
    return names_of(page)


def test_there_are_fifty_of_them(page):
    assert len(calls(page, TERMINAL)) >= 25
    assert len(calls(page, PYTHON)) >= 25


@pytest.mark.parametrize(("call", "answer"), calls(PAGE.read_text(encoding="utf-8"), TERMINAL))
def test_the_terminal_says_what_the_page_says(folder, call, answer):
    before = contents(folder)
    status, said = terminal_answer(call, folder)
    assert said == answer
    assert status == 2
    assert said.startswith("tidewise: error: ")
    assert contents(folder) == before


@pytest.mark.parametrize(("call", "answer"), calls(PAGE.read_text(encoding="utf-8"), PYTHON))
def test_python_says_what_the_page_says(folder, names, call, answer):
    before = contents(folder)
    said = python_answer(call, names).replace(f"{folder}/", "…/")
    assert said == answer
    assert said.startswith(("InputError: ", "TypeError: ", "AttributeError: "))
    assert "--" not in said and tempfile.gettempdir() not in said
    assert contents(folder) == before


def test_what_is_no_mistake_is_done(folder, page):
    for command in told(page, "from_a_spreadsheet.csv --out"):
        done = shell(command, folder)
        assert done.returncode == 0, done.stderr
    said = [shell(f"tidewise lookup runs/washington --at {at} --time 2024-10-29", folder).stdout
            for at in ("234.2,47.2", "-125.8,47.2")]  # fmt: skip
    assert said[0] == said[1]


def answered(page: str, folder: Path) -> str:
    """The page with the answers that there are."""
    os.chdir(folder)
    make_folder(page, folder)
    names, lines, skipped = names_of(page), [], False
    for line in page.splitlines():
        if skipped:
            skipped = False
            continue
        lines.append(line)
        if line.startswith(TERMINAL):
            lines.append(terminal_answer(line.removeprefix(TERMINAL), folder)[1])
        elif line.startswith(PYTHON):
            said = python_answer(line.removeprefix(PYTHON), names)
            lines.append(said.replace(f"{folder}/", "…/"))
        skipped = line.startswith((TERMINAL, PYTHON))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        (tools := Path(scratch, "path")).mkdir()
        (place := Path(scratch, "calls")).mkdir()
        put_on_path(os.environ["TIDEWISE"], tools)
        sys.stdout.write(answered(PAGE.read_text(encoding="utf-8"), place))
