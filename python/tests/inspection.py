"""Checks of pictures (ink, labels, legibility) and of files."""

from __future__ import annotations

import os
import re

import netCDF4
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

MIN_TYPE = 7.0  # [pt], at the width of the page


def contents(file) -> dict[str, bytes]:
    """Return the stored bytes of each variable of a NetCDF file."""
    with netCDF4.Dataset(os.fspath(file)) as opened:
        opened.set_auto_maskandscale(False)
        return {name: variable[...].tobytes() for name, variable in opened.variables.items()}


def assert_same_bits(ours, theirs) -> None:
    our_variables, their_variables = contents(ours), contents(theirs)
    assert list(our_variables) == list(their_variables)
    assert [name for name in our_variables if our_variables[name] != their_variables[name]] == []


def rendered(figure: Figure) -> np.ndarray:
    """Return an image, (row, column, RGB), with row 0 at the top."""
    figure.set_dpi(80)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3]


def colours_in(image: np.ndarray) -> int:
    return len(np.unique(image.reshape(-1, 3), axis=0))


def require_picture(figure: Figure, min_colours: int = 200) -> None:
    """Check that a picture has many colours, ink in each axes, labels with units, legible type."""
    image = rendered(figure)
    assert colours_in(image) >= min_colours
    height = image.shape[0]
    for axes in figure.axes:
        box = axes.get_window_extent()
        rows = slice(int(height - box.y1) + 1, int(height - box.y0))
        area = image[rows, int(box.x0) + 1 : int(box.x1)]
        assert colours_in(area) >= 10, f"axes at {box} are blank"
    labels = [text for axes in figure.axes for text in labels_of(axes)]
    assert labels
    for label in labels:
        assert re.search(r"\(.+\)$", label), f"'{label}' has no unit"
    for text in shown_texts(figure):
        assert text.get_fontsize() >= MIN_TYPE, f"'{text.get_text()}' is too small"
    require_inside(figure)
    require_titles_apart(figure)


def labels_of(axes: Axes) -> list[str]:
    return [text for text in (axes.get_xlabel(), axes.get_ylabel()) if text]


def shown_texts(figure: Figure) -> list:
    texts = figure.findobj(Text)
    for axes in figure.axes:  # a map's labels are not its children
        for artist in axes.artists:
            texts += getattr(artist, "label_artists", [])
    return [t for t in texts if t.get_visible() and t.get_text().strip()]


def require_titles_apart(figure: Figure) -> None:
    """Check that panel titles do not overlap."""
    titles = [t for t in shown_texts(figure) if t in [axes._left_title for axes in figure.axes]]
    boxes = [title.get_window_extent() for title in titles]
    for n, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:n]), titles[n].get_text()


def require_inside(figure: Figure) -> None:
    """Check that nothing is cut off at the rim of the page."""
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox()
    slack = 0.03  # [inch]
    assert box.x0 >= -slack and box.x1 <= width + slack, box
    assert box.y0 >= -slack and box.y1 <= height + slack, box
