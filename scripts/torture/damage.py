"""Damage to the bytes of a file. Each function takes (rng, data) and returns the damaged bytes.

BINARY and TEXT list (function, True if the program must refuse the file or give an unchanged result)."""

import re

BINARY, TEXT = [], []
_SIGNATURES = re.compile(
    rb"\x89HDF|OHDR|OCHK|TREE|SNOD|HEAP|FRHP|FHDB|FHIB|BTHD|BTLF|BTIN|FSHD|FSSE|GCOL|FADB|EADB"
)
_CLAIMS = (0, 1, 0x7F, 0xFF, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63, 2**64 - 1)
_NUMBER = re.compile(rb"(?<![\w.\"+-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.\"])")
_NONSENSE = (
    *(b"nan", b"NaN", b"inf", b"-inf", b"Infinity", b"1e999", b"-1e999", b"1e400"),
    b"9" * 400,
)
_ODD = (
    *(b"0", b"-1", b"1e38", b"-1e38", b"1e-320", b"9007199254740993", b"9223372036854775808"),
    *(b'"5"', b"true", b"null", b"[]", b"{}", b"", b"0x10", b"1_000", b"1e5", b"100000000", b"-0.0"),
)
_DEPTHS = (200, 3000, 100_000, 1_000_000)
_BRACKETS = ((b"[", b"]"), (b'{"a":', b"}"), (b"{a=", b"}"), (b"<a>", b"</a>"), (b"(", b")"))
_NOT_UTF8 = (b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88", b"caf\xe9")
_CONTROLS = (b"\x1b[31m", b"\r", b"\x07", b"\0", b"\x9b", b"\\u001b[2J", b"\\u0000")


def _in(table, must_be_refused=False, times=1):
    """Adds a function to a table, several times if it is to be drawn more often."""

    def add(function):
        table.extend([(function, must_be_refused)] * times)
        return function

    return add


def _place(rng, data):
    return rng.randrange(max(1, len(data)))


def _put(data, place, new):
    new = new[: max(0, len(data) - place)]
    return data[:place] + new + data[place + len(new) :]


def _flip(rng, data, place):
    return _put(data, place, bytes([data[place] ^ (1 << rng.randrange(8))]))


@_in(BINARY)
@_in(TEXT)
def flip_bit(rng, data):
    return _flip(rng, data, _place(rng, data))


@_in(BINARY)
@_in(TEXT)
def random_bytes(rng, data):
    for _ in range(rng.choice((1, 2, 4, 16))):
        data = _put(data, _place(rng, data), rng.randbytes(rng.choice((1, 2, 4, 8))))
    return data


@_in(BINARY, must_be_refused=True)
@_in(TEXT)
def truncate(rng, data):
    places = (0, 1, 7, _place(rng, data), _place(rng, data), len(data) - 1, len(data) - 9)
    return data[: rng.choice(places)]


def _metadata_place(rng, data):
    """Near a signature of HDF5's structures, or in the head of a classic file"""
    if data[:3] == b"CDF":
        return rng.randrange(min(len(data), 900))
    places = {}
    for match in _SIGNATURES.finditer(data):
        places.setdefault(match.group(), []).append(match.start())
    if not places:
        return rng.randrange(min(len(data), 400) or 1)
    structure = places[rng.choice(sorted(places))]
    return min(len(data) - 1, rng.choice(structure) + int(2 ** rng.uniform(0, 9)))


@_in(BINARY, times=2)
def flip_metadata(rng, data):
    return _flip(rng, data, _metadata_place(rng, data))


@_in(BINARY, times=2)
def rewrite_metadata(rng, data):
    return _put(data, _metadata_place(rng, data), rng.randbytes(rng.choice((1, 2, 4, 8))))


@_in(BINARY, times=2)
def false_claim(rng, data):
    order = "big" if data[:3] == b"CDF" else "little"
    width = rng.choice((4, 8))
    claim = rng.choice(_CLAIMS) & (2 ** (8 * width) - 1)
    return _put(data, _metadata_place(rng, data), claim.to_bytes(width, order))


@_in(BINARY, must_be_refused=True)
def extend(rng, data):
    count = rng.randrange(1, 5000)
    return data + rng.choice((bytes(count), rng.randbytes(count), data))


def _page(rng, data, size):
    return rng.randrange(max(1, len(data) // size)) * size


@_in(BINARY)
def zero_page(rng, data):
    size = rng.choice((64, 512, 4096))
    return _put(data, _page(rng, data, size), bytes(size))


@_in(BINARY)
def swap_pages(rng, data):
    size = rng.choice((64, 512, 2048))
    a, b = _page(rng, data, size), _page(rng, data, size)
    return _put(_put(data, a, data[b : b + size]), b, data[a : a + size])


@_in(BINARY)
def repeat_page(rng, data):
    size = rng.choice((64, 512, 4096))
    other = _page(rng, data, size)
    return _put(data, _page(rng, data, size), data[other : other + size])


def _replace_number(rng, data, choices):
    spans = [match.span() for match in _NUMBER.finditer(data)]
    if not spans:
        return random_bytes(rng, data)
    begin, end = rng.choice(spans)
    return data[:begin] + rng.choice(choices) + data[end:]


@_in(TEXT, must_be_refused=True, times=2)
def nonsense_number(rng, data):
    return _replace_number(rng, data, _NONSENSE)


@_in(TEXT, times=2)
def odd_number(rng, data):
    return _replace_number(rng, data, _ODD)


@_in(TEXT, must_be_refused=True, times=2)
def nest(rng, data):
    depth = rng.choice(_DEPTHS)
    opening, closing = rng.choice(_BRACKETS)
    deep = opening * depth + b"1" + (closing * depth if rng.random() < 0.5 else b"")
    return _replace_number(rng, data, (deep,)) if rng.random() < 0.6 else data + b"\n" + deep


@_in(TEXT, must_be_refused=True)
def dotted_key(rng, data):
    return data + b"\n" + b".".join([b"a"] * rng.choice(_DEPTHS[:3])) + b" = 1\n"


@_in(TEXT, must_be_refused=True)
def huge_key(rng, data):
    key = b"k" * rng.choice((10_000, 1_000_000))
    lines = data.split(b"\n")
    lines.insert(
        rng.randrange(len(lines) + 1), rng.choice((key + b" = 1", b'"' + key + b'": 1,', key))
    )
    return b"\n".join(lines)


@_in(TEXT)
def duplicate_line(rng, data):
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    return b"\n".join(lines[:place] + [lines[place]] + lines[place:])


@_in(TEXT)
def duplicate_key(rng, data):
    keys = list(re.finditer(rb'"[A-Za-z_]+"\s*:\s*[^,{}\[\]]+,|(?m:^[\w.]+ *= *.+$)', data))
    if not keys:
        return duplicate_line(rng, data)
    match = rng.choice(keys)
    return data[: match.end()] + b"\n" + match.group() + b"\n" + data[match.end() :]


@_in(TEXT)
def swap_lines(rng, data):
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


@_in(TEXT)
def drop_line(rng, data):
    lines = data.split(b"\n")
    lines.pop(rng.randrange(len(lines)))
    return b"\n".join(lines)


def _into_text(rng, data, piece):
    """Inserts into a quoted text if there is one, else anywhere"""
    quotes = [match.end() for match in re.finditer(rb'"', data)]
    place = rng.choice(quotes) if quotes and rng.random() < 0.7 else rng.randrange(len(data) + 1)
    return data[:place] + piece + data[place:]


@_in(TEXT)
def not_utf8(rng, data):
    return _into_text(rng, data, rng.choice(_NOT_UTF8))


@_in(TEXT)
def control_characters(rng, data):
    return _into_text(rng, data, rng.choice(_CONTROLS))


@_in(TEXT)
def huge_text(rng, data):
    return _into_text(rng, data, b"x" * 1_000_000)


@_in(TEXT)
def byte_order(rng, data):
    windows = data.replace(b"\n", b"\r\n")
    return rng.choice((b"\xef\xbb\xbf" + data, windows, data.decode("latin1").encode("utf-16")))
