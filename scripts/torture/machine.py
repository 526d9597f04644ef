"""What this machine lets a case take away, and how little the program needs to begin at all."""

import contextlib
import os
import shutil
import subprocess

from running import Limits, run
from sound import NotSound


def _begins(program, folder, limits):
    return run(program, ["--version"], folder, 20, limits).status == 0


def least_memory(program, folder):
    """[bytes] of address space with which the program says its version"""
    if not _begins(program, folder, Limits()):
        raise NotSound("'tidewise --version' fails")
    low, high = 2**20, 2**34
    while high - low > 2**19:
        middle = (low + high) // 2
        if _begins(program, folder, Limits(memory=middle)):
            high = middle
        else:
            low = middle
    return high


def least_descriptors(program, folder):
    return next(n for n in range(3, 64) if _begins(program, folder, Limits(descriptors=n)))


def small_disk(place):
    """A function that lends a disk of so many bytes; None where one cannot be had."""
    point = place / "case" / "disk"

    @contextlib.contextmanager
    def mounted(size):
        point.mkdir()
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", point],
            check=True,
            capture_output=True,
        )
        try:
            yield "disk"
        finally:
            subprocess.run(["umount", point], check=True)

    if os.geteuid() != 0 or not shutil.which("mount"):
        return None
    try:
        point.parent.mkdir(exist_ok=True)
        with mounted(2**20):
            pass
    except (subprocess.CalledProcessError, OSError):
        return None
    finally:
        with contextlib.suppress(OSError):
            point.rmdir()
    return mounted
