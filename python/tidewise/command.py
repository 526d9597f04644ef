"""The command tidewise-plot: draws a run's pictures into files."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import matplotlib as mpl

from tidewise.errors import InputError, RunError
from tidewise.figures.animation import DEFAULT_MAX_FRAMES, ffmpeg_is_there, write_animation
from tidewise.figures.dives import require_choice
from tidewise.figures.histograms import ARRIVES_NOWHERE, require_arrivals
from tidewise.figures.mission import DEFAULT_MAX_FLIGHTS, choose_flights
from tidewise.figures.moments import last_step
from tidewise.figures.page import PAGE_WIDTH
from tidewise.figures.profiles import at_profile, profiles_of
from tidewise.flights import KEEPING
from tidewise.run import Run, open_run
from tidewise.saving import require_replaceable, save_figure

# Each picture, and the name of its file.
PICTURES = {
    "mission": "mission",
    "environment": "environment",
    "modes": "environment_modes",
    "coefficients": "environment_coefficients",
    "policy": "policy",
    "dives": "dives",
    "histograms": "histograms",
    "departures": "departures",
    "reach": "reach",
    "rehearsal": "rehearsal",
    "animation": "animation",
}
_ON_REQUEST = ("departures", "reach")  # slow, so drawn only with --only
_OF_FLIGHTS = ("mission", "dives", "histograms", "animation")
_OF_THE_ENVIRONMENT = ("mission", "environment", "modes", "coefficients", "histograms", "animation")
_MAX_DOTS = 20000  # along a side of a png: about 2 GB of memory for a square page
_MIN_WIDTHS = {"environment": 12, "coefficients": 12, "histograms": 12}  # [cm]: for labels
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class _Parser(argparse.ArgumentParser):
    """Print errors in one line, in the form of the program."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; '{self.prog} --help' has all options")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Exit status: 0 done, 1 the work failed, 2 the input was wrong."""
    mpl.use("Agg")
    try:
        _draw_all(_parse(arguments))
        return 0
    except InputError as error:
        return _print_error(error, 2)
    except (RunError, OSError, RuntimeError, MemoryError) as error:
        return _print_error(error, 1)
    except KeyboardInterrupt:
        return _print_error("interrupted; what is complete was kept; run it again for the rest", 1)


def run_command() -> None:
    """Run the console script."""
    sys.exit(main())


def _print_error(problem: object, status: int) -> int:
    line = " ".join(str(problem).split()).replace("environment=FILE", "--environment FILE")
    line = line.replace("replace it by overwrite", "replace it by --overwrite")
    print(f"tidewise-plot: error: {line}", file=sys.stderr)
    return status


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _Parser(
        prog="tidewise-plot",
        description="Draw the pictures of a run that 'tidewise plan' or 'tidewise rollout' left.",
        epilog="Example: tidewise-plot runs/double_gyre_time --only mission,policy --format pdf",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("run", metavar="RUN", type=Path, help="the folder of the run")
    text = "the environment's file, if it was moved"
    add("--environment", metavar="F", type=Path, help=text)
    add("--out", metavar="DIR", type=Path, help="where to write; RUN/figures")
    text = f"only these, separated by commas: {', '.join(PICTURES)}"
    add("--only", metavar="LIST", type=_pictures, help=text)
    add("--format", choices=("png", "pdf", "svg"), default="png")
    add("--dpi", type=_number(30, 2400), default=300.0, help="dots an inch of png; 300")
    text = f"width of the page [cm]; {PAGE_WIDTH:g}"
    add("--width", metavar="CM", type=_number(8, 100), default=PAGE_WIDTH, help=text)
    text = "mission: after departure, in steps (20,40,60) or with a unit (36h,2.5d)"
    add("--times", metavar="T,T,…", help=text)
    text = "time level of environment (halfway through the mission) and policy (departure)"
    add("--level", metavar="K", type=_whole(0), help=text)
    text = "environment: which one to show (0); mission, dives, animation: its flow, its flight"
    add("--realization", metavar="R", type=_whole(0), help=text)
    text = "mission, environment, modes, animation: profile of the flow, if the vehicle chooses "
    add("--profile", metavar="NAME", help=text + "among several (the first)")
    maximum = DEFAULT_MAX_FLIGHTS
    text = f"maximum number of flights to draw, spread evenly over all; {maximum}"
    add("--max-trajectories", metavar="N", type=_whole(1), default=maximum, help=text)
    add("--animation", choices=("gif", "mp4", "none"), help="mp4 if ffmpeg is installed, else gif")
    text = f"maximum number of frames of the animation; {DEFAULT_MAX_FRAMES}"
    add("--frames", metavar="N", type=_whole(2), default=DEFAULT_MAX_FRAMES, help=text)
    text = "replace files of another kind that are in the place of pictures"
    add("--overwrite", action="store_true", help=text)
    add("--quiet", action="store_true", help="do not name the files written")
    return parser.parse_args(arguments)


def _draw_all(options: argparse.Namespace) -> None:
    run = open_run(options.run, options.environment)
    run.mission  # noqa: B018 (a damaged file is reported first)
    pictures = _choose(run, options)
    times = _validate(run, options, pictures)
    paths = {picture: _path_of(picture, run, options) for picture in pictures}
    for path in paths.values():
        require_replaceable(path, options.overwrite)
    for picture, path in paths.items():
        if picture == "animation":
            write_animation(
                run,
                path,
                options.realization,
                options.max_trajectories,
                options.frames,
                profile=options.profile,
                overwrite=options.overwrite,
            )
        else:
            figure = _draw(picture, run, options, times)
            save_figure(figure, path, options.dpi, options.overwrite)
        if not options.quiet:
            print(path, flush=True)


def _path_of(picture: str, run: Run, options: argparse.Namespace) -> Path:
    folder = options.out or run.folder / "figures"
    if picture != "animation":
        return folder / f"{PICTURES[picture]}.{options.format}"
    return folder / f"animation.{options.animation or ('mp4' if ffmpeg_is_there() else 'gif')}"


def _draw(picture: str, run: Run, options: argparse.Namespace, times: list[float] | None):
    level, realization = options.level, options.realization
    arguments = {
        "mission": (times, realization, options.max_trajectories),
        "environment": (level, realization or 0),
        "dives": (realization,),
        "histograms": (),
        "departures": (),
        "rehearsal": (),
    }.get(picture, (level,))
    flow = {"profile": options.profile} if picture in ("mission", "environment", "modes") else {}
    return getattr(run.plot, picture)(*arguments, width=options.width, **flow)


def _choose(run: Run, options: argparse.Namespace) -> list[str]:
    """Return the requested pictures; without a request, all those for which the run has data."""
    is_keeping = run.mission.objective in KEEPING
    if options.only:
        only = [p for p in options.only if p != "animation" or options.animation != "none"]
        if is_keeping and "histograms" in only and only[1:]:
            only = _without(only, ("histograms",), ARRIVES_NOWHERE)
        return only
    left_out = set(_ON_REQUEST) | ({"animation"} if options.animation == "none" else set())
    if not (run.folder / "rehearsal.geojson").is_file():
        left_out.add("rehearsal")
    pictures = [picture for picture in PICTURES if picture not in left_out]
    if not profiles_of(run):
        pictures.remove("dives")  # most vehicles have no choice of profiles
    if not run.has_flights:
        pictures = _without(pictures, _OF_FLIGHTS, "the run has no trajectories.nc")
    elif not run.flights.all_ends.arrived.any():
        reason = ARRIVES_NOWHERE if is_keeping else "no flight arrived"
        pictures = _without(pictures, ("histograms",), reason)
    if not run.has_policy:
        pictures = _without(pictures, ("policy",), "a rollout's folder has no policy.h5")
    return pictures


def _without(pictures: list[str], left_out: Sequence[str], reason: str) -> list[str]:
    names = [picture for picture in pictures if picture in left_out]
    print(f"tidewise-plot: {', '.join(names)} left out: {reason}", file=sys.stderr)
    return [picture for picture in pictures if picture not in left_out]


def _validate(run: Run, options: argparse.Namespace, pictures: list[str]) -> list[float] | None:
    """Validate all input before drawing. Returns the requested times [environment's units]."""
    wanted = set(pictures)
    if wanted & set(_OF_FLIGHTS):
        run.trajectories  # noqa: B018 (opens the file)
    if "histograms" in wanted:
        require_arrivals(run)
    if "dives" in wanted:
        require_choice(run)
    if wanted & set(_OF_THE_ENVIRONMENT):
        run.environment  # noqa: B018
    if wanted & {"mission", "environment", "modes", "animation"}:
        at_profile(run, options.profile)
    for picture in pictures:
        if options.width < _MIN_WIDTHS.get(picture, 0):
            raise InputError(
                f"--width {options.width:g}: the picture {picture} needs {_MIN_WIDTHS[picture]} "
                "cm; widen the page, or leave it out by --only"
            )
    dots = options.width / 2.54 * options.dpi
    if options.format == "png" and dots > _MAX_DOTS:
        raise InputError(
            f"--width {options.width:g} at --dpi {options.dpi:g}: {dots:.0f} dots a line; keep to "
            f"{_MAX_DOTS}, or take --format pdf"
        )
    if options.level is not None:
        levels = [run.policy.sizes["time"]] if "policy" in wanted else []
        if wanted & {"environment", "modes", "coefficients"}:
            levels.append(run.environment.level_count)
        if levels and options.level >= min(levels):
            raise InputError(
                f"--level {options.level}: there are the levels 0 to {min(levels) - 1}; choose one "
                "of them"
            )
    if options.realization is not None and wanted - {"policy", "histograms"}:
        run.environment.require_realization(options.realization)
        if wanted & {"mission", "dives", "animation"}:
            choose_flights(run, options.realization, 1)
    if "animation" in wanted and options.animation == "mp4" and not ffmpeg_is_there():
        raise InputError(
            "--animation mp4: needs the program ffmpeg, which is not there; install it or take gif"
        )
    return _times(run, options.times) if options.times and "mission" in wanted else None


def _times(run: Run, text: str) -> list[float]:
    """Parse times after the departure. Returns them in the environment's units."""
    last = last_step(run) * run.grid.time_step
    times = []
    for word in text.split(","):
        match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*", word)
        unit = match.group(2) if match else ""
        if not match or (unit and (unit not in _SECONDS or not run.units.metric)):
            units = "s, min, h, d" if run.units.metric else "none, since times are in steps"
            raise InputError(
                f"--times {text}: '{word}' is no time after departure; write steps, e.g. 20,40, or "
                f"times with a unit of: {units}"
            )
        scale = _SECONDS[unit] if unit else run.grid.time_step
        times.append(float(match.group(1)) * scale)
    if max(times) > last * (1 + 1e-9):
        raise InputError(
            f"--times {text}: the mission ends {last_step(run)} steps "
            f"({run.units.time.text(last)}) after its departure; choose times until then"
        )
    if len(times) > 9:
        raise InputError(f"--times {text}: {len(times)} panels find no room; choose 9 at most")
    return times


def _pictures(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PICTURES:
            raise argparse.ArgumentTypeError(f"'{name}' is no picture of {', '.join(PICTURES)}")
    if not names:
        raise argparse.ArgumentTypeError("names no picture")
    return list(dict.fromkeys(names))


def _whole(minimum: int):
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d+", text) or int(text) < minimum:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number of {minimum} or more")
        return int(text)

    return parse


def _number(minimum: float, maximum: float):
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(f"'{text}' is no number from {minimum} to {maximum}")
        return value

    return parse
