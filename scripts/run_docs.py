#!/usr/bin/env python3
"""Runs the recipes of README.md and the pages under docs as a reader would, each page in a scratch checkout.

  scripts/run_docs.py [--jobs N] [PAGE...]

TIDEWISE names another program than build/cpu's, PYTHON another Python than build/python's
(scripts/test_python.sh makes that one). Every code block has a mark before it, an HTML comment that
readers do not see:

  <!-- run -->                shell, or Python by the block's language
  <!-- save: mission.toml --> into this file
  <!-- output -->             what the block before it prints; with "same", it must: to the last
                              digit, but for spaces and what … stands for
  <!-- not run: WHY -->

and on further lines of "run" and "save":

  first: COMMAND              before it; any number of them
  then: COMMAND               after it
  with: OLD => NEW            instead, to be done in time
  in: FOLDER                  there
  needs: PATH or COMMAND      left out where it is not there
  status: N                   with which it ends; 0 if not given

A block without a mark is an error, and so is a recipe that fails.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300  # of one block
_FENCE = re.compile(r"^ *```(\w*)\s*$")


class Refused(Exception):
    """A page that cannot be run, or a recipe that fails."""


@dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    mark: str  # run, save, output, not run
    value: str = ""  # what follows the colon of the mark
    options: dict = field(default_factory=dict)  # first, then, with, in, needs, status: lists

    def place(self):
        return f"{self.page}:{self.line}"

    def option(self, name, otherwise=None):
        return self.options.get(name, [otherwise])[-1]


def read_mark(place, comment):
    """(mark, value, options) of a comment before a block."""
    lines = [line.strip() for line in comment.strip().splitlines() if line.strip()]
    mark, _, value = (part.strip() for part in lines[0].partition(":"))
    if mark not in ("run", "save", "output", "not run") or (
        mark in ("save", "not run") and not value
    ):
        raise Refused(
            f"{place}: the mark '{lines[0]}' is none of: run, save: FILE, output, not run: WHY"
        )
    options = {}
    for line in lines[1:]:
        name, _, words = (part.strip() for part in line.partition(":"))
        if name not in ("first", "then", "with", "in", "needs", "status") or not words:
            raise Refused(
                f"{place}: '{line}' is no line of a mark; see {Path(__file__).name} --help"
            )
        options.setdefault(name, []).append(words)
    return mark, value, options


def read_blocks(page, text):
    """(blocks, errors): the marked blocks of a page, and a line for each that has no mark."""
    blocks, errors, lines, number = [], [], text.splitlines(), 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if not fence:
            # What is set off by blanks cannot be marked.
            if re.match(r" {4}(\$ |tidewise|cmake|scripts/|\./|python3? )", lines[number]):
                errors.append(f"{page}:{number + 1}: a recipe without fences; put some around it")
            number += 1
            continue
        begin, place = number, f"{page}:{number + 1}"
        number += 1
        while number < len(lines) and not _FENCE.match(lines[number]):
            number += 1
        indent = len(lines[begin]) - len(lines[begin].lstrip())
        body = "".join(line[indent:] + "\n" for line in lines[begin + 1 : number])
        number += 1
        before = "\n".join(lines[:begin]).rstrip()
        comment = re.search(r"<!--((?:(?!-->).)*)-->\Z", before, re.S)
        try:
            if not comment:
                raise Refused(
                    f"{place}: a block without a mark begins '{body.splitlines()[0] if body else ''}'"
                )
            blocks.append(
                Block(page, begin + 1, fence.group(1), body, *read_mark(place, comment.group(1)))
            )
        except Refused as error:
            errors.append(str(error))
    return blocks, errors


def make_checkout(folder):
    """What recipes of a page see: a checkout without its build, and the program on the path."""
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in ("configs", "examples", "include", "python", "scripts"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("bench", "docs", "tests", "build"):
        if (ROOT / name).exists():
            (checkout / name).symlink_to(ROOT / name)
    if (ROOT.parent / "shared").exists():
        (folder / "shared").symlink_to((ROOT.parent / "shared").resolve())
    (checkout / "runs").mkdir()
    return checkout


def settings(folder):
    """The environment of recipes."""
    program = Path(os.environ.get("TIDEWISE", ROOT / "build/cpu/app/tidewise")).absolute()
    python = Path(os.environ.get("PYTHON", ROOT / "build/python/bin/python")).absolute()
    if not os.access(program, os.X_OK) or not os.access(python, os.X_OK):
        raise Refused(
            f"{program} or {python} is not there; build the one with 'cmake --preset cpu && cmake --build "
            "--preset cpu --target tidewise', make the other with 'scripts/test_python.sh'"
        )
    tools = folder / "tools"
    tools.mkdir()
    (tools / "tidewise").symlink_to(program)
    # As root, and with more processes than cores, mpirun wants to be told.
    return os.environ | {
        "PATH": f"{tools}:{python.parent}:{os.environ['PATH']}",
        "MPLBACKEND": "Agg",
        "OMP_WAIT_POLICY": "passive",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }


class Page:
    """Runs the blocks of one page, in their order."""

    def __init__(self, page, folder):
        self._page, self._checkout, self._python, self._said = page, make_checkout(folder), "", ""
        self._settings = settings(folder)

    def _run(self, block, words, folder, status=0):
        try:
            done = subprocess.run(
                words,
                cwd=folder,
                env=self._settings,
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        except subprocess.TimeoutExpired as error:
            late = f"{block.place()}: not done after {SECONDS} s: {words[-1]}"
            raise Refused(late) from error
        if done.returncode != status:
            raise Refused(
                f"{block.place()}: ends with {done.returncode}, not {status}:\n{words[-1]}\n"
                f"{done.stdout[-3000:]}"
            )
        return done.stdout

    def _shell(self, block, text, folder, status=0):
        # Documents show a prompt where output follows.
        text = re.sub(r"^\$ ", "", text, flags=re.M)
        return self._run(block, ["bash", "-euo", "pipefail", "-c", text], folder, status)

    def _missing(self, block):
        for needed in block.options.get("needs", []):
            if not (self._checkout / needed).exists() and not shutil.which(
                needed, path=self._settings["PATH"]
            ):
                return needed
        return None

    def _text(self, block):
        text = block.text
        for rule in block.options.get("with", []):
            old, new = (part.strip() for part in rule.split("=>"))
            if old not in text:
                raise Refused(f"{block.place()}: '{old}' of the mark is not in the block")
            text = text.replace(old, new)
        return text

    def _compare(self, block):
        """Every line of the block is one that the last recipe said."""
        said = {" ".join(line.split()) for line in self._said.splitlines()}
        for line in block.text.splitlines():
            parts = [re.escape(part) for part in " ".join(line.split()).split("…")]
            if not any(re.fullmatch(".*".join(parts), other) for other in said):
                raise Refused(
                    f"{block.place()}: the program does not say (any more):\n{line}\nbut:\n{self._said}"
                )

    def _perform(self, block):
        folder = self._checkout / block.option("in", ".")
        for command in block.options.get("first", []):
            self._shell(block, command, self._checkout)
        text, status = self._text(block), int(block.option("status", "0"))
        if block.mark == "save":
            (folder / block.value).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.value).write_text(text)
        elif block.language == "python":  # later blocks go on where earlier ones end
            self._python += text
            self._said = self._run(block, ["python", "-c", self._python], folder, status)
        elif block.language == "":
            self._said = self._shell(block, text, folder, status)
        else:
            raise Refused(
                f"{block.place()}: a block of '{block.language}' cannot be run; mark it 'save' or 'not run'"
            )
        for command in block.options.get("then", []):
            self._shell(block, command, self._checkout)

    def run(self, blocks):
        """A line for each block."""
        left_out = False
        for block in blocks:
            begin = time.monotonic()
            if block.mark == "not run":
                yield f"{block.place()}: not run: {block.value}"
            elif block.mark == "output":
                if block.value == "same" and not left_out:
                    self._compare(block)
                    yield f"{block.place()}: as the program says"
            elif missing := self._missing(block):
                left_out = True
                yield f"{block.place()}: left out, there is no {missing}"
            else:
                left_out = False
                self._perform(block)
                yield f"{block.place()}: {time.monotonic() - begin:.1f} s"


def run_page(path):
    """(lines, error)"""
    lines = []
    blocks, errors = read_blocks(str(path), (ROOT / path).read_text())
    with tempfile.TemporaryDirectory(prefix="tidewise_docs.") as folder:
        try:
            if blocks:
                lines.extend(Page(path, Path(folder)).run(blocks)) if not errors else None
        except Refused as error:
            errors.append(str(error))
    return lines, errors


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", help="default: README.md and the pages under docs")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    pages = chosen.pages or [
        "README.md",
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md")),
    ]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for lines, errors in pool.map(run_page, pages):
            print(
                "\n".join(lines + [f"ERROR {error}" for error in errors]), flush=True
            ) if lines or errors else None
            failed += len(errors)
    print(f"{failed} recipes fail or have no mark" if failed else "All recipes run.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
