"""What is wrong with an outcome, whatever the case."""

import re
import signal

# Words of libraries, and of the language's runtime, that no user should meet.
_RAW = re.compile(
    rb"HDF5-DIAG|H5[A-Z]\w*\(|json\.exception|what\(\)|terminate called|libgomp|std::|"
    rb"nc_\w+\(|"
    rb"toml::|bad_alloc|basic_string|filesystem error|Segmentation|Sanitizer"
)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
LONGEST_LINE = 2000  # bytes


def _texts(outcome):
    found = []
    for name, text in (("stderr", outcome.errors), ("stdout", outcome.output)):
        raw = _RAW.search(text)
        if raw:
            found.append(("raw text", f"{name}: {raw.group().decode()}"))
        if _CONTROL.search(text):
            found.append(("raw text", f"{name}: a control character"))
        try:
            text.decode()
        except UnicodeDecodeError:
            found.append(("raw text", f"{name}: not UTF-8"))
        if max(map(len, text.split(b"\n"))) > LONGEST_LINE:
            found.append(("lines", f"{name}: a line of more than {LONGEST_LINE} bytes"))
    return found


def faults(outcome, statuses, errors_seen=True):
    """(kind, what) of each fault: `statuses` are those that this case may end with, besides 0."""
    if outcome.hung:
        return [("hang", f"not done after {outcome.seconds:.0f} s")]
    found = _texts(outcome)
    if outcome.status < 0:
        if not outcome.killed:
            found.append(("crash", signal.Signals(-outcome.status).name))
        return found
    if outcome.status not in (0, 1, 2):
        found.append(("crash", f"exit status {outcome.status}"))
    elif outcome.status != 0 and outcome.status not in statuses:
        allowed = " or ".join(map(str, statuses or (0,)))
        found.append(("status", f"{outcome.status} in place of {allowed}"))
    lines = [line for line in outcome.errors.split(b"\n") if line]
    if outcome.status in (1, 2) and errors_seen:
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
    """Faults of files that should not be there, or should be as they were."""
    found = []
    for path in sorted(set(after) - set(before)):
        name = path.rsplit("/", 1)[-1]
        is_output = any(
            path == output or path.startswith(output + "/") for output in command.outputs
        )
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
