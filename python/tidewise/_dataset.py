"""Datasets of xarray on their way into a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr


def plain_dataset(forecast: xr.Dataset) -> xr.Dataset:
    """As a file of its own: packing and chunks of the file that it came from stay behind."""
    plain = forecast.copy()
    # Attributes that name other variables: xarray moves them here with decode_coords="all".
    related = ("bounds", "climatology", "formula_terms", "grid_mapping")
    for variable in plain.variables.values():
        names = {key: variable.encoding[key] for key in related if key in variable.encoding}
        kept = ("_FillValue", "missing_value", "units", "calendar")
        packed = "scale_factor" in variable.encoding or "add_offset" in variable.encoding
        variable.encoding = {
            key: value
            for key, value in variable.encoding.items()
            if key in kept and not (packed and key in ("_FillValue", "missing_value"))
        }
        if variable.dtype.kind == "M":  # whole seconds, whatever the file counted in
            variable.encoding = {"units": "seconds since 1970-01-01", "dtype": "float64"}
        variable.encoding |= names
    return plain
