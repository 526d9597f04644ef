"""Plans of Tidewise and their flights from every start."""

import json
import os
import subprocess

import h5py
import numpy as np

import gyre

ARRIVED = 0  # of trajectories.nc's outcome

_MISSION = """[environment]
file = "{environment}"
[vehicle]
speeds = [1.0]
headings = {headings}
[mission]
start = [{start[0]:.1f}, {start[1]:.1f}]
target = [{target[0]:.1f}, {target[1]:.1f}]
target_radius = {radius}
arrival_reward = {reward}
[planner]
landing = "{landing}"
backend = "cpu"
threads = {threads}
[rollout]
mode = "none"
baselines = "none"
"""
_REWARD = 100.0


def _time_to_rim(mission, t, x, y):
    """What a flight still needs that ended in a cell of the target beside the disc, else 0.

    Straight to the disc at speed 1: the least s >= 0 with |d - s (u, v)| = radius + s.
    """
    dx, dy = mission.target[0] - x, mission.target[1] - y
    c = dx * dx + dy * dy - mission.radius**2
    if c <= 0:
        return 0.0
    u, v = gyre.velocity(x, y, t)
    a, b = u * u + v * v - 1, dx * u + dy * v + mission.radius
    return float(c / (b + np.sqrt(b * b - a * c)))


class Program:
    """The command, in a folder that it may fill."""

    def __init__(self, path, folder, threads):
        self._path, self._folder, self._threads = path, folder, threads

    def version(self):
        return self._run("--version").strip()

    def plan(self, environment, mission, headings, landing):
        """Seconds of the solve by its summary.json: counting and backing up all levels."""
        text = _MISSION.format(environment=environment, headings=headings, start=mission.starts[0],
                               target=mission.target, radius=mission.radius, reward=_REWARD,
                               landing=landing, threads=self._threads)
        (self._folder / "mission.toml").write_text(text)
        self._run("plan", self._folder / "mission.toml", "--out", self._folder / "run", "--overwrite")
        return self._summary("run")["seconds"]["solve"]

    def fly(self, mission):
        """(promised, flown) times from each start by the last plan; None where one did not arrive."""
        promised, flown = [], []
        for x, y in mission.starts:
            self._run("rollout", self._folder / "run", "--at-xy", f"{x},{y}", "--mode", "continuous",
                      "--out", self._folder / "flight", "--overwrite", "--threads", self._threads)
            promised.append(_REWARD - self._summary("flight")["value_at_start"])
            with h5py.File(self._folder / "flight" / "trajectories.nc") as file:
                arrived = file["outcome"][0] == ARRIVED
                t, x, y = (float(file[name][0, -1]) for name in ("time", "x", "y"))
            flown.append(t + _time_to_rim(mission, t, x, y) if arrived else None)
        return promised, flown

    def _summary(self, run):
        return json.loads((self._folder / run / "summary.json").read_text())

    def _run(self, *words):
        done = subprocess.run([self._path, *map(str, words)], capture_output=True, text=True,
                              check=False, env=os.environ | {"OMP_WAIT_POLICY": "passive"})
        if done.returncode != 0:
            raise RuntimeError(f"tidewise {words[0]}: {done.stderr.strip()}")
        return done.stdout
