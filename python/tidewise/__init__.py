"""Plans paths of marine vehicles through uncertain currents.

>>> import tidewise as tw
>>> ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
>>> mission = tw.Mission(ocean, tw.Vehicle(speeds=[1.0]), start=(20.5, 8.5), target=(20.5, 32.5))
>>> run = tw.plan(mission)
>>> run.expected.arrival_probability > 0.9
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tidewise.errors import InputError, PlanWarning, RunError

if TYPE_CHECKING:
    from tidewise import mdp
    from tidewise.batches import batch
    from tidewise.clusters import FillingTable
    from tidewise.comparison import Comparison
    from tidewise.environment import Environment
    from tidewise.figures.animation import write_animation
    from tidewise.figures.coefficients import draw_coefficients
    from tidewise.figures.departures import draw_departures
    from tidewise.figures.dives import draw_dives
    from tidewise.figures.environment import draw_environment
    from tidewise.figures.histograms import draw_histograms
    from tidewise.figures.mission import draw_mission
    from tidewise.figures.modes import draw_modes
    from tidewise.figures.policy import draw_policy
    from tidewise.figures.reach import draw_reach
    from tidewise.figures.rehearsal import draw_rehearsal
    from tidewise.learning import Knowledge, Learned
    from tidewise.mission import Mission, Vehicle
    from tidewise.planning import example, open, plan
    from tidewise.run import Run, open_run
    from tidewise.steering import NoAction, Steering

# Each is loaded when it is first asked for: pictures take seconds that a plan does without.
_WHERE = {
    "Comparison": "tidewise.comparison",
    "Environment": "tidewise.environment",
    "FillingTable": "tidewise.clusters",
    "Knowledge": "tidewise.learning",
    "Learned": "tidewise.learning",
    "Mission": "tidewise.mission",
    "NoAction": "tidewise.steering",
    "Run": "tidewise.run",
    "Steering": "tidewise.steering",
    "Vehicle": "tidewise.mission",
    "batch": "tidewise.batches",
    "example": "tidewise.planning",
    "open": "tidewise.planning",
    "open_run": "tidewise.run",
    "plan": "tidewise.planning",
    "write_animation": "tidewise.figures.animation",
}

__all__ = [
    "Comparison",
    "Environment",
    "FillingTable",
    "InputError",
    "Knowledge",
    "Learned",
    "Mission",
    "NoAction",
    "PlanWarning",
    "Run",
    "RunError",
    "Steering",
    "Vehicle",
    "__version__",
    "batch",
    "draw_coefficients",
    "draw_departures",
    "draw_dives",
    "draw_environment",
    "draw_histograms",
    "draw_mission",
    "draw_modes",
    "draw_policy",
    "draw_reach",
    "draw_rehearsal",
    "example",
    "mdp",
    "open",
    "open_run",
    "plan",
    "write_animation",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tidewise' has no attribute {name!r}")
    # The processor is asked before NumPy is loaded, which may not run on an old one either.
    core = importlib.import_module("tidewise._load").core
    if name == "__version__":
        return core.__version__
    if name == "mdp":
        return importlib.import_module("tidewise.mdp")
    picture = name.removeprefix("draw_")
    place = _WHERE[name] if picture == name else f"tidewise.figures.{picture}"
    # A module of the package may bear the name of its function.
    value = getattr(importlib.import_module(place), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
