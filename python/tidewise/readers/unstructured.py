"""Forecasts on unstructured grids, opened by uxarray."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._optional import need
from tidewise.errors import InputError

if TYPE_CHECKING:
    import xarray as xr

_NAMES = (("u", "v"), ("uo", "vo"), ("u_velocity", "v_velocity"), ("ua", "va"), ("unod", "vnod"))
_POINTS = {"n_face": "face", "n_node": "node", "n_edge": "edge"}
_MAX_TARGETS = 20_000_000  # longitudes times latitudes


def read_unstructured(
    file: str | os.PathLike[str],
    grid: str | os.PathLike[str] | None = None,
    *,
    spacing: float | None = None,
    bbox: Sequence[float] | None = None,
    u: str | None = None,
    v: str | None = None,
    layer: int = 0,
) -> xr.Dataset:
    """Interpolate an unstructured forecast to longitudes and latitudes, for an import.

    The interpolation is linear between the points of the velocity. Within a cell of the mesh at the
    boundary, beyond the outermost points, the nearest point's velocity is taken.

    Parameters
    ----------
    file : path
        NetCDF file in a format that uxarray reads: UGRID, FESOM2, MPAS, ICON, SCRIP, ESMF.
    grid : path, optional
        File of the mesh, if `file` does not contain it.
    spacing : float, optional
        Spacing of longitudes and latitudes [degrees of latitude]; the median distance of
        neighbouring points if not given.
    bbox : (west, south, east, north), optional
        Area [degrees]; the whole mesh if not given.
    u, v : str, optional
        Variables to the east and to the north; found by standard_name or by usual names if not
        given.
    layer : int, optional
        Index along the vertical dimension, if the velocity has one; negative from its end.

    Returns
    -------
    xarray.Dataset
        ``u`` and ``v`` [as in the file] (time, lat, lon), float32; NaN outside the mesh.

    Raises
    ------
    InputError
        If the file holds no mesh or no such velocity.
    RunError
        If uxarray is not installed.

    Examples
    --------
    >>> forecast = read_unstructured("fvcom.nc", spacing=0.01)  # doctest: +SKIP
    >>> Environment.from_xarray(forecast)  # doctest: +SKIP
    """
    mesh = _open(Path(file), Path(file if grid is None else grid))
    with mesh:
        names = _names_of(mesh, Path(file), u, v)
        east, north = (_along_time(mesh[name], layer, Path(file)) for name in names)
        place = _POINTS[east.dims[-1]]
        if east.dims != north.dims:
            raise InputError(
                f"{file}: {names[0]} is on {east.dims[-1]} and {names[1]} on {north.dims[-1]}; "
                "both components must have the same points"
            )
        points = np.stack(
            [getattr(mesh.uxgrid, f"{place}_{axis}").values for axis in ("lon", "lat")], axis=-1
        )
        corners = np.stack([mesh.uxgrid.node_lon.values, mesh.uxgrid.node_lat.values], axis=-1)
        west, south, east_end, north_end = bbox or _bounds_of(corners)
        middle = 0.5 * (west + east_end)
        for lonlat in (points, corners):
            lonlat[:, 0] -= 360 * np.round((lonlat[:, 0] - middle) / 360)
        spacing = spacing or _median_distance(points)
        lon, lat = _axes(Path(file), (west, south, east_end, north_end), spacing)
        faces = mesh.uxgrid.face_node_connectivity.values
        interpolate = _interpolator(points, corners, faces, lon, lat, Path(file))
        import xarray as xr

        dataset = xr.Dataset(
            coords={
                "time": east["time"],
                "lat": ("lat", lat, {"units": "degrees_north", "standard_name": "latitude"}),
                "lon": ("lon", lon, {"units": "degrees_east", "standard_name": "longitude"}),
            }
        )
        directions = zip("uv", (east, north), ("eastward", "northward"), strict=True)
        for role, component, direction in directions:
            attributes = {
                "units": component.attrs.get("units", "m s-1"),
                "standard_name": f"{direction}_sea_water_velocity",
            }
            dataset[role] = (("time", "lat", "lon"), interpolate(component.values), attributes)
        return dataset


def _open(file: Path, grid: Path) -> Any:
    uxarray = need("uxarray", "unstructured", "reading unstructured grids")
    for path in (file, grid):
        if not path.exists():
            raise InputError(f"{path}: there is no such file; check the name")
    try:
        return uxarray.open_dataset(grid, file)
    except Exception as error:  # any error of uxarray, xarray or NetCDF
        reason = " ".join(str(error).split())
        raise InputError(
            f"{grid}: uxarray finds no mesh in it ({reason}); name the mesh's file by grid"
        ) from error


def _names_of(mesh: Any, file: Path, u: str | None, v: str | None) -> tuple[str, str]:
    if (u is None) != (v is None):
        raise InputError(
            f"{'v' if v is None else 'u'}: is missing; give both components, or neither"
        )
    if u is not None and v is not None:
        for name in (u, v):
            if name not in mesh.data_vars:
                raise InputError(
                    f"{file}: has no variable {name}; it has {', '.join(map(str, mesh.data_vars))}"
                )
        return u, v
    standard = {
        direction: [
            str(name)
            for name, variable in mesh.data_vars.items()
            if str(variable.attrs.get("standard_name", "")).lower().endswith(direction)
        ]
        for direction in ("eastward_sea_water_velocity", "northward_sea_water_velocity")
    }
    if all(len(names) == 1 for names in standard.values()):
        east, north = (names[0] for names in standard.values())
        return east, north
    for east, north in _NAMES:
        if east in mesh.data_vars and north in mesh.data_vars:
            return east, north
    raise InputError(
        f"{file}: no velocity is found by standard_name or usual names; name its variables by u "
        f"and v, of {', '.join(map(str, mesh.data_vars))}"
    )


def _along_time(variable: Any, layer: int, file: Path) -> Any:
    """Return a variable as (time, points)."""
    points = [name for name in variable.dims if name in _POINTS]
    if len(points) != 1 or "time" not in variable.dims:
        raise InputError(
            f"{file}: {variable.name} has the dimensions {', '.join(map(str, variable.dims))}; it "
            "must be along time and the mesh's nodes, edges or faces"
        )
    for name in set(variable.dims) - {"time", *points}:
        size = variable.sizes[name]
        if not -size <= layer < size:
            raise InputError(f"layer: is {layer}, and {name} has {size}")
        variable = variable.isel({name: layer})
    return variable.transpose("time", *points)


def _bounds_of(corners: np.ndarray) -> tuple[float, float, float, float]:
    """Return the box of all nodes; if it crosses 180°, east is larger than 180."""
    lon = np.sort(corners[:, 0] % 360)
    gaps = np.diff(np.append(lon, lon[0] + 360))
    first = (int(np.argmax(gaps)) + 1) % len(lon)
    west = float(lon[first])
    east = west + 360 - float(gaps.max())
    shift = 360 * round((0.5 * (west + east)) / 360)
    return west - shift, float(corners[:, 1].min()), east - shift, float(corners[:, 1].max())


def _median_distance(points: np.ndarray) -> float:
    """Return the median distance of points from their nearest neighbours [degrees latitude]."""
    from scipy.spatial import cKDTree

    plane = points * [np.cos(np.radians(points[:, 1].mean())), 1.0]
    return float(np.median(cKDTree(plane).query(plane, k=2)[0][:, 1]))


def _axes(file: Path, bbox: Sequence[float], spacing: float) -> tuple[np.ndarray, np.ndarray]:
    west, south, east, north = bbox
    if not (west < east and south < north and spacing > 0):
        raise InputError(
            f"bbox: is {tuple(bbox)} with spacing {spacing}; give west < east, south < north and "
            "a positive spacing, in degrees"
        )
    shrink = max(float(np.cos(np.radians(0.5 * (south + north)))), 0.05)
    columns, rows = (
        max(int((b - a) / step) + 1, 2)
        for a, b, step in ((west, east, spacing / shrink), (south, north, spacing))
    )
    if columns * rows > _MAX_TARGETS:
        raise InputError(
            f"{file}: makes {columns} × {rows} points with spacing {spacing:g}, and at most "
            f"{_MAX_TARGETS} are allowed; choose a smaller bbox or a wider spacing"
        )
    return np.linspace(west, east, columns), np.linspace(south, north, rows)


def _interpolator(
    points: np.ndarray,
    corners: np.ndarray,
    faces: np.ndarray,
    lon: np.ndarray,
    lat: np.ndarray,
    file: Path,
) -> Any:
    """Return a function that maps values (time, points) to (time, lat, lon)."""
    import shapely
    from scipy.spatial import Delaunay, cKDTree

    margin = 3 * max(lon[1] - lon[0], lat[1] - lat[0])
    box = np.array([[lon[0], lat[0]], [lon[-1], lat[-1]]]) + [[-margin], [margin]]

    def is_near(places: np.ndarray) -> np.ndarray:
        return ((places >= box[0]) & (places <= box[1])).all(axis=-1)

    is_node = (faces >= 0) & (faces < len(corners))  # missing corners of a face have fill values
    nodes = np.where(is_node, faces, faces[:, :1])
    nodes = nodes[is_near(corners[nodes]).any(axis=1)]
    targets = np.stack(np.meshgrid(lon, lat), axis=-1).reshape(-1, 2)
    tree = shapely.STRtree(shapely.polygons(corners[nodes]))
    inside = np.unique(tree.query(shapely.points(targets), predicate="intersects")[0])
    chosen = np.flatnonzero(is_near(points))
    if len(inside) == 0 or len(chosen) < 3:
        raise InputError(
            f"{file}: its mesh has no points in the box of longitudes {lon[0]:g} to {lon[-1]:g} "
            f"and latitudes {lat[0]:g} to {lat[-1]:g}; choose another bbox"
        )
    # Distances in degrees of latitude at the middle of the box.
    scale = np.array([np.cos(np.radians(0.5 * (lat[0] + lat[-1]))), 1.0])
    places, wanted = points[chosen] * scale, targets[inside] * scale
    triangles = Delaunay(places)
    simplices = triangles.find_simplex(wanted)
    transform = triangles.transform[simplices]
    first_two = np.einsum("nij,nj->ni", transform[:, :2], wanted - transform[:, 2])
    weights = np.column_stack([first_two, 1 - first_two.sum(axis=1)])
    vertices = triangles.simplices[simplices]
    outside = (simplices < 0) | ~np.isfinite(weights).all(axis=1)
    vertices[outside] = cKDTree(places).query(wanted[outside])[1][:, None]
    weights[outside] = 1 / 3
    vertices = chosen[vertices]

    def interpolate(values: np.ndarray) -> np.ndarray:
        fields = np.full((len(values), len(targets)), np.nan, np.float32)
        for field, at_time in zip(fields, np.asarray(values, float), strict=True):
            field[inside] = (at_time[vertices] * weights).sum(axis=1)
        return fields.reshape(len(values), len(lat), len(lon))

    return interpolate
