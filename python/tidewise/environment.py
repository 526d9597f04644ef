"""An environment: opens the file and reads fields level by level, on request."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tidewise._html import html_table
from tidewise._keywords import all_but, by_keywords, kind_of, python_errors, without_temporary
from tidewise._lazy import LazyFields, cut_times
from tidewise._load import core
from tidewise._optional import need
from tidewise._temporary import shown_path
from tidewise._words import Progress, Reporter, date_text, run_command
from tidewise.errors import InputError, RunError
from tidewise.grid import read_grid
from tidewise.learning import Learned, learned_of
from tidewise.statistics import integer_weights
from tidewise.tracks import run_with_tracks

if TYPE_CHECKING:
    import xarray as xr
    from typing_extensions import Unpack

    from tidewise._types import File, Importing, Length, Observing, Span, Tracking
    from tidewise.tracks import Track

ROLES = (
    "x",
    "y",
    "time",
    "u_mean",
    "v_mean",
    "u_mode",
    "v_mode",
    "coefficient",
    "scalar_mean",
    "obstacle_mask",
    "realization_weight",
    "lon",
    "lat",
)
_NEEDED = ("x", "y", "time", "u_mean", "v_mean", "u_mode", "v_mode", "coefficient")


class Environment:
    """One forecast with its uncertainty, in an environment file (docs/forecast/environments.md).

    Synthetic and imported environments are in a temporary file, which is removed with the last
    object that uses it.

    Parameters
    ----------
    path : path
        The file. It is validated when it is first used.
    names : dict of str to str, optional
        The file's own name for each role (`ROLES`), if it differs.
    profile : str, optional
        The dive profile of velocities and mask, if the file has several.

    Raises
    ------
    InputError
        If the file does not exist.

    Examples
    --------
    >>> ocean = Environment.double_gyre(nx=40, ny=40, levels=45, modes=2, realizations=20)
    >>> ocean.level_count, ocean.realization_count
    (45, 20)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        names: dict[str, str] | None = None,
        profile: str | None = None,
    ) -> None:
        """Open an environment file."""
        self.path = file_of(path, "environment")
        self._profile = profile
        self._vehicle_profiles: list[str] = []  # profiles that the vehicle dives
        self._names = {role: name for role, name in (names or {}).items() if role != name}
        self._kept: list[Any] = []  # objects to keep alive, such as the file's temporary folder

    @classmethod
    def open(cls, path: str | os.PathLike[str], names: dict[str, str] | None = None) -> Environment:
        """Open an environment file and validate it at once.

        Parameters
        ----------
        path : path
            The file.
        names : dict of str to str, optional
            As in the class.

        Returns
        -------
        Environment
            The opened file.

        Raises
        ------
        InputError
            If the file is not an environment.
        """
        opened = cls(path, names)
        opened.core  # noqa: B018
        return opened

    @classmethod
    @by_keywords()
    def from_xarray(
        cls,
        forecast: xr.Dataset | Sequence[xr.Dataset],
        *,
        progress: Progress = False,
        **options: Unpack[Importing],
    ) -> Environment:
        """Import a forecast as `tidewise env import` does (docs/forecast/import.md).

        Options that are not given are taken from the forecast, or chosen.

        Parameters
        ----------
        forecast : xarray.Dataset or list of them
            A data set in longitude, latitude and time, or several along time or ensemble members.
            If it is opened lazily (`xr.open_zarr`, `copernicusmarine.open_dataset`, kerchunk,
            virtualizarr), only chunks that hold the box, times and depths are read, each once.
        progress : bool or callable
            True for a bar, or a function of (work, done, total, unit).
        spacing : str or float, optional
            Width of a cell: "3km", or metres.
        step : str or timedelta, optional
            Time between levels, "3h".
        vehicle_speed : float, optional
            Speed [m s-1] for which spacing and step are chosen if they are not given.
        lagged : int, optional
            Make 2N + 1 members of one forecast: copies shifted by up to N steps in time. They
            measure the sensitivity to timing, not forecast error, so they give no probabilities.
        bbox : (west, south, east, north), optional
            Area [degrees].
        from_, to : date, optional
            First and last time.
        depth : float, optional
            Depth [m]; the nearest level is read. The level nearest the surface if not given.
        profile : dict of str to str, optional
            Mean velocities over dives in place of one level: {"deep": "0:1000"} [m], "at:1000", or
            a CSV file of from, to, share.
        bottom_margin : str or float, optional
            Height above the bottom at which dives end, "10m".
        shallowest : str or float, optional
            Minimum depth of open water, "20m".
        bathymetry : path, optional
            File with the depth of the bottom; the forecast's own if not given.
        modes : int, optional
            Maximum number of modes.
        variance : float, optional
            Share of the variance that the modes keep; 0.99 if not given.
        realizations : int, optional
            Number of realizations to draw from the ensemble's Gaussian. If not given: the members,
            or 100 of a forecast error.
        seed : int, optional
            Seed of drawn realizations.
        forecast_error : str or path, optional
            Add realizations of forecast error to one forecast: "default", a guess, or a TOML model.
        past : path or list of paths, optional
            Earlier forecasts or a series of analyses (NetCDF), whose errors at the same lead times
            are added.
        error_rms, error_length, error_time : str, optional
            Figures of a forecast error: "0.15m/s", "10km" and "12h".
        sample : {"mean", "begin"}, optional
            Value of a level: the mean flow of its step, or the flow at the step's beginning.
        steady : str or timedelta, optional
            Duration for which a field of a single time is used.
        zeros : {"land", "water"}, optional
            Meaning of points that never move.
        obstacles : path, optional
            GeoJSON polygons to close.
        scalar : str, optional
            A variable to harvest, or "FILE:NAME".
        scalar_fill : float, optional
            Value where the scalar is missing in water.
        u, v, lon, lat, time, level, member : str, optional
            Names of variables and dimensions, if they are not found automatically.
        components : {"east-north", "grid"}, optional
            Directions of u and v.
        time_units : str, optional
            Units of time, in place of the file's.

        Returns
        -------
        Environment
            In a temporary file; `save` keeps it.

        Warns
        -----
        PlanWarning
            For each warning of the command.

        Raises
        ------
        InputError
            If the data set is not a forecast, or an option is wrong.
        RunError
            If the forecast's store cannot be read.

        Examples
        --------
        >>> import numpy as np, pandas as pd, xarray as xr
        >>> flow = np.full((4, 12, 12), 0.1, "float32")
        >>> forecast = xr.Dataset(
        ...     {"uo": (("time", "lat", "lon"), flow), "vo": (("time", "lat", "lon"), flow)},
        ...     {"time": pd.date_range("2024-10-29", periods=4, freq="3h"),
        ...      "lat": np.linspace(46, 47, 12), "lon": np.linspace(-126, -125, 12)})
        >>> Environment.from_xarray(forecast, spacing="10km").level_count
        4
        """
        forecasts = _datasets_of(forecast)
        with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
            names = [f"forecast_{n}.nc" for n in range(len(forecasts))]
            files = [Path(folder) / name for name in (names if names[1:] else ["forecast.nc"])]
            with Reporter(progress) as report:
                fields = LazyFields(Path(folder), report)
                first, last = options.get("from_"), options.get("to")
                times = moment_of(first), moment_of(last), 2 + (options.get("lagged") or 0)
                try:
                    for n, (file, dataset) in enumerate(zip(files, forecasts, strict=True)):
                        name = f"forecast[{n}]" if forecasts[1:] else "forecast"
                        fields.write(file, cut_times(dataset, *times), name)
                    arguments = {**options, "files": files}
                    reporter = _after_reading(fields, report)
                    return cls._make(core.import_forecast, arguments, reporter, fields)
                except Exception as error:
                    if fields.failure is None:
                        raise
                    reason = " ".join(str(fields.failure).split())
                    raise RunError(
                        f"the forecast: cannot be read ({reason}); check that its store is there, "
                        "and try again"
                    ) from error

    @classmethod
    @by_keywords()
    def from_netcdf(
        cls,
        files: File | Sequence[File],
        *,
        progress: Progress = False,
        **options: Unpack[Importing],
    ) -> Environment:
        """Import forecasts from files as `tidewise env import` does.

        Parameters
        ----------
        files : path or list of paths
            NetCDF files of one forecast.
        progress : bool or callable
            True for a bar, or a function of (work, done, total, unit).
        spacing, step, vehicle_speed, lagged, bbox, from_, to, depth, profile : optional
            As in from_xarray().
        bottom_margin, shallowest : optional
            As in from_xarray().
        bathymetry, modes, variance, realizations, seed, forecast_error, past, error_rms : optional
            As in from_xarray().
        error_length : optional
            As in from_xarray().
        error_time, sample, steady, zeros, obstacles, scalar, scalar_fill, u, v, lon, lat : optional
            As in from_xarray().
        time, level : optional
            As in from_xarray().
        member, components, time_units : optional
            As in from_xarray().

        Returns
        -------
        Environment
            In a temporary file; `save` keeps it.

        Raises
        ------
        InputError
            If a file is not a forecast, or an option is wrong.
        """
        value: Any = files
        single = _is_file(value) or hasattr(value, "data_vars") or not isinstance(value, Iterable)
        paths = [value] if single else list(value)
        for path in paths:
            if not _is_file(path):
                raise InputError(
                    f"files: one is {kind_of(path)}; give paths of NetCDF files, or data "
                    "sets to Environment.from_xarray"
                )
        return cls._make(core.import_forecast, {**options, "files": paths}, progress)

    @classmethod
    @by_keywords(nt="use levels")
    def double_gyre(
        cls,
        *,
        nx: int | None = None,
        ny: int | None = None,
        levels: int | None = None,
        modes: int | None = None,
        realizations: int | None = None,
        seed: int | None = None,
        speed: float | None = None,
        progress: Progress = False,
    ) -> Environment:
        """Make a kinematic stochastic double gyre, in cells and steps (`tidewise env double-gyre`).

        Parameters
        ----------
        nx, ny : int, optional
            Columns and rows; 200.
        levels : int, optional
            Time levels; 200.
        modes : int, optional
            Modes; 10.
        realizations : int, optional
            Realizations; 5000.
        seed : int, optional
            Seed of the realizations; 1.
        speed : float, optional
            Maximum flow [cells per step]; 2.5.
        progress : bool or callable
            As in from_xarray().

        Returns
        -------
        Environment
            In a temporary file.

        Raises
        ------
        InputError
            If a size is impossible.

        Examples
        --------
        >>> Environment.double_gyre(nx=40, ny=30, levels=10, modes=2, realizations=5).shape
        (10, 30, 40)
        """
        options = all_but(locals(), "cls", "levels", "progress")
        return cls._make(core.double_gyre, {**options, "nt": levels}, progress)

    @classmethod
    @by_keywords(nt="use levels")
    def wind_driven_gyre(
        cls,
        *,
        nx: int | None = None,
        ny: int | None = None,
        levels: int | None = None,
        modes: int | None = None,
        realizations: int | None = None,
        seed: int | None = None,
        reynolds: float | None = None,
        beta: float | None = None,
        spin_up: float | None = None,
        lead: float | None = None,
        step: Span | None = None,
        speed: float | None = None,
        correlation_length: float | None = None,
        perturbations: int | None = None,
        obstacle: Sequence[tuple[float, float, float]] | Literal["none"] | None = None,
        cloud_speed: float | None = None,
        progress: Progress = False,
    ) -> Environment:
        """Make an environment from its dynamics (docs/theory/gyre.md).

        Lengths are in L, the basin's side of 1000 km, and times in L/U, where U is the flow's
        scale, if no unit is given.

        Parameters
        ----------
        nx, ny : int, optional
            Columns and rows; 200.
        levels : int, optional
            Time levels; 200.
        modes : int, optional
            Modes; 10.
        realizations, seed : int, optional
            Realizations and their seed; 5000 and 1.
        reynolds : float, optional
            U L over the eddy viscosity; 150.
        beta : float, optional
            Planetary vorticity gradient times L²/U; 1000.
        spin_up : float, optional
            Time from rest to the first ensemble; 1.
        lead : float, optional
            Time from the first ensemble to level 0; 0.02.
        step : str or timedelta, optional
            Time between levels; "6220.8s".
        speed : float, optional
            Strongest flow at level 0 [m s-1], which sets U; 2.
        correlation_length : float, optional
            Correlation length of the first perturbations; 0.2.
        perturbations : int, optional
            Number of perturbations; 400.
        obstacle : list of (entry, south, speed) or "none", optional
            Squares that enter from the west: the level at which the eastern edge is at the western
            wall, the southern edge, and the distance eastward per level.
        cloud_speed : float, optional
            Distance of the cloud westward per level; 0.0025.
        progress : bool or callable
            As in from_xarray().

        Returns
        -------
        Environment
            In a temporary file.

        Raises
        ------
        InputError
            If a figure is impossible, or this build has no FFTW.
        """
        options = all_but(locals(), "cls", "levels", "progress")
        return cls._make(core.wind_driven_gyre, {**options, "nt": levels}, progress)

    @classmethod
    def from_arrays(
        cls,
        u_mean: Any,
        v_mean: Any,
        u_mode: Any,
        v_mode: Any,
        coefficient: Any,
        *,
        x: Any,
        y: Any,
        time: Any,
        scalar: Any = None,
        masked: Any = None,
        metric: bool = False,
    ) -> Environment:
        """Make an environment of arrays in reduced-order form.

        Realization r is mean + Σ coefficient(mode, r) · mode. Arrays that are not float32 are
        copied.

        Parameters
        ----------
        u_mean, v_mean : array_like
            Mean velocity along x and y, (time, y, x) [m s-1, or cells a step].
        u_mode, v_mode : array_like
            Modes, (time, mode, y, x), or (mode, y, x) if they are fixed in time.
        coefficient : array_like
            (time, mode, realization).
        x, y : array_like
            Evenly spaced cell centres [m if `metric`].
        time : array_like
            Evenly spaced levels [s if `metric`].
        scalar : array_like, optional
            Field to harvest, (time, y, x).
        masked : array_like, optional
            0 in open water, 2 beyond the forecast, else closed; (time, y, x).
        metric : bool
            True if lengths and times are in metres and seconds.

        Returns
        -------
        Environment
            In memory.

        Raises
        ------
        InputError
            If shapes do not fit, or a velocity is impossible.

        Examples
        --------
        >>> still = np.zeros((3, 8, 9), "float32")
        >>> ocean = Environment.from_arrays(
        ...     still, still, still[:, None], still[:, None], np.zeros((3, 1, 1)),
        ...     x=np.arange(9.0), y=np.arange(8.0), time=np.arange(3.0))
        >>> ocean.shape
        (3, 8, 9)
        """
        fixed = np.ndim(u_mode) == 3 and np.shape(coefficient)[1:2] == np.shape(u_mode)[:1]
        modes = 3 if fixed else 4
        shapes = {
            "u_mean": (u_mean, 3, np.float32),
            "v_mean": (v_mean, 3, np.float32),
            "u_mode": (u_mode, modes, np.float32),
            "v_mode": (v_mode, modes, np.float32),
            "coefficient": (coefficient, 3, np.float32),
            "scalar": (scalar, 3, np.float32),
            "masked": (masked, 3, np.uint8),
        }
        arrays: dict[str, Any] = {}
        for name, (value, dimensions, kind) in shapes.items():
            if value is None:
                arrays[name] = None
                continue
            array = np.asarray(value)
            if array.ndim != dimensions:
                raise InputError(
                    f"{name}: has the shape {array.shape}; it must have {dimensions} dimensions"
                )
            if name == "masked":
                array = np.where(array == 2, 2, array != 0)
            arrays[name] = np.ascontiguousarray(array, kind)
        axes = core.EnvironmentAxes()
        axes.nx, axes.x_first, axes.dx = _axis("x", x)
        axes.ny, axes.y_first, axes.dy = _axis("y", y)
        axes.levels, axes.time_first, axes.time_step = _axis("time", time)
        _, axes.modes, axes.realizations = arrays["coefficient"].shape
        axes.metric = metric
        with python_errors():
            return cls._from_core(core.Environment.from_arrays(axes, **arrays))

    @by_keywords()
    def observe(
        self,
        track: Track | Sequence[Track] | None = None,
        *,
        out: File | None = None,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Observing],
    ) -> Environment:
        """Correct the forecast by observed currents (`tidewise observe`, docs/fly/observing.md).

        Parameters
        ----------
        track : path, DataFrame, Dataset or list of them, optional
            Fixes of a vehicle: a glider's own file (a Seaglider's dives, OG1, NGDAC, a Slocum's
            surface log), a CSV or NetCDF file, a DataFrame with a row for each fix, or a Dataset
            along its fixes, in any order. Dates are text or datetime64 (UTC without a zone), also
            as the index.
        drifter : as track, optional
            Fixes of drifters, whose motion is the current.
        radar : path, Dataset or list of them, optional
            Gridded surface currents with their errors.
        error : float, optional
            Standard deviation of each component of an observed current [m s-1]; the file's own,
            else 0.02, or 0.1 for gridded currents.
        fix_error : float, optional
            Standard deviation of each coordinate of a fix; 10 m.
        representation : float, optional
            Standard deviation of currents that cells and modes cannot represent; 0.03 m/s.
        column : dict of str to str, optional
            The track's own names of columns, such as {"speed": "through_water"}.
        trajectory : int, optional
            Number of the track in a data set of many.
        profile : str, optional
            The profile of legs without a depth.
        averaged_over : str or timedelta, optional
            Averaging time of currents that have times of their own.
        method : {"square-root", "perturbed"}, optional
            Method that updates the spread.
        seed : int, optional
            Seed of the perturbed method.
        localisation : str or timedelta, optional
            Time over which covariances taper; "24h", or none without units; 0: none.
        inflation : float, optional
            Factor on the forecast's spread; 1, or more if observations contradict it.
        relaxation : float, optional
            Share of the lost spread that is restored; 0.
        reject_beyond : float, optional
            Reject legs more than this number of standard deviations from the forecast; 4; 0: none.
        add_mode : str or float, optional
            Add a mode for the variance that the modes lack, with this covariance length; "auto": 8
            cells.
        out : path, optional
            File of the posterior; a temporary one if not given.
        overwrite : bool
            Replace a file of another kind.
        progress : bool or callable
            As in from_xarray().

        Returns
        -------
        Environment
            The posterior. Its `learned` has innovations and chi-square.

        Warns
        -----
        PlanWarning
            For each warning of the command.

        Raises
        ------
        InputError
            If a track cannot be read, or nothing lies within the forecast.
        RunError
            If the posterior cannot be written.

        Examples
        --------
        >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
        >>> posterior = run.environment.observe(track, error=0.05)
        >>> posterior.learned.probability > 0.01
        True
        """
        if options.get("profile") is None and self._profile is not None and self.profiles:
            options["profile"] = self._profile
        arguments = {**options, "forecast": self.path, "name": self._names, "overwrite": overwrite}
        return self._make_posterior(track, arguments, out, progress, self._profile)

    @classmethod
    def _make_posterior(
        cls,
        track: Track | Sequence[Track] | None,
        options: Mapping[str, Any],
        out: str | os.PathLike[str] | None,
        progress: Progress,
        profile: str | None,
    ) -> Environment:
        if out is not None:
            run_with_tracks(core.observe, track, {**options, "out": out}, progress)
            return cls(out, profile=profile)
        with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
            file = Path(folder) / "posterior.h5"
            run_with_tracks(core.observe, track, {**options, "out": file}, progress)
            posterior = cls._from_core(core.Environment.take(file))
        posterior._profile = profile
        return posterior

    @by_keywords()
    def fit_forecast_error(
        self,
        track: Track | Sequence[Track] | None = None,
        *,
        error_length: Length | None = None,
        error_time: Span | None = None,
        period: Span | None = None,
        out: File | None = None,
        overwrite: bool = False,
        progress: Progress = False,
        **options: Unpack[Tracking],
    ) -> dict[str, Any]:
        """Fit a model of this forecast's error to observed currents (`tidewise errors`).

        Parameters
        ----------
        track, drifter, radar, error, fix_error, representation, column, trajectory : optional
            As in observe().
        profile : optional
            As in observe().
        averaged_over : str or timedelta, optional
            As in observe().
        error_length : str or float, optional
            In place of the fitted length [m], "20km".
        error_time : str or timedelta, optional
            In place of the fitted time, "24h".
        period : str or timedelta, optional
            Period of the fast process, "12.42h".
        out : path, optional
            TOML file for from_netcdf(forecast_error=…); written if no figure is missing.
        overwrite : bool
            Replace a file of another kind.
        progress : bool or callable
            As in from_xarray().

        Returns
        -------
        dict
            Figures in m, s and m/s: ``rms`` (a list by lead time), ``length``, ``slow_share``,
            ``slow_time``, ``fast_time`` and ``period``, each a dict of value (None if it is not
            fitted), 90 % interval, and numbers of data and series; ``along_tracks`` and
            ``at_fixed_place``, correlations by lag; ``missing``, the data needed for figures
            that are not fitted.

        Raises
        ------
        InputError
            If a track cannot be read, or there is too little data.
        RunError
            If the file cannot be written.
        """
        arguments = {
            **options,
            "forecast": self.path,
            "name": self._names,
            "error_length": error_length,
            "error_time": error_time,
            "period": period,
            "out": out,
            "overwrite": overwrite,
        }
        return run_with_tracks(core.fit_forecast_error, track, arguments, progress)[1]

    @cached_property
    def learned(self) -> Learned | None:
        """Updates by observations; None for a forecast without updates."""
        return learned_of(self.dataset)

    @classmethod
    def _make(
        cls,
        maker: Callable[..., Any],
        options: Mapping[str, Any],
        progress: Progress,
        fields: LazyFields | None = None,
    ) -> Environment:
        with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
            file = Path(folder) / "environment.h5"
            run_command(maker, {**options, "out": file}, progress, fields=fields)
            return cls._from_core(core.Environment.take(file))

    @classmethod
    def _from_core(cls, compiled: Any) -> Environment:
        environment = cls(compiled.file)
        environment.__dict__["core"] = compiled
        return environment

    @cached_property
    def core(self):
        """Return the compiled part's object. Raises InputError if the file is no environment."""
        with python_errors():
            return core.Environment.open(self.path, self._names)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self.core.facts()

    @property
    def _called(self) -> str:
        """Return the path for messages, or a description of a temporary file."""
        return without_temporary(str(self.path))

    @property
    def is_geographic(self) -> bool:
        """True if its cells have longitudes and latitudes."""
        return bool(self._facts["geographic"])

    @property
    def dates(self) -> np.ndarray | None:
        """Dates of the levels, (time) datetime64[s] in UTC; None if the time axis has no date."""
        seconds = self._facts["dates"]
        return np.round(seconds).astype("datetime64[s]") if len(seconds) else None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of levels, rows and columns."""
        axes = self.core.axes
        return axes.levels, axes.ny, axes.nx

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Environment:
        """Copy its file to `path`, and open the copy.

        Parameters
        ----------
        path : path
            The new file.
        overwrite : bool
            Replace a file of another kind.

        Returns
        -------
        Environment
            The copy.

        Raises
        ------
        InputError
            If a file of another kind is there.
        RunError
            If the file cannot be written.
        """
        with python_errors():
            self.core.save(Path(path), overwrite)
        return Environment(Path(path), self._names, self._profile)

    def __fspath__(self) -> str:
        """Return its file, for functions that take a path."""
        return os.fspath(self.path)

    def info(self) -> str:
        """Return the output of `tidewise env info`.

        Returns
        -------
        str
            Several lines.
        """
        return run_command(core.info, {"file": self.path})[0]

    def __repr__(self) -> str:
        """Return its size, or the reason why it is unknown."""
        try:
            levels, rows, columns = self.shape
        except (InputError, RunError) as error:
            return f"<Environment that cannot be opened: {error}>"
        return (
            f"<Environment {self.path.name}: {columns} × {rows} cells, {levels} levels, "
            f"{self.realization_count} realizations>"
        )

    def _repr_html_(self) -> str:
        """Return its size and more, for a notebook."""
        try:
            axes, dates = self.core.axes, self.dates
        except (InputError, RunError) as error:
            return html_table("Environment", [("cannot be opened", error)])
        unit = (" m", " s") if axes.metric else ("", "")
        first = f"{axes.time_first:g}" if dates is None else date_text(dates[0])
        last = axes.time_first + (axes.levels - 1) * axes.time_step
        return html_table(
            "Environment",
            [
                ("file", shown_path(self.path)),
                ("cells", f"{axes.nx} × {axes.ny}, of {axes.dx:g} × {axes.dy:g}{unit[0]}"),
                ("levels", f"{axes.levels}, {axes.time_step:g}{unit[1]} apart"),
                ("from", first),
                ("to", f"{last:g}" if dates is None else date_text(dates[-1])),
                ("modes", axes.modes),
                ("realizations", axes.realizations),
                ("longitudes and latitudes", "yes" if self.is_geographic else "no"),
            ],
        )

    @cached_property
    def dataset(self) -> xr.Dataset:
        """The file as a lazy Dataset, by the standard names of its variables.

        Raises InputError if the file is not an environment.
        """
        dataset = _with_standard_names(open_netcdf(self.path), self._names)
        for role in _NEEDED:
            if role not in dataset.variables:
                own = self._names.get(role, role)
                raise InputError(
                    f"{self._called}: variable {own} is missing; an environment needs its {role}; "
                    "name the run's environment by environment=FILE"
                )
        return dataset

    @property
    def profiles(self) -> list[str]:
        """Names of its profiles, if it has several (`env import --profile`)."""
        if "profile" not in self.dataset["u_mean"].dims:
            return []
        return str(self.dataset["profile"].attrs["flag_meanings"]).split()

    @cached_property
    def _velocity(self) -> xr.Dataset:
        """Return the data set of one velocity. Raises InputError if a profile must be chosen."""
        names = self.profiles
        if not names:
            return self.dataset
        if self._profile not in names:
            raise InputError(
                f"{self._called}: has the profiles {', '.join(names)}; "
                f"choose one with Environment(file, profile={names[0]!r})"
            )
        return self.dataset.isel(profile=names.index(self._profile))

    @cached_property
    def _dived(self) -> list[xr.Dataset]:
        """Return this data set, then those of the other profiles that the vehicle dives."""
        names = self.profiles
        others = [p for p in self._vehicle_profiles if p in names and p != self._profile]
        return [
            self._velocity,
            *(self.dataset.isel(profile=names.index(name)) for name in others),
        ]

    def _at_profile(self, profile: str) -> Environment:
        """Return the same file with another profile selected."""
        other = copy(self)
        other._profile = profile
        for cached in ("_velocity", "_dived"):
            other.__dict__.pop(cached, None)
        return other

    @property
    def level_count(self) -> int:
        """Number of time levels."""
        return self.core.axes.levels

    @property
    def mode_count(self) -> int:
        """Number of modes of the velocity."""
        return self.core.axes.modes

    @property
    def realization_count(self) -> int:
        """Number of realizations of the velocity."""
        return self.core.axes.realizations

    @property
    def has_scalar(self) -> bool:
        """True if there is a scalar field to harvest."""
        return "scalar_mean" in self.dataset

    def require_level(self, level: int) -> None:
        """Raise InputError for a time level that does not exist.

        Parameters
        ----------
        level : int
            From 0.
        """
        self._require("level", level, self.level_count)

    def require_realization(self, realization: int) -> None:
        """Raise InputError for a realization that does not exist.

        Parameters
        ----------
        realization : int
            From 0.
        """
        self._require("realization", realization, self.realization_count)

    def _require(self, kind: str, number: int, count: int) -> None:
        if not 0 <= number < count:
            raise InputError(
                f"{kind} {number}: {self._called} has the {kind}s 0 to {count - 1}; "
                "choose one of them"
            )

    def mask(self, level: int) -> np.ndarray:
        """Return which cells are closed at a level.

        Parameters
        ----------
        level : int
            The time level.

        Returns
        -------
        ndarray of uint8
            (y, x): 0 open water, 1 land or an obstacle, 2 beyond the forecast, closed too.
        """
        mask, *others = self._masks(level)
        for other in others:  # water in which the vehicle can dive another profile
            mask = np.where(other == 0, 0, mask)
        return mask.astype(np.uint8)

    def _masks(self, level: int) -> list[np.ndarray]:
        """Return the masks of all profiles that the vehicle dives."""
        masks = []
        for velocity in self._dived:
            if "obstacle_mask" not in velocity:
                masks.append(np.zeros(velocity["u_mean"].shape[-2:], np.uint8))
                continue
            mask = velocity["obstacle_mask"]
            plane = mask[level] if mask.ndim == 3 else mask
            masks.append(np.nan_to_num(plane.values, nan=1.0).astype(np.uint8))
        return masks

    def closed(self, level: int) -> np.ndarray:
        """Return the cells that the vehicle may not enter.

        Parameters
        ----------
        level : int
            The time level.

        Returns
        -------
        ndarray of bool
            (y, x).
        """
        return self.mask(level) != 0

    def mean(self, *, level: int | None = None) -> xr.Dataset:
        """Return the mean flow.

        Parameters
        ----------
        level : int, optional
            A time level; all levels if not given.

        Returns
        -------
        xarray.Dataset
            ``u`` and ``v`` (time, y, x), or (y, x) of one level: velocity along x and y [m s-1, or
            cells a step], NaN in closed cells. Coordinates: ``time`` (datetime64 in UTC where times
            count from a date), ``y``, ``x``, and ``lon`` and ``lat`` (y, x) where the environment
            has them.

        Raises
        ------
        InputError
            If the level does not exist.

        Examples
        --------
        >>> run.environment.mean(level=0).u.dims
        ('y', 'x')
        """
        return self._flow(self.mean_arrays, level, "mean flow")

    def realization(self, number: int, *, level: int | None = None) -> xr.Dataset:
        """Return one realization of the flow, mean + Σ coefficient · mode.

        Parameters
        ----------
        number : int
            The realization, from 0.
        level : int, optional
            A time level; all levels if not given.

        Returns
        -------
        xarray.Dataset
            As mean() returns it.

        Raises
        ------
        InputError
            If the realization or the level does not exist.

        Examples
        --------
        >>> flow = run.environment.realization(3, level=0)
        >>> flow.u.dims
        ('y', 'x')
        """
        self.require_realization(number)
        flow = self._flow(
            lambda at: self.realization_arrays(at, number), level, f"flow of realization {number}"
        )
        return flow.assign_coords(realization=number)

    def sel(self, lon: float, lat: float) -> xr.Dataset:
        """Return its data set at the cell nearest to a longitude and a latitude.

        Parameters
        ----------
        lon, lat : float
            Degrees east and north; x and y if the environment has no longitudes.

        Returns
        -------
        xarray.Dataset
            `dataset` without y and x.

        Raises
        ------
        InputError
            If the position is outside.

        Examples
        --------
        >>> run.environment.sel(20.5, 8.5).u_mean.dims
        ('time',)
        """
        return read_grid(self.dataset).sel(self.dataset, lon, lat)

    def mean_arrays(self, level: int) -> tuple[np.ndarray, np.ndarray]:
        """Return u and v of the mean flow as arrays.

        Parameters
        ----------
        level : int
            The time level.

        Returns
        -------
        tuple of ndarray
            u and v, (y, x), NaN in closed cells.
        """
        return self._open_water("mean", level)

    def realization_arrays(self, level: int, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return u and v of one realization as arrays.

        Parameters
        ----------
        level, number : int
            The time level and the realization, from 0.

        Returns
        -------
        tuple of ndarray
            u and v, (y, x), NaN in closed cells.
        """
        u, v = self.mean_arrays(level)
        coefficient = self.coefficients(level)[:, number].astype(float)
        for mode, weight in enumerate(coefficient):
            u_mode, v_mode = self.mode(level, mode)
            u = u + weight * u_mode
            v = v + weight * v_mode
        return u, v

    def _flow(
        self,
        arrays: Callable[[int], tuple[np.ndarray, np.ndarray]],
        level: int | None,
        name: str,
    ) -> xr.Dataset:
        xr = need("xarray", "xarray", "fields as data sets")
        if level is not None:
            self.require_level(level)
        dataset = self.dataset
        levels = range(self.level_count) if level is None else [level]
        u, v = (np.stack(part) for part in zip(*map(arrays, levels), strict=True))
        units = {"units": "m s-1"} if self.core.axes.metric else {"units": "1"}
        axes = {
            axis: (("time", "y", "x"), field, units | {"long_name": f"{name} along {along}"})
            for axis, along, field in (("u", "x", u), ("v", "y", v))
        }
        coords = [name for name in ("time", "y", "x", "lon", "lat") if name in dataset.variables]
        cells = dataset[coords].isel(time=list(levels))
        flow = xr.Dataset(axes, {name: cells[name].variable for name in coords})
        return flow if level is None else flow.isel(time=0)

    def mode(self, level: int, mode: int) -> tuple[np.ndarray, np.ndarray]:
        """Return u and v of one mode as arrays.

        Parameters
        ----------
        level, mode : int
            The time level and the mode, from 0.

        Returns
        -------
        tuple of ndarray
            u and v, (y, x), NaN in closed cells.
        """
        return self._open_water("mode", level, mode)

    def coefficients(self, level: int) -> np.ndarray:
        """Return the coefficients of a level.

        Parameters
        ----------
        level : int
            The time level.

        Returns
        -------
        ndarray
            (mode, realization).
        """
        return np.asarray(self.dataset["coefficient"][level].values)

    def scalar(self, level: int) -> np.ndarray:
        """Return the mean scalar field of a level.

        Parameters
        ----------
        level : int
            The time level.

        Returns
        -------
        ndarray
            (y, x).
        """
        return np.asarray(self.dataset["scalar_mean"][level].values, float)

    def weights(self) -> np.ndarray | None:
        """Return the weights of the realizations.

        Returns
        -------
        ndarray of int or None
            (realization), which sum to 2^24; None where all are equal.
        """
        if "realization_weight" not in self.dataset:
            return None
        return integer_weights(self.dataset["realization_weight"].values)

    def _open_water(self, part: str, level: int, *at: int) -> tuple[np.ndarray, np.ndarray]:
        """Return u and v; in cells closed to the profile, those of the first open profile."""

        def water(axis: str) -> np.ndarray:
            component = np.full(self._dived[0]["u_mean"].shape[-2:], np.nan)
            for velocity, mask in reversed(list(zip(self._dived, self._masks(level), strict=True))):
                field = velocity[f"{axis}_{part}"]
                fixed = field.ndim < 3 + len(at)  # modes without a dimension time
                values = field[at if fixed else (level, *at)].values.astype(float)
                component = np.where(mask == 0, values, component)
            return component

        return water("u"), water("v")


def moment_of(date: Any) -> np.datetime64 | None:
    """Return a time for xarray's axis; None for text that the command then refuses."""
    if date is None:
        return None
    try:
        text = date if isinstance(date, str) else date_text(date)
        return np.datetime64(text.removesuffix("Z"))
    except ValueError:
        return None


def _after_reading(fields: LazyFields, report: Callable[..., None] | None) -> Progress:
    """Return a callback that hides chunks from the progress as soon as the import counts levels."""
    if report is None:
        return False

    def count_levels(work: str, done: int, total: int, unit: str) -> None:
        fields.report = None
        report(work, done, total, unit)

    return count_levels


def _datasets_of(forecast: Any) -> list[xr.Dataset]:
    """Return the data sets of a forecast. Raises InputError for other objects."""
    many = isinstance(forecast, (list, tuple))
    datasets = list(forecast) if many else [forecast]
    if not datasets:
        raise InputError("forecast: is an empty list; give one or more data sets")
    for number, dataset in enumerate(datasets):
        if hasattr(dataset, "data_vars"):
            continue
        name, kind = f"forecast[{number}]" if many else "forecast", kind_of(dataset)
        if hasattr(dataset, "to_dataset"):
            raise InputError(
                f"{name}: is {kind}, one variable, and a forecast has two, east and north; "
                "give a Dataset of both, such as xr.merge([u, v])"
            )
        remedy = (
            "files go to Environment.from_netcdf" if _is_file(dataset) else "give an xarray Dataset"
        )
        raise InputError(f"{name}: is {kind}, no Dataset; {remedy}")
    return datasets


def _is_file(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def file_of(value: Any, name: str) -> Path:
    """Return an argument as a path. Raises InputError unless it is text or a path."""
    if not _is_file(value):
        raise InputError(f"{name}: is {kind_of(value)}; give the path of a file, or an Environment")
    return Path(value)


def open_netcdf(path: Path) -> xr.Dataset:
    """Open a NetCDF-4 file lazily. Raises InputError if that fails."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; check the name")
    xr = need("xarray", "xarray", "opening files as data sets")
    need("netCDF4", "xarray", "opening files as data sets")
    try:
        return xr.open_dataset(path, engine="netcdf4", decode_timedelta=False)
    except (OSError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: cannot be opened as NetCDF-4 ({reason}); it may be no file of tidewise or be "
            "damaged; make it again"
        ) from error


def _axis(name: str, values: Any) -> tuple[int, float, float]:
    axis = np.asarray(values, float)
    if axis.ndim != 1 or len(axis) < 2:
        raise InputError(f"{name}: has the shape {axis.shape}; give two values or more in a row")
    step = (axis[-1] - axis[0]) / (len(axis) - 1)
    if not step > 0 or not np.allclose(np.diff(axis), step, rtol=1e-6, atol=0):
        raise InputError(
            f"{name}: is not evenly spaced and ascending ({axis[0]:g}, {axis[1]:g}, …); bring the "
            "fields onto such an axis first"
        )
    return len(axis), float(axis[0]), float(step)


def _with_standard_names(dataset: xr.Dataset, names: dict[str, str]) -> xr.Dataset:
    renamed = {
        name: role
        for role, name in names.items()
        if role in ROLES and name != role and name in dataset.variables
    }
    # Another variable with the standard name of a role would be ambiguous.
    ambiguous = [role for role in renamed.values() if role in dataset.variables]
    dataset = dataset.drop_vars([name for name in ambiguous if name not in renamed])
    return dataset.rename(renamed)
