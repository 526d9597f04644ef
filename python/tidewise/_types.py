"""What arguments are, for checkers and editors."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from typing import Literal

import numpy as np

File = str | os.PathLike[str]
Length = str | float  # [environment's units], or with a unit: "3km"
Span = str | datetime.timedelta | np.timedelta64  # "3h"
Moment = str | datetime.date | np.datetime64  # a datetime and pandas' Timestamp are dates too
Point = Sequence[float] | np.ndarray
Place = Point | Sequence[Point] | File  # one, several, or the file of an area
Zone = dict[str, object]  # a table of a mission file

Backend = Literal["auto", "cpu", "cuda"]
Devices = Literal["all"] | Sequence[int]
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
