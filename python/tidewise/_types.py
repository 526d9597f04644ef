"""Types of arguments, for type checkers and editors."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

if TYPE_CHECKING:
    from tidewise.tracks import Track

File = str | os.PathLike[str]
Length = str | float  # [environment's units], or with a unit: "3km"
Span = str | datetime.timedelta | np.timedelta64  # "3h"
Moment = str | datetime.date | np.datetime64  # a datetime and pandas' Timestamp are dates too
Point = Sequence[float] | np.ndarray
Place = Point | Sequence[Point] | File  # a point, several points, or the file of an area
Zone = dict[str, object]  # a table of a mission file

Backend = Literal["auto", "cpu", "cuda"]
Devices = Literal["all"] | int | Sequence[int]
Baselines = Literal["all", "none"]
Realizations = Literal["all"] | int | Sequence[int]
SpreadMethod = Literal["square-root", "perturbed"]
Objective = Literal["time", "energy", "net_energy", "weighted", "arrival", "stay", "follow"]
RouteFormat = Literal[
    "geojson",
    "gpx",
    "kml",
    "csv",
    "slocum",
    "seaglider",
    "moos",
    "qgc-wpl",
    "qgc-plan",
    "rtz",
    "policy",
]


# Options that several functions take; the default is None, or False.
class Computing(TypedDict, total=False):
    """Options that choose the processor."""

    backend: Backend | None
    threads: int | None
    devices: Devices | None
    device_memory: str | int | None


class Tracking(TypedDict, total=False):
    """Options for observations."""

    drifter: Track | Sequence[Track] | None
    radar: Track | Sequence[Track] | None
    error: float | None
    fix_error: float | None
    representation: float | None
    column: dict[str, str] | None
    trajectory: int | None
    profile: str | None
    averaged_over: Span | None


class Observing(Tracking, total=False):
    """Options for observations, and for correcting a forecast by them."""

    method: SpreadMethod | None
    localisation: Span | None
    inflation: float | None
    relaxation: float | None
    reject_beyond: float | None
    add_mode: Length | Literal["auto"] | None
    seed: int | None


class Replanning(Observing, Computing):
    """Options of replan."""


class Importing(TypedDict, total=False):
    """Options that convert a forecast to an environment."""

    spacing: Length | None
    step: Span | None
    vehicle_speed: float | None
    lagged: int | None
    bbox: Sequence[float] | None
    from_: Moment | None
    to: Moment | None
    depth: float | None
    profile: dict[str, str] | None
    bottom_margin: Length | None
    shallowest: Length | None
    bathymetry: File | None
    modes: int | None
    variance: float | None
    realizations: int | None
    seed: int | None
    forecast_error: File | None
    past: File | Sequence[File] | None
    error_rms: str | None
    error_length: Length | None
    error_time: Span | None
    sample: Literal["mean", "begin"] | None
    steady: Span | None
    zeros: Literal["land", "water"] | None
    scalar: str | None
    scalar_fill: float | None
    obstacles: File | None
    u: str | None
    v: str | None
    components: Literal["east-north", "grid"] | None
    lon: str | None
    lat: str | None
    time: str | None
    time_units: str | None
    level: str | None
    member: str | None
