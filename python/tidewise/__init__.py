"""Opens the runs of Tidewise, and draws them.

>>> import tidewise
>>> run = tidewise.open_run("runs/double_gyre_time")
>>> run.policy.value.isel(time=0).max()
>>> tidewise.draw_mission(run).savefig("mission.pdf")
"""

from tidewise.errors import InputError, RunError
from tidewise.figures.animation import write_animation
from tidewise.figures.coefficients import draw_coefficients
from tidewise.figures.environment import draw_environment
from tidewise.figures.histograms import draw_histograms
from tidewise.figures.mission import draw_mission
from tidewise.figures.modes import draw_modes
from tidewise.figures.policy import draw_policy
from tidewise.run import Run, open_run

__all__ = [
    "InputError",
    "Run",
    "RunError",
    "draw_coefficients",
    "draw_environment",
    "draw_histograms",
    "draw_mission",
    "draw_modes",
    "draw_policy",
    "open_run",
    "write_animation",
]
