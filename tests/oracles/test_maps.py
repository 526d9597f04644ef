"""GeoJSON, GPX and KML files, read by GDAL, gpxpy and fastkml."""

import datetime
import json
import warnings
import xml.etree.ElementTree as ElementTree

import fastkml
import gpxpy
import numpy as np
import pyogrio
import pyogrio.raw
import pytest


def geometries(path, layer=None, **options):
    """Return GDAL's geometries of a layer, (kind, nested lists of coordinates), and its fields."""
    meta, _, shapes, fields = pyogrio.raw.read(path, layer=layer, **options)
    return [from_wkb(bytes(shape)) for shape in shapes], dict(
        zip(meta["fields"], fields, strict=True)
    )


def from_wkb(data):
    """Return (kind, coordinates) of well-known binary, little-endian."""
    import struct

    names = {
        1: "Point",
        2: "LineString",
        3: "Polygon",
        4: "MultiPoint",
        5: "MultiLineString",
        6: "MultiPolygon",
        7: "GeometryCollection",
    }

    def number(at):
        return struct.unpack_from("<I", data, at)[0], at + 4

    def pair(at, size):
        return struct.unpack_from("<2d", data, at), at + 8 * size

    def line(at, size):
        count, at = number(at)
        points = []
        for _ in range(count):
            point, at = pair(at, size)
            points.append(point)
        return points, at

    def geometry(at):
        assert data[at] == 1
        code, at = number(at + 1)
        size = 3 if code & 0x80000000 or code // 1000 == 1 else 2
        kind = names[(code & 0x0FFFFFFF) % 1000]
        if kind == "Point":
            point, at = pair(at, size)
            return kind, [point], at
        if kind == "LineString":
            points, at = line(at, size)
            return kind, points, at
        count, at = number(at)
        parts = []
        for _ in range(count):
            if kind == "Polygon":
                part, at = line(at, size)
            else:
                _, part, at = geometry(at)
            parts.append(part)
        return kind, parts, at

    kind, coordinates, end = geometry(0)
    assert end == len(data)
    return kind, coordinates


def test_geojson_points_by_gdal(sample, agree):
    shapes, fields = geometries(sample.path("geojson"))
    kinds = list(fields["kind"])
    waypoints = [
        shape[1][0] for shape, kind in zip(shapes, kinds, strict=True) if kind == "waypoint"
    ]
    agree(waypoints, sample.points)
    assert [
        n for n, k in zip(fields["name"], kinds, strict=True) if k == "waypoint"
    ] == sample.names
    assert kinds.count("flight") == len(sample.truth["tracks"])
    assert kinds.count("obstacle") == len(sample.truth["obstacles"])


def test_geojson_lines_are_cut_and_complete(sample, agree):
    shapes, fields = geometries(sample.path("geojson"))
    truth = [sample.truth["waypoints"], *sample.truth["tracks"]]
    kinds = list(fields["kind"])
    assert [kind for kind in kinds if kind in ("route", "flight")] == ["route"] + ["flight"] * (
        len(truth) - 1
    )
    lines = [
        (shape, json.loads(feature)["properties"]["time"])
        for shape, feature in zip(shapes, features_as_text(sample), strict=True)
        if json.loads(feature)["properties"]["kind"] in ("route", "flight")
    ]
    for ((kind, coordinates), times), expected in zip(lines, truth, strict=True):
        pieces = coordinates if kind == "MultiLineString" else [coordinates]
        for piece in pieces:
            assert len(piece) > 1 or kind == "Point"
            assert all(abs(b[0] - a[0]) <= 180 for a, b in zip(piece, piece[1:], strict=False)), (
                "a line crosses the map"
            )
        # Both sides of a cut have the same place and time.
        for piece, following in zip(pieces, pieces[1:], strict=False):
            assert piece[-1] == (-following[0][0], following[0][1]) and abs(piece[-1][0]) == 180
        place = dict(zip(flat(times), [point for piece in pieces for point in piece], strict=True))
        places = [place[time] for _, _, time, _ in expected]
        agree([((lon + 180) % 360 - 180, lat) for lon, lat in places], [p[:2] for p in expected])


def features_as_text(sample):
    """Return the lines of the file that hold a feature each."""
    return [
        line.rstrip(",")
        for line in sample.text("geojson").split("\n")
        if line.startswith('{"type":"Feature",')
    ]


def test_geojson_times_are_one_for_each_point(sample):
    collection = json.loads(sample.text("geojson"))
    for feature in collection["features"]:
        properties, geometry = feature["properties"], feature["geometry"]
        if properties["kind"] not in ("route", "flight"):
            continue
        coordinates = geometry["coordinates"]
        if geometry["type"] == "Point":
            coordinates = [coordinates]
        assert shape_of(properties["time"]) == shape_of(coordinates, depth=-1)
        if not sample.is_dated:
            assert "datetimes" not in properties
            continue
        texts = flat(properties["datetimes"])
        stamps = flat(properties["coordinateProperties"]["times"])
        assert shape_of(properties["datetimes"]) == shape_of(properties["time"])
        for text, stamp in zip(texts, stamps, strict=True):
            assert datetime.datetime.fromisoformat(text).timestamp() * 1000 == stamp
        assert stamps == sorted(stamps)
        assert stamps[0] == sample.instants[0] * 1000


def shape_of(nested, depth=0):
    """Return lengths of nested lists; with depth -1, without those of coordinate pairs."""
    if not isinstance(nested, list):
        return 0
    if depth == -1 and not isinstance(nested[0], list):
        return 0
    return [shape_of(each, depth) for each in nested]


def flat(nested):
    return (
        [leaf for each in nested for leaf in flat(each)] if isinstance(nested, list) else [nested]
    )


def signed_area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:], strict=False)) / 2


def test_geojson_polygons_are_closed_counter_clockwise_and_cut(sample):
    collection = json.loads(sample.text("geojson"))
    obstacles = [f for f in collection["features"] if f["properties"]["kind"] == "obstacle"]
    assert len(obstacles) == len(sample.truth["obstacles"])
    for feature in obstacles:
        geometry = feature["geometry"]
        polygons = geometry["coordinates"]
        if geometry["type"] == "Polygon":
            polygons = [polygons]
        for polygon in polygons:
            for n, ring in enumerate(polygon):
                assert ring[0] == ring[-1] and len(ring) >= 4
                assert (signed_area(ring) > 0) == (n == 0)
                for a, b in zip(ring, ring[1:], strict=False):
                    along_pole = abs(a[1]) == 90 and abs(b[1]) == 90
                    assert along_pole or abs(b[0] - a[0]) <= 180
                    assert abs(a[0]) <= 180


def test_geojson_has_the_results_of_the_route(sample):
    route = json.loads(sample.text("geojson"))["features"][0]["properties"]
    assert route["worth"]["waypoints"]["arrival_rate"] == 0.96
    assert route["worth"]["policy"]["arrival_rate"] == 0.99
    assert any("no feedback" in note for note in route["notes"])


def test_gpx_by_gpxpy(sample, agree):
    gpx = gpxpy.parse(sample.text("gpx"))
    (route,) = gpx.routes
    agree([(p.longitude, p.latitude) for p in route.points], sample.points)
    assert [p.name for p in route.points] == sample.names
    assert route.name == sample.name
    assert "no feedback" in route.description
    if sample.is_dated:
        assert [p.time.timestamp() for p in route.points] == sample.instants
    assert len(gpx.tracks) == len(sample.truth["tracks"])
    for track, expected in zip(gpx.tracks, sample.truth["tracks"], strict=True):
        points = track.segments[0].points
        agree([(p.longitude, p.latitude) for p in points], [p[:2] for p in expected])


def test_gpx_by_gdal(sample, agree):
    path = sample.path("gpx")
    shapes, fields = geometries(path, layer="route_points")
    agree([shape[1][0] for shape in shapes], sample.points)
    assert list(fields["name"]) == sample.names
    lines, _ = geometries(path, layer="tracks")
    for (_, pieces), expected in zip(lines, sample.truth["tracks"], strict=True):
        if len(expected) > 1:
            agree(pieces[0], [p[:2] for p in expected])


def test_gpx_children_are_in_the_schemas_order(sample):
    order = {
        "gpx": ["metadata", "wpt", "rte", "trk"],
        "metadata": ["name", "desc", "time"],
        "rte": ["name", "cmt", "desc", "src", "rtept"],
        "trk": ["name", "cmt", "desc", "src", "trkseg"],
        "rtept": ["ele", "time", "name", "cmt", "desc"],
        "trkpt": ["ele", "time"],
    }
    for element in ElementTree.fromstring(sample.text("gpx")).iter():
        tag = element.tag.split("}")[1]
        if tag in order:
            places = [order[tag].index(child.tag.split("}")[1]) for child in element]
            assert places == sorted(places), tag


def test_kml_by_fastkml(sample, agree):
    text = sample.text("kml").split("?>", 1)[1]  # fastkml refuses a declaration of the encoding
    document = fastkml.KML.from_string(text).features[0]
    assert document.name == sample.name
    folders = {f.name: f for f in document.features if isinstance(f, fastkml.Folder)}
    waypoints = folders["Waypoints"].features
    agree([(w.geometry.x, w.geometry.y) for w in waypoints], sample.points)
    assert [w.name for w in waypoints] == sample.names
    flights = folders["Flights"].features
    assert len(flights) == len(sample.truth["tracks"])
    for flight, expected in zip(flights, sample.truth["tracks"], strict=True):
        if sample.is_dated:
            track = flight.kml_geometry
            items = track.track_items
            agree([(i.coord.x, i.coord.y) for i in items], [p[:2] for p in expected])
            assert [i.when.dt.timestamp() for i in items] == [p[3] for p in expected]
    obstacles = folders["Obstacles"].features
    assert len(obstacles) == len(sample.truth["obstacles"])
    for obstacle, expected in zip(obstacles, sample.truth["obstacles"], strict=True):
        assert (obstacle.begin is None) == expected["standing"]


@pytest.mark.parametrize("driver", ["KML", "LIBKML"])
def test_kml_by_gdal(sample, agree, driver):
    if driver not in pyogrio.list_drivers():
        pytest.skip(f"this GDAL has no {driver}")
    path = sample.path("kml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layers = [name for name, _ in pyogrio.list_layers(path)]
        assert "Waypoints" in layers
        shapes, fields = geometries(path, layer="Waypoints")
    agree([shape[1][0] for shape in shapes], sample.points)
    assert list(fields["Name"]) == sample.names


def test_kml_lines_and_polygons_do_not_cross_the_map(sample):
    space = "{http://www.opengis.net/kml/2.2}"
    root = ElementTree.fromstring(sample.text("kml"))
    for tag in ("LineString", "LinearRing"):
        for element in root.iter(space + tag):
            words = element.find(space + "coordinates").text.split()
            points = [tuple(float(x) for x in word.split(",")) for word in words]
            assert all(len(point) == 3 for point in points)
            if tag == "LinearRing":
                assert points[0] == points[-1]
            for a, b in zip(points, points[1:], strict=False):
                assert abs(a[0] - b[0]) <= 180 or abs(a[1]) == abs(b[1]) == 90


def test_kml_tracks_have_as_many_times_as_places(sample):
    root = ElementTree.fromstring(sample.text("kml"))
    tracks = list(root.iter("{http://www.google.com/kml/ext/2.2}Track"))
    assert bool(tracks) == sample.is_dated
    for track in tracks:
        tags = [child.tag.split("}")[1] for child in track]
        half = len(tags) // 2
        assert tags == ["when"] * half + ["coord"] * half


def test_csv_by_gdal(sample, agree):
    _, fields = geometries_of_csv(sample.path("csv"))
    lon, lat = fields["lon"].astype(float), fields["lat"].astype(float)
    agree(list(zip(lon, lat, strict=True)), sample.points)
    assert list(fields["name"]) == sample.names
    speeds = [s for s in fields["speed_m_s"] if s not in ("", None)]
    assert np.allclose(
        [float(s) for s in speeds], [s for s in sample.truth["speeds"] if s is not None]
    )


def geometries_of_csv(path):
    meta, _, _, fields = pyogrio.raw.read(path, read_geometry=False)
    return meta, dict(zip(meta["fields"], fields, strict=True))
