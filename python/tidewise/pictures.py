"""A run's pictures, by name; Matplotlib is loaded with the first one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidewise._optional import need

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from tidewise._types import File
    from tidewise.run import Run


class Pictures:
    """Each gives a Matplotlib figure, of the function draw_… of the package.

    >>> run.plot.mission().savefig("mission.pdf")  # doctest: +SKIP
    """

    def __init__(self, run: Run) -> None:
        """Of one run."""
        self._run = run

    def mission(
        self,
        times: Sequence[float] | None = None,
        realization: int | None = None,
        most_flights: int = 400,
        width: float = 17.0,
        profile: str | None = None,
    ) -> Figure:
        """Flights, flow and obstacles at several times.

        times: after departure, in the environment's units; four if not given. realization: its flow
        and its flight, instead of the mean flow and at most most_flights of all. width: of the page
        [cm]. profile: whose flow is shown, of a vehicle that chooses among several; the first if
        not given.
        """
        return self._draw("mission", times, realization, most_flights, width, profile)

    def policy(self, level: int | None = None, width: float = 17.0) -> Figure:
        """The best action of each cell, over the value, at a level (the departure).

        width: of the page [cm].
        """
        return self._draw("policy", level, width)

    def dives(self, realization: int | None = None, width: float = 17.0) -> Figure:
        """Between what depths a vehicle dives that chooses among several profiles, over time.

        realization: of its flight; of the median arrival if not given. width: of the page [cm].
        """
        return self._draw("dives", realization, width)

    def reach(self, level: int | None = None, width: float = 17.0) -> Figure:
        """Where one may be at a level (halfway through the flights).

        Contours of the chance of arriving at 10, 50 and 90 %, from where one comes an hour late,
        and the corridor of the flights. width: of the page [cm].
        """
        return self._draw("reach", level, width)

    def departures(self, found: xr.Dataset | None = None, width: float = 17.0) -> Figure:
        """When to leave: time under way and share of arrivals by departure.

        found: what `Run.departures` returned for some of them; all if not given, which flies them.
        width: of the page [cm].
        """
        return self._draw("departures", found, width)

    def environment(
        self,
        level: int | None = None,
        realization: int = 0,
        width: float = 17.0,
        profile: str | None = None,
    ) -> Figure:
        """Mean, deviation and a realization of the flow at a level (halfway through the mission).

        width: of the page [cm]. profile: as in mission().
        """
        return self._draw("environment", level, realization, width, profile)

    def modes(
        self,
        level: int | None = None,
        most_modes: int = 4,
        width: float = 17.0,
        profile: str | None = None,
    ) -> Figure:
        """The first modes at a level (halfway through the mission).

        width: of the page [cm]. profile: as in mission().
        """
        return self._draw("modes", level, most_modes, width, profile)

    def coefficients(
        self, level: int | None = None, most_modes: int = 4, width: float = 17.0
    ) -> Figure:
        """Densities of the first coefficients at a level (halfway through the mission).

        width: of the page [cm].
        """
        return self._draw("coefficients", level, most_modes, width)

    def histograms(self, width: float = 17.0) -> Figure:
        """Arrival times and energies of the flights that arrived. width: of the page [cm]."""
        return self._draw("histograms", width)

    def rehearsal(self, path: File | None = None, width: float = 17.0) -> Figure:
        """Tracks of `tidewise rehearse` beside the flights.

        path: the rehearsal's GeoJSON, the run's own if not given. width: of the page [cm].
        """
        return self._draw("rehearsal", path, width)

    def animation(
        self,
        path: File,
        realization: int | None = None,
        most_flights: int = 250,
        most_frames: int = 60,
        width: float = 13.0,
        dpi: float = 130.0,
        profile: str | None = None,
        overwrite: bool = False,
    ) -> Path:
        """The mission from departure to the last arrival, into a .gif or .mp4; returns its path.

        realization: its flow and its flight, instead of the mean flow and at most most_flights of
        all. most_frames: levels are left out evenly where there are more. width: [cm]. profile: as
        in mission(). overwrite: replace a file of another kind.
        """
        need("matplotlib", "plot", "drawing")
        from tidewise.figures.animation import write_animation

        out = Path(path)
        shown = (realization, most_flights, most_frames, width, dpi, profile)
        write_animation(self._run, out, *shown, overwrite)
        return out

    def __call__(self) -> Figure:
        """The mission's."""
        return self.mission()

    def _draw(self, name: str, *arguments: Any) -> Figure:
        need("matplotlib", "plot", "drawing")
        need("cmocean", "plot", "drawing")
        module = need(f"tidewise.figures.{name}", "plot", "drawing")
        return getattr(module, f"draw_{name}")(self._run, *arguments)
