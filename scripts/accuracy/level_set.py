"""Arrival times by hj_reachability: WENO5 in space, Runge-Kutta of order 3 in time, on nodes.

A(x, t), when a vehicle that leaves x at t can be in the disc, keeps A_t + min_a (v + a) . grad A = 0
outside, which is the equation of the library's solver, and is t at the rim. One solution backward
from the horizon answers every start and departure, as a plan does. Within the disc A is set to its
linear continuation, t - depth / (closing speed), since a kink at the rim would cost an order.
"""

import time

import hj_reachability as hj
import jax.numpy as jnp
import numpy as np
from scipy.interpolate import RectBivariateSpline, RegularGridInterpolator

import gyre

_FLIGHT_STEP = 0.05
_INTERVAL = 1.0  # of the slices that are kept


class _Vehicle(hj.dynamics.ControlAndDisturbanceAffineDynamics):
    """Velocity 1 in any direction through the gyre; nothing disturbs it."""

    def __init__(self):
        super().__init__("min", "max", hj.sets.Ball(jnp.zeros(2), 1.0),
                         hj.sets.Box(jnp.zeros(1), jnp.zeros(1)))

    def open_loop_dynamics(self, state, t):
        return jnp.stack(gyre.velocity(state[0], state[1], t, jnp))

    def control_jacobian(self, state, t):
        return jnp.eye(2)

    def disturbance_jacobian(self, state, t):
        return jnp.zeros((2, 1))


class ArrivalTimes:
    """The solution on nodes x nodes."""

    def __init__(self, nodes, mission):
        self._mission = mission
        self._grid = hj.Grid.from_lattice_parameters_and_boundary_conditions(
            hj.sets.Box(np.zeros(2), np.full(2, gyre.LENGTH)), (nodes, nodes))
        self._dynamics = _Vehicle()
        self._settings = hj.SolverSettings.with_accuracy(
            "very_high", value_postprocessor=self._held_in_disc)
        self._times = np.linspace(mission.horizon, 0, round(mission.horizon / _INTERVAL) + 1)
        self._values = None

    def solve(self):
        """Seconds that it took, compiling among them the first time."""
        begun = time.perf_counter()
        t = self._mission.horizon
        last = self._held_in_disc(t, t + self._depth())
        values = hj.solve(self._settings, self._dynamics, self._grid, jnp.asarray(self._times),
                          last, progress_bar=False)
        self._values = np.asarray(values)
        return time.perf_counter() - begun

    def promised(self):
        """The time from each start, cubic between nodes."""
        axes = [np.asarray(axis) for axis in self._grid.coordinate_vectors]
        spline = RectBivariateSpline(*axes, self._values[-1])
        return [float(spline(*start)[0, 0]) for start in self._mission.starts]

    def flown(self):
        """The times of vehicles that steer down the gradient of A, linear between nodes and slices."""
        axes = [np.asarray(axis) for axis in self._grid.coordinate_vectors]
        slopes = np.stack(np.gradient(self._values[::-1], *axes, axis=(1, 2)), -1)
        slope = RegularGridInterpolator((self._times[::-1], *axes), slopes)
        place = np.array(self._mission.starts, dtype=float)
        arrived = np.full(len(place), np.inf)

        def rates(t, place):
            down = -slope(np.column_stack([np.full(len(place), t), np.clip(place, *axes[0][[0, -1]])]))
            return (np.column_stack(gyre.velocity(place[:, 0], place[:, 1], t))
                    + down / np.linalg.norm(down, axis=1, keepdims=True))

        before = np.linalg.norm(place - self._mission.target, axis=1) - self._mission.radius
        for t in np.arange(0, self._mission.horizon - _FLIGHT_STEP, _FLIGHT_STEP):
            middle = place + _FLIGHT_STEP / 2 * rates(t, place)
            place = place + _FLIGHT_STEP * rates(t + _FLIGHT_STEP / 2, middle)
            now = np.linalg.norm(place - self._mission.target, axis=1) - self._mission.radius
            new = (now <= 0) & np.isinf(arrived)
            arrived[new] = t + _FLIGHT_STEP * before[new] / (before[new] - now[new])
            before = now
        return [float(t) if np.isfinite(t) else None for t in arrived]

    def _depth(self):
        """How far outside the rim each node is."""
        return jnp.linalg.norm(self._grid.states - jnp.array(self._mission.target),
                               axis=-1) - self._mission.radius

    def _held_in_disc(self, t, values):
        states = self._grid.states
        depth = self._depth()
        outward = ((states - jnp.array(self._mission.target))
                   / jnp.maximum(depth + self._mission.radius, 1e-6)[..., None])
        u, v = gyre.velocity(states[..., 0], states[..., 1], t, jnp)
        closing = 1 - u * outward[..., 0] - v * outward[..., 1]
        return jnp.where(depth < 0, t + depth / closing, values)


def describe():
    """The versions that count."""
    from importlib.metadata import version

    return {name: version(name) for name in ("hj_reachability", "jax")}
