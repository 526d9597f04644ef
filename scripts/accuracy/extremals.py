"""The least time to a disc by Pontryagin's principle: what planners are measured against.

Every fastest way is an extremal, whose heading turns by Zermelo's formula (E. Zermelo, 1931)
  theta' = sin^2 v_x + sin cos (u_x - v_y) - cos^2 u_y,
so the least time is the least over first headings of when the extremal enters the disc: all
headings are scanned, then the best one is refined with an integrator of order 8.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

import gyre

_HEADINGS = 3600  # of the scan
_SCAN_STEP = 0.25  # of every length of step a divisor
_TOLERANCE = 1e-11


def _rates(t, state):
    x, y, heading = state
    u, v = gyre.velocity(x, y, t)
    u_x, u_y, v_x, v_y = gyre.gradient(x, y, t)
    c, s = np.cos(heading), np.sin(heading)
    return np.array([u + c, v + s, s * s * v_x + s * c * (u_x - v_y) - c * c * u_y])


def _rates_from(begin, step):
    """The rates of a piece of time that begins at `begin`: with steps, all by the flow of its beginning."""
    return _rates if step is None else lambda _, state: _rates(begin, state)


def _runge_kutta(rates, t, state, step):
    a = rates(t, state)
    b = rates(t + step / 2, state + step / 2 * a)
    c = rates(t + step / 2, state + step / 2 * b)
    d = rates(t + step, state + step * c)
    return state + step / 6 * (a + 2 * b + 2 * c + d)


def _distance(state, mission):
    return np.hypot(state[0] - mission.target[0], state[1] - mission.target[1]) - mission.radius


def _scan(start, mission, step):
    """The first heading of the extremal that is the first to enter the disc."""
    headings = np.linspace(0, 2 * math.pi, _HEADINGS, endpoint=False)
    state = np.array([np.full(_HEADINGS, start[0]), np.full(_HEADINGS, start[1]), headings])
    met = np.full(_HEADINGS, np.inf)
    before = _distance(state, mission)
    for t in np.arange(0, mission.horizon, _SCAN_STEP):
        begin = t if step is None else t // step * step
        state = _runge_kutta(_rates_from(begin, step), t, state, _SCAN_STEP)
        now = _distance(state, mission)
        new = (now <= 0) & np.isinf(met)
        met[new] = t + _SCAN_STEP * before[new] / (before[new] - now[new])
        before = now
        if met.min() < t - 1:  # by linear interpolation: later ones may still be a little better
            return headings[np.argmin(met)]
    raise RuntimeError(f"no extremal from {start} comes to the target in {mission.horizon}")


def _follow(start, heading, mission, step):
    """(time, points): when the extremal enters the disc, the horizon where it does not; (3, n)."""
    def entering(_, state):
        return _distance(state, mission)

    entering.terminal = True
    state = np.array([*start, heading])
    length = mission.horizon if step is None else step
    points = [state[:, None]]
    for begin in np.arange(0, mission.horizon, length):
        piece = solve_ivp(_rates_from(begin, step), (begin, begin + length), state,
                          method="DOP853", events=entering, rtol=_TOLERANCE, atol=_TOLERANCE,
                          max_step=0.5)
        points.append(piece.y[:, 1:])
        if len(piece.t_events[0]):
            return piece.t_events[0][0], np.hstack(points)
        state = piece.y[:, -1]
    return mission.horizon, np.hstack(points)


def least_time(start, mission, step=None):
    """(time, points): the exact optimum from `start` at time 0, and its way as an array (2, n).

    With `step` that of a vehicle that may turn at any moment but knows, through each step of that
    length, the flow of the step's beginning alone, wherever it is: no flight by levels is faster.
    Errors: RuntimeError where the heading at the end is not square to the disc's rim, as it is on a
    fastest way, or the way comes near to the border, which the formula does not know.
    """
    middle = _scan(start, mission, step)
    width = 4 * math.pi / _HEADINGS
    best = minimize_scalar(lambda heading: _follow(start, heading, mission, step)[0],
                           bounds=(middle - width, middle + width), method="bounded",
                           options={"xatol": 1e-10 if step is None else 1e-6})
    time, way = _follow(start, best.x, mission, step)
    x, y, heading = way[:, -1]
    inward = np.array([mission.target[0] - x, mission.target[1] - y]) / mission.radius
    across = abs(inward[0] * math.sin(heading) - inward[1] * math.cos(heading))
    if across > 1e-3 or inward @ [math.cos(heading), math.sin(heading)] < 0:
        raise RuntimeError(f"the way from {start} ends at an angle to the rim: {across:.2g}")
    if min(way[:2].min(), gyre.LENGTH - way[:2].max()) < 3:
        raise RuntimeError(f"the fastest way from {start} comes near to the border")
    return time, way[:2]
