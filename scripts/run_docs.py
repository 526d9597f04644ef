#!/usr/bin/env python3
"""Runs the blocks of README.md and the pages under docs: each page in an empty folder, in order.

  scripts/run_docs.py [--jobs N] [PAGE...]

TIDEWISE names another program than build/cpu's, PYTHON another Python than build/python's (scripts/test_python.sh
makes that one). The language of a fence decides:

  sh       run by bash, in the last folder of the block before it
  console  commands after "$ ", each with its required output
  python   run, after the page's earlier Python
  output   expected output of the block before, except for spaces and text replaced by …
  others   written to FILE if the text before the fence asks to save it as `FILE`; else only shown

A block is not run if the line before it names a requirement in italics: *Needs a GPU.* A fence without a language
and a block that fails are errors.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 600  # of one block
# Runs Python blocks in one process: reads [folder, code] as JSON, ends a block's output by a line of \0 and status.
_PYTHON = """
import json, os, sys, traceback
calls = os.fdopen(os.dup(0))
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
names = {"__name__": "__main__"}
for call in calls:
    folder, code = json.loads(call)
    os.chdir(folder)
    status = 0
    try:
        exec(compile(code, "block", "exec"), names)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stderr.flush()
    print(f"\\n\\0{status}", flush=True)
"""
_FENCE = re.compile(r"^ *```(\w*)\s*$")
_NEEDS = re.compile(r"\*(Needs [^*]+)\.\*\s*\Z")
_SAVE = re.compile(r"\b[Ss]ave\b[^.`]*\bas\s+`([\w./-]+)`")


class Refused(Exception):
    """A page that cannot be run, or a block that fails."""


@dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    needs: str  # requirement for which it is skipped; empty if it runs
    file: str  # the name of its file; empty if it is not saved

    def place(self):
        return f"{self.page}:{self.line}"


def read_blocks(page, text):
    """(blocks, errors): the blocks of a page, and a line for each without a language."""
    blocks, errors, lines, number = [], [], text.splitlines(), 0
    while number < len(lines):
        if not (fence := _FENCE.match(lines[number])):
            number += 1
            continue
        begin = number
        number += 1
        while number < len(lines) and not _FENCE.match(lines[number]):
            number += 1
        indent = len(lines[begin]) - len(lines[begin].lstrip())
        body = "".join(line[indent:] + "\n" for line in lines[begin + 1 : number])
        number += 1
        before = "\n".join(lines[:begin]).rstrip()
        paragraph = before[before.rfind("\n\n") + 1 :]
        needs, save = _NEEDS.search(before), _SAVE.search(paragraph)
        if before.endswith("-->"):
            errors.append(f"{page}:{begin + 1}: a comment that readers do not see stands before the block; remove it")
        if not fence.group(1):
            errors.append(f"{page}:{begin + 1}: the fence has no language; see {Path(__file__).name} --help")
        language = fence.group(1)
        shown = language in ("sh", "console", "python", "output")
        file = save.group(1) if save and not shown else ""
        blocks.append(Block(page, begin + 1, language, body, needs.group(1) if needs else "", file))
    return blocks, errors


def settings(folder):
    """The environment of commands; tools are put into `folder`."""
    program = Path(os.environ.get("TIDEWISE", ROOT / "build/cpu/app/tidewise")).absolute()
    python = Path(os.environ.get("PYTHON", ROOT / "build/python/bin/python")).absolute()
    if not os.access(program, os.X_OK) or not os.access(python, os.X_OK):
        raise Refused(
            f"{program} or {python} does not exist; build the first with 'cmake --preset cpu && cmake --build "
            "--preset cpu --target tidewise', the second with 'scripts/test_python.sh'"
        )
    tools = folder / "tools"
    tools.mkdir()
    (tools / "tidewise").symlink_to(program)
    # mpirun refuses root, and more processes than cores, without these.
    return os.environ | {
        "PATH": f"{tools}:{python.parent}:{os.environ['PATH']}",
        "MPLBACKEND": "Agg",
        "OMP_WAIT_POLICY": "passive",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }


class Page:
    """Runs the blocks of one page."""

    def __init__(self, folder):
        self._settings = settings(folder)
        self._at = folder / "page"  # the working folder of the next block
        self._state = folder / "state"
        self._at.mkdir()
        self._python, self._printed = None, ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._python:
            self._python.kill()
            self._python.communicate()

    def _run(self, block, words, text):
        try:
            done = subprocess.run(
                words,
                cwd=self._at,
                env=self._settings,
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        except subprocess.TimeoutExpired as error:
            raise Refused(f"{block.place()}: not done after {SECONDS} s:\n{text}") from error
        return done

    def _require(self, block, status):
        if status != 0:
            raise Refused(f"{block.place()}: ends with {status}:\n{block.text}\n{self._printed[-3000:]}")

    def _shell(self, block):
        words = f"{block.text}\npwd > '{self._state}'"
        done = self._run(block, ["bash", "-euo", "pipefail", "-c", words], block.text)
        self._printed = done.stdout
        self._require(block, done.returncode)
        self._at = Path(self._state.read_text().rstrip("\n"))

    def _run_python(self, block):
        if not self._python:
            self._python = subprocess.Popen(
                ["python", "-c", _PYTHON],
                env=self._settings,
                cwd=self._at,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        alarm = threading.Timer(SECONDS, self._python.kill)
        alarm.start()
        self._python.stdin.write(json.dumps([str(self._at), block.text]) + "\n")
        self._python.stdin.flush()
        self._printed, status = "", "no answer"  # stays so if the process ends or takes too long
        for line in self._python.stdout:
            if line.startswith("\0"):
                status = int(line[1:])
                break
            self._printed += line
        alarm.cancel()
        self._require(block, status)

    def _compare(self, block, expected):
        """Requires that each expected line is printed."""
        printed = {" ".join(line.split()) for line in self._printed.splitlines()}
        for line in expected.splitlines():
            parts = [re.escape(part) for part in " ".join(line.split()).split("…")]
            if not any(re.fullmatch(".*".join(parts), other) for other in printed):
                raise Refused(f"{block.place()}: the program does not print:\n{line}\nbut:\n{self._printed}")

    def _transcript(self, block):
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            self._printed = self._run(block, ["bash", "-c", command], command).stdout
            self._compare(block, expected)

    def _perform(self, block):
        if block.language == "sh":
            self._shell(block)
        elif block.language == "console":
            self._transcript(block)
        elif block.language == "python":
            self._run_python(block)
        elif block.language == "output":
            self._compare(block, block.text)
        elif block.file:
            (self._at / block.file).write_text(block.text)
        else:
            return "shown"
        return None

    def run(self, blocks):
        """Runs the blocks. Yields a line for each."""
        left_out = ""
        for block in blocks:
            begin = time.monotonic()
            left_out = block.needs or (left_out if block.language == "output" else "")
            if left_out:
                yield f"{block.place()}: not run: {left_out}"
            else:
                yield f"{block.place()}: {self._perform(block) or f'{time.monotonic() - begin:.1f} s'}"


def run_page(path):
    """(lines, errors)"""
    text = (ROOT / path).read_text()
    lines = []
    blocks, errors = read_blocks(str(path), text)
    with tempfile.TemporaryDirectory(prefix="tidewise_docs.") as folder:
        try:
            with Page(Path(folder)) as page:
                for line in page.run(blocks) if not errors else ():
                    lines.append(line)
        except Refused as error:
            errors.append(str(error))
    return lines, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", help="default: README.md and the pages under docs")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    pages = chosen.pages or [
        "README.md",
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md")),
    ]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run_page, page) for page in pages]):
            lines, errors = done.result()
            if lines or errors:
                print("\n".join(lines + [f"ERROR {error}" for error in errors]), flush=True)
            failed += len(errors)
    print(f"{failed} blocks fail or have no language" if failed else "All blocks run.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
