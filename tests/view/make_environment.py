"""A small environment on the globe, with dates, moving obstacles and weights, written by h5py."""

import h5py
import numpy as np

EARTH = 6371000.0  # [m]


def stereographic(x, y, lon_0, lat_0):
    """Return longitudes and latitudes on a plane that touches a sphere at (lon_0, lat_0)."""
    lon_0, lat_0 = np.radians(lon_0), np.radians(lat_0)
    rho = np.hypot(x, y)
    c = 2 * np.arctan2(rho, 2 * EARTH)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(rho > 0, y * np.sin(c) / rho, 0)
    lat = np.arcsin(np.cos(c) * np.sin(lat_0) + ratio * np.cos(lat_0))
    lon = lon_0 + np.arctan2(
        x * np.sin(c), rho * np.cos(lat_0) * np.cos(c) - y * np.sin(lat_0) * np.sin(c)
    )
    return (np.degrees(lon) + 180) % 360 - 180, np.degrees(lat)


def write_two_depths(path, environment):
    """Write `environment` as profile "up", and the opposite flow as profile "down"."""
    with_profiles = ("u_mean", "v_mean", "u_mode", "v_mode", "obstacle_mask")
    with h5py.File(environment) as source, h5py.File(path, "w") as target:
        target["profile"] = np.uint8([0, 1])
        target["profile"].make_scale("profile")
        for name, text in (("flag_meanings", "up down"), ("depths", "0:50 0:1000")):
            target["profile"].attrs[name] = np.bytes_(text)
        target["profile"].attrs["flag_values"] = np.uint8([0, 1])
        names = [name for name in source if isinstance(source[name], h5py.Dataset)]
        for name in sorted(names, key=lambda name: not source[name].is_scale):
            old, values = source[name], source[name][...]
            axes = [dimension[0].name.strip("/") for dimension in old.dims if len(dimension) > 0]
            if name in with_profiles:
                place = 1 if axes[0] == "time" else 0
                axes.insert(place, "profile")
                values = np.stack([values, values if name == "obstacle_mask" else -values], axis=place)
            target[name] = values
            for key in ("units", "calendar", "long_name"):
                if key in old.attrs:
                    target[name].attrs[key] = old.attrs[key]
            if old.is_scale:
                target[name].make_scale(name)
                continue
            for n, axis in enumerate(axes):
                target[name].dims[n].attach_scale(target[axis])


def write_environment(path, realizations=12, levels=33, nx=24, ny=30, seed=1):
    """Write a gyre of 0.3 m/s across 180 degrees, so far north that meridians are oblique.

    There are land in the north-west, cells beyond the forecast in the south-east, a closed square
    that drifts eastwards, and unequal weights.
    """
    spacing, step, modes = 4000.0, 3600.0, 2
    x = (np.arange(nx) - nx / 2) * spacing + 250000
    y = (np.arange(ny) - ny / 2) * spacing
    grid_x, grid_y = np.meshgrid(x, y)
    across = np.pi * (grid_x - x[0]) / (x[-1] - x[0])
    along = np.pi * (grid_y - y[0]) / (y[-1] - y[0])
    random = np.random.default_rng(seed)
    u_mean, v_mean, u_mode, v_mode, mask, coefficient = [], [], [], [], [], []
    draw = random.standard_normal((modes, realizations))
    land = (grid_x < x[5]) & (grid_y > y[-7])
    beyond = (grid_x > x[-5]) & (grid_y < y[5])
    for level in range(levels):
        strength = 0.3 * (1 + 0.3 * np.sin(level / 6))
        u_mean.append(-strength * np.sin(across) * np.cos(along))
        v_mean.append(strength * np.cos(across) * np.sin(along))
        u_mode.append([0.08 * np.sin(across) * np.sin(along), 0.05 * np.cos(along)])
        v_mode.append([0.03 * np.cos(across), 0.06 * np.sin(2 * across)])
        coefficient.append(draw * (1 + 0.01 * level))
        drifting = (abs(grid_x - x[6] - level * 1200) < 7000) & (abs(grid_y - y[20]) < 7000)
        mask.append(np.where(beyond, 2, land | drifting))
        for field in (u_mean[-1], v_mean[-1], *u_mode[-1], *v_mode[-1]):
            field[land | beyond] = np.nan
    lon, lat = stereographic(grid_x, grid_y, 178.0, 62.0)
    weight = np.linspace(1, 2, realizations)
    arrays = {
        "u_mean": (u_mean, "time y x", "f4", "m s-1"),
        "v_mean": (v_mean, "time y x", "f4", "m s-1"),
        "u_mode": (u_mode, "time mode y x", "f4", "m s-1"),
        "v_mode": (v_mode, "time mode y x", "f4", "m s-1"),
        "coefficient": (coefficient, "time mode realization", "f4", "1"),
        "obstacle_mask": (mask, "time y x", "u1", "1"),
        "realization_weight": (weight, "realization", "f8", "1"),
        "lon": (lon, "y x", "f8", "degrees_east"),
        "lat": (lat, "y x", "f8", "degrees_north"),
    }
    with h5py.File(path, "w") as file:
        axes = {
            "time": (np.arange(levels) * step, "seconds since 2024-03-01T06:00:00"),
            "y": (y, "m"),
            "x": (x, "m"),
        }
        for name, (values, units) in axes.items():
            file[name] = values
            file[name].make_scale(name)
            file[name].attrs["units"] = np.bytes_(units)
        file["time"].attrs["calendar"] = np.bytes_("standard")
        for name, size in (("mode", modes), ("realization", realizations)):
            file[name] = np.arange(size, dtype="f4")
            file[name].make_scale(name)
        for name, (values, dimensions, kind, units) in arrays.items():
            file[name] = np.asarray(values).astype(kind)
            file[name].attrs["units"] = np.bytes_(units)
            for n, dimension in enumerate(dimensions.split()):
                file[name].dims[n].attach_scale(file[dimension])
        file.attrs["title"] = np.bytes_("A gyre across 180 degrees")
    return x, y
