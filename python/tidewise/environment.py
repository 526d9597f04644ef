"""An ocean: a file that is opened, not read; fields come level by level as they are asked for."""

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
from tidewise._lazy import LentFields, cut_times
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
    """One forecast, with its uncertainty. Made ones live in a temporary file, as long as needed.

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
        """Open an environment file (docs/forecast/environments.md).

        names: role to the file's own name, where it differs. profile: of several the one whose
        velocities and mask are read. It is judged when it is used. Errors: InputError for a file
        that is not there.
        """
        self.path = file_of(path, "environment")
        self._profile = profile
        self._beside: list[str] = []  # profiles that the vehicle dives as well
        self._names = {role: own for role, own in (names or {}).items() if role != own}
        self._kept: list[Any] = []  # what must live as long as this: its file's temporary folder

    @classmethod
    def open(cls, path: str | os.PathLike[str], names: dict[str, str] | None = None) -> Environment:
        """The same, judged at once. Errors: InputError for a file that is no environment."""
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

        forecast: a data set in longitude, latitude and time, or several along time or ensemble
        members, as xarray opens them; of one that is opened lazily (`xr.open_zarr`,
        `copernicusmarine.open_dataset`, kerchunk, virtualizarr) the chunks that hold the box, times
        and depths are read, each once, into a temporary file. What is not given is the forecast's own, or chosen.

        - spacing: of cells, as "3km"; step: of levels, as "3h"; vehicle_speed [m/s]: choose those
          of the two that are not given for such a vehicle.
        - lagged: make 2N + 1 members of one forecast, copies of it from N steps earlier to N later;
          a measure of sensitivity to timing, not of forecast error: no probabilities follow.
        - bbox: (west, south, east, north) [degrees]; `from_`, to: first and last time; depth [m]:
          the nearest level, else the one nearest the surface.
        - profile: the mean velocity of a dive in place of one level, {"deep": "0:1000"} [m],
          "at:1000", or a CSV file of from, to, share; several: a velocity each. bottom_margin
          ("10m"): where dives end above the bottom, by the forecast's own or that of the file
          bathymetry; shallowest ("20m"): water of less depth is closed.
        - modes: how many; variance: the share that they keep (0.99); realizations: draw so many,
          with seed, from the ensemble's Gaussian (else the members).
        - forecast_error: add realizations (100) of forecast error to one forecast, by a guess,
          "default", or a TOML model's path; or by hand: error_rms ("0.15m/s"), error_length
          ("10km") and error_time ("12h"). past: or by the errors of earlier forecasts at the same
          lead times, paths of NetCDF files of one forecast each, or of a series of analyses.
        - sample: a level holds the flow's "mean" over its step, or the flow of its "begin".
        - steady: hold a field of one time for so long; zeros: whether points that never move are
          "land" or "water"; obstacles: GeoJSON polygons to close.
        - scalar: a variable to bring along, or "FILE:NAME", with scalar_fill where it has none.
        - u, v, lon, lat, time, level, member: what variables and dimensions are called, where that
          is not found; components: whether u and v point "east-north" or along the "grid";
          time_units: in place of the file's.

        progress: True for a bar, or a function of (work, done, total, unit). Warnings are
        PlanWarning. Errors: InputError for what is no forecast, RunError.

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
                fields = LentFields(Path(folder), report)
                first, last = options.get("from_"), options.get("to")
                window = moment_of(first), moment_of(last), 2 + (options.get("lagged") or 0)
                try:
                    for n, (file, one) in enumerate(zip(files, forecasts, strict=True)):
                        name = f"forecast[{n}]" if forecasts[1:] else "forecast"
                        fields.write(file, cut_times(one, *window), name)
                    given = {**options, "files": files}
                    reading = _after_reading(fields, report)
                    return cls._made(core.import_forecast, given, reading, fields)
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
        """Import forecasts from files as `tidewise env import` does; the rest as of from_xarray."""
        given: Any = files
        one = _is_file(given) or hasattr(given, "data_vars") or not isinstance(given, Iterable)
        paths = [given] if one else list(given)
        for path in paths:
            if not _is_file(path):
                raise InputError(
                    f"files: one is {kind_of(path)}; give paths of NetCDF files, or data "
                    "sets to Environment.from_xarray"
                )
        return cls._made(core.import_forecast, {**options, "files": paths}, progress)

    @classmethod
    @by_keywords(nt="say levels")
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
        """A kinematic stochastic double gyre, in cells and steps (`tidewise env double-gyre`).

        nx, ny: columns and rows (200); levels (200); modes (10); realizations (5000), seed (1);
        speed: greatest flow (2.5) [cells a step].

        >>> Environment.double_gyre(nx=40, ny=30, levels=10, modes=2, realizations=5).shape
        (10, 30, 40)
        """
        options = all_but(locals(), "cls", "levels", "progress")
        return cls._made(core.double_gyre, {**options, "nt": levels}, progress)

    @classmethod
    @by_keywords(nt="say levels")
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
        """An ocean from its dynamics (`tidewise env wind-driven-gyre`, docs/theory/gyre.md).

        L: the basin's side, 1000 km; U: the flow's scale. Lengths in L, times in L/U where nothing
        is said.

        - nx, ny: columns and rows (200); levels (200), step apart ("6220.8s"); modes (10);
          realizations (5000), seed (1).
        - reynolds: U L over the eddy viscosity (150); beta: planetary vorticity gradient times
          L²/U (1000).
        - spin_up: from rest to the first ensemble (1); lead: from there to level 0 (0.02).
        - speed: strongest flow at level 0 (2) [m/s], which sets U.
        - correlation_length: of the perturbations at first (0.2); perturbations: how many are
          drawn (400).
        - obstacle: [(entry, south, speed), …] of squares that come in from the west: the level of
          the eastern edge at the wall, the southern edge, the way east a level; or "none".
        - cloud_speed: the cloud's way west a level (0.0025).

        Errors: InputError, also where this build goes without.
        """
        options = all_but(locals(), "cls", "levels", "progress")
        return cls._made(core.wind_driven_gyre, {**options, "nt": levels}, progress)

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
        """Of arrays in reduced-order form: realization r is mean + Σ coefficient(mode, r) · mode.

        u_mean, v_mean, scalar, masked: (time, y, x); u_mode, v_mode: (time, mode, y, x), or
        (mode, y, x) if the modes are fixed in time; coefficient: (time, mode, realization). masked: 0 in open water, 2 beyond the forecast, else
        closed. x, y, time: evenly spaced cell centres and levels, in metres and seconds where
        `metric`, else plain numbers. What is not float32 is converted, by a copy. Errors:
        InputError for shapes that do not fit, and for what is no velocity.

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
            return cls._of_core(core.Environment.from_arrays(axes, **arrays))

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
        """Correct it by currents that were met or seen (`tidewise observe`).

        track: of a vehicle: a glider's own file (a Seaglider's dives, OG1, NGDAC, a Slocum's surface
        log), a CSV or NetCDF file, a DataFrame with a row for each fix, a Dataset along its fixes,
        or a list of these in any order; columns as docs/fly/observing.md says, dates as text or
        datetime64 (UTC where they have no zone), also as the DataFrame's index. drifter: the same
        of a drifter, whose motion is the current. radar: gridded surface currents, with their
        errors: a NetCDF file, a Dataset, or a list of these.

        - error: standard deviation of each component of an observed current (the file's own, else
          0.02 m/s, of gridded currents 0.1); fix_error: of each coordinate of a fix (10 m);
          representation: of what cells and modes cannot show (0.03 m/s).
        - column: what the track calls a column, such as {"speed": "through_water"};
          trajectory: which, of a data set that holds many;
          profile: which of the environment's was dived where the track says no depth, else the
          one that this was opened with;
          averaged_over: over how long currents with times of their own were averaged.
        - method: how the spread follows, "square-root" or "perturbed" (with seed); localisation:
          taper covariances in time, such as "12h" ("24h", without units none; 0: none); inflation:
          a factor on the forecast's spread (1, or more where observations contradict it);
          relaxation: the share of the lost spread that is given back (0).
        - reject_beyond: leave out legs farther off than so many standard deviations (4; 0: none).
        - add_mode: one mode more of what modes leave unexplained, of this covariance length, or
          "auto": 8 cells.

        Returns the posterior, in the file `out` (overwrite: in place of a file of another kind) or
        a temporary one; its `learned` has innovations
        and chi-square. Warnings are PlanWarning. Errors: InputError, RunError.

        >>> track = run.trajectories.isel(trajectory=3, obs=slice(0, 6))
        >>> posterior = run.environment.observe(track, error=0.05)
        >>> posterior.learned.probability > 0.01
        True
        """
        if options.get("profile") is None and self._profile is not None and self.profiles:
            options["profile"] = self._profile
        given = {**options, "forecast": self.path, "name": self._names, "overwrite": overwrite}
        return self._observed(track, given, out, progress, self._profile)

    @classmethod
    def _observed(
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
            posterior = cls._of_core(core.Environment.take(file))
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

        track, drifter, radar, error, fix_error, representation, column, trajectory, profile and
        averaged_over are as of observe(). error_length [m, or "20km"] and error_time ("24h") are
        given in place of fitted figures; period ("12.42h") is that of the fast process.

        Returns the figures in m, s and m/s: rms (a list by lead time), length, slow_share,
        slow_time, fast_time and period, each a dict of value (None where it is not fitted), 90 %
        interval, and numbers of data and series; along_tracks and at_fixed_place, correlations by
        lag; missing, what is needed for figures that are not fitted. `out`: a TOML file for
        from_netcdf(forecast_error=…); it is written if all figures are there (overwrite: in place
        of a file of another kind). Errors: InputError, RunError.
        """
        given = {
            **options,
            "forecast": self.path,
            "name": self._names,
            "error_length": error_length,
            "error_time": error_time,
            "period": period,
            "out": out,
            "overwrite": overwrite,
        }
        return run_with_tracks(core.fit_forecast_error, track, given, progress)[1]

    @cached_property
    def learned(self) -> Learned | None:
        """What it has learned from tracks; None where it is a forecast as it came."""
        return learned_of(self.dataset)

    @classmethod
    def _made(
        cls,
        maker: Callable[..., Any],
        options: Mapping[str, Any],
        progress: Progress,
        fields: LentFields | None = None,
    ) -> Environment:
        with tempfile.TemporaryDirectory(prefix="tidewise-") as folder:
            file = Path(folder) / "environment.h5"
            run_command(maker, {**options, "out": file}, progress, fields=fields)
            return cls._of_core(core.Environment.take(file))

    @classmethod
    def _of_core(cls, made: Any) -> Environment:
        environment = cls(made.file)
        environment.__dict__["core"] = made
        return environment

    @cached_property
    def core(self):
        """As the compiled part takes it. Errors: InputError for a file that is no environment."""
        with python_errors():
            return core.Environment.open(self.path, self._names)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self.core.facts()

    @property
    def _called(self) -> str:
        """Its file; of a temporary one, which nobody named, what it is."""
        return without_temporary(str(self.path))

    @property
    def is_geographic(self) -> bool:
        """Whether its cells have longitudes and latitudes."""
        return bool(self._facts["geographic"])

    @property
    def dates(self) -> np.ndarray | None:
        """(time) datetime64[s] of the levels, UTC; None where times count from no date."""
        seconds = self._facts["dates"]
        return np.round(seconds).astype("datetime64[s]") if len(seconds) else None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Levels, rows, columns."""
        axes = self.core.axes
        return axes.levels, axes.ny, axes.nx

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Environment:
        """Copy its file to `path`, and open that.

        overwrite: replace a file of another kind. Errors: InputError for such a file without it,
        RunError.
        """
        with python_errors():
            self.core.save(Path(path), overwrite)
        return Environment(Path(path), self._names, self._profile)

    def __fspath__(self) -> str:
        """Its file, for whatever takes the name of one."""
        return os.fspath(self.path)

    def info(self) -> str:
        """What `tidewise env info` says of it."""
        return run_command(core.info, {"file": self.path})[0]

    def __repr__(self) -> str:
        """Its size, or why it has none."""
        try:
            levels, rows, columns = self.shape
        except (InputError, RunError) as error:
            return f"<Environment that cannot be opened: {error}>"
        return (
            f"<Environment {self.path.name}: {columns} × {rows} cells, {levels} levels, "
            f"{self.realization_count} realizations>"
        )

    def _repr_html_(self) -> str:
        """The same and more, in a notebook."""
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
        """Its file, lazily, by the standard names of its variables.

        Errors: InputError for a file that is no environment.
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
        """The names of its profiles, where it has several (`env import --profile`)."""
        if "profile" not in self.dataset["u_mean"].dims:
            return []
        return str(self.dataset["profile"].attrs["flag_meanings"]).split()

    @cached_property
    def _velocity(self) -> xr.Dataset:
        """The data set of one velocity. Errors: InputError where a profile has to be chosen."""
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
        """That one, then those of the other profiles that the vehicle dives."""
        names = self.profiles
        others = [name for name in self._beside if name in names and name != self._profile]
        return [
            self._velocity,
            *(self.dataset.isel(profile=names.index(name)) for name in others),
        ]

    def _at_profile(self, profile: str) -> Environment:
        """The same file, seen at another profile."""
        other = copy(self)
        other._profile = profile
        for seen in ("_velocity", "_dived"):
            other.__dict__.pop(seen, None)
        return other

    @property
    def level_count(self) -> int:
        """Time levels."""
        return self.core.axes.levels

    @property
    def mode_count(self) -> int:
        """Modes of the velocity."""
        return self.core.axes.modes

    @property
    def realization_count(self) -> int:
        """Realizations of the velocity."""
        return self.core.axes.realizations

    @property
    def has_scalar(self) -> bool:
        """Whether there is a scalar field to harvest."""
        return "scalar_mean" in self.dataset

    def require_level(self, level: int) -> None:
        """Errors: InputError for a level that is not there."""
        self._require("level", level, self.level_count)

    def require_realization(self, realization: int) -> None:
        """Errors: InputError for a realization that is not there."""
        self._require("realization", realization, self.realization_count)

    def _require(self, kind: str, number: int, count: int) -> None:
        if not 0 <= number < count:
            raise InputError(
                f"{kind} {number}: {self._called} has the {kind}s 0 to {count - 1}; "
                "choose one of them"
            )

    def mask(self, level: int) -> np.ndarray:
        """(y, x) uint8: 0 open water, 1 land or an obstacle, 2 beyond the forecast, closed too."""
        mask, *others = self._masks(level)
        for other in others:  # water that the vehicle dives by another profile
            mask = np.where(other == 0, 0, mask)
        return mask.astype(np.uint8)

    def _masks(self, level: int) -> list[np.ndarray]:
        """Of each profile that is dived."""
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
        """(y, x) bool: the cells that the vehicle may not enter."""
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
            ``u`` and ``v`` (time, y, x), or (y, x) of one level: velocity along x and y
            [m s-1, or cells a step], NaN in closed cells. Coordinates: ``time`` (datetime64 in
            UTC where times count from a date), ``y``, ``x``, and ``lon`` and ``lat`` (y, x)
            where the environment has them.

        Raises
        ------
        InputError
            If the level does not exist.
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
        found = self._flow(
            lambda at: self.realization_arrays(at, number), level, f"flow of realization {number}"
        )
        return found.assign_coords(realization=number)

    def sel(self, lon: float, lat: float) -> xr.Dataset:
        """Return its data set at the cell nearest to a longitude and a latitude.

        Parameters
        ----------
        lon, lat : float
            Degrees east and north; x and y where the environment has no longitudes.

        Raises
        ------
        InputError
            If the position is outside.
        """
        return read_grid(self.dataset).sel(self.dataset, lon, lat)

    def mean_arrays(self, level: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v of the mean, (y, x), NaN in closed cells."""
        return self._open_water("mean", level)

    def realization_arrays(self, level: int, number: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v of one realization, (y, x), NaN in closed cells."""
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
        kept = [name for name in ("time", "y", "x", "lon", "lat") if name in dataset.variables]
        places = dataset[kept].isel(time=list(levels))
        found = xr.Dataset(axes, {name: places[name].variable for name in kept})
        return found if level is None else found.isel(time=0)

    def mode(self, level: int, mode: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v of one mode, (y, x), NaN in closed cells."""
        return self._open_water("mode", level, mode)

    def coefficients(self, level: int) -> np.ndarray:
        """(mode, realization)."""
        return np.asarray(self.dataset["coefficient"][level].values)

    def scalar(self, level: int) -> np.ndarray:
        """The mean scalar field, (y, x)."""
        return np.asarray(self.dataset["scalar_mean"][level].values, float)

    def weights(self) -> np.ndarray | None:
        """(realization) integers that sum to 2^24, or None where all count alike."""
        if "realization_weight" not in self.dataset:
            return None
        return integer_weights(self.dataset["realization_weight"].values)

    def _open_water(self, part: str, level: int, *at: int) -> tuple[np.ndarray, np.ndarray]:
        """u and v: where the profile is closed, those of the first of the others that is open."""

        def water(axis: str) -> np.ndarray:
            found = np.full(self._dived[0]["u_mean"].shape[-2:], np.nan)
            for velocity, mask in reversed(list(zip(self._dived, self._masks(level), strict=True))):
                field = velocity[f"{axis}_{part}"]
                fixed = field.ndim < 3 + len(at)  # modes without a dimension time
                values = field[at if fixed else (level, *at)].values.astype(float)
                found = np.where(mask == 0, values, found)
            return found

        return water("u"), water("v")


def moment_of(date: Any) -> np.datetime64 | None:
    """As xarray's times are; None of what says none, which the command then refuses."""
    if date is None:
        return None
    try:
        text = date if isinstance(date, str) else date_text(date)
        return np.datetime64(text.removesuffix("Z"))
    except ValueError:
        return None


def _after_reading(fields: LentFields, report: Callable[..., None] | None) -> Progress:
    """One bar at a time: chunks are counted until the import has levels to count."""
    if report is None:
        return False

    def told(work: str, done: int, total: int, unit: str) -> None:
        fields.report = None
        report(work, done, total, unit)

    return told


def _datasets_of(forecast: Any) -> list[xr.Dataset]:
    """Those of a forecast. Errors: InputError for what is none."""
    many = isinstance(forecast, (list, tuple))
    given = list(forecast) if many else [forecast]
    if not given:
        raise InputError("forecast: is an empty list; give one or more data sets")
    for number, one in enumerate(given):
        if hasattr(one, "data_vars"):
            continue
        name, kind = f"forecast[{number}]" if many else "forecast", kind_of(one)
        if hasattr(one, "to_dataset"):
            raise InputError(
                f"{name}: is {kind}, one variable, and a forecast has two, east and north; "
                "give a Dataset of both, such as xr.merge([u, v])"
            )
        remedy = (
            "files go to Environment.from_netcdf" if _is_file(one) else "give an xarray Dataset"
        )
        raise InputError(f"{name}: is {kind}, no Dataset; {remedy}")
    return given


def _is_file(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def file_of(value: Any, name: str) -> Path:
    """The path that an argument is. Errors: InputError for what is no path."""
    if not _is_file(value):
        raise InputError(f"{name}: is {kind_of(value)}; give the path of a file, or an Environment")
    return Path(value)


def open_netcdf(path: Path) -> xr.Dataset:
    """Open a NetCDF-4 file lazily. Errors: InputError where that cannot be done."""
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
        own: role
        for role, own in names.items()
        if role in ROLES and own != role and own in dataset.variables
    }
    # A variable that has a standard name and another role, or none, would stand in the way.
    in_the_way = [role for role in renamed.values() if role in dataset.variables]
    dataset = dataset.drop_vars([name for name in in_the_way if name not in renamed])
    return dataset.rename(renamed)
