"""Runs the program once, under limits, and finds faults that are the same for all cases."""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

# Threads that wait must sleep: cases share the cores.
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",
    "LC_ALL": "C.UTF-8",
    "PATH": os.environ.get("PATH", ""),
}
# Messages of libraries and of the language's runtime, which users must not see.
_RAW = re.compile(
    rb"HDF5-DIAG|H5[A-Z]\w*\(|json\.exception|what\(\)|terminate called|libgomp|std::|"
    rb"nc_\w+\(|toml::|bad_alloc|basic_string|filesystem error|Segmentation|Sanitizer"
)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
LONGEST_LINE = 2000  # bytes


class NotSound(Exception):
    """The program fails with undamaged files or without limits."""


@dataclass
class Limits:
    """Limits of a case; None is no limit."""

    file_size: int | None = None  # maximum bytes of a file, like a full disk
    memory: int | None = None  # bytes of address space
    descriptors: int | None = None
    kill_after: float | None = None  # seconds


@dataclass
class Outcome:
    status: int  # minus the signal that ended it, if any
    output: bytes
    errors: bytes
    hung: bool
    killed: bool  # by the case itself
    survivors: bool
    seconds: float


def _limit(limits):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, value in (
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_NOFILE, limits.descriptors),
    ):
        if value is not None:
            resource.setrlimit(name, (value, value))


def _is_alive(entry, group):
    """True if an entry of /proc is a process of the group and no zombie"""
    try:
        state, _, process_group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
    except (OSError, ValueError):  # gone meanwhile
        return False
    return int(process_group) == group and state not in "ZX"


def _group_is_alive(group):
    """True if a child of the program outlives it by more than a second"""
    for _ in range(50):
        entries = (entry for entry in Path("/proc").iterdir() if entry.name.isdigit())
        if not any(_is_alive(entry, group) for entry in entries):
            return False
        time.sleep(0.02)
    return True


def _end_group(process):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def run(program, words, folder, seconds, limits=Limits()):
    """Runs PROGRAM WORDS in `folder`, for `seconds` at most."""
    begin = time.monotonic()
    child = subprocess.Popen(
        [str(program), *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT | {"TMPDIR": str(folder)},
        start_new_session=True,
        preexec_fn=lambda: _limit(limits),
    )
    hung = killed = False
    try:
        output, errors = child.communicate(timeout=limits.kill_after or seconds)
    except subprocess.TimeoutExpired:
        killed = limits.kill_after is not None
        hung = not killed
        child.kill() if killed else _end_group(child.pid)
        try:
            output, errors = child.communicate(timeout=10)
        except subprocess.TimeoutExpired:  # a child of the program holds the pipe
            _end_group(child.pid)
            output, errors = child.communicate()
    survivors = not hung and _group_is_alive(child.pid)
    _end_group(child.pid)
    seconds = time.monotonic() - begin
    return Outcome(child.returncode, output, errors, hung, killed, survivors, seconds)


def _faults_of_text(name, text):
    if raw := _RAW.search(text):
        yield "raw text", f"{name}: {raw.group().decode()}"
    if _CONTROL.search(text):
        yield "raw text", f"{name}: a control character"
    try:
        text.decode()
    except UnicodeDecodeError:
        yield "raw text", f"{name}: not UTF-8"
    if max(map(len, text.split(b"\n"))) > LONGEST_LINE:
        yield "lines", f"{name}: a line of more than {LONGEST_LINE} bytes"


def faults(outcome, statuses):
    """(kind, text) of each fault. `statuses`: exit statuses other than 0 that the case allows."""
    if outcome.hung:
        return [("hang", f"not done after {outcome.seconds:.0f} s")]
    found = [*_faults_of_text("stderr", outcome.errors), *_faults_of_text("stdout", outcome.output)]
    if outcome.status < 0:
        if not outcome.killed:
            found.append(("crash", signal.Signals(-outcome.status).name))
        return found
    if outcome.status not in (0, 1, 2):
        found.append(("crash", f"exit status {outcome.status}"))
    elif outcome.status != 0 and outcome.status not in statuses:
        allowed = " or ".join(map(str, statuses or (0,)))
        found.append(("status", f"{outcome.status} in place of {allowed}"))
    if outcome.status in (1, 2):
        # Warnings of the mission may come before the error.
        lines = [
            line
            for line in outcome.errors.split(b"\n")
            if line and not line.startswith(b"tidewise: warning: ")
        ]
        if len(lines) != 1:
            found.append(("lines", f"{len(lines)} lines in place of one"))
        elif not lines[0].startswith(b"tidewise: error: "):
            found.append(("lines", "the line does not begin 'tidewise: error: '"))
    if outcome.survivors:
        found.append(("leftover", "a process that outlived the program"))
    return found


def listing(folder):
    """path -> (size, time of change) of every file and folder"""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[str(path.relative_to(folder))] = (
            (status.st_size, status.st_mtime_ns) if path.is_file() else None
        )
    return found


def leftovers(before, after, command, succeeded):
    """Faults of files that should not exist, or should be unchanged."""
    found = []
    for path in sorted(set(after) - set(before)):
        name = path.rsplit("/", 1)[-1]
        is_output = any(path == one or path.startswith(one + "/") for one in command.outputs)
        if name.startswith(".") and name not in (".batch.lock", ".lock"):
            found.append(("leftover", path))
        elif is_output and not (succeeded or command.keeps_folder):
            found.append(("half-written", f"{path} of a command that failed"))
        elif not is_output and not (command.restart and path.startswith(command.restart)):
            found.append(("leftover", path))
    for path, status in before.items():
        if command.restart and path.startswith(command.restart):
            continue
        if after.get(path, 0) != status:
            found.append(("half-written", f"{path} was changed or is gone"))
    return found


def _begins(program, folder, limits):
    return run(program, ["--version"], folder, 20, limits).status == 0


def min_memory(program, folder):
    """[bytes] of address space with which the program prints its version"""
    if not _begins(program, folder, Limits()):
        raise NotSound("'tidewise --version' fails")
    low, high = 2**20, 2**34
    while high - low > 2**19:
        middle = (low + high) // 2
        low, high = (low, middle) if _begins(program, folder, Limits(memory=middle)) else (middle, high)
    return high


def min_descriptors(program, folder):
    return next(n for n in range(3, 64) if _begins(program, folder, Limits(descriptors=n)))


def small_disk(place):
    """A function that mounts a disk of a number of bytes at case/disk; None without root or mount"""
    point = place / "case" / "disk"

    @contextlib.contextmanager
    def mounted(size):
        point.mkdir(parents=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", point]
        subprocess.run(mount, check=True, capture_output=True)
        try:
            yield "disk"
        finally:
            subprocess.run(["umount", point], check=True)

    if os.geteuid() != 0 or not shutil.which("mount"):
        return None
    try:
        with mounted(2**20):
            return mounted
    except (subprocess.CalledProcessError, OSError):
        return None
    finally:
        with contextlib.suppress(OSError):
            point.rmdir()
