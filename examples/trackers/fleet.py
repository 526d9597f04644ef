"""Missions of Tidewise for the particles of another program: courses, targets and shores.

A particle flies one mission of a fleet. It asks the mission's policy for a course where the last
action ends, and holds that course until the next action. The flight ends where its path enters the
target, on a shore, or in a cell without an action, as a flight of ``tidewise rehearse`` does. The
particle program integrates the path. All functions take and return arrays with an element for each
particle.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tidewise import twp

UNDER_WAY, ARRIVED, AGROUND, WITHOUT_ACTION = range(4)
OUTCOMES = ("out of time", "arrived", "obstacle", "without an action")

_SEMI_MAJOR_AXIS = 6378137.0  # [m] WGS84
_ECCENTRICITY_SQUARED = 0.00669437999014  # WGS84


def metres_per_degree(latitude):
    """Metres east in a degree of longitude, and north in one of latitude, on WGS84."""
    sine = np.sin(np.radians(latitude))
    w = 1 - _ECCENTRICITY_SQUARED * sine**2
    east = _SEMI_MAJOR_AXIS / np.sqrt(w)
    north = east * (1 - _ECCENTRICITY_SQUARED) / w
    return np.radians(east * np.cos(np.radians(latitude))), np.radians(north)


@dataclass(frozen=True)
class Mission:
    """A policy with the data that its file lacks."""

    policy: twp.Policy
    start: tuple[float, float]  # longitude, latitude [degrees]
    target: tuple[float, float]  # centre of its disc, longitude, latitude [degrees]
    radius: float  # radius of that disc [m]
    departure: float  # [s since 1970]

    @classmethod
    def read(cls, policy: Path, start, target, radius: float, departure: str) -> Mission:
        """The mission whose policy ``tidewise export RUN --format policy`` wrote."""
        policy_file = twp.Policy.read(policy)
        return cls(policy_file, tuple(start), tuple(target), radius, twp.seconds(departure))


class Fleet:
    """Missions by number."""

    def __init__(self, missions: list[Mission]) -> None:
        """A fleet of these missions, numbered from 0."""
        self.missions = missions

    def steer(self, number, longitude, latitude, now, east, north, until, outcome):
        """Returns the velocities through the water from `now` on.

        Parameters
        ----------
        number : array of int
            The mission of each particle.
        longitude, latitude : array of float
            Its position [degrees].
        now : array of float
            The time [s since 1970].
        east, north : array of float
            Its velocity through the water so far [m/s].
        until : array of float
            The end of its action [s since 1970].
        outcome : array of int
            UNDER_WAY, or the kind of end of its flight.

        Returns
        -------
        east, north, until, outcome
            These arguments, with a new action where the last one has ended.
        """
        east, north, until = (np.array(column, float) for column in (east, north, until))
        outcome = np.array(outcome)
        for n in np.flatnonzero((outcome == UNDER_WAY) & (now > until - 1)):
            policy = self.missions[int(number[n])].policy
            action = policy.at_lonlat(float(longitude[n]), float(latitude[n]), float(now[n]))
            if action.status == "ok":
                bearing = np.radians(action.bearing)
                east[n] = action.speed * np.sin(bearing)
                north[n] = action.speed * np.cos(bearing)
                until[n] = action.hold_until
            elif action.status == "past the end":
                until[n] = np.inf
            else:
                outcome[n] = ARRIVED if action.status == "in target" else WITHOUT_ACTION
        under_way = (outcome == UNDER_WAY) & np.isfinite(until)
        return np.where(under_way, east, 0), np.where(under_way, north, 0), until, outcome

    def share_before_target(self, number, longitude, latitude, to_longitude, to_latitude):
        """The share of a straight path before it enters the target's disc; else infinity."""
        share = np.full(len(longitude), np.inf)
        for n in range(len(longitude)):
            mission = self.missions[int(number[n])]
            scale = np.array(metres_per_degree(mission.target[1]))
            begin = (np.array([longitude[n], latitude[n]]) - mission.target) * scale
            path = np.array([to_longitude[n] - longitude[n], to_latitude[n] - latitude[n]]) * scale
            # |begin + share * path| = radius; the smaller root is where the path enters.
            c = begin @ begin - mission.radius**2
            a, half_b = path @ path, begin @ path
            if c <= 0:
                share[n] = 0
            elif half_b < 0 <= half_b**2 - a * c:
                root = (-half_b - np.sqrt(half_b**2 - a * c)) / a
                share[n] = root if root <= 1 else np.inf
        return share


def water_weights(is_water, across, along):
    """Bilinear weights of four points; points without a velocity have weight 0.

    Parameters
    ----------
    is_water : array of bool, shape (2, 2, particle)
        True for points with a velocity, by the rows and columns around each particle.
    across, along : array of float
        Its position between the columns and between the rows, 0 to 1.

    Returns
    -------
    weights : array of float, shape (2, 2, particle)
        They sum to 1, or to 0 where no point has a velocity.
    """
    rows = np.stack([1 - along, along])
    columns = np.stack([1 - across, across])
    weights = rows[:, None] * columns[None, :] * is_water
    total = weights.sum(axis=(0, 1))
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
