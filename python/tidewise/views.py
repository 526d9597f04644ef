"""The page of a run: a path; a notebook shows the page in place of the path."""

from __future__ import annotations

import html
from pathlib import PosixPath

from tidewise._temporary import TemporaryFolder

_LARGEST = 24e6  # [B] maximum size in a notebook; larger pages make Jupyter slow
_HEIGHT = 720  # [px]


class View(PosixPath):
    """The path of a page from Run.view(); in Jupyter, a cell's last line shows the page.

    >>> page = run.view()
    >>> page.suffix, str(page) in repr(page), "<iframe" in page._repr_html_()
    ('.html', True, True)
    """

    def _keep(self, folder: TemporaryFolder | None) -> None:
        """Keep the temporary folder of the page as long as this object."""
        self._folder = folder

    def _repr_html_(self) -> str | None:
        """Return the whole page in a frame, so that the notebook needs no other file."""
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
    """Return a file for a page, and the object that removes it."""
    keeper = TemporaryFolder()
    return str(keeper.path / "view.html"), keeper
