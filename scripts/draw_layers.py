#!/usr/bin/env python3
"""Draws docs/figures/layers.svg: the layers, their purposes, and their dependencies.

    scripts/draw_layers.py            writes the picture
    scripts/draw_layers.py --check    fails if the picture does not agree with the code

All of it is read from the code: layers are the folders that call tidewise_layer(), a layer's purpose is the
first sentence of its CMakeLists.txt, and arrows stand for its #include lines. An arrow that follows from
others is left out.
"""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/figures/layers.svg"
INCLUDE = re.compile(r'^\s*#\s*include\s*"(\w+)/', re.M)
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 250, 84, 30, 40, 12  # of a box, between boxes, around all [px]


def purpose(layer):
    """The first sentence of the comment at the top of its CMakeLists.txt."""
    words = []
    for line in (ROOT / layer / "CMakeLists.txt").read_text().splitlines():
        if not line.startswith("#"):
            break
        words.append(line.lstrip("# "))
    return re.split(r"(?<=\.) ", " ".join(words))[0]


def uses_of_layers():
    """The layers whose headers each layer includes."""
    layers = [
        path.parent.name
        for path in sorted(ROOT.glob("*/CMakeLists.txt"))
        if "tidewise_layer(" in path.read_text()
    ]
    uses = {layer: set() for layer in layers}
    for layer in layers:
        for path in (ROOT / layer).rglob("*"):
            if path.suffix in (".h", ".cpp", ".cu", ".cuh"):
                uses[layer].update(set(INCLUDE.findall(path.read_text())) & set(layers) - {layer})
    return uses


def below(uses, layer):
    """All dependencies of a layer, also indirect ones."""
    return uses[layer].union(*(below(uses, other) for other in uses[layer]))


def direct(uses):
    """Direct dependencies, without those that follow from others."""
    return {
        layer: {dependency for dependency in used if not any(dependency in below(uses, other) for other in used)}
        for layer, used in uses.items()
    }


def floors(uses):
    """The floor of each layer: the longest chain of layers below it."""

    def floor(layer):
        return 1 + max((floor(other) for other in uses[layer]), default=-1)

    return {layer: floor(layer) for layer in uses}


def place(uses):
    """The upper left corner of each layer's box; layers with most dependencies are on the left."""
    floor = floors(uses)
    top = max(floor.values())
    places = {}
    for level in range(top + 1):
        on_level = sorted((layer for layer in uses if floor[layer] == level),
                          key=lambda layer: (-len(below(uses, layer)), layer))
        for column, layer in enumerate(on_level):
            last = column == len(on_level) - 1 and column > 0
            # The last box of a floor is at the right rim, away from the arrows.
            across = 2 if last and level in (1, top - 1) else column
            places[layer] = (MARGIN + across * (WIDTH + GAP_X), MARGIN + (top - level) * (HEIGHT + GAP_Y))
    return places


def draw():
    """The picture as SVG."""
    uses = uses_of_layers()
    places = place(uses)
    width = max(x for x, _ in places.values()) + WIDTH + MARGIN
    height = max(y for _, y in places.values()) + HEIGHT + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0 8 4 0 8z" fill="#456"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for layer, used in sorted(direct(uses).items()):
        for other in sorted(used):
            (x, y), (to_x, to_y) = places[layer], places[other]
            shift = max(-80, min(80, (to_x - x) / 4))
            parts.append(
                f'<path d="M{x + WIDTH / 2 + shift:.0f} {y + HEIGHT} L{to_x + WIDTH / 2 - shift:.0f} {to_y - 1}" '
                'stroke="#456" stroke-width="1.5" fill="none" marker-end="url(#tip)"/>'
            )
    for layer, (x, y) in sorted(places.items()):
        parts.append(f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#eef4f8" stroke="#456"/>')
        parts.append(f'<text x="{x + 10}" y="{y + 20}" font-weight="bold" font-size="14">{layer}</text>')
        for row, line in enumerate(textwrap.wrap(purpose(layer), 36)[:3]):
            parts.append(f'<text x="{x + 10}" y="{y + 40 + 16 * row}">{line}</text>')
    return "\n".join(parts + ["</svg>", ""])


def main(words):
    if words == ["--check"]:
        if PICTURE.read_text() != draw():
            sys.exit(f"{PICTURE.relative_to(ROOT)} does not agree with the code; run scripts/draw_layers.py")
    elif words:
        sys.exit(__doc__)
    else:
        PICTURE.write_text(draw())


if __name__ == "__main__":
    main(sys.argv[1:])
