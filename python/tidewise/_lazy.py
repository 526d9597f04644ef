"""Reads large data sets chunk by chunk, when an import asks for values."""

from __future__ import annotations

import itertools
import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidewise._dataset import plain_dataset, stored_type, write_dataset

if TYPE_CHECKING:
    import xarray as xr

_SMALL = 1 << 20  # [B] smaller variables are copied into the file
_TILE = 256  # points along rows and columns, for stores without chunks
_AT_ONCE = 8  # maximum number of concurrent requests; latency is most of their cost
_MAX_BYTES_AT_ONCE = 128 << 20  # [B] maximum memory of concurrent requests
_MAX_MAPPED = 256 << 20  # [B] maximum size of chunks that stay mapped

Report = Callable[[str, int, int, str], None]


def is_lazy(variable: xr.Variable) -> bool:
    """Return True for a large variable whose values are not in memory."""
    is_numeric = variable.dtype.kind in "fiu"
    return is_numeric and not getattr(variable, "_in_memory", True) and variable.nbytes > _SMALL


def cut_times(forecast: xr.Dataset, first: Any, last: Any, around: int) -> xr.Dataset:
    """Return a lazy data set's times from `first` to `last`, and `around` more on both sides.

    Some checks of an import read every time of its files, such as the search for cells where the
    water never moves. In a store these would fetch years of data.
    """
    lazy = [variable for variable in forecast.variables.values() if is_lazy(variable)]
    if not lazy:
        return forecast
    for name in forecast.xindexes:
        times = forecast[name].values
        if (
            times.dtype.kind != "M"
            or times.ndim != 1
            or (np.diff(times) <= np.timedelta64(0)).any()
        ):
            continue
        begin = 0 if first is None else int(np.searchsorted(times, first, "right")) - 1
        end = len(times) if last is None else int(np.searchsorted(times, last, "left")) + 1
        along = forecast[name].dims[0]
        # Begin with a whole chunk, so that all following ones are whole too.
        chunks = [_chunks(v)[v.dims.index(along)][0] for v in lazy if along in v.dims]
        begin = max(begin - around, 0) // max(chunks, default=1) * max(chunks, default=1)
        forecast = forecast.isel({along: slice(begin, max(end + around, 0))})
    return forecast


class LazyFields:
    """Serves values to an import. Each chunk is read once and cached in a file.

    The files that represent the data sets hold small variables, and the names of large ones.
    """

    def __init__(self, folder: Path, report: Report | None = None) -> None:
        """`folder`: the folder of cached chunks; report: called when chunks arrive."""
        self._folder = folder
        self._fields: dict[tuple[str, str], _Field] = {}
        self.report = report
        self.failure: Exception | None = None  # the reason why values could not be read

    def write(self, file: Path, forecast: xr.Dataset, name: str) -> None:
        """Write the file that represents `forecast`. `name`: for messages. Raises InputError."""
        stored = forecast.variables  # with an encoding that has the chunks
        forecast = plain_dataset(forecast, name)
        lazy = [name for name in forecast.data_vars if is_lazy(forecast.variables[name])]
        try:
            small = forecast.drop_vars(lazy).load()
        except Exception as error:
            self.failure = error
            raise
        write_dataset(small, file, name)
        if not lazy:
            return
        for variable in lazy:
            cache_file = self._folder / f"{file.stem}_{len(self._fields)}.chunks"
            field = _Field(stored[variable], cache_file, self._report_chunks)
            self._fields[str(file), str(variable)] = field
        _name_variables(file, forecast, lazy)

    def __bool__(self) -> bool:
        """Return True if there are lazy variables."""
        return bool(self._fields)

    def __call__(
        self, file: str, variable: str, start: Sequence[int], count: Sequence[int]
    ) -> np.ndarray | None:
        """Return the box [start, start + count) as float64; None for variables in the file."""
        field = self._fields.get((file, variable))
        try:
            return None if field is None else field.read(start, count)
        except Exception as error:
            self.failure = error
            raise

    @property
    def bytes_read(self) -> int:
        """Number of bytes read so far."""
        return sum(field.bytes_read for field in self._fields.values())

    def _report_chunks(self) -> None:
        if self.report is not None:
            chunks = sum(field.chunks_read for field in self._fields.values())
            self.report("reading the forecast", chunks, 0, "chunks")


class _Field:
    """One variable, read in the chunks of its store; a tile is the index of a chunk."""

    def __init__(self, variable: xr.Variable, cache_file: Path, count: Callable[[], None]) -> None:
        self._variable = variable
        self._type = stored_type(variable.dtype)
        self._cache_file = cache_file
        self._count = count
        self._edges = [_edges(c, n) for c, n in zip(_chunks(variable), variable.shape, strict=True)]
        self._tiles: dict[tuple[int, ...], int] = {}  # begin of each chunk in the cache file [B]
        self._mapped: OrderedDict[tuple[int, ...], np.ndarray] = OrderedDict()
        self.chunks_read = 0
        self.bytes_read = 0

    def read(self, start: Sequence[int], count: Sequence[int]) -> np.ndarray:
        """Return the box as float64."""
        stop = [a + n for a, n in zip(start, count, strict=True)]
        spans = [
            range(
                int(np.searchsorted(edges, a, "right")) - 1, int(np.searchsorted(edges, b, "left"))
            )
            for edges, a, b in zip(self._edges, start, stop, strict=True)
        ]
        tiles = list(itertools.product(*spans))
        self._fetch([tile for tile in tiles if tile not in self._tiles])
        box = np.empty(count)
        for tile in tiles:
            begin = [edges[n] for edges, n in zip(self._edges, tile, strict=True)]
            end = [edges[n + 1] for edges, n in zip(self._edges, tile, strict=True)]
            first = [max(a, b) for a, b in zip(start, begin, strict=True)]
            last = [min(a, b) for a, b in zip(stop, end, strict=True)]
            edges = list(zip(first, last, strict=True))
            in_tile = tuple(slice(a - b, z - b) for (a, z), b in zip(edges, begin, strict=True))
            in_box = tuple(slice(a - b, z - b) for (a, z), b in zip(edges, start, strict=True))
            box[in_box] = self._tile(tile)[in_tile]
        return box

    def _shape(self, tile: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(e[n + 1] - e[n]) for e, n in zip(self._edges, tile, strict=True))

    def _fetch(self, missing: list[tuple[int, ...]]) -> None:
        while missing:
            size = self._type.itemsize * int(np.prod(self._shape(missing[0])))
            together = max(1, min(_AT_ONCE, _MAX_BYTES_AT_ONCE // max(size, 1)))
            group, missing = missing[:together], missing[together:]
            if len(group) == 1:
                self._store(group[0], self._load(group[0]))
                continue
            with ThreadPoolExecutor(together) as threads:
                for tile, values in zip(group, threads.map(self._load, group), strict=True):
                    self._store(tile, values)

    def _load(self, tile: tuple[int, ...]) -> np.ndarray:
        dims = zip(self._variable.dims, self._edges, tile, strict=True)
        box = {name: slice(int(edges[n]), int(edges[n + 1])) for name, edges, n in dims}
        return np.ascontiguousarray(self._variable.isel(box).values, self._type)

    def _store(self, tile: tuple[int, ...], values: np.ndarray) -> None:
        with open(self._cache_file, "ab") as file:
            self._tiles[tile] = file.tell()
            values.tofile(file)
        self.chunks_read += 1
        self.bytes_read += values.nbytes
        self._count()

    def _tile(self, tile: tuple[int, ...]) -> np.ndarray:
        if tile in self._mapped:
            self._mapped.move_to_end(tile)
            return self._mapped[tile]
        mapped = np.memmap(
            self._cache_file,
            self._type,
            "r",
            offset=self._tiles[tile],
            shape=self._shape(tile),
        )
        self._mapped[tile] = mapped
        while len(self._mapped) > 1 and sum(m.nbytes for m in self._mapped.values()) > _MAX_MAPPED:
            self._mapped.popitem(last=False)
        return mapped


def _edges(chunks: Sequence[int], size: int) -> np.ndarray:
    """Return the beginning of each chunk, and the end of the last one."""
    edges = np.cumsum([0, *chunks])
    return np.append(edges[edges < size], size)


def _chunks(variable: xr.Variable) -> list[tuple[int, ...]]:
    """Return sizes of chunks along each dimension; in a file their sum may exceed its length."""
    if variable.chunks is not None:  # a dask array
        return [tuple(sizes) for sizes in variable.chunks]
    sizes = variable.encoding.get("chunks") or variable.encoding.get("chunksizes")
    preferred = variable.encoding.get("preferred_chunks") or {}
    rank = variable.ndim
    if preferred:
        sizes = [preferred.get(name, size) for name, size in variable.sizes.items()]
    if not sizes or len(sizes) != rank or any(not isinstance(n, (int, np.integer)) for n in sizes):
        sizes = [1] * (rank - 2) + [_TILE] * min(rank, 2)
    return [
        (int(step),) * -(-size // int(step))
        for step, size in zip(sizes, variable.shape, strict=True)
    ]


def _name_variables(file: Path, forecast: xr.Dataset, names: Sequence[Any]) -> None:
    """Add large variables to `file`, with dimensions and attributes, but without values."""
    import netCDF4
    import xarray as xr

    encoded = xr.conventions.encode_dataset_coordinates(forecast)[0]
    with netCDF4.Dataset(os.fspath(file), "a") as out:
        for name in names:
            variable = forecast.variables[name]
            dims = [str(dimension) for dimension in variable.dims]
            for dimension, size in zip(dims, variable.shape, strict=True):
                if dimension not in out.dimensions:
                    out.createDimension(dimension, size)
            attributes = dict(encoded[name].attrs)
            # A store opened with mask_and_scale=False has the fill value as an attribute.
            fill = attributes.pop("_FillValue", variable.encoding.get("_FillValue", False))
            kind = stored_type(variable.dtype).str[1:]
            stored = out.createVariable(
                name, kind, dims, fill_value=fill, contiguous=False, zlib=True
            )
            for key, value in attributes.items():
                stored.setncattr(key, value)
