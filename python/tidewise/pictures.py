"""A run's pictures, by name; Matplotlib is loaded with the first one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidewise._keywords import renamed
from tidewise._optional import need

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from tidewise._types import File
    from tidewise.run import Run


class Pictures:
    """Pictures of a run; each method returns a Matplotlib figure, like the package's draw_….

    Parameters
    ----------
    run : Run
        The run.

    Examples
    --------
    >>> run.plot.mission().savefig("mission.pdf")  # doctest: +SKIP
    """

    def __init__(self, run: Run) -> None:
        """Keep the run."""
        self._run = run

    @renamed(most_flights="max_flights")
    def mission(
        self,
        times: Sequence[float] | None = None,
        realization: int | None = None,
        max_flights: int = 400,
        width: float = 17.0,
        profile: str | None = None,
    ) -> Figure:
        """Draw flights, flow and obstacles at several times.

        Parameters
        ----------
        times : list of float, optional
            Times after departure [environment's units]; four times if not given.
        realization : int, optional
            Draw the flow and the flight of this one, not the mean flow and many flights.
        max_flights : int
            Maximum number of flights.
        width : float
            Width of the page [cm].
        profile : str, optional
            The profile of the flow, if the vehicle chooses among several; the first if not given.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("mission", times, realization, max_flights, width, profile)

    def policy(self, level: int | None = None, width: float = 17.0) -> Figure:
        """Draw the best action of each cell, over the value.

        Parameters
        ----------
        level : int, optional
            The time level; the departure if not given.
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("policy", level, width)

    def dives(self, realization: int | None = None, width: float = 17.0) -> Figure:
        """Draw the depths over time of a vehicle that chooses among several profiles.

        Parameters
        ----------
        realization : int, optional
            The realization of the flight; that of the median arrival if not given.
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("dives", realization, width)

    def reach(self, level: int | None = None, width: float = 17.0) -> Figure:
        """Draw the probability of arrival, the late band and the corridor at a level.

        Contours of the probability of arrival at 10, 50 and 90 %, the line from which arrival is an
        hour late, and the corridor of the flights.

        Parameters
        ----------
        level : int, optional
            The time level; halfway through the flights if not given.
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("reach", level, width)

    def departures(self, found: xr.Dataset | None = None, width: float = 17.0) -> Figure:
        """Draw time under way and share of arrivals by departure.

        Parameters
        ----------
        found : xarray.Dataset, optional
            Result of Run.departures; all departures are simulated if not given.
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("departures", found, width)

    def environment(
        self,
        level: int | None = None,
        realization: int = 0,
        width: float = 17.0,
        profile: str | None = None,
    ) -> Figure:
        """Draw mean, deviation and a realization of the flow.

        Parameters
        ----------
        level : int, optional
            The time level; halfway through the mission if not given.
        realization : int
            The realization.
        width : float
            Width of the page [cm].
        profile : str, optional
            As in mission().

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("environment", level, realization, width, profile)

    @renamed(most_modes="max_modes")
    def modes(
        self,
        level: int | None = None,
        max_modes: int = 4,
        width: float = 17.0,
        profile: str | None = None,
    ) -> Figure:
        """Draw the first modes.

        Parameters
        ----------
        level : int, optional
            The time level; halfway through the mission if not given.
        max_modes : int
            Maximum number of modes.
        width : float
            Width of the page [cm].
        profile : str, optional
            As in mission().

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("modes", level, max_modes, width, profile)

    @renamed(most_modes="max_modes")
    def coefficients(
        self, level: int | None = None, max_modes: int = 4, width: float = 17.0
    ) -> Figure:
        """Draw densities of the first coefficients.

        Parameters
        ----------
        level : int, optional
            The time level; halfway through the mission if not given.
        max_modes : int
            Maximum number of modes.
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("coefficients", level, max_modes, width)

    def histograms(self, width: float = 17.0) -> Figure:
        """Draw arrival times and energies of the flights that arrived.

        Parameters
        ----------
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("histograms", width)

    def rehearsal(self, path: File | None = None, width: float = 17.0) -> Figure:
        """Draw tracks of `tidewise rehearse` with the flights.

        Parameters
        ----------
        path : path, optional
            The rehearsal's GeoJSON; the run's own if not given.
        width : float
            Width of the page [cm].

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return self._draw("rehearsal", path, width)

    @renamed(most_flights="max_flights", most_frames="max_frames")
    def animation(
        self,
        path: File,
        realization: int | None = None,
        max_flights: int = 250,
        max_frames: int = 60,
        width: float = 13.0,
        dpi: float = 130.0,
        profile: str | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the mission from departure to the last arrival as .gif or .mp4.

        Parameters
        ----------
        path : path
            The file.
        realization : int, optional
            Draw the flow and the flight of this one, not the mean flow and many flights.
        max_flights : int
            Maximum number of flights.
        max_frames : int
            Maximum number of frames; levels are left out evenly.
        width : float
            Width of a frame [cm].
        dpi : float
            Dots per inch.
        profile : str, optional
            As in mission().
        overwrite : bool
            Replace a file of another kind.

        Returns
        -------
        pathlib.Path
            The file.
        """
        need("matplotlib", "plot", "drawing")
        from tidewise.figures.animation import write_animation

        out = Path(path)
        options = (realization, max_flights, max_frames, width, dpi, profile)
        write_animation(self._run, out, *options, overwrite)
        return out

    def __call__(self) -> Figure:
        """Draw the mission."""
        return self.mission()

    def _draw(self, name: str, *arguments: Any) -> Figure:
        need("matplotlib", "plot", "drawing")
        need("cmocean", "plot", "drawing")
        module = need(f"tidewise.figures.{name}", "plot", "drawing")
        return getattr(module, f"draw_{name}")(self._run, *arguments)
