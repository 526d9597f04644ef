"""MAVLink missions, read by pymavlink, and other formats, read by their published grammars."""

import datetime
import json
import math
import re
import xml.etree.ElementTree as ElementTree

import pyproj
import pytest
from pymavlink import mavwp

# [m]: half of 1e-4 minutes is 0.093 m along a meridian, and at most that along a parallel.
MINUTES_ROUNDING = math.hypot(0.0928, 0.0928)


def degrees(word):
    """Convert [-]DDDMM.mmmm to degrees."""
    match = re.fullmatch(r"(-?)(\d+)(\d\d\.\d{4})", word)
    assert match, word
    minutes = float(match[3])
    assert minutes < 60, word
    return (-1 if match[1] else 1) * (int(match[2]) + minutes / 60)


def read_slocum(text):
    """Parse a .ma file by its grammar. Returns arguments and [(lon, lat)]."""
    lines = iter(text.split("\n"))
    assert next(lines) == "behavior_name=goto_list"
    line = next(lines)
    while line.startswith("#"):
        line = next(lines)
    assert line == "<start:b_arg>"
    arguments = {}
    for line in lines:
        if line == "<end:b_arg>":
            break
        match = re.fullmatch(r"\s+b_arg: (\w+)\((\w+)\)\s+(-?[\d.]+)(\s+#.*)?", line)
        assert match, line
        arguments[match[1]] = (match[2], float(match[3]))
    assert next(lines) == "<start:waypoints>"
    points = []
    for line in lines:
        if line == "<end:waypoints>":
            break
        lon, lat = line.split("#")[0].split()
        points.append((degrees(lon), degrees(lat)))
    assert list(lines) == [""]
    return arguments, points


def test_slocum(sample, agree):
    arguments, points = read_slocum(sample.text("slocum"))
    agree(points, sample.points[1:], MINUTES_ROUNDING)
    assert arguments["num_waypoints"] == ("nodim", len(points))
    assert arguments["num_legs_to_run"] == ("nodim", -2)
    assert arguments["initial_wpt"] == ("enum", 0)
    assert arguments["list_stop_when"] == ("enum", 7)
    assert arguments["list_when_wpt_dist"] == ("m", sample.truth["capture_radius"])


def test_seaglider(sample, agree):
    targets = {}
    for line in sample.text("seaglider").split("\n"):
        if line == "" or line[0] == "/":
            continue
        name, *pairs = line.split()
        assert name not in targets
        targets[name] = dict(pair.split("=") for pair in pairs)
        assert set(targets[name]) == {"lat", "lon", "radius", "goto"}
    assert list(targets) == sample.names[1:]
    agree(
        [(degrees(t["lon"]), degrees(t["lat"])) for t in targets.values()],
        sample.points[1:],
        MINUTES_ROUNDING,
    )
    assert [float(target["radius"]) for target in targets.values()] == sample.radii
    # Each waypoint leads to the next one, and the last one to itself.
    target, visited = sample.names[1], []
    while target not in visited:
        visited.append(target)
        target = targets[target]["goto"]
    assert visited == sample.names[1:] and target == sample.names[-1]


def moos_origin(text):
    """Return (lon, lat) of LongOrigin and LatOrigin."""
    origin = dict(re.findall(r"^//\s+(LatOrigin|LongOrigin)\s+= (\S+)$", text, re.M))
    return float(origin["LongOrigin"]), float(origin["LatOrigin"])


def moos_points(text):
    """Return [(x, y)] of all behaviors."""
    points = re.findall(r"^\s+points\s+= (\S+)$", text, re.M)
    return [tuple(map(float, point.split(","))) for each in points for point in each.split(":")]


def moos_places_in_utm(text):
    """Return [(lon, lat)] by PROJ in the origin's UTM zone, like MOOSGeodesy's UTM2LatLong."""
    lon0, lat0 = moos_origin(text)
    zone = math.floor((lon0 + 180) / 6) + 1
    assert f"// In UTM, zone {zone} " in text
    utm = pyproj.Proj(proj="utm", zone=zone, ellps="WGS84")
    east, north = utm(lon0, lat0)
    places = [utm(east + x, north + y, inverse=True) for x, y in moos_points(text)]
    return [((lon + 180) % 360 - 180, lat) for lon, lat in places]


def moos_places_on_grid(text):
    """Return [(lon, lat)] by the inverse of MOOSGeodesy's formula (by iteration)."""
    lon0, lat0 = moos_origin(text)

    def radius(lat):
        tan2 = math.tan(math.radians(lat)) ** 2
        b, a = 6356752.0, 6378137.0
        return b * math.sqrt(1 + tan2) / math.sqrt(b * b / (a * a) + tan2)

    places = []
    for x, y in moos_points(text):
        lat = lat0
        for _ in range(50):
            lat = lat0 + math.degrees(math.asin(y / radius(lat)))
        lon = lon0 + math.degrees(math.asin(x / (radius(lat) * math.cos(math.radians(lat)))))
        places.append(((lon + 180) % 360 - 180, lat))
    return places


def test_moos_on_the_local_grid(sample, agree):
    agree(moos_places_on_grid(sample.text("moos-grid")), sample.points[1:])


def test_moos(sample, agree):
    text = sample.text("moos")
    agree(moos_places_in_utm(text), sample.points[1:])
    behaviors = re.findall(r"^Behavior = BHV_Waypoint\n\{\n(.*?)\n\}$", text, re.M | re.S)
    keys = [[line.split("=")[0].strip() for line in behavior.split("\n")] for behavior in behaviors]
    for names in keys:
        needed = {
            "name",
            "pwt",
            "condition",
            "endflag",
            "updates",
            "speed",
            "capture_radius",
            "slip_radius",
            "repeat",
            "points",
        }
        assert set(names) == needed
    # Each leg ends with the condition that the next one waits for, and each point has its speed.
    speeds, radii = [], []
    for behavior in behaviors:
        count = re.search(r"points\s+= (\S+)", behavior)[1].count(":") + 1
        speeds += [float(re.search(r"speed\s+= (\S+)", behavior)[1])] * count
        radii += [float(re.search(r"capture_radius\s+= (\S+)", behavior)[1])] * count
    assert speeds == pytest.approx(sample.truth["speeds"][:-1], abs=5e-4)
    assert radii == sample.radii
    for behavior, following in zip(behaviors, behaviors[1:], strict=False):
        flag = re.search(r"endflag\s+= (.*)", behavior)[1]
        assert f"condition      = {flag}" in following
    assert "endflag        = TIDEWISE_ARRIVED = true" in behaviors[-1]


def test_qgc_wpl_by_pymavlink(sample, agree):
    loader = mavwp.MAVWPLoader()
    count = loader.load(str(sample.path("qgc-wpl")))
    items = [loader.wp(n) for n in range(count)]
    assert [item.seq for item in items] == list(range(count))
    home, *rest = items
    agree([(home.y, home.x)], sample.points[:1])
    assert (home.frame, home.current) == (0, 1)
    targets = [item for item in rest if item.command == 16]
    agree([(item.y, item.x) for item in targets], sample.points[1:])
    assert all(item.frame == 3 and item.z == 0 and item.autocontinue == 1 for item in targets)
    assert {item.param2 for item in targets} == {sample.truth["capture_radius"]}
    assert speeds_in_force([(item.command, item.param2) for item in rest]) == pytest.approx(
        sample.truth["speeds"][:-1]
    )


def speeds_in_force(items):
    """Return the speed towards each waypoint, from (command, second parameter)."""
    speeds, speed = [], None
    for command, parameter in items:
        if command == 178:
            speed = parameter
        else:
            speeds.append(speed)
    return speeds


def test_qgc_plan(sample, agree):
    plan = json.loads(sample.text("qgc-plan"))
    assert (plan["fileType"], plan["version"]) == ("Plan", 1)
    assert {"groundStation", "geoFence", "rallyPoints", "mission"} <= set(plan)
    assert (
        plan["geoFence"]["version"]
        == plan["rallyPoints"]["version"]
        == plan["mission"]["version"]
        == 2
    )
    mission = plan["mission"]
    needed = {
        "firmwareType",
        "vehicleType",
        "cruiseSpeed",
        "hoverSpeed",
        "globalPlanAltitudeMode",
        "plannedHomePosition",
    }
    assert needed <= set(mission)
    items = mission["items"]
    assert [item["doJumpId"] for item in items] == list(range(1, len(items) + 1))
    assert all(item["type"] == "SimpleItem" and len(item["params"]) == 7 for item in items)
    home = mission["plannedHomePosition"]
    agree([(home[1], home[0])], sample.points[:1])
    targets = [item for item in items if item["command"] == 16]
    agree([(item["params"][5], item["params"][4]) for item in targets], sample.points[1:])
    assert {item["params"][1] for item in targets} == {sample.truth["capture_radius"]}
    assert all({"Altitude", "AltitudeMode", "AMSLAltAboveTerrain"} <= set(item) for item in targets)
    assert speeds_in_force([(i["command"], i["params"][1]) for i in items]) == pytest.approx(
        sample.truth["speeds"][:-1]
    )
    for fence in plan["geoFence"]["polygons"]:
        assert fence["inclusion"] is False and fence["version"] == 1
        assert 3 <= len(fence["polygon"]) <= 255
        # Sides are straight in longitude: only those along a pole may cross the map.
        corners = fence["polygon"]
        for (lat, lon), (next_lat, next_lon) in zip(corners, corners[1:] + corners[:1], strict=True):
            assert abs(next_lon - lon) < 180 or abs(lat) == abs(next_lat) == 90
    standing = [o for o in sample.truth["obstacles"] if o["standing"]]
    assert bool(plan["geoFence"]["polygons"]) == bool(standing)


RTZ = "{http://www.cirm.org/RTZ/1/2}"
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
DURATION = re.compile(r"P(\d+D)?T(\d+H\d+M)?\d+S")


def children(element, *allowed):
    """Return an element's children; they must have these names, in this order."""
    tags = [child.tag.removeprefix(RTZ) for child in element]
    assert [allowed.index(tag) for tag in tags] == sorted(allowed.index(tag) for tag in tags)
    return list(element)


def test_rtz_structure(sample, agree):
    """The file meets the requirements of the schema, version 1.2, and of its rules."""
    text = sample.text("rtz")
    assert len(text) <= 400 * 1024
    root = ElementTree.fromstring(text)
    assert root.tag == RTZ + "route" and root.attrib == {"version": "1.2"}
    tags = [
        child.tag.removeprefix(RTZ)
        for child in children(root, "routeInfo", "waypoints", "schedules", "extensions")
    ]
    assert tags[:2] == ["routeInfo", "waypoints"]
    info, waypoints = root[0], root[1]
    assert info.attrib["routeName"] == sample.path("rtz").stem
    assert float(info.attrib["vesselSpeedMax"]) == pytest.approx(0.972)
    ids, points = [], []
    for n, waypoint in enumerate(waypoints):
        assert waypoint.tag == RTZ + "waypoint" and set(waypoint.attrib) == {
            "id",
            "revision",
            "name",
        }
        parts = children(waypoint, "position", "leg")
        points.append((float(parts[0].attrib["lon"]), float(parts[0].attrib["lat"])))
        assert len(parts) == (1 if n == 0 else 2)
        if n > 0:
            leg = parts[1].attrib
            assert leg["geometryType"] in ("Loxodrome", "Orthodrome")
            assert 0 <= float(leg["portsideXTD"]) < 10 and 0 <= float(leg["starboardXTD"]) < 10
        ids.append(int(waypoint.attrib["id"]))
    assert len(points) >= 2 and len(set(ids)) == len(ids)
    assert [waypoint.attrib["name"] for waypoint in waypoints] == sample.names
    agree(points, sample.points)


def test_rtz_schedule(sample):
    root = ElementTree.fromstring(sample.text("rtz"))
    schedules = root.find(RTZ + "schedules")
    assert (schedules is not None) == sample.is_dated
    if not sample.is_dated:
        return
    elements = list(schedules.find(f"{RTZ}schedule/{RTZ}calculated"))
    assert [int(e.attrib["waypointId"]) for e in elements] == list(range(1, len(sample.points) + 1))
    for n, element in enumerate(elements):
        attributes = element.attrib
        instant = attributes["etd" if n == 0 else "eta"]
        assert DATE_TIME.fullmatch(instant)
        assert datetime.datetime.fromisoformat(instant).timestamp() == sample.instants[n]
        if n > 0:
            assert seconds(attributes["etaWindowBefore"]) == 600
            assert seconds(attributes["etaWindowAfter"]) == 90061
            assert float(attributes["speed"]) == pytest.approx(0.625 * 3600 / 1852, abs=5e-4)


def seconds(text):
    assert DURATION.fullmatch(text), text
    units = {"D": 86400, "H": 3600, "M": 60, "S": 1}
    return sum(int(n) * units[unit] for n, unit in re.findall(r"(\d+)([DHMS])", text))
