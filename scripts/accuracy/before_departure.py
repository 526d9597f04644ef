#!/usr/bin/env python3
"""What learning before the departure is worth (docs/trust/learning.md, "Before the departure").

  scripts/accuracy/before_departure.py FOLDER [--tidewise build/cpu/app/tidewise] [--truths 24] [--only OCEAN …]
                                       [--out bench/results/accuracy_before_departure.json]

A truth is a realization that no plan has. Drifters go with its flow, and a radar maps a part of it, in the hours before
a vehicle departs; `tidewise observe` corrects the forecast by either, the mission is planned on what comes of that, and
the plan is flown through the truth, beside the forecast's own plan and a clairvoyant's, who knows the truth.
The double gyre is laid on a sea, a cell 3 km and a step 3 h. All errors are those that `observe` takes by itself, a
radar's those in its file. Truths that FOLDER has already are not flown again. Prints the page's table. Needs h5py,
numpy and SciPy.
"""

import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLANNED = 300  # realizations that plan, of made oceans
DRIFTERS = (0.1, 0.3, 0.5, 0.7, 0.9)  # where they begin, as shares of the way from start to target
FIX, SLIP = 10.0, 0.02  # [m] of a drifter's fix, [m/s] of its slip through the water in a step
RADAR = 0.1  # [m/s], each component of a vector
SEEN = 1 / 3  # of the basin, from the south
ARRIVED = 0  # of trajectories.nc's outcome
REFERENCE = "seconds since 2026-01-01T00:00:00"
METRES_A_DEGREE = (111320.0, 110574.0)  # at the equator
KINDS = {
    "nothing": "nothing",
    "drifters": "five drifters",
    "radar": "a radar",
    "all": "all (clairvoyant)",
}


@dataclass(frozen=True)
class Ocean:
    """An ocean and its mission, in metres and seconds."""

    title: str
    make: str  # words of `env`
    speed: float  # of the vehicle
    start: tuple
    target: tuple
    departure: int  # level: so many steps are observed before
    target_radius: float
    scale: tuple = (1.0, 1.0)  # metres and seconds of x and time as they are made
    modes: int = 0  # of the forecast; 0: all that the truth has

    def mission(self, environment):
        """Text of the mission."""
        return (f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [{self.speed}]\nheadings = 32\n'
                f"[mission]\nstart = {list(self.start)}\ntarget = {list(self.target)}\n"
                f"target_radius = {self.target_radius}\ndeparture = {self.departure}\n"
                '[rollout]\nrealizations = 1\nbaselines = "none"\n')


GYRE = Ocean("double gyre, seen for 36 h", "double-gyre --nx 50 --ny 50 --nt 80 --modes 5", 3 / 10.8, (76.5e3, 31.5e3),
             (76.5e3, 121.5e3), 12, 3000.0, (3000.0, 10800.0))
OCEANS = {
    "gyre": GYRE,
    "gyre_two_modes": replace(GYRE, title="the same, 2 of the truth's 5 modes in the forecast", modes=2),
    "wind_driven": Ocean("wind-driven gyre, seen for 55 h",
                         "wind-driven-gyre --nx 50 --ny 50 --nt 60 --modes 6 --level-step 24883.2s", 0.7, (5e5, 2e5),
                         (5e5, 8e5), 8, 20000.0),
}


def drift(velocity, place, levels, step, slip, parts=8):
    """Places [m] of a drifter at the beginning of each of `levels` steps of `step` seconds, and at the end of the last,
    by Runge's and Kutta's rule. velocity(level, x, y): the flow [m/s]; slip(): what a step adds to it [m/s]."""
    way = [place]
    h = step / parts
    for level in range(levels):
        own = slip()

        def rate(x, y, own=own, level=level):
            return tuple(a + b for a, b in zip(velocity(level, x, y), own))

        x, y = way[-1]
        for _ in range(parts):
            a = rate(x, y)
            b = rate(x + h / 2 * a[0], y + h / 2 * a[1])
            c = rate(x + h / 2 * b[0], y + h / 2 * b[1])
            d = rate(x + h * c[0], y + h * c[1])
            x += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
            y += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        way.append((x, y))
    return way


def mean_and_error(values):
    """Mean and standard error; the error NaN of one value."""
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return statistics.mean(values), error


def share_closed(gains, greatest):
    """mean(gains) / mean(greatest), truth by truth, and its standard error to first order."""
    whole = statistics.mean(greatest)
    share = statistics.mean(gains) / whole
    return share, mean_and_error([d - share * most for d, most in zip(gains, greatest)])[1] / abs(whole)


def row(result, kind):
    """A line of the table: hours over the truths in which this flight, the open plan's and the clairvoyant's all arrive."""
    hours = result["hours"]
    own, open_, known = hours[kind], hours["nothing"], hours["all"]
    arrive = sum(one is not None for one in own)
    trios = [trio for trio in zip(own, open_, known) if None not in trio]
    saved = [other - one for one, other, _ in trios]
    cells = [result["title"], KINDS[kind], f"{arrive} of {len(own)}", "{:.1f} ± {:.1f}".format(*mean_and_error([t[0] for t in trios]))]
    if kind == "nothing":
        cells += ["", ""]
    else:
        share, error = share_closed(saved, [other - most for _, other, most in trios])
        cells += ["{:.2f} ± {:.2f}".format(*mean_and_error(saved)), "" if kind == "all" else f"{100 * share:.0f} ± {100 * error:.0f}"]
    return "| " + " | ".join(cells) + " |"


def table(results):
    """The page's table, of what --out keeps."""
    lines = ["| ocean | known at the departure | arrive | hours | saves, h | closes, % |", "| --- | --- | --- | --- | --- | --- |"]
    return "\n".join(lines + [row(result, kind) for result in results for kind in KINDS])


def gather(title, found):
    """Of all truths, what --out keeps: hours of each flight, and chi-square a degree of freedom."""
    fits = {kind: [one["fit"][kind] for one in found] for kind in ("drifters", "radar")}
    return {"title": title, "hours": {kind: [one["hours"][kind] for one in found] for kind in KINDS},
            "chi_square": {kind: sum(c for c, _ in of) / sum(n for _, n in of) for kind, of in fits.items()}}


class Flow:
    """The flow of a realization, bilinear between cells' centres, that of its level throughout a step."""

    def __init__(self, path, levels):
        import h5py
        import numpy as np

        with h5py.File(path) as file:
            self.x, self.y, self.time = (file[axis][:] for axis in ("x", "y", "time"))
            self.lon, self.lat = file["lon"][:], file["lat"][:]
            self.reference = str(np.asarray(file["time"].attrs["units"]).astype(str))
            coefficient = file["coefficient"][:levels, :, 0]
            self.field = np.stack([
                file[f"{c}_mean"][:levels] + np.einsum("km,kmyx->kyx", coefficient, file[f"{c}_mode"][:levels]) for c in "uv"])
        self.step = self.time[1] - self.time[0]

    def __call__(self, level, x, y):
        import numpy as np

        i = min(max((x - self.x[0]) / (self.x[1] - self.x[0]), 0), len(self.x) - 1.000001)
        j = min(max((y - self.y[0]) / (self.y[1] - self.y[0]), 0), len(self.y) - 1.000001)
        west, south = int(i), int(j)
        square = np.nan_to_num(self.field[:, level, south : south + 2, west : west + 2])
        across, along = np.array([1 - i + west, i - west]), np.array([1 - j + south, j - south])
        return tuple((along @ square @ across).tolist())


def write_drifters(flow, start, target, levels, folder, seed):
    """A file for each drifter; their names."""
    noise = random.Random(seed)
    paths = []
    for share in DRIFTERS:
        place = tuple(a + share * (b - a) for a, b in zip(start, target))
        way = drift(flow, place, levels, float(flow.step), lambda: (noise.gauss(0, SLIP), noise.gauss(0, SLIP)))
        paths.append(folder / f"drifter_{len(paths)}.csv")
        lines = [f"{level},{x + noise.gauss(0, FIX)},{y + noise.gauss(0, FIX)}" for level, (x, y) in enumerate(way)]
        paths[-1].write_text("\n".join(["level,x,y", *lines]) + "\n")
    return paths


def write_radar(flow, levels, path, seed):
    """Maps of the basin's southern third, one a step; half of an error's variance is shared by a square of four cells."""
    import numpy as np
    from scipy.io import netcdf_file

    noise = np.random.default_rng(seed)
    part = slice(0, round(SEEN * len(flow.y)))
    field = dict(zip("uv", flow.field[:, :, part]))  # to the east and north as well, on the equator
    shape = field["u"].shape
    with netcdf_file(path, "w") as file:
        for name, size in zip(("time", "row", "column"), shape):
            file.createDimension(name, size)
        axes = {"time": (flow.time[:levels] + flow.step / 2, ("time",), flow.reference),
                "lon": (flow.lon[part], ("row", "column"), "degrees_east"), "lat": (flow.lat[part], ("row", "column"), "degrees_north")}
        for name, (values, dimensions, units) in axes.items():
            variable = file.createVariable(name, "f8", dimensions)
            variable[:] = values
            variable.units = units
        for name, values in field.items():
            squares = noise.standard_normal((shape[0], -(-shape[1] // 4), -(-shape[2] // 4)))
            alike = squares.repeat(4, 1).repeat(4, 2)[:, : shape[1], : shape[2]]
            error = RADAR * math.sqrt(0.5) * (alike + noise.standard_normal(shape))
            for one, content in ((name, values + error), (f"{name}_error", np.full(shape, RADAR))):
                variable = file.createVariable(one, "f4", ("time", "row", "column"))
                variable[:] = content
                variable.units = b"m s-1"


def lay_on_a_sea(path, scale):
    """Gives a made environment metres and seconds, dates, and a place on the equator. scale: metres and seconds of x and time."""
    import h5py
    import numpy as np

    with h5py.File(path, "r+") as file:
        for name in ("x", "y"):
            file[name][:] *= scale[0]
            file[name].attrs["units"] = "m"
        file["time"][:] *= scale[1]
        file["time"].attrs["units"] = REFERENCE
        for name in ("u_mean", "v_mean", "u_mode", "v_mode"):
            for level in range(file[name].shape[0] if scale != (1.0, 1.0) else 0):
                file[name][level] *= scale[0] / scale[1]
            file[name].attrs["units"] = "m s-1"
        degrees = [(file[axis][:] - file[axis][:].mean()) / metres for axis, metres in zip("xy", METRES_A_DEGREE)]
        for name, values, units in zip(("lon", "lat"), np.meshgrid(*degrees), ("degrees_east", "degrees_north")):
            file[name] = values
            file[name].attrs["units"] = units
            for n, axis in enumerate("yx"):
                file[name].dims[n].attach_scale(file[axis])


class Study:
    """The program, in a folder that keeps what is done."""

    def __init__(self, folder, program):
        self.folder, self.program = folder.resolve(), str(Path(program).resolve())
        self.folder.mkdir(parents=True, exist_ok=True)

    def tidewise(self, *words):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, text=True, capture_output=True,
                              env=os.environ | {"OMP_WAIT_POLICY": "passive"})
        if done.returncode:
            sys.exit(f"tidewise {' '.join(map(str, words))}: {done.stderr.strip()}")

    def fresh(self, name):
        """A path at which nothing lies."""
        path = self.folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return path

    def ocean(self, name, truths):
        """The whole of an ocean: those realizations that plan, and the truths."""
        path, ocean = self.folder / f"{name}.h5", OCEANS[name]
        if not path.exists():
            new = self.fresh("new.h5")
            self.tidewise("env", *ocean.make.split(), "--realizations", PLANNED + truths, "--out", new, "-q")
            lay_on_a_sea(new, ocean.scale)
            new.rename(path)
        return path

    def select(self, whole, realizations, name, *words):
        self.tidewise("env", "select", whole, "--out", self.fresh(name), "--realizations", realizations, "-q", *words)
        return self.folder / name

    def plan(self, ocean, environment, name):
        mission = self.folder / "mission.toml"
        mission.write_text(ocean.mission(environment))
        self.tidewise("plan", mission, "--out", self.fresh(name), "-q")
        return self.folder / name

    def hours(self, *words):
        """Of the flight that a command makes; None where it does not arrive."""
        import h5py
        import numpy as np

        self.tidewise(*words, "--out", self.fresh("flown"), "-q")
        with h5py.File(self.folder / "flown" / "trajectories.nc") as file:
            time, outcome = file["time"][0], file["outcome"][0]
        return float(np.nanmax(time) - np.nanmin(time)) / 3600 if outcome == ARRIVED else None

    def truth(self, name, number, whole):
        """What each flight through a truth takes, and how well observations and forecast go together."""
        import h5py

        ocean = OCEANS[name]
        forecast, unlearned = self.folder / f"{name}_forecast.h5", self.folder / f"{name}_unlearned"
        if not unlearned.exists():
            self.select(whole, PLANNED, forecast.name, *(["--modes", ocean.modes] if ocean.modes else []))
            self.plan(ocean, forecast, unlearned.name)
        truth = self.select(whole, f"{number}-{number}", "truth.h5")
        flow = Flow(truth, ocean.departure)
        drifters = write_drifters(flow, ocean.start, ocean.target, ocean.departure, self.folder, number)
        radar = self.folder / "radar.nc"
        write_radar(flow, ocean.departure, radar, number)
        seen = {"drifters": [word for path in drifters for word in ("--drifter", path)], "radar": ["--radar", radar]}
        hours = {"nothing": self.hours("rollout", unlearned, "--environment", truth),
                 "all": self.hours("bound", unlearned, "--truth", truth)}
        fit = {}
        for kind, words in seen.items():
            posterior = self.fresh("posterior.h5")
            self.tidewise("observe", forecast, *words, "--out", posterior, "-q")
            with h5py.File(posterior) as file:
                fit[kind] = [float(file.attrs[f"observations_{what}"].item()) for what in ("chi_square", "degrees_of_freedom")]
            learned = self.plan(ocean, posterior, "learned")
            hours[kind] = self.hours("rollout", learned, "--environment", truth)
        return {"hours": hours, "fit": fit}

    def measure(self, name, truths):
        """The figures of all truths of an ocean, as --out keeps them."""
        whole = self.ocean(name, truths)
        found = []
        for number in range(PLANNED, PLANNED + truths):
            kept = self.folder / f"{name}_{number}.json"
            if not kept.exists():
                kept.write_text(json.dumps(self.truth(name, number, whole)))
                print(f"{name} {number}: {kept.read_text()}", file=sys.stderr, flush=True)
            found.append(json.loads(kept.read_text()))
        return gather(OCEANS[name].title, found)


def main():
    """Reads the words, measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise")
    parser.add_argument("--truths", type=int, default=24, help="of each ocean")
    parser.add_argument("--only", nargs="*", choices=OCEANS, default=list(OCEANS))
    parser.add_argument("--out", type=Path)
    words = parser.parse_args()
    study = Study(words.folder, words.tidewise)
    results = [study.measure(name, words.truths) for name in words.only]
    print(table(results))
    for one in results:
        print(one["title"] + ": chi-square a degree of freedom", ", ".join(f"{kind} {fit:.2f}" for kind, fit in one["chi_square"].items()))
    if words.out:
        words.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
