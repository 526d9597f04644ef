"""Calls of docs/trust/wrong_calls.md print the messages on that page, and change no files.

As a program, this module prints the page with the current messages.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tidewise as tw

PAGE = Path(__file__).resolve().parents[2] / "docs" / "trust" / "wrong_calls.md"
TERMINAL, PYTHON = "$ ", ">>> "


def blocks(page: str) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def lines_with(page: str, mark: str) -> list[str]:
    """Return all lines of those blocks without prompts that contain `mark`."""
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
    commands = "\n".join(lines_with(page, "tidewise example"))
    done = shell(f"set -e\n{commands}", folder)
    assert done.returncode == 0, done.stderr


def names_of(page: str) -> dict[str, object]:
    """Return the names that the page's first block of Python defines."""
    names: dict[str, object] = {}
    exec("\n".join(lines_with(page, "import tidewise as tw")), names)  # noqa: S102
    return names


def python_answer(call: str, names: dict[str, object]) -> str:
    try:
        eval(call, names)  # noqa: S307
    except Exception as error:  # noqa: BLE001
        assert isinstance(error, (tw.InputError, TypeError, AttributeError))
        answer = f"{type(error).__name__}: {error}"
        assert "--" not in answer
        return answer
    return "nothing is refused"


def terminal_answer(call: str, folder: Path) -> str:
    done = shell(call, folder)
    assert done.returncode == 2 and done.stderr.startswith("tidewise: error: "), call
    return (done.stdout + done.stderr).rstrip("\n")


def answered(page: str, folder: Path) -> str:
    """Return the page with the current answers; the calls must not change files."""
    make_folder(page, folder)
    names, lines, is_answer = names_of(page), [], False
    before = contents(folder)
    for line in page.splitlines():
        if not is_answer:
            lines.append(line)
        is_answer = line.startswith((TERMINAL, PYTHON))
        if is_answer:
            call = line.removeprefix(TERMINAL).removeprefix(PYTHON)
            by_python = line.startswith(PYTHON)
            answer = python_answer(call, names) if by_python else terminal_answer(call, folder)
            lines.append(answer.replace(f"{folder}/", "…/"))
            assert tempfile.gettempdir() not in lines[-1] and contents(folder) == before, call
    return "\n".join(lines) + "\n"


def test_messages_equal_those_on_the_page(program, tmp_path_factory, tmp_path, monkeypatch):
    page = PAGE.read_text(encoding="utf-8")
    tools = tmp_path_factory.mktemp("path")
    monkeypatch.setenv("PATH", os.environ["PATH"])
    monkeypatch.chdir(tmp_path)
    put_on_path(program, tools)
    assert answered(page, tmp_path).splitlines() == page.splitlines()
    assert min(page.count(f"\n{TERMINAL}"), page.count(f"\n{PYTHON}")) >= 25
    for command in lines_with(page, "from_a_spreadsheet.csv --out"):  # commands that succeed
        done = shell(command, tmp_path)
        assert done.returncode == 0, done.stderr
    outputs = [
        shell(f"tidewise lookup runs/washington --at {at} --time 2024-10-29", tmp_path).stdout
        for at in ("234.2,47.2", "-125.8,47.2")
    ]
    assert outputs[0] == outputs[1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        (tools := Path(scratch, "path")).mkdir()
        (place := Path(scratch, "calls")).mkdir()
        put_on_path(os.environ["TIDEWISE"], tools)
        os.chdir(place)
        sys.stdout.write(answered(PAGE.read_text(encoding="utf-8"), place))
