"""Runs the program under test once, under limits, and keeps all that it said and left."""

import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

# Threads that wait must sleep: cases share the cores.
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",
    "LC_ALL": "C.UTF-8",
    "PATH": os.environ.get("PATH", ""),
}


@dataclass
class Limits:
    """What a case takes from the program; None leaves it alone."""

    file_size: int | None = None  # bytes of any one file, as a disk that fills up
    memory: int | None = None  # bytes of address space
    descriptors: int | None = None
    processes: int | None = None  # threads count; needs a user of its own, see `user`
    user: int | None = None
    kill_after: float | None = None  # seconds
    closed: tuple = ()  # descriptors that are closed from the start
    standard_output: str = "pipe"  # pipe, full, reader_gone
    standard_error: str = "pipe"
    leave_folder: bool = False  # the working folder is removed once the program is in it


@dataclass
class Outcome:
    status: int  # minus the signal where one ended it
    output: bytes
    errors: bytes
    hung: bool = False
    killed: bool = False  # by the case itself
    survivors: bool = False
    seconds: float = 0.0
    processor_seconds: float = 0.0  # of the program and its children
    words: list = field(default_factory=list)


def _open_stream(kind):
    """(what Popen takes, a descriptor to close once the child has it)"""
    if kind == "pipe":
        return subprocess.PIPE, None
    if kind == "full":
        descriptor = os.open("/dev/full", os.O_WRONLY)
        return descriptor, descriptor
    reader, writer = os.pipe()
    os.close(reader)
    return writer, writer


def _in_child(limits, folder):
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for name, value in (
            ("RLIMIT_FSIZE", limits.file_size),
            ("RLIMIT_AS", limits.memory),
            ("RLIMIT_NPROC", limits.processes),
            ("RLIMIT_NOFILE", limits.descriptors),
        ):
            if value is not None:
                resource.setrlimit(getattr(resource, name), (value, value))
        if limits.user is not None:
            os.setgroups([])
            os.setgid(limits.user)
            os.setuid(limits.user)
        if limits.leave_folder:
            os.rmdir(folder)
        for descriptor in limits.closed:
            os.close(descriptor)

    return apply


def _is_alive_in(group):
    """Whether a process of the group is more than an entry that init has yet to clear away."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, _, its_group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):  # gone meanwhile
            continue
        if int(its_group) == group and state not in "ZX":
            return True
    return False


def _group_is_alive(group):
    """Whether a child of the program outlived it; one that is just ending gets a moment."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return False
        if not _is_alive_in(group):
            return False
        time.sleep(0.02)
    return True


def _end_group(process):
    try:
        os.killpg(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _processor_seconds():
    """Of all children that ended; only the kind `together` runs several at a time"""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, words, folder: Path, seconds, limits=Limits()):
    """Runs PROGRAM WORDS in `folder`, for `seconds` at most."""
    output, output_end = _open_stream(limits.standard_output)
    errors, errors_end = _open_stream(limits.standard_error)
    begin, used = time.monotonic(), _processor_seconds()
    try:
        child = subprocess.Popen(
            [str(program), *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=ENVIRONMENT | {"TMPDIR": str(folder)},
            start_new_session=True,
            preexec_fn=_in_child(limits, folder),
        )
    except BlockingIOError:  # too few processes for the program to be one, which is nobody's fault
        return Outcome(1, b"", b"tidewise: error: the system did not start it\n")
    finally:
        for descriptor in (output_end, errors_end):
            if descriptor is not None:
                os.close(descriptor)
    hung = killed = False
    try:
        out, err = child.communicate(
            timeout=limits.kill_after if limits.kill_after is not None else seconds
        )
    except subprocess.TimeoutExpired:
        killed = limits.kill_after is not None
        hung = not killed
        child.kill() if killed else _end_group(child.pid)
        try:
            out, err = child.communicate(timeout=10)
        except subprocess.TimeoutExpired:  # a child of the program holds the pipe
            _end_group(child.pid)
            out, err = child.communicate()
    survivors = not hung and _group_is_alive(child.pid)
    _end_group(child.pid)
    return Outcome(
        child.returncode,
        out or b"",
        err or b"",
        hung,
        killed,
        survivors,
        time.monotonic() - begin,
        _processor_seconds() - used,
        list(words),
    )
