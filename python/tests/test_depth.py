"""Means over dives off Norway, held to an integral by hand that shares no code with the import."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest

import tidewise as tw
from tidewise.errors import InputError

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
FILES = {c: f"depth/nemo_norwegian_sea_2000_{c.upper()}.nc" for c in "uv"}
PROFILES = {"shallow": "0:200", "deep": "0:1000", "park": "at:1000"}
MARGIN, SHALLOWEST = 10.0, 20.0  # [m]


def read(path, component):
    """Depths, longitudes, latitudes and (time, depth, y, x), NaN where it is 0 at every time."""
    with netCDF4.Dataset(path) as file:
        flow = np.ma.filled(file[f"{component}o"][:].astype(float), np.nan)
        flow = np.where((flow == 0).all(axis=0), np.nan, flow)
        return (
            file[f"depth{component}"][:].filled().astype(float),
            file["nav_lon"][:].filled().astype(float),
            file["nav_lat"][:].filled().astype(float),
            flow,
        )


def on_plane(longitude, latitude, projection):
    """Stereographic, of the WGS84 ellipsoid by its conformal latitude; up to a scale."""
    words = dict(w[1:].split("=") for w in projection.split() if "=" in w)
    e = np.sqrt(2 / 298.257223563 - 1 / 298.257223563**2)

    def conformal(degrees):
        sine = np.sin(np.radians(degrees))
        tangent = np.tan(np.pi / 4 + np.radians(degrees) / 2)
        return 2 * np.arctan(tangent * ((1 - e * sine) / (1 + e * sine)) ** (e / 2)) - np.pi / 2

    at, middle = conformal(latitude), conformal(float(words["lat_0"]))
    east = np.radians(longitude - float(words["lon_0"]))
    scale = 2 / (1 + np.sin(middle) * np.sin(at) + np.cos(middle) * np.cos(at) * np.cos(east))
    x = scale * np.cos(at) * np.sin(east)
    y = scale * (np.cos(middle) * np.sin(at) - np.sin(middle) * np.cos(at) * np.cos(east))
    return x, y


def of_pair(a, b):
    """The mean of two where both are wet, else the wet one."""
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, (a + b) / 2))


def between_points(u, v):
    """(depth, y, x) at the points between, of which u has one to the west, v one to the south."""
    along, across = of_pair(u[:, 1:, :-1], u[:, 1:, 1:]), of_pair(v[:, :-1, 1:], v[:, 1:, 1:])
    land = np.isnan(along) & np.isnan(across)
    fill = [np.where(land, np.nan, np.nan_to_num(one)) for one in (along, across)]
    return fill[0] + 1j * fill[1]


def mean_of_dive(depth, column, top, bottom):
    """By steps of a fifth of a metre; NaN where there is no dive."""
    wet = int(np.argmax(np.isnan(column))) if np.isnan(column).any() else len(column)
    if wet == 0:
        return np.nan
    floor = np.inf if wet == len(column) else (depth[wet - 1] + depth[wet]) / 2
    if floor < SHALLOWEST or floor - MARGIN < top:
        return np.nan
    end = min(bottom, floor - MARGIN)
    count = max(1, round((end - top) * 5))
    z = top + (np.arange(count) + 0.5) * (end - top) / count
    real = np.interp(z, depth[:wet], column[:wet].real)
    return real.mean() + 1j * np.interp(z, depth[:wet], column[:wet].imag).mean()


def inverse_bilinear(corners, x, y):
    """Shares along the columns and rows of a quadrilateral, by Newton's method."""
    s = t = 0.5
    (a, b), (c, d) = corners
    for _ in range(12):
        here = (1 - s) * (1 - t) * a + s * (1 - t) * b + (1 - s) * t * c + s * t * d - (x + 1j * y)
        by_s, by_t = (1 - t) * (b - a) + t * (d - c), (1 - s) * (c - a) + s * (d - b)
        area = by_s.real * by_t.imag - by_s.imag * by_t.real
        s -= (here.real * by_t.imag - here.imag * by_t.real) / area
        t -= (by_s.real * here.imag - by_s.imag * here.real) / area
    return s, t


def at_cell(points, flow, x, y):
    """Bilinear over wet points; NaN where the nearest is dry, None where no quadrilateral holds."""
    j, i = np.unravel_index(np.argmin(abs(points - (x + 1j * y))), points.shape)
    for row in (j - 1, j):
        for column in (i - 1, i):
            if row < 0 or column < 0 or row + 1 >= len(points) or column + 1 >= points.shape[1]:
                continue
            box = np.s_[row : row + 2, column : column + 2]
            s, t = inverse_bilinear(points[box], x, y)
            if not (0 <= s <= 1 and 0 <= t <= 1):
                continue
            weight = np.array([[(1 - s) * (1 - t), s * (1 - t)], [(1 - s) * t, s * t]])
            wet = ~np.isnan(flow[box])
            if not wet[int(t >= 0.5), int(s >= 0.5)]:
                return np.nan
            weight = np.where(wet, weight, 0)
            return (weight * np.nan_to_num(flow[box])).sum() / weight.sum()
    return None


def differences(files, ocean, projection, profile, level, every=1):
    """|import − hand| [m/s] in cells that are water in both, and how many are in one alone."""
    depth, u_lon, u_lat, u = read(files["u"], "u")
    _, v_lon, v_lat, v = read(files["v"], "v")
    flow = between_points(u[level], v[level])

    def plane(lon, lat):
        x, y = on_plane(lon, lat, projection)
        return x + 1j * y

    on_u, on_v = plane(u_lon, u_lat), plane(v_lon, v_lat)
    points = (on_u[1:, :-1] + on_u[1:, 1:] + on_v[:-1, 1:] + on_v[1:, 1:]) / 4
    axis = np.gradient(points, axis=1)
    top, _, bottom = PROFILES[profile].replace("at:1000", "1000:1000").partition(":")
    mean = np.full(points.shape, np.nan, complex)
    for place in np.ndindex(points.shape):
        mean[place] = mean_of_dive(depth, flow[(slice(None), *place)], float(top), float(bottom))
    mean *= axis / abs(axis)
    found_u, found_v = ocean.mean(level)
    cells = plane(ocean.dataset["lon"].values, ocean.dataset["lat"].values)
    off, alone = [], 0
    for place in list(np.ndindex(cells.shape))[::every]:
        hand = at_cell(points, mean, cells[place].real, cells[place].imag)
        if hand is None:
            continue
        found = found_u[place] + 1j * found_v[place]
        if np.isnan(hand) != np.isnan(found):
            alone += 1
        elif not np.isnan(hand):
            off.append(abs(found - hand))
    return np.array(off), alone


@pytest.fixture(scope="module")
def norway():
    files = {c: SHARED / name for c, name in FILES.items()}
    if not all(file.is_file() for file in files.values()):
        pytest.skip("the real files are not there")
    ocean = tw.Environment.from_netcdf(
        [],
        u=f"{files['u']}:uo",
        v=f"{files['v']}:vo",
        profile=PROFILES,
        spacing="25km",
        step="5d",
        sample="begin",
    )
    return files, ocean


@pytest.mark.parametrize("profile", PROFILES)
def test_depth_means_are_those_of_an_integral_by_hand(norway, profile):
    files, whole = norway
    ocean = tw.Environment(whole.path, profile=profile)
    projection = ocean.dataset.attrs["projection"]
    off, alone = differences(files, ocean, projection, profile, level=2, every=3)
    assert len(off) > 300
    assert off.max() < 1e-3
    assert alone <= len(off) // 100  # cells half-way between two points


def test_an_environment_of_profiles_asks_which(norway):
    _, whole = norway
    assert whole.profiles == list(PROFILES)
    with pytest.raises(InputError, match="has the profiles shallow, deep, park; choose one"):
        whole.mean(0)
