"""Makes coastline.bin, the coastline on pages of 'tidewise view', from Natural Earth's countries at 1:10 million.

make_coastline.py COUNTRIES.shp OUT   (ne_10m_admin_0_countries; CREDIT.md has its source)

Borders between countries, which two outlines share, are left out, and so are the cuts along 180 degrees and at the
South Pole. What is left is simplified (Douglas and Peucker) and kept in thousandths of a degree. The file is a zlib
stream of numbers of 7 bits a byte, the last byte of each below 128, signed ones folded (0, −1, 1, −2 …): the number
of lines; for each line the number of its points; for each point longitude and latitude minus those of the previous
point, which is the last one of the previous line for a line's first point.
"""

import struct
import sys
import zlib
from collections import defaultdict
from pathlib import Path

TOLERANCE = 0.004  # [degrees] maximum error of a simplified line
PER_DEGREE = 1000


def read_rings(path):
    """Rings of (longitude, latitude) of all polygons of a shapefile."""
    data = Path(path).read_bytes()
    at = 100
    while at < len(data):
        length = 2 * struct.unpack_from(">i", data, at + 4)[0]
        at += 8
        if struct.unpack_from("<i", data, at)[0] == 5:
            parts, points = struct.unpack_from("<2i", data, at + 36)
            begins = [*struct.unpack_from(f"<{parts}i", data, at + 44), points]
            numbers = struct.unpack_from(f"<{2 * points}d", data, at + 44 + 4 * parts)
            places = list(zip(numbers[::2], numbers[1::2]))
            yield from (places[a:b] for a, b in zip(begins, begins[1:]))
        at += length


def is_cut(a, b):
    """True if a side lies along 180 degrees or the South Pole, where the map's plane ends."""
    return (abs(a[0]) > 179.999 and abs(b[0]) > 179.999) or (a[1] < -89.99 and b[1] < -89.99)


def coast_lines(rings):
    """The longest lines of sides that belong to a single ring."""
    sides = defaultdict(int)
    for ring in rings:
        for a, b in zip(ring, ring[1:]):
            if a != b and not is_cut(a, b):
                sides[min((a, b), (b, a))] += 1
    neighbours = defaultdict(list)
    for (a, b), times in sides.items():
        if times == 1:
            neighbours[a].append(b)
            neighbours[b].append(a)

    def follow(point):
        line = [point]
        while neighbours[point]:
            neighbour = neighbours[point].pop()
            neighbours[neighbour].remove(point)
            line.append(neighbour)
            point = neighbour
        return line

    # Open lines first, then closed ones.
    for place in [p for p, others in neighbours.items() if len(others) % 2] + list(neighbours):
        while neighbours[place]:
            yield follow(place)


def simplified(line):
    """The line without points that lie within the tolerance of the simplified line."""
    is_kept = [False] * len(line)
    is_kept[0] = is_kept[-1] = True
    open_parts = [(0, len(line) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        (ax, ay), (bx, by) = line[first], line[last]
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        max_distance, farthest = 0.0, None
        for n in range(first + 1, last):
            px, py = line[n][0] - ax, line[n][1] - ay
            part = min(1.0, max(0.0, (px * dx + py * dy) / square)) if square else 0.0
            distance = (px - part * dx) ** 2 + (py - part * dy) ** 2
            if distance > max_distance:
                max_distance, farthest = distance, n
        if farthest is not None and max_distance > TOLERANCE**2:
            is_kept[farthest] = True
            open_parts += [(first, farthest), (farthest, last)]
    return [place for place, keep in zip(line, is_kept) if keep]


def put(number, out):
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def folded(number):
    return 2 * number if number >= 0 else -2 * number - 1


def packed(lines):
    out = bytearray()
    put(len(lines), out)
    x = y = 0
    for line in lines:
        put(len(line), out)
        for longitude, latitude in line:
            put(folded(longitude - x), out)
            put(folded(latitude - y), out)
            x, y = longitude, latitude
    return zlib.compress(bytes(out), 9)


def in_steps(line):
    """Rounds to thousandths of a degree and removes repeated points."""
    steps = [(round(x * PER_DEGREE), round(y * PER_DEGREE)) for x, y in line]
    return [place for n, place in enumerate(steps) if n == 0 or place != steps[n - 1]]


def main(countries, out):
    lines = [in_steps(simplified(line)) for line in coast_lines(list(read_rings(countries)))]
    lines = sorted(line for line in lines if len(line) > 1)
    data = packed(lines)
    Path(out).write_bytes(data)
    print(f"{len(lines)} lines, {sum(map(len, lines))} points, {len(data)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
