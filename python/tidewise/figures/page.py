"""The page that a figure stands on: its size, its panels' letters, its caption."""

from __future__ import annotations

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure

PAGE_WIDTH = 17.0  # [cm], of a journal's page
_TALLEST = 23.0  # [cm], what a page holds above a caption
_CENTIMETRES_AN_INCH = 2.54
_MARGIN = 0.1  # [cm] above and below
_CAPTION_SIZE = 7.0  # [pt]


def make_page(width: float, height: float) -> Figure:
    """An empty figure of this size [cm], no higher than a page."""
    size = (width / _CENTIMETRES_AN_INCH, min(height, _TALLEST) / _CENTIMETRES_AN_INCH)
    return Figure(figsize=size, layout="compressed")


def trim_page(figure: Figure) -> None:
    """Remove the height that panels of a fixed shape left empty, and keep the layout."""
    for _ in range(3):  # a lower page moves its panels a little
        figure.draw_without_rendering()
        width, height = figure.get_size_inches()
        needed = figure.get_tightbbox().height + 2 * _MARGIN / _CENTIMETRES_AN_INCH
        if needed > height - 0.02:
            break
        figure.set_size_inches(width, needed)
    figure.set_layout_engine("none")  # saving need not find it again


def put_letter(axes: Axes, number: int | None, title: str) -> None:
    """A panel's letter and title, at the left above it; one alone needs no letter."""
    letter = "" if number is None else f"({chr(ord('a') + number)})  "
    axes.set_title(f"{letter}{title}", loc="left")


def put_caption(figure: Figure, text: str) -> None:
    """Small print below all panels, in lines that fit the page."""
    points = figure.get_size_inches()[0] * 72
    characters = int(points / (_CAPTION_SIZE * 0.54))
    figure.supxlabel(
        textwrap.fill(text, characters), fontsize=_CAPTION_SIZE, x=0.01, ha="left", linespacing=1.3
    )
