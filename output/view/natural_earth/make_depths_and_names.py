"""Makes depth_200.bin, depth_1000.bin and names.bin, for pages of 'tidewise view', from Natural Earth at 1:10 million.

make_depths_and_names.py FOLDER   (with the four GeoJSON files that CREDIT.md names; writes into this script's folder)

Depth contours are lines as in coastline.bin, simplified to 0.02 degrees; those of small basins are left out.
names.bin is a zlib stream of lines "rank<TAB>kind<TAB>longitude<TAB>latitude<TAB>name", lowest rank (most important)
first. The kind is "place" for a populated place, "sea" for a marine area (a point within it). Coordinates are in
thousandths of a degree.
"""

import json
import sys
import zlib
from pathlib import Path

import make_coastline as lines

lines.TOLERANCE = 0.02
SMALLEST = 0.1  # [degrees] width and height of a contour together


def features(path):
    return json.loads(path.read_text(encoding="utf-8"))["features"]


def rings(feature):
    geometry = feature["geometry"]
    polygons = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
    return [[tuple(vertex[:2]) for vertex in ring] for polygon in polygons for ring in polygon]


def extent(ring):
    return sum(max(axis) - min(axis) for axis in zip(*ring))


def without_cuts(ring):
    """Parts of a ring between its sides along 180 degrees and the poles."""
    part = ring[:1]
    for a, b in zip(ring, ring[1:]):
        if lines.is_cut(a, b):
            if len(part) > 1:
                yield part
            part = []
        part.append(b)
    if len(part) > 1:
        yield part


def contours(path):
    large = (ring for feature in features(path) for ring in rings(feature) if extent(ring) >= SMALLEST)
    simple = [lines.in_steps(lines.simplified(part)) for ring in large for part in without_cuts(ring)]
    return lines.packed(sorted(line for line in simple if len(line) > 2))


def point_within(ring):
    """The middle of the widest part of the parallel half-way between a ring's south and north."""
    south, north = min(y for _, y in ring), max(y for _, y in ring)
    middle = (south + north) / 2 + 1e-7
    crossings = sorted(
        a[0] + (middle - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
        for a, b in zip(ring, ring[1:])
        if (a[1] > middle) != (b[1] > middle)
    )
    west, east = max(zip(crossings[::2], crossings[1::2]), key=lambda part: part[1] - part[0])
    return (west + east) / 2, middle


def names(places, seas):
    rows = []
    for feature in features(places):
        facts = feature["properties"]
        rows.append((int(facts["scalerank"]), "place", *feature["geometry"]["coordinates"][:2], facts["name"]))
    for feature in features(seas):
        facts = feature["properties"]
        if facts["name"]:
            name = " ".join(facts["name"].split())
            largest = max(rings(feature), key=extent)
            rows.append((int(facts["scalerank"]), "sea", *point_within(largest), name.title() if name.isupper() else name))
    rows.sort(key=lambda row: (row[0], row[4]))
    text = "".join(
        f"{rank}\t{kind}\t{round(1000 * longitude)}\t{round(1000 * latitude)}\t{name}\n"
        for rank, kind, longitude, latitude, name in rows
    )
    return zlib.compress(text.encode("utf-8"), 9)


def main(folder):
    source, here = Path(folder), Path(__file__).resolve().parent
    made = {
        "depth_200.bin": contours(source / "ne_10m_bathymetry_K_200.json"),
        "depth_1000.bin": contours(source / "ne_10m_bathymetry_J_1000.json"),
        "names.bin": names(
            source / "ne_10m_populated_places_simple.json", source / "ne_10m_geography_marine_polys.json"
        ),
    }
    for name, data in made.items():
        (here / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
