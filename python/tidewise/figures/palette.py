"""Colours and fonts: maps for colour-blind readers, sizes legible in print."""

from __future__ import annotations

import cmocean
import matplotlib as mpl
import numpy as np
from matplotlib.colors import Colormap, LinearSegmentedColormap

CLOSED = "#8c8c8c"  # obstacles and land
BEYOND = "#b9a7d1"  # closed, since the forecast ends there
STREAMLINE = "#1c2b36"
FAILED = "#5a5a5a"  # flights that did not arrive
START = "white"
TARGET = "#ffd92f"
INK = "black"
# Profiles, in the order of the mission; the colours of the page of 'tidewise view'.
PROFILES = ("#d97300", "#4b2ea8", "#007a6c", "#b0307a", "#6e6a00", "#5a5a5a")

# The smallest type is 7 points, the minimum of journals at the width of their pages.
STYLE = {
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 7.0,
    "figure.titlesize": 9.0,
    "axes.linewidth": 0.6,
    "axes.titlepad": 3.5,
    "axes.labelpad": 2.0,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,  # text stays text
    "svg.fonttype": "none",
    "path.simplify_threshold": 0.2,
}


def profile_colour(number: int) -> str:
    """Return the colour of a profile, by its number in the run's files."""
    return PROFILES[number % len(PROFILES)]


def styled():
    """Return a context in which STYLE holds."""
    return mpl.rc_context(STYLE)


def cut(colours: Colormap, first: float, last: float, white: float = 0.0) -> Colormap:
    """Return a part of a colour map, without ends that hide ink or vanish on paper.

    `white` is mixed in for colours behind others.
    """
    part = colours(np.linspace(first, last, 256))
    part[:, :3] = (1.0 - white) * part[:, :3] + white
    return LinearSegmentedColormap.from_list(f"{colours.name}_cut", part)


FLOW = cut(cmocean.cm.speed, 0.0, 0.8, white=0.35)  # light enough for drawings over it
FLIGHT = cut(cmocean.cm.thermal, 0.02, 0.86)
SCALAR = cut(cmocean.cm.solar, 0.15, 0.92, white=0.2)
VALUE = cut(cmocean.cm.haline, 0.22, 1.0)
DENSITY = cmocean.cm.dense
SPREAD = cut(cmocean.cm.matter, 0.0, 0.9)
