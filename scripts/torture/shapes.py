"""Cases of files of a run, and of environments, in which one dataset has another shape or
implausible values. The files are whole for the HDF5 library, so that only the checks of the
program can refuse them."""

import os

import commands as c
from hdf5_patch import datasets, replaced

_AT = "--at=-18.5,41.5 --time 2024-03-01T09:00Z"
_VIEW = c.line("view sea --out o.html", "o.html")
_EXPORT = c.line("export sea --format csv,geojson,policy --ensemble --out o", "o")
_LOOKUP = c.line(f"lookup sea {_AT}")
_ROLLOUT = c.line("rollout sea --out o", "o")
# file: commands that read it
_READERS = {
    "sea/policy.h5": (
        _VIEW,
        _EXPORT,
        _LOOKUP,
        _ROLLOUT,
        c.line("refine sea --out o.h5", "o.h5"),
        c.line("reach sea --out o.nc", "o.nc"),
        c.line("departures sea --json o.json", "o.json"),
        c.line("rehearse sea --source forecast2.nc --out o.geojson", "o.geojson"),
    ),
    "sea/trajectories.nc": (_VIEW, _VIEW, _EXPORT, c.line("reach sea --out o.nc", "o.nc")),
    "sea/reach.nc": (_VIEW,),
    "run/policy.h5": (c.COMPARE, c.ROLLOUT, c.REFINE),
    "run/trajectories.nc": (c.COMPARE, c.line("view run --out o.html", "o.html")),
    # Not plans: they record which bytes the environment has.
    "ocean.h5": (c.INFO_OCEAN, c.CHECK_OCEAN, c.RESAMPLE_OCEAN),
    "learned.h5": (
        c.line("env info learned.h5 --json"),
        c.line("env resample learned.h5 --step 3h --out o.h5", "o.h5"),
    ),
}
# An environment may hold further datasets of any shape, and any number of realizations.
_OF_ENVIRONMENT = (
    *("u_mean", "v_mean", "u_mode", "v_mode", "obstacle_mask"),
    *("x", "y", "lon", "lat", "time"),
)
_PLACES = ("x", "y", "lon", "lat", "time")
# Rewards may be of any size, and what failed has no values.
_ANY_SIZE = ("value", "total_reward", "energy", "harvested", "energy_to_go", "time_to_go")
_HUGE = (1e300, -1e300, float("inf"))


def _other_shape(rng, shape):
    """A shape of up to 10^6 numbers that is not `shape`"""
    length = max(shape, default=1)
    choices = [
        shape[1:],
        shape[::-1],
        (*shape, 2),
        (1, *shape),
        tuple(2 * n for n in shape),
        tuple(max(1, n - 1) for n in shape),
        (0,) * len(shape),
        (length * length,),
        (1,) * len(shape),
        (),
    ]
    for axis in range(len(shape)):
        for change in (-1, 1, 3):
            choices.append((*shape[:axis], max(1, shape[axis] + change), *shape[axis + 1 :]))
    return rng.choice([other for other in choices if other != shape])


def _bad_values(rng, one, in_run):
    """(type, values) of which no file has any"""
    kinds = [("d", [rng.choice(_HUGE)])]
    if in_run and one.name not in _ANY_SIZE:
        kinds.append(("d", [rng.choice((1e12, -1e12))]))
    if one.name in _PLACES:
        kinds += [("d", [float("nan")]), ("d", [0.0, 1e12])]
    return rng.choice(kinds)


def shapes(bench, rng):
    file = rng.choice(list(_READERS))
    command = rng.choice(_READERS[file])
    expected = bench.answer(command)
    bench.restore()
    path = bench.folder / file
    data, status = path.read_bytes(), path.stat()
    in_run = "/" in file
    found = {name: one for name, one in datasets(data).items() if one.shape}
    one = found[rng.choice(sorted(name for name in found if in_run or name in _OF_ENVIRONMENT))]
    if rng.random() < 0.6:
        shape, letter, values = _other_shape(rng, one.shape), one.letter, [1]
    elif one.letter in "fd":
        shape, (letter, values) = one.shape, _bad_values(rng, one, in_run)
    else:
        shape, letter, values = one.shape, "i", [2**31 - 1]
    path.unlink()  # a link to the undamaged file
    path.write_bytes(replaced(data, one.name, shape, letter, values))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # `view` leaves out what is older
    outcome, found = bench.run_and_judge(command, (2,))
    if not found and outcome.status == 0:
        difference = c.difference(bench.read_answer(command, outcome), expected)
        found = [("silent", difference)] if difference else []
    what = f"{file}: {one.name} of {one.shape} as {shape}"
    return command, f"{what}, all {values[-1]:g}" if shape == one.shape else what, found, outcome
