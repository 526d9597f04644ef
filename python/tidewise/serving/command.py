"""The command `tidewise serve`."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import NoReturn

from tidewise.errors import InputError, RunError
from tidewise.serving import missing_packages, serve


class _Parser(argparse.ArgumentParser):
    """Print errors in one line, in the form of the program."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; '{self.prog} --help' lists the options")


def main() -> int:
    """Run the server. Exit status: 0 done, 1 failed, 2 wrong input or a missing package."""
    parser = _Parser(
        prog="tidewise serve",
        description="Show a run in a browser, where start, target and departure can be dragged.",
        epilog="Example: tidewise serve runs/washington --watch dives",
        allow_abbrev=False,
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder of the run")
    text = "replan each dive file that arrives in this folder; the page asks to accept the route"
    parser.add_argument("--watch", metavar="FOLDER", type=Path, help=text)
    text = "open no browser; print the address only"
    parser.add_argument("--no-browser", action="store_true", help=text)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C: open files are removed
    try:
        options = parser.parse_args()
        if missing := missing_packages():
            names = " and ".join(missing)
            raise InputError(f"serve needs {names}; install with: pip install 'tidewise[serve]'")
        with serve(options.run, watch=options.watch, browser=not options.no_browser) as served:
            print(f"{options.run}: {served.url}\nCtrl-C ends the server.", flush=True)
            served.wait()
        if served.folder != options.run:
            print(f"Accepted run: {served.folder}")
        return 0
    except InputError as error:
        return _print_error(error, 2)
    except (RunError, OSError, MemoryError) as error:
        return _print_error(error, 1)
    except KeyboardInterrupt:
        return 0


def _print_error(problem: object, status: int) -> int:
    print(f"tidewise: error: {' '.join(str(problem).split())}", file=sys.stderr)
    return status
