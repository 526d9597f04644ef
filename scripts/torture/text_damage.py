"""Damage to text: bytes at random, and what parsers stumble over. Each function takes (rng, data)
and returns the damaged bytes."""

import re

from byte_damage import flip_bit, random_bytes, truncate

_NUMBER = re.compile(rb"(?<![\w.\"+-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.\"])")
_NONSENSE = (
    b"nan",
    b"NaN",
    b"inf",
    b"-inf",
    b"Infinity",
    b"1e999",
    b"-1e999",
    b"1e400",
    b"9" * 400,
)
_ODD = (
    b"0",
    b"-1",
    b"1e38",
    b"-1e38",
    b"1e-320",
    b"9007199254740993",
    b"9223372036854775808",
    b'"5"',
    b"true",
    b"null",
    b"[]",
    b"{}",
    b"",
    b"0x10",
    b"1_000",
    b"1e5",
    b"100000000",
    b"-0.0",
)
_DEPTHS = (200, 3000, 100_000, 1_000_000)


def _spans(data):
    return [match.span() for match in _NUMBER.finditer(data)]


def _replace_number(rng, data, choices):
    spans = _spans(data)
    if not spans:
        return random_bytes(rng, data)
    begin, end = rng.choice(spans)
    return data[:begin] + rng.choice(choices) + data[end:]


def nonsense_number(rng, data):
    return _replace_number(rng, data, _NONSENSE)


def odd_number(rng, data):
    return _replace_number(rng, data, _ODD)


def nest(rng, data):
    depth = rng.choice(_DEPTHS)
    opening, closing = rng.choice(
        ((b"[", b"]"), (b'{"a":', b"}"), (b"{a=", b"}"), (b"<a>", b"</a>"), (b"(", b")"))
    )
    closed = closing * depth if rng.random() < 0.5 else b""
    deep = opening * depth + b"1" + closed
    return _replace_number(rng, data, (deep,)) if rng.random() < 0.6 else data + b"\n" + deep


def dotted_key(rng, data):
    return data + b"\n" + b".".join([b"a"] * rng.choice(_DEPTHS[:3])) + b" = 1\n"


def huge_key(rng, data):
    key = b"k" * rng.choice((10_000, 1_000_000))
    lines = data.split(b"\n")
    place = rng.randrange(len(lines) + 1)
    line = rng.choice((key + b" = 1", b'"' + key + b'": 1,', key))
    return b"\n".join(lines[:place] + [line] + lines[place:])


def duplicate_line(rng, data):
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    return b"\n".join(lines[:place] + [lines[place]] + lines[place:])


def duplicate_key(rng, data):
    keys = list(re.finditer(rb'"[A-Za-z_]+"\s*:\s*[^,{}\[\]]+,|(?m:^[\w.]+ *= *.+$)', data))
    if not keys:
        return duplicate_line(rng, data)
    match = rng.choice(keys)
    return data[: match.end()] + b"\n" + match.group() + b"\n" + data[match.end() :]


def swap_lines(rng, data):
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def drop_line(rng, data):
    lines = data.split(b"\n")
    lines.pop(rng.randrange(len(lines)))
    return b"\n".join(lines)


def _into_text(rng, data, piece):
    """Into a quoted text where there is one, else anywhere."""
    quotes = [match.end() for match in re.finditer(rb'"', data)]
    place = rng.choice(quotes) if quotes and rng.random() < 0.7 else rng.randrange(len(data) + 1)
    return data[:place] + piece + data[place:]


def not_utf8(rng, data):
    return _into_text(
        rng, data, rng.choice((b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88", b"caf\xe9"))
    )


def control_characters(rng, data):
    return _into_text(
        rng,
        data,
        rng.choice((b"\x1b[31m", b"\r", b"\x07", b"\0", b"\x9b", b"\\u001b[2J", b"\\u0000")),
    )


def huge_text(rng, data):
    return _into_text(rng, data, b"x" * 1_000_000)


def byte_order(rng, data):
    return rng.choice(
        (
            b"\xef\xbb\xbf" + data,
            data.replace(b"\n", b"\r\n"),
            data.decode("latin1").encode("utf-16"),
        )
    )


# As in byte_damage: whether a result that differs must have been refused.
TEXT = [
    (flip_bit, False),
    (random_bytes, False),
    (truncate, False),
    (nonsense_number, True),
    (nonsense_number, True),
    (odd_number, False),
    (odd_number, False),
    (nest, True),
    (nest, True),
    (dotted_key, True),
    (huge_key, True),
    (duplicate_line, False),
    (duplicate_key, False),
    (swap_lines, False),
    (drop_line, False),
    (not_utf8, False),
    (control_characters, False),
    (huge_text, False),
    (byte_order, False),
]
