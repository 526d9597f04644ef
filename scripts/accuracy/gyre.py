"""A double gyre known by formula, and the environment file that holds it on a grid.

A mean and one mode, whose coefficient swings with time: one realization,
  psi = U L / (2 pi) (sin(pi X) sin(2 pi Y) + b sin(2 pi t / P) sin(pi X) sin(pi Y)),  X = x/L, Y = y/L,
an eastward jet between two gyres that moves slowly north and south. Lengths, times and speeds have
no unit; the vehicle's speed is 1.
"""

import math

import numpy as np

LENGTH = 100.0  # of the side of the basin
JET = 1.2  # U: the mean's greatest speed
SWING = 0.5  # b: the mode beside the mean
PERIOD = 250.0  # P: several times as long as a mission


def mean(x, y):
    """(u, v) of the mean."""
    return _from_stream(x, y, 2)


def mode(x, y):
    """(u, v) of the mode."""
    return _from_stream(x, y, 1)


def coefficient(t):
    return SWING * math.sin(2 * math.pi * t / PERIOD)


def _from_stream(x, y, waves, xp=np):
    a, b = math.pi * x / LENGTH, math.pi * y / LENGTH
    return (-JET / 2 * waves * xp.sin(a) * xp.cos(waves * b),
            JET / 2 * xp.cos(a) * xp.sin(waves * b))


def velocity(x, y, t, xp=np):
    """(u, v) of the realization; xp: numpy, or what has its functions."""
    u0, v0 = _from_stream(x, y, 2, xp)
    u1, v1 = _from_stream(x, y, 1, xp)
    c = SWING * xp.sin(2 * math.pi * t / PERIOD)
    return u0 + c * u1, v0 + c * v1


def gradient(x, y, t):
    """(u_x, u_y, v_x, v_y) of the realization; v_y = -u_x."""
    a, b = math.pi * x / LENGTH, math.pi * y / LENGTH
    k = JET / 2 * math.pi / LENGTH
    c = SWING * np.sin(2 * math.pi * t / PERIOD)
    u_x = -k * np.cos(a) * (2 * np.cos(2 * b) + c * np.cos(b))
    u_y = k * np.sin(a) * (4 * np.sin(2 * b) + c * np.sin(b))
    v_x = -k * np.sin(a) * (np.sin(2 * b) + c * np.sin(b))
    return u_x, u_y, v_x, -u_x


def write_environment(path, cells, step, levels):
    """The realization on cells x cells, as the mean, one mode and one realization's coefficient.

    A level holds the velocity at its time, at cell centres.
    """
    import h5py

    centres = (np.arange(cells) + 0.5) * (LENGTH / cells)
    times = np.arange(levels) * step
    with h5py.File(path, "w") as file:
        axes = {"time": times, "mode": np.arange(1), "realization": np.arange(1), "y": centres,
                "x": centres}
        for name, values in axes.items():
            file[name] = values
            file[name].make_scale(name)
            file[name].attrs["units"] = "1"
        x, y = np.meshgrid(centres, centres)
        fields = {"u_mean": mean(x, y)[0], "v_mean": mean(x, y)[1],
                  "u_mode": mode(x, y)[0][None], "v_mode": mode(x, y)[1][None],
                  "coefficient": None}
        for name, field in fields.items():
            names = ["time", "y", "x"] if name.endswith("mean") else ["time", "mode", "y", "x"]
            if field is None:
                field, names = np.zeros((1, 1)), ["time", "mode", "realization"]
            data = file.create_dataset(name, (levels, *field.shape), "f4",
                                       chunks=(1, *field.shape))
            data.attrs["units"] = "1"
            for axis, of in enumerate(names):
                data.dims[axis].attach_scale(file[of])
            for level, t in enumerate(times):
                data[level] = coefficient(t) if name == "coefficient" else field
