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

from tidewise.errors import InputError as InputError
from tidewise.errors import PlanWarning as PlanWarning
from tidewise.errors import RunError as RunError

if TYPE_CHECKING:
    from tidewise import mdp as mdp
    from tidewise.batches import batch as batch
    from tidewise.clusters import FillingTable as FillingTable
    from tidewise.comparison import Comparison as Comparison
    from tidewise.environment import Environment as Environment
    from tidewise.figures.animation import write_animation as write_animation
    from tidewise.figures.coefficients import draw_coefficients as draw_coefficients
    from tidewise.figures.departures import draw_departures as draw_departures
    from tidewise.figures.dives import draw_dives as draw_dives
    from tidewise.figures.environment import draw_environment as draw_environment
    from tidewise.figures.histograms import draw_histograms as draw_histograms
    from tidewise.figures.mission import draw_mission as draw_mission
    from tidewise.figures.modes import draw_modes as draw_modes
    from tidewise.figures.policy import draw_policy as draw_policy
    from tidewise.figures.reach import draw_reach as draw_reach
    from tidewise.figures.rehearsal import draw_rehearsal as draw_rehearsal
    from tidewise.learning import Knowledge as Knowledge
    from tidewise.learning import Learned as Learned
    from tidewise.mission import Mission as Mission
    from tidewise.mission import Vehicle as Vehicle
    from tidewise.planning import example as example
    from tidewise.planning import open as open
    from tidewise.planning import plan as plan
    from tidewise.readers.grib import read_grib as read_grib
    from tidewise.readers.radar import read_radar as read_radar
    from tidewise.readers.slocum import read_slocum as read_slocum
    from tidewise.readers.unstructured import read_unstructured as read_unstructured
    from tidewise.run import Run as Run
    from tidewise.run import open_run as open_run
    from tidewise.scores import score as score
    from tidewise.serving import serve as serve
    from tidewise.steering import NoAction as NoAction
    from tidewise.steering import Steering as Steering

# Each name is imported on first use: pictures take seconds to import, and a plan needs none.
_NAMES = {
    "batches": "batch",
    "clusters": "FillingTable",
    "comparison": "Comparison",
    "environment": "Environment",
    "figures.animation": "write_animation",
    "learning": "Knowledge Learned",
    "mission": "Mission Vehicle",
    "planning": "example open plan",
    "readers.grib": "read_grib",
    "readers.radar": "read_radar",
    "readers.slocum": "read_slocum",
    "readers.unstructured": "read_unstructured",
    "run": "Run open_run",
    "scores": "score",
    "serving": "serve",
    "steering": "NoAction Steering",
}
_PICTURES = (
    "coefficients departures dives environment histograms mission modes policy reach rehearsal"
)
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}
_WHERE |= {f"draw_{picture}": f"figures.{picture}" for picture in _PICTURES.split()}
__all__ = sorted(["InputError", "PlanWarning", "RunError", "__version__", "mdp", *_WHERE])


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tidewise' has no attribute {name!r}")
    # Check the processor before loading NumPy, which may not run on an old processor either.
    core = importlib.import_module("tidewise._load").core
    if name == "__version__":
        return core.__version__
    if name == "mdp":
        return importlib.import_module("tidewise.mdp")
    # A submodule may have the name of a function, such as serve; the function replaces it.
    value = getattr(importlib.import_module(f"tidewise.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
