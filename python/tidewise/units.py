"""Units for pictures: km, hours and days in a metric environment; else cells and steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidewise.grid import Grid

_METRES = {"m", "meter", "meters", "metre", "metres"}
_MIN_IN_KILOMETRES = 5e3  # [m]
_MIN_IN_THOUSANDS = 1e5  # [m² s⁻¹]
_JOULES = ((1e6, "MJ"), (1e3, "kJ"))
_NO_UNIT = "–"
_DAY = 86400.0  # [s]
_HOUR = 3600.0  # [s]


@dataclass(frozen=True)
class Unit:
    """A displayed unit; one of it is `scale` of the environment's units."""

    scale: float
    name: str

    def show(self, value):
        """Convert a number, or an array of numbers, to this unit."""
        return value / self.scale

    def label(self, quantity: str) -> str:
        """Return an axis label, e.g. "x (km)"."""
        return f"{quantity} ({self.name})"

    def text(self, value: float) -> str:
        """Return a number with its unit, to three or four digits."""
        number = format_number(self.show(value))
        return number if self.name == _NO_UNIT else f"{number} {self.name}"


@dataclass(frozen=True)
class Units:
    """The units of one run's pictures."""

    length: Unit
    time: Unit
    speed: Unit
    energy: Unit  # Σ (c_f F² + c_t) Δt, as missions spend it
    metric: bool


def choose_units(
    grid: Grid,
    c_f: float = 1.0,
    fastest: float = 1.0,
    dive: float | None = None,
    c_t: float = 0.0,
) -> Units:
    """Choose units by the size of the domain, the length of the time axis and the energy use.

    Energy is (c_f F² + c_t) Δt: in joules with c_t or dive, which are in watts; without them in
    m² s⁻¹ if c_f is 1, otherwise without a unit, since c_f may convert it to any unit. fastest:
    maximum speed through the water. dive: maximum additional power of a dive; None if unknown.
    """
    if grid.length_units not in _METRES:
        length = Unit(1.0, "cells" if _is_one(grid.dx) and _is_one(grid.dy) else _NO_UNIT)
        time = Unit(1.0, "steps" if _is_one(grid.time_step) else _NO_UNIT)
        in_cells = length.name == "cells" and time.name == "steps"
        speed = Unit(1.0, "cells per step" if in_cells else _NO_UNIT)
        return Units(length, time, speed, Unit(1.0, _NO_UNIT), metric=False)
    west, east, south, north = grid.extent
    in_kilometres = max(east - west, north - south) >= _MIN_IN_KILOMETRES
    length = Unit(1e3, "km") if in_kilometres else Unit(1.0, "m")
    span = float(grid.time[-1])
    maximum = (c_f * fastest**2 + c_t + (dive or 0.0)) * span
    if c_t != 0.0 or dive is not None:
        prefixed = (Unit(size, name) for size, name in _JOULES if maximum >= size)
        energy = next(prefixed, Unit(1.0, "J"))
    elif _is_one(c_f):
        energy = Unit(1e3, "10³ m² s⁻¹") if maximum >= _MIN_IN_THOUSANDS else Unit(1.0, "m² s⁻¹")
    else:
        energy = Unit(1.0, _NO_UNIT)
    return Units(length, _time_unit(span), Unit(1.0, "m s⁻¹"), energy, metric=True)


def format_number(value: float) -> str:
    """Format three digits, four from 1000 on; no powers of ten unless needed."""
    if not np.isfinite(value):
        return "–"
    magnitude = abs(value)
    if magnitude >= 100 or float(value).is_integer():
        text = f"{value:.0f}" if magnitude < 1e6 else f"{value:.3g}"
    elif magnitude >= 10:
        text = f"{value:.1f}"
    else:
        text = f"{value:.3g}"
    text = "0" if text == "-0" else text
    return text.replace("-", "−")


def format_among(value: float, span: float) -> str:
    """Format with enough digits to distinguish numbers that lie within `span` of each other."""
    decimals = int(np.clip(np.ceil(-np.log10(span / 100.0)), 0, 6)) if span > 0 else 3
    text = f"{value:.{decimals}f}"
    if decimals > 0:
        text = text.rstrip("0").rstrip(".")
    return ("0" if text in ("", "-0") else text).replace("-", "−")


def unit_name(text: str) -> str:
    """Format a file's units for print: "m s-1" becomes "m s⁻¹", "1" becomes "–"."""
    if text in ("", "1"):
        return "–"
    return text.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _time_unit(span: float) -> Unit:
    if span >= 7 * _DAY:
        return Unit(_DAY, "days")
    if span >= 3 * _HOUR:
        return Unit(_HOUR, "hours")
    return Unit(60.0, "minutes") if span >= 600.0 else Unit(1.0, "s")


def _is_one(value: float) -> bool:
    return bool(np.isclose(value, 1.0))
