"""Prepares xarray datasets for NetCDF files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._keywords import kind_of
from tidewise.errors import InputError

if TYPE_CHECKING:
    import xarray as xr

# Attributes that change the meaning or the position of values; others are only descriptions.
_MEANINGFUL = frozenset(
    "units standard_name calendar _FillValue missing_value scale_factor add_offset valid_min "
    "valid_max valid_range positive axis grid_mapping coordinates bounds cell_methods flag_values "
    "flag_masks flag_meanings ancillary_variables formula_terms".split()
)


def plain_dataset(dataset: xr.Dataset, name: str) -> xr.Dataset:
    """Return a copy without the packing and chunks of the file that a data set came from.

    Attributes that NetCDF has no type for, such as objects of a Zarr store, are converted or left
    out. `name`: for messages. Raises InputError for a MultiIndex, and for such an
    attribute that changes the meaning of values.
    """
    _refuse_multi_index(dataset, name)
    plain = dataset.copy()
    plain.attrs = _plain_attributes(plain.attrs, name, None)
    # With decode_coords="all" xarray moves attributes that name other variables to the encoding.
    related = ("bounds", "climatology", "formula_terms", "grid_mapping")
    for variable_name, variable in plain.variables.items():
        variable.attrs = _plain_attributes(variable.attrs, name, variable_name)
        names = {key: variable.encoding[key] for key in related if key in variable.encoding}
        kept_keys = ("_FillValue", "missing_value", "units", "calendar")
        packed = "scale_factor" in variable.encoding or "add_offset" in variable.encoding
        variable.encoding = {
            key: value
            for key, value in variable.encoding.items()
            if key in kept_keys and not (packed and key in ("_FillValue", "missing_value"))
        }
        if variable.dtype.kind == "M":  # whole seconds, independent of the file's units
            variable.encoding = {"units": "seconds since 1970-01-01", "dtype": "float64"}
        variable.encoding |= names
    return plain


def stored_type(kind: np.dtype) -> np.dtype:
    """Return the NetCDF type for a type that it lacks: float16 or long double."""
    if kind.kind != "f" or kind.itemsize in (4, 8):
        return kind
    return np.dtype("float32" if kind.itemsize < 4 else "float64")


def write_dataset(dataset: xr.Dataset, file: os.PathLike[str] | str, name: str) -> None:
    """Write a plain dataset as NetCDF. Raises InputError for contents that NetCDF cannot hold."""
    converted = {
        variable_name: dataset[variable_name].astype(stored_type(variable.dtype))
        for variable_name, variable in dataset.variables.items()
        if stored_type(variable.dtype) != variable.dtype
    }
    try:
        dataset.assign(converted).to_netcdf(file, engine="netcdf4")
    except (TypeError, ValueError, AttributeError, NotImplementedError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{name}: cannot be written as NetCDF ({reason}); change that part, or leave it out "
            "with drop_vars"
        ) from error


def multi_indexes(dataset: xr.Dataset) -> list[Any]:
    """Return the dimensions whose coordinate is a MultiIndex."""
    indexes = {name: getattr(dataset.xindexes.get(name), "index", None) for name in dataset.dims}
    return [name for name, index in indexes.items() if hasattr(index, "levels")]


def _refuse_multi_index(dataset: xr.Dataset, name: str) -> None:
    for dimension in multi_indexes(dataset):
        parts = ", ".join(str(level) for level in dataset.xindexes[dimension].index.names)
        raise InputError(
            f"{name}: the coordinate {dimension} is a MultiIndex of {parts}, which a file cannot "
            f"hold; make dimensions of its parts with .unstack({str(dimension)!r})"
        )


def _plain_attributes(attributes: dict[Any, Any], name: str, variable: Any) -> dict[str, Any]:
    plain = {}
    for key, value in attributes.items():
        if value is None or not isinstance(key, str) or not key or "/" in key:
            continue
        stored = _stored_value(value)
        is_meaningful = variable is not None and key in _MEANINGFUL
        if stored is not None and not (is_meaningful and _is_boolean(value)):
            plain[key] = stored
        elif is_meaningful:
            raise InputError(
                f"{name}: the attribute {key} of {variable} is {kind_of(value)}; give it text or "
                "numbers, or remove it"
            )
    return plain


def _is_boolean(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "b"


def _stored_value(value: Any) -> Any:
    """Return the value in a type of NetCDF; None if there is none."""
    if isinstance(value, (str, bytes)):
        return value
    try:
        array = np.asarray(value)
    except ValueError:  # lists of lists of different lengths
        return None
    if array.ndim > 1:
        return None
    if array.dtype.kind == "b":
        return array.astype(np.int8)
    if array.dtype.kind in "iufUS":
        kind = stored_type(array.dtype)
        return value if kind == array.dtype else array.astype(kind)
    if array.dtype.kind == "O" and array.size and all(isinstance(word, str) for word in array.flat):
        return [str(word) for word in array.flat]
    return None
