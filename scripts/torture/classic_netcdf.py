"""Writes classic NetCDF files (CDF-1, CDF-2, CDF-5) with the standard library alone, after the
format's specification; dimensions of fixed length, attributes of text or of numbers."""

import struct

# NC_BYTE, NC_CHAR, NC_SHORT, NC_INT, NC_FLOAT, NC_DOUBLE by struct's letters
_TYPES = {"b": 1, "c": 2, "h": 3, "i": 4, "f": 5, "d": 6}
_DIMENSION, _VARIABLE, _ATTRIBUTE, _TEXT = 10, 11, 12, 2


def _padded(data):
    return data + b"\0" * (-len(data) % 4)


class ClassicWriter:
    """write(path) after any number of variable(...)."""

    def __init__(self, version, dimensions):
        self._version, self._dimensions, self._variables = version, dimensions, []
        self._count = ">q" if version == 5 else ">i"

    def variable(self, name, dimensions, letter, values, attributes):
        data = _padded(struct.pack(f">{len(values)}{letter}", *values))
        self._variables.append((name, dimensions, letter, data, attributes))

    def _number(self, value):
        return struct.pack(self._count, value)

    def _name(self, text):
        return self._number(len(text.encode())) + _padded(text.encode())

    def _list(self, tag, items):
        if not items:
            return struct.pack(">i", 0) + self._number(0)
        return struct.pack(">i", tag) + self._number(len(items)) + b"".join(items)

    def _attribute(self, key, value):
        if isinstance(value, str):
            return self._name(key) + struct.pack(">i", _TEXT) + self._name(value)
        letter, numbers = value
        head = struct.pack(">i", _TYPES[letter]) + self._number(len(numbers))
        return self._name(key) + head + _padded(struct.pack(f">{len(numbers)}{letter}", *numbers))

    def _attributes(self, attributes):
        """Texts, and numbers as (struct's letter, list)"""
        return self._list(_ATTRIBUTE, [self._attribute(*one) for one in attributes.items()])

    def _header(self, begins):
        names = list(self._dimensions)
        dimensions = [
            self._name(name) + self._number(size) for name, size in self._dimensions.items()
        ]
        offset = ">i" if self._version == 1 else ">q"
        variables = [
            self._name(name)
            + self._number(len(dims))
            + b"".join(self._number(names.index(d)) for d in dims)
            + self._attributes(attributes)
            + struct.pack(">i", _TYPES[letter])
            + self._number(len(data))
            + struct.pack(offset, begin)
            for (name, dims, letter, data, attributes), begin in zip(self._variables, begins)
        ]
        return (
            b"CDF"
            + bytes([self._version])
            + self._number(0)
            + self._list(_DIMENSION, dimensions)
            + self._attributes({})
            + self._list(_VARIABLE, variables)
        )

    def write(self, path):
        begin = len(self._header([0] * len(self._variables)))
        begins = []
        for variable in self._variables:
            begins.append(begin)
            begin += len(variable[3])
        path.write_bytes(
            self._header(begins) + b"".join(variable[3] for variable in self._variables)
        )
