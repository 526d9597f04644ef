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
_SCAN_STEP = 0.2
_TOLERANCE = 1e-11


def _rates(t, state):
    x, y, heading = state
    u, v = gyre.velocity(x, y, t)
    u_x, u_y, v_x, v_y = gyre.gradient(x, y, t)
    c, s = np.cos(heading), np.sin(heading)
    return np.array([u + c, v + s, s * s * v_x + s * c * (u_x - v_y) - c * c * u_y])


def _runge_kutta(t, state, step):
    a = _rates(t, state)
    b = _rates(t + step / 2, state + step / 2 * a)
    c = _rates(t + step / 2, state + step / 2 * b)
    d = _rates(t + step, state + step * c)
    return state + step / 6 * (a + 2 * b + 2 * c + d)


def _distance(state, mission):
    return np.hypot(state[0] - mission.target[0], state[1] - mission.target[1]) - mission.radius


def _scan(start, mission):
    """The first heading of the extremal that is the first to enter the disc."""
    headings = np.linspace(0, 2 * math.pi, _HEADINGS, endpoint=False)
    state = np.array([np.full(_HEADINGS, start[0]), np.full(_HEADINGS, start[1]), headings])
    met = np.full(_HEADINGS, np.inf)
    before = _distance(state, mission)
    for t in np.arange(0, mission.horizon, _SCAN_STEP):
        state = _runge_kutta(t, state, _SCAN_STEP)
        now = _distance(state, mission)
        new = (now <= 0) & np.isinf(met)
        met[new] = t + _SCAN_STEP * before[new] / (before[new] - now[new])
        before = now
        if met.min() < t - 1:  # by linear interpolation: later ones may still be a little better
            return headings[np.argmin(met)]
    raise RuntimeError(f"no extremal from {start} comes to the target in {mission.horizon}")


def _follow(start, heading, mission):
    def entering(_, state):
        return _distance(state, mission)

    entering.terminal = True
    return solve_ivp(_rates, (0, mission.horizon), [*start, heading], method="DOP853",
                     events=entering, rtol=_TOLERANCE, atol=_TOLERANCE, max_step=0.5)


def least_time(start, mission):
    """(time, points): the exact optimum from `start` at time 0, and its way as an array (2, n).

    Errors: RuntimeError where the heading at the end is not square to the disc's rim, as it is on a
    fastest way, or the way comes near to the border, which the formula does not know.
    """
    middle = _scan(start, mission)
    width = 4 * math.pi / _HEADINGS

    def arrival(heading):
        events = _follow(start, heading, mission).t_events[0]
        return events[0] if len(events) else mission.horizon

    best = minimize_scalar(arrival, bounds=(middle - width, middle + width), method="bounded",
                           options={"xatol": 1e-10})
    way = _follow(start, best.x, mission)
    x, y, heading = way.y[:, -1]
    inward = np.array([mission.target[0] - x, mission.target[1] - y]) / mission.radius
    across = abs(inward[0] * math.sin(heading) - inward[1] * math.cos(heading))
    if across > 1e-3 or inward @ [math.cos(heading), math.sin(heading)] < 0:
        raise RuntimeError(f"the way from {start} ends at an angle to the rim: {across:.2g}")
    if min(way.y[:2].min(), gyre.LENGTH - way.y[:2].max()) < 3:
        raise RuntimeError(f"the fastest way from {start} comes near to the border")
    return way.t[-1], way.y[:2]


def least_time_by_steps(start, mission, step):
    """The least time of a vehicle that holds flow and heading through each step, any headings.

    The model's own: x' = x + (v(x, t) + a) step. Its extremals by the discrete principle,
    p' = (1 + step J^T)^-1 p with a along p'; in the last step the vehicle steers for the disc.
    """
    width, middle = math.pi, math.pi
    best = math.inf
    for _ in range(4):  # ever finer about the best
        angle = np.linspace(middle - width, middle + width, _HEADINGS)
        met = _step_extremals(start, mission, step, angle)
        middle, width = angle[np.argmin(met)], 4 * width / _HEADINGS
        best = min(best, met.min())
    return best


def _step_extremals(start, mission, step, angle):
    x, y = np.full(angle.size, float(start[0])), np.full(angle.size, float(start[1]))
    p, q = np.cos(angle), np.sin(angle)
    met = np.full(angle.size, np.inf)
    for k in range(math.ceil(mission.horizon / step)):
        t = k * step
        u, v = gyre.velocity(x, y, t)
        left = time_straight_to_disc(mission.target[0] - x, mission.target[1] - y, u, v, mission.radius)
        met = np.where(np.isinf(met) & (left <= step), t + left, met)
        if not np.isinf(met.min()):
            return met
        u_x, u_y, v_x, v_y = gyre.gradient(x, y, t)
        # (1 + step J^T) p' = p, J = [[u_x, u_y], [v_x, v_y]]
        a, b, c, d = 1 + step * u_x, step * v_x, step * u_y, 1 + step * v_y
        p, q = (d * p - b * q) / (a * d - b * c), (a * q - c * p) / (a * d - b * c)
        size = np.hypot(p, q)
        x, y = x + step * (u + p / size), y + step * (v + q / size)
    return met


def time_straight_to_disc(dx, dy, u, v, radius):
    """The least s >= 0 with |d - s (u, v)| = radius + s: straight to the disc at speed 1."""
    a = u * u + v * v - 1
    b = dx * u + dy * v + radius
    c = dx * dx + dy * dy - radius * radius
    root = b * b - a * c
    with np.errstate(invalid="ignore", divide="ignore"):
        s = c / (b + np.sqrt(root))
    return np.where((root >= 0) & (s >= 0), s, np.inf)
