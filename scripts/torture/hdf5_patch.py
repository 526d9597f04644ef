"""Replaces one dataset of an HDF5 file by another of any shape, type and values, with the standard
library.

The new dataset is appended to the file. The link then points to it, and each checksum that covers a
changed byte is computed again. A library reads the result without an error, so that the checks of
the program are reached."""

import re
import struct
from dataclasses import dataclass

_DATASPACE, _DATATYPE, _FILL_VALUE, _LAYOUT, _ATTRIBUTE, _CONTINUATION = 1, 3, 5, 8, 12, 16
_ATTRIBUTE_INFO = 21
_COPIED = (_ATTRIBUTE, _ATTRIBUTE_INFO)
# struct's letter: class and version, bit field, bytes, properties; all little-endian
_TYPES = {
    "f": (0x11, bytes([0x20, 31, 0]), 4, struct.pack("<HHBBBBI", 0, 32, 23, 8, 0, 23, 127)),
    "d": (0x11, bytes([0x20, 63, 0]), 8, struct.pack("<HHBBBBI", 0, 64, 52, 11, 0, 52, 1023)),
    "b": (0x10, bytes([0x08, 0, 0]), 1, struct.pack("<HH", 0, 8)),
    "h": (0x10, bytes([0x08, 0, 0]), 2, struct.pack("<HH", 0, 16)),
    "i": (0x10, bytes([0x08, 0, 0]), 4, struct.pack("<HH", 0, 32)),
    "q": (0x10, bytes([0x08, 0, 0]), 8, struct.pack("<HH", 0, 64)),
}
_LETTERS = {(1, 4): "f", (1, 8): "d", (0, 1): "b", (0, 2): "h", (0, 4): "i", (0, 8): "q"}
_MASK = 0xFFFFFFFF


def _rotate(x, k):
    return ((x << k) | (x >> (32 - k))) & _MASK


def checksum(data):
    """Jenkins' lookup3, which HDF5 uses for its structures"""
    a = b = c = (0xDEADBEEF + len(data)) & _MASK
    end = (len(data) - 1) // 12 * 12 if data else 0
    for place in range(0, end, 12):
        x, y, z = struct.unpack_from("<III", data, place)
        a, b, c = a + x, b + y, c + z
        a = ((a - c) ^ _rotate(c & _MASK, 4)) & _MASK
        c += b
        b = ((b - a) ^ _rotate(a, 6)) & _MASK
        a = (a + c) & _MASK
        c = ((c - b) ^ _rotate(b, 8)) & _MASK
        b += a
        a = ((a - c) ^ _rotate(c, 16)) & _MASK
        c += b
        b = ((b - a) ^ _rotate(a, 19)) & _MASK
        a = (a + c) & _MASK
        c = ((c - b) ^ _rotate(b, 4)) & _MASK
        b = (b + a) & _MASK
    if not data:
        return c
    x, y, z = struct.unpack("<III", data[end:].ljust(12, b"\0"))
    a, b, c = (a + x) & _MASK, (b + y) & _MASK, (c + z) & _MASK
    c = ((c ^ b) - _rotate(b, 14)) & _MASK
    a = ((a ^ c) - _rotate(c, 11)) & _MASK
    b = ((b ^ a) - _rotate(a, 25)) & _MASK
    c = ((c ^ b) - _rotate(b, 16)) & _MASK
    a = ((a ^ c) - _rotate(c, 4)) & _MASK
    b = ((b ^ a) - _rotate(a, 14)) & _MASK
    return ((c ^ b) - _rotate(b, 24)) & _MASK


@dataclass(frozen=True)
class Dataset:
    name: str
    link: int  # where the address of its header stands
    shape: tuple
    letter: str  # struct's
    attributes: tuple  # messages, byte for byte


def _chunk_of_header(data, place):
    """(place of the first message, end of the messages, flags) of an object header of version 2"""
    flags = data[place + 5]
    at = place + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    return at + width, at + width + int.from_bytes(data[at : at + width], "little"), flags


def _messages(data, place):
    """(type, flags, content) of each message of the header at `place`"""
    begin, end, flags = _chunk_of_header(data, place)
    chunks, head = [(begin, end)], 6 if flags & 4 else 4
    while chunks:
        at, end = chunks.pop(0)
        while at + head <= end:
            kind, size = data[at], int.from_bytes(data[at + 1 : at + 3], "little")
            content = data[at + head : at + head + size]
            if kind == _CONTINUATION:
                other, length = struct.unpack("<QQ", content)
                chunks.append((other + 4, other + length - 4))
            yield kind, data[at + 3], content
            at += head + size


def _shape_and_letter(messages):
    shape = letter = None
    for kind, _, content in messages:
        if kind == _DATASPACE and content[0] == 2:
            shape = struct.unpack_from(f"<{content[1]}Q", content, 4)
        elif kind == _DATATYPE:
            letter = _LETTERS.get((content[0] & 15, int.from_bytes(content[4:8], "little")))
    return shape, letter


def _name_before(data, place):
    """The name of a link whose address stands at `place`; None where there is no link"""
    for length in range(1, 64):
        begin = place - length - 1
        name = data[begin + 1 : place]
        if data[begin] != length or not re.fullmatch(rb"[A-Za-z_][\w.+-]*", name):
            continue
        # version, flags, then type, creation order and character set as the flags say
        for head, flags in ((2, 0), (3, 0x08), (10, 0x04), (11, 0x0C), (12, 0x1C), (3, 0x10)):
            if data[begin - head] == 1 and data[begin - head + 1] == flags:
                return name.decode()
    return None


def datasets(data):
    """name -> Dataset, for all numbers of an HDF5 file with headers of version 2"""
    found = {}
    for match in re.finditer(rb"OHDR\x02", data):
        messages = list(_messages(data, match.start()))
        shape, letter = _shape_and_letter(messages)
        if shape is None or letter is None:
            continue
        for link in re.finditer(re.escape(struct.pack("<Q", match.start())), data):
            name = _name_before(data, link.start())
            if name:
                kept = tuple(message for message in messages if message[0] in _COPIED)
                found[name] = Dataset(name, link.start(), shape, letter, kept)
    return found


def _message(kind, content, flags=0):
    return bytes([kind]) + struct.pack("<HB", len(content), flags) + content


def _header(shape, letter, address, size, attributes):
    """An object header of version 2 for a dataset that lies in one piece"""
    marks, bits, width, properties = _TYPES[letter]
    dataspace = struct.pack(f"<BBBB{len(shape)}Q", 2, len(shape), 0, 1 if shape else 0, *shape)
    body = (
        _message(_DATASPACE, dataspace)
        + _message(_DATATYPE, bytes([marks]) + bits + struct.pack("<I", width) + properties, 1)
        + _message(_FILL_VALUE, bytes([3, 0x0A]), 1)
        + _message(_LAYOUT, struct.pack("<BBQQ", 3, 1, address, size))
        + b"".join(_message(kind, content, flags) for kind, flags, content in attributes)
    )
    head = b"OHDR\x02" + bytes([2]) + struct.pack("<I", len(body)) + body
    return head + struct.pack("<I", checksum(head))


def _continuations(data):
    """(begin, end) of each further piece of an object header"""
    for match in re.finditer(rb"OHDR\x02", data):
        for kind, _, content in _messages(data, match.start()):
            if kind == _CONTINUATION:
                begin, length = struct.unpack("<QQ", content)
                yield begin, begin + length


def _heap_blocks(data):
    """(begin, end, place of the checksum) of each direct block of a fractal heap"""
    for match in re.finditer(rb"FHDB\0", data):
        begin = match.start()
        heap = int.from_bytes(data[begin + 5 : begin + 13], "little")
        if data[heap : heap + 4] != b"FRHP" or not data[heap + 9] & 2:
            continue
        seal = begin + 13 + (int.from_bytes(data[heap + 128 : heap + 130], "little") + 7) // 8
        size = int.from_bytes(data[heap + 112 : heap + 120], "little")
        while begin + size <= len(data) and not _is_sealed(data, begin, begin + size, seal):
            size *= 2
        if begin + size <= len(data):
            yield begin, begin + size, seal


def _seal_of(data, begin, end, seal):
    return checksum(data[begin:seal] + bytes(max(0, min(4, end - seal))) + data[seal + 4 : end])


def _is_sealed(data, begin, end, seal):
    return _seal_of(data, begin, end, seal) == int.from_bytes(data[seal : seal + 4], "little")


def _structures(data):
    """(begin, end, place of the checksum) of all that may hold a link"""
    for match in re.finditer(rb"OHDR\x02", data):
        end = _chunk_of_header(data, match.start())[1]
        yield match.start(), end, end
    for begin, end in _continuations(data):
        yield begin, end - 4, end - 4
    yield from _heap_blocks(data)


def replaced(data, name, shape, letter, values):
    """The bytes of a file in which the dataset `name` has another shape, type and values.

    `values` may be fewer than the shape takes: they are repeated."""
    old = datasets(data)[name]
    begin, end, seal = next(one for one in _structures(data) if one[0] <= old.link < one[1])
    count = 1
    for length in shape:
        count *= length
    numbers = [values[k % len(values)] for k in range(count)]
    content = struct.pack(f"<{count}{letter}", *numbers)
    address = -(-len(data) // 8) * 8
    header = address + -(-len(content) // 8) * 8
    added = content.ljust(header - address, b"\0")
    added += _header(shape, letter, address, len(content), old.attributes)
    file = bytearray(data.ljust(address, b"\0") + added)
    file[old.link : old.link + 8] = struct.pack("<Q", header)
    file[seal : seal + 4] = struct.pack("<I", _seal_of(bytes(file), begin, end, seal))
    file[28:36] = struct.pack("<Q", len(file))
    file[44:48] = struct.pack("<I", checksum(bytes(file[:44])))
    return bytes(file)
