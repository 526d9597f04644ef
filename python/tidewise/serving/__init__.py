"""The interactive page of a run: `tidewise serve`, in this process (docs/plan/serve.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidewise._keywords import by_keywords
from tidewise.errors import RunError
from tidewise.run import Run

if TYPE_CHECKING:
    from tidewise._types import File
    from tidewise.serving.server import Served


@by_keywords()
def serve(run: Run | File, *, watch: File | None = None, browser: bool = True) -> Served:
    """Show a run in a browser page, on which start, target and departure can be dragged.

    The server listens on 127.0.0.1 only. It ends with the process, or by ``close()``.

    Parameters
    ----------
    run : Run or path
        A run of `plan` or `replan`.
    watch : path, optional
        A folder; the mission is replanned with each dive file that arrives there, and the page
        asks whether to accept the new route.
    browser : bool
        Open the page in the default browser.

    Returns
    -------
    Served
        ``url`` is the address of the page, ``run`` the accepted run; ``wait()`` returns when the
        server ends.

    Raises
    ------
    RunError
        If Starlette or uvicorn is missing: ``pip install 'tidewise[serve]'``.
    InputError
        If there is no such run or folder.

    Examples
    --------
    >>> with tw.serve(run, browser=False) as served:
    ...     served.url.startswith("http://127.0.0.1:")
    True
    """
    if missing := missing_packages():
        raise RunError(
            f"serve needs {' and '.join(missing)}, which cannot be imported; "
            "pip install 'tidewise[serve]'"
        )
    from tidewise.serving.server import Served

    return Served(run, watch=watch, browser=browser)


def missing_packages() -> list[str]:
    """Return the packages of the extra `serve` that are not installed."""
    from importlib.util import find_spec

    return [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
