"""An animation of the mission: flow, obstacles and flights, frame by frame."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.animation import FFMpegWriter, PillowWriter
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from tidewise._keywords import renamed
from tidewise.errors import InputError
from tidewise.figures import layers, palette
from tidewise.figures.flight_colours import choose_flight_colours
from tidewise.figures.frame import Frame
from tidewise.figures.mission import (
    choose_flights,
    describe_flights,
    flow_at,
    opacity_of,
)
from tidewise.figures.moments import call_moment, last_flown_step
from tidewise.figures.page import make_page, put_caption, trim_page
from tidewise.figures.profiles import at_profile
from tidewise.saving import require_replaceable, written_whole

if TYPE_CHECKING:
    from tidewise.run import Run

DEFAULT_MAX_FRAMES = 60
_FRAMES_PER_SECOND = 12
_WIDTH = 13.0  # [cm]
_RESOLUTION = 130.0  # [dots per inch]: about 660 dots wide
_GIF_COLOURS = 256
_PAUSE = 1.5  # [s] on the last frame


def ffmpeg_is_there() -> bool:
    """Return True if mp4 files can be written."""
    return shutil.which("ffmpeg") is not None


@renamed(most_flights="max_flights", most_frames="max_frames")
def write_animation(
    run: Run,
    path: str | Path,
    realization: int | None = None,
    max_flights: int = 250,
    max_frames: int = DEFAULT_MAX_FRAMES,
    width: float = _WIDTH,
    dpi: float = _RESOLUTION,
    profile: str | None = None,
    overwrite: bool = False,
) -> None:
    """Write the mission as .gif or .mp4.

    Parameters
    ----------
    run : Run
        The run.
    path : path
        The file.
    realization, max_flights, max_frames, width, dpi, profile, overwrite : optional
        As in Pictures.animation.

    Raises
    ------
    InputError
        If the file is of another kind, the run has no flights, realization or profile do not exist,
        or ffmpeg is missing for mp4.
    RunError
        If the file cannot be written.
    """
    run = at_profile(run, profile)
    path = Path(path)
    writer = _writer(path)
    require_replaceable(path, overwrite)
    if realization is not None:
        run.environment.require_realization(realization)
    last = last_flown_step(run)
    steps = np.unique(np.linspace(0, last, min(max_frames, last + 1)).round().astype(int))
    with palette.styled():
        film = _Film(run, realization, max_flights, steps, width)
        with (
            written_whole(path, overwrite) as partial,
            writer.saving(film.figure, str(partial), dpi),
        ):
            for step in steps:
                film.show(int(step))
                writer.grab_frame()
            writer.hold(round(_PAUSE * _FRAMES_PER_SECOND))


class _Film:
    """A panel with changing flow, obstacles and flights."""

    def __init__(
        self, run: Run, realization: int | None, max_flights: int, steps: np.ndarray, width: float
    ) -> None:
        self._run = run
        self._realization = realization
        self._numbers = choose_flights(run, realization, max_flights)
        self._paths = run.flights.paths(self._numbers)
        colours = choose_flight_colours(run)
        self._colours = colours.of(self._numbers, opacity_of(self._numbers))
        self._legs = colours.legs(run, self._numbers)
        self._frame = Frame(run)
        # A sample of frames sets the colour scale: reading all flows twice would double the time.
        sample = steps[np.unique(np.linspace(0, len(steps) - 1, 6).round().astype(int))]
        self._sample = [run.mission.departure + int(step) for step in sample]
        flows = [flow_at(run, level, realization) for level in self._sample]
        self._norm = layers.speed_norm(self._frame, flows)
        self._changing: list[Artist] = []
        self.figure: Figure = make_page(width, (width - 3.4) * self._frame.aspect + 3.6)
        FigureCanvasAgg(self.figure)
        self._axes: Axes = self.figure.subplots()
        self._draw_fixed(colours)

    def _draw_fixed(self, colours) -> None:
        """Draw all fixed parts, and freeze the layout."""
        self._frame.label(self._axes)
        layers.draw_goal(self._axes, self._frame, self._run)
        self._axes.set_title("t = 0", loc="left")
        bar: dict[str, Any] = {"ax": self._axes, "aspect": 35, "pad": 0.02}
        self.figure.colorbar(
            layers.mappable(self._norm, palette.FLOW),
            label=self._frame.units.speed.label("flow speed"),
            extend="max",
            **bar,
        )
        if colours.norm is not None:
            self.figure.colorbar(
                layers.mappable(colours.norm, palette.FLIGHT),
                label=colours.label,
                extend=colours.extend,
                location="bottom",
                **bar,
            )
        layers.put_profiles(self.figure, colours.profiles)
        put_caption(
            self.figure,
            describe_flights(self._run, self._numbers, self._realization, self._sample),
        )
        trim_page(self.figure)
        self.figure.set_layout_engine("none")

    def show(self, step: int) -> None:
        """Draw the moment `step` steps after the departure."""
        for artist in self._changing:
            artist.remove()
        run, axes, frame = self._run, self._axes, self._frame
        level = run.mission.departure + step
        u, v = flow_at(run, level, self._realization)
        speed = frame.units.speed.show(np.hypot(u, v))
        self._changing = [
            layers.draw_field(axes, frame, speed, palette.FLOW, self._norm),
            *layers.draw_short_streamlines(axes, frame, u, v),
            *layers.draw_obstacles(axes, frame, run.environment.mask(level), over_paths=True),
            *layers.draw_flights(axes, frame, self._paths, self._colours, step, self._legs),
        ]
        axes.set_title(call_moment(run, level, run.mission.departure), loc="left")


class _GifWriter(PillowWriter):
    """Writes GIF without dithering, which differs between frames: files are a third smaller."""

    def hold(self, frames: int) -> None:
        """Repeat the last frame without drawing it."""
        self._frames += self._frames[-1:] * frames

    def finish(self) -> None:
        self._frames: list[Image.Image] = [
            frame.convert("RGB").quantize(_GIF_COLOURS, dither=Image.Dither.NONE)
            for frame in self._frames
        ]
        super().finish()


class _Mp4Writer(FFMpegWriter):
    def hold(self, frames: int) -> None:
        """Repeat the last frame."""
        for _ in range(frames):
            self.grab_frame()


def _writer(path: Path) -> _GifWriter | _Mp4Writer:
    if path.suffix == ".gif":
        return _GifWriter(fps=_FRAMES_PER_SECOND)
    if path.suffix != ".mp4":
        raise InputError(f"{path}: films are .gif or .mp4; name the file so")
    if not ffmpeg_is_there():
        raise InputError(
            f"{path}: mp4 needs the program ffmpeg, which is not there; install it or take gif"
        )
    # Players require an even number of dots.
    even = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white"]
    return _Mp4Writer(fps=_FRAMES_PER_SECOND, codec="h264", extra_args=even)
