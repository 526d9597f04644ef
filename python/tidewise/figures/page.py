"""Layout of a figure: its size, letters of panels, caption."""

from __future__ import annotations

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure

PAGE_WIDTH = 17.0  # [cm] page width of a journal
_MAX_HEIGHT = 23.0  # [cm] maximum height above a caption
_CENTIMETRES_PER_INCH = 2.54
_MARGIN = 0.1  # [cm] above and below
_CAPTION_SIZE = 7.0  # [pt]


def make_page(width: float, height: float) -> Figure:
    """Return an empty figure of this size [cm], no higher than a page."""
    size = (width / _CENTIMETRES_PER_INCH, min(height, _MAX_HEIGHT) / _CENTIMETRES_PER_INCH)
    return Figure(figsize=size, layout="compressed")


def trim_page(figure: Figure) -> None:
    """Remove empty height around panels of a fixed shape, and keep the layout."""
    for _ in range(3):  # a lower page moves its panels slightly
        figure.draw_without_rendering()
        width, height = figure.get_size_inches()
        needed = figure.get_tightbbox().height + 2 * _MARGIN / _CENTIMETRES_PER_INCH
        if needed > height - 0.02:
            break
        figure.set_size_inches(width, needed)
    figure.set_layout_engine("none")  # so that saving does not compute it again


def put_letter(axes: Axes, number: int | None, title: str) -> None:
    """Put a panel's letter and title above it, to the left; a single panel gets no letter."""
    letter = "" if number is None else f"({chr(ord('a') + number)})  "
    axes.set_title(f"{letter}{title}", loc="left")


def put_caption(figure: Figure, text: str) -> None:
    """Put small print below all panels, in lines that fit the page."""
    points = figure.get_size_inches()[0] * 72
    characters = int(points / (_CAPTION_SIZE * 0.54))
    figure.supxlabel(
        textwrap.fill(text, characters), fontsize=_CAPTION_SIZE, x=0.01, ha="left", linespacing=1.3
    )
