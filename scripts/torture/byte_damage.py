"""Damage to binary files, at random and where it hurts. Each function takes (rng, data) and returns
the damaged bytes; the list at the end says whether the reader must tell, or a plain number may have
changed."""

import re

_SIGNATURES = re.compile(
    rb"\x89HDF|OHDR|OCHK|TREE|SNOD|HEAP|FRHP|FHDB|FHIB|BTHD|BTLF|BTIN|FSHD|FSSE|GCOL|FADB|EADB"
)
_CLAIMS = (0, 1, 0x7F, 0xFF, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63, 2**64 - 1)


def _place(rng, data):
    return rng.randrange(max(1, len(data)))


def _put(data, place, new):
    new = new[: max(0, len(data) - place)]
    return data[:place] + new + data[place + len(new) :]


def _metadata_place(rng, data):
    """Near a signature of HDF5's structures, or in the head of a classic file."""
    if data[:3] == b"CDF":
        return rng.randrange(min(len(data), 900))
    places = {}
    for match in _SIGNATURES.finditer(data):
        places.setdefault(match.group(), []).append(match.start())
    if not places:
        return rng.randrange(min(len(data), 400) or 1)
    structure = places[rng.choice(sorted(places))]
    return min(len(data) - 1, rng.choice(structure) + int(2 ** rng.uniform(0, 9)))


def flip_bit(rng, data):
    place = _place(rng, data)
    return _put(data, place, bytes([data[place] ^ (1 << rng.randrange(8))]))


def random_bytes(rng, data):
    for _ in range(rng.choice((1, 2, 4, 16))):
        data = _put(data, _place(rng, data), rng.randbytes(rng.choice((1, 2, 4, 8))))
    return data


def flip_metadata(rng, data):
    place = _metadata_place(rng, data)
    return _put(data, place, bytes([data[place] ^ (1 << rng.randrange(8))]))


def rewrite_metadata(rng, data):
    return _put(data, _metadata_place(rng, data), rng.randbytes(rng.choice((1, 2, 4, 8))))


def false_claim(rng, data):
    order = "big" if data[:3] == b"CDF" else "little"
    width = rng.choice((4, 8))
    claim = rng.choice(_CLAIMS) & (2 ** (8 * width) - 1)
    return _put(data, _metadata_place(rng, data), claim.to_bytes(width, order))


def truncate(rng, data):
    return data[
        : rng.choice((0, 1, 7, _place(rng, data), _place(rng, data), len(data) - 1, len(data) - 9))
    ]


def extend(rng, data):
    return data + rng.choice(
        (bytes(rng.randrange(1, 5000)), rng.randbytes(rng.randrange(1, 5000)), data)
    )


def _page(rng, data):
    size = rng.choice((64, 512, 4096))
    return rng.randrange(len(data) // size + 1) * size, size


def zero_page(rng, data):
    place, size = _page(rng, data)
    return _put(data, place, bytes(size))


def swap_pages(rng, data):
    size = rng.choice((64, 512, 2048))
    pages = max(1, len(data) // size)
    a, b = rng.randrange(pages) * size, rng.randrange(pages) * size
    first, second = data[a : a + size], data[b : b + size]
    return _put(_put(data, a, second), b, first)


def repeat_page(rng, data):
    (place, size), (other, _) = _page(rng, data), _page(rng, data)
    return _put(data, place, data[other : other + size])


# (damage, whether a result that differs must have been refused)
BINARY = [
    (flip_bit, False),
    (random_bytes, False),
    (flip_metadata, False),
    (flip_metadata, False),
    (rewrite_metadata, False),
    (rewrite_metadata, False),
    (false_claim, False),
    (false_claim, False),
    (truncate, True),
    (extend, True),
    (zero_page, False),
    (swap_pages, False),
    (repeat_page, False),
]
