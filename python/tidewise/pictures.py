"""A run's pictures, by name; Matplotlib is loaded with the first one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidewise._optional import need

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tidewise.run import Run


class Pictures:
    """Each gives a Matplotlib figure; arguments are those of the functions draw_… of the package.

    >>> run.plot.mission().savefig("mission.pdf")  # doctest: +SKIP
    """

    def __init__(self, run: Run) -> None:
        """Of one run."""
        self._run = run

    def mission(self, *arguments: Any, **options: Any) -> Figure:
        """Flights, flow and obstacles at several times."""
        return self._draw("mission", *arguments, **options)

    def policy(self, *arguments: Any, **options: Any) -> Figure:
        """The best action of each cell, over the value."""
        return self._draw("policy", *arguments, **options)

    def environment(self, *arguments: Any, **options: Any) -> Figure:
        """Mean, deviation and a realization of the flow."""
        return self._draw("environment", *arguments, **options)

    def modes(self, *arguments: Any, **options: Any) -> Figure:
        """The first modes."""
        return self._draw("modes", *arguments, **options)

    def coefficients(self, *arguments: Any, **options: Any) -> Figure:
        """Densities of the first coefficients."""
        return self._draw("coefficients", *arguments, **options)

    def histograms(self, *arguments: Any, **options: Any) -> Figure:
        """Arrival times and energies."""
        return self._draw("histograms", *arguments, **options)

    def rehearsal(self, *arguments: Any, **options: Any) -> Figure:
        """Tracks of `tidewise rehearse` beside the flights."""
        return self._draw("rehearsal", *arguments, **options)

    def animation(self, path: str | Path, *arguments: Any, **options: Any) -> Path:
        """The mission from departure to the last arrival, into a GIF or MP4."""
        need("matplotlib", "plot", "drawing")
        from tidewise.figures.animation import write_animation

        write_animation(self._run, Path(path), *arguments, **options)
        return Path(path)

    def __call__(self) -> Figure:
        """The mission's."""
        return self.mission()

    def _draw(self, name: str, *arguments: Any, **options: Any) -> Figure:
        need("matplotlib", "plot", "drawing")
        need("cmocean", "plot", "drawing")
        module = need(f"tidewise.figures.{name}", "plot", "drawing")
        return getattr(module, f"draw_{name}")(self._run, *arguments, **options)
