"""The page of a run, where people are: a path, which shows itself in a notebook."""

from __future__ import annotations

import html
from pathlib import PosixPath

from tidewise._temporary import TemporaryFolder

_LARGEST = 24e6  # [bytes] that a notebook should hold; Jupyter grows slow beyond
_HEIGHT = 720  # [px]


class View(PosixPath):
    """The path of a page that Run.view() made; as a cell's last line in Jupyter, the page itself.

    >>> page = run.view()
    >>> page.suffix, str(page) in repr(page), "<iframe" in page._repr_html_()
    ('.html', True, True)
    """

    def _keep(self, folder: TemporaryFolder | None) -> None:
        """Let a temporary folder, which the page lies in, stay as long as this."""
        self._folder = folder

    def _repr_html_(self) -> str | None:
        """The page in a frame of its own, whole, so that the notebook may be sent elsewhere."""
        if not self.is_file():
            return None
        if self.stat().st_size > _LARGEST:
            name = html.escape(str(self))
            return (
                f"{name} is too large for a notebook; open it in a browser, or by view(show=True)"
            )
        page = html.escape(self.read_text(encoding="utf-8"))
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: {_HEIGHT}px; border: 0" '
            'title="tidewise view" allowfullscreen></iframe>'
        )


def temporary_page() -> tuple[str, TemporaryFolder]:
    """A file to write a page to, and what removes it."""
    keeper = TemporaryFolder()
    return str(keeper.path / "view.html"), keeper
