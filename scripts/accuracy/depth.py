#!/usr/bin/env python3
"""What choosing among depths is worth, off Norway: promised, flown and rehearsed in the forecast's own levels.

  scripts/accuracy/depth.py [--data ../shared/data] [--tidewise build/cpu/app/tidewise] [--missions 12]
                            [--out bench/results/accuracy_depth.json] [--keep FOLDER]

A glider of 0.25 m/s goes between random places in deep water, planned at the surface, with dives of
0:200 and of 0:1000 alone, and with the choice among them at each surfacing; a float goes with the
water at the surface, at 200, 500 or 1000 m, or where it chooses to, to random places near its start;
another stays as long as it can near where it is. All runs are rehearsed through the source's own levels
at 0.1 m/s up and down. Prints the tables of docs/trust/depth.md: means over
missions ± their standard error. --keep leaves the runs, for depth_picture.py. Needs h5py and numpy.
"""

import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

SOURCE = [f"depth/nemo_norwegian_sea_2000_{c}.nc" for c in "UV"]
HOUR = 3600.0

# of either vehicle: profiles, what a mission says of it, how far apart places are [km], the kinds planned
GLIDER = {
    "profiles": {"surface": "at:0", "shallow": "0:200", "deep": "0:1000"},
    "step": "6h", "speeds": [0.25], "headings": 32, "apart": (120, 200), "radius": 5e3, "objective": "time",
}
FLOAT = {
    "profiles": {"surface": "at:0", "at200": "at:200", "at500": "at:500", "at1000": "at:1000"},
    "step": "1d", "speeds": [0.0], "headings": 1, "apart": (15, 40), "radius": 1e4, "objective": "arrival",
}
STATION = FLOAT | {"step": "12h", "spacing": "3km", "objective": "stay"}
VEHICLES = {"glider": GLIDER, "float": FLOAT, "station": STATION}
MISSION = """[environment]
file = "{environment}"
[vehicle]
speeds = {speeds}
headings = {headings}
profiles = {profiles}
surface_drift = "8min"
[mission]
start_lonlat = {start}
target_lonlat = {target}
target_radius = {radius}
objective = "{objective}"
[rollout]
baselines = "none"
[planner]
threads = 1
"""


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def make_environment(program, data, vehicle, path):
    u, v = (data / name for name in SOURCE)
    profiles = [word for name, told in vehicle["profiles"].items() for word in ("--profile", f"{name}={told}")]
    run(program, "env", "import", "--u", f"{u}:uo", "--v", f"{v}:vo", "--out", path, "--lagged", 1,
        "--step", vehicle["step"], *profiles, *(["--spacing", vehicle["spacing"]] if "spacing" in vehicle else []), "-q")


def random_places(path, count, apart, seed):
    """Pairs of places in water that all profiles dive, so many km apart, and between them too."""
    with h5py.File(path) as file:
        lon, lat = file["lon"][...], file["lat"][...]
        mask = file["obstacle_mask"][...] != 0
        cell = float(file["x"][1] - file["x"][0])
    shut = mask.reshape(-1, *lon.shape).any(0)
    random = numpy.random.default_rng(seed)
    pairs = []
    while len(pairs) < count:
        (j, i), (q, p) = (random.integers(8, numpy.array(lon.shape) - 8) for _ in range(2))
        distance = numpy.hypot(i - p, j - q) * cell / 1e3
        line = numpy.linspace((j, i), (q, p), 50).round().astype(int)
        if not apart[0] <= distance <= apart[1] or shut[line[:, 0], line[:, 1]].any():
            continue
        pairs.append([[round(float(c[a, b]), 4) for c in (lon, lat)] for a, b in ((j, i), (q, p))])
    return pairs


def share_of_profiles(path, names):
    """Of the way of a run's flights."""
    with h5py.File(path) as file:
        if "profile" not in file:
            return {}
        dived = file["profile"][...]
        dived = dived[(dived >= 0) & (dived < len(names))]  # none after the end
    return {name: float((dived == n).mean()) for n, name in enumerate(names)}


def as_figures(arrive, seconds):
    return {"arrive": arrive, "hours": numpy.nan if seconds is None else seconds / HOUR}


def rehearsed(path):
    """Share of the members that arrive, and their mean time; or that of their time within."""
    features = [one["properties"] for one in json.loads(path.read_text())["features"]]
    members = [one for one in features if one["kind"] == "rehearsal"]
    if "within" in members[0]:
        return {"within": float(numpy.mean([one["within"] for one in members])),
                "members": [[one["name"], one["outcome"], one["within"]] for one in members]}
    hours = [one["hours"] for one in members if one["outcome"] == "arrived"]
    return {"arrive": len(hours) / len(members), "hours": float(numpy.mean(hours)) if hours else numpy.nan,
            "members": [[one["name"], one["outcome"], one["hours"]] for one in members]}


def fly(program, vehicle, names, environment, start, target, sources, out):
    """What a plan with these profiles promises, its flights give and the rehearsal."""
    mission = out.with_suffix(".toml")
    mission.write_text(MISSION.format(environment=environment, profiles=json.dumps(names), start=start,
                                      target=target, **{k: vehicle[k] for k in ("speeds", "headings", "radius", "objective")}))
    # what --keep left is not made anew
    if not (out / "summary.json").exists():
        run(program, "plan", mission, "--out", out, "--overwrite", "-q")
    if not (out / "rehearsal.geojson").exists():
        run(program, "rehearse", out, "--source", *sources, "-q", "--threads", 1)
    summary = json.loads((out / "summary.json").read_text())
    expected, flown = summary["expected"], summary["rollout"]
    if vehicle["objective"] == "stay":
        figures = {"promise": {"within": expected["within"]}, "flights": {"within": flown["within"]["mean"]}}
    else:
        figures = {"promise": as_figures(expected["arrival_probability"], expected["time"]),
                   "flights": as_figures(flown["arrival_rate"], flown["time"]["mean"])}
    return figures | {"rehearsal": rehearsed(out / "rehearsal.geojson"),
                      "share": share_of_profiles(out / "trajectories.nc", names)}


def measure(program, data, kind, count, folder):
    vehicle = VEHICLES[kind]
    environment = folder / f"{kind}.h5"
    if not environment.exists():
        make_environment(program, data, vehicle, environment)
    names = list(vehicle["profiles"])
    sources = [data / name for name in SOURCE]
    results = []
    for number, (start, target) in enumerate(random_places(environment, count, vehicle["apart"], 7)):
        target = start if vehicle["objective"] == "stay" else target
        found = {}
        for key, own in {**{name: [name] for name in names}, "choice": names}.items():
            found[key] = fly(program, vehicle, own, environment, start, target, sources,
                             folder / f"{kind}_{number}_{key}")
        results.append({"start": start, "target": target, "found": found})
        line = ", ".join(f"{key} {100 * one['rehearsal']['within']:.0f} %" if "within" in one["rehearsal"] else
                         f"{key} {one['rehearsal']['hours']:.1f} h {100 * one['rehearsal']['arrive']:.0f} %"
                         for key, one in found.items())
        print(f"  {kind} {number}: {line}", flush=True)
    return results


def with_error(values):
    values = numpy.array(values, float)
    values = values[numpy.isfinite(values)]
    if len(values) < 2:
        return f"{values.mean():.3g}" if len(values) else "–"
    return f"{values.mean():.1f} ± {values.std(ddof=1) / numpy.sqrt(len(values)):.1f}"


def show_glider(results):
    """Times of the missions in which every member of every plan arrives when rehearsed."""
    kept = [one["found"] for one in results
            if all(found["rehearsal"]["arrive"] == 1 for found in one["found"].values())]
    print(f"\n{len(kept)} of {len(results)} missions, in which all rehearsals arrive\n")
    print("| planned with | promised | flown | rehearsed | flights off by | longer than with the choice | best of the fixed in |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    keys = list(results[0]["found"])
    best = [min(keys[:-1], key=lambda key: one[key]["rehearsal"]["hours"]) for one in kept]
    for key in keys:
        hours = {what: [one[key][what]["hours"] for one in kept] for what in ("promise", "flights", "rehearsal")}
        off = [100 * (f / r - 1) for f, r in zip(hours["flights"], hours["rehearsal"])]
        more = [one[key]["rehearsal"]["hours"] - one["choice"]["rehearsal"]["hours"] for one in kept]
        print(f"| {key} | {numpy.mean(hours['promise']):.1f} h | {numpy.mean(hours['flights']):.1f} h "
              f"| {numpy.mean(hours['rehearsal']):.1f} h | {with_error(off)} % "
              f"| {'' if key == 'choice' else with_error(more) + ' h'} | {'' if key == 'choice' else best.count(key)} |")
    gained = [one[fixed]["rehearsal"]["hours"] - one["choice"]["rehearsal"]["hours"] for one, fixed in zip(kept, best)]
    promised = [min(one[key]["flights"]["hours"] for key in keys[:-1]) - one["choice"]["flights"]["hours"] for one in kept]
    share = [100 * gain / one[fixed]["rehearsal"]["hours"] for gain, one, fixed in zip(gained, kept, best)]
    print(f"\nbest fixed of each mission beside the choice: {with_error(gained)} h ({with_error(share)} %) by rehearsals, "
          f"{with_error(promised)} h by flights")
    for key in keys[:-1]:
        print(f"  the choice dives {key} in {with_error([100 * one['choice']['share'][key] for one in kept])} % of its steps")


def show_float(results):
    print(f"\n{len(results)} places to reach\n")
    print("| the float drifts | promised | flown | rehearsed | places that a rehearsal reaches |")
    print("| --- | --- | --- | --- | --- |")
    found = [one["found"] for one in results]
    keys = list(found[0])
    for key in keys:
        rates = [[100 * one[key][what]["arrive"] for one in found] for what in ("promise", "flights", "rehearsal")]
        reached = sum(rate > 0 for rate in rates[2])
        print(f"| {key} | {' | '.join(with_error(rate) + ' %' for rate in rates)} | {reached} of {len(found)} |")
    alone = sum(one["choice"]["rehearsal"]["arrive"] > 0 and
                all(one[key]["rehearsal"]["arrive"] == 0 for key in keys[:-1]) for one in found)
    more = [100 * (one["choice"]["rehearsal"]["arrive"] - max(one[key]["rehearsal"]["arrive"] for key in keys[:-1]))
            for one in found]
    print(f"\nplaces that no fixed depth reaches and the choice does: {alone}; arrivals beyond the best fixed depth's: "
          f"{with_error(more)} % of the members")


def show_station(results):
    print(f"\n{len(results)} places to stay at\n")
    print("| the float drifts | promised | flown | rehearsed | the best in, flown | the best in, rehearsed |")
    print("| --- | --- | --- | --- | --- | --- |")
    found = [one["found"] for one in results]
    keys = list(found[0])
    best = {what: [max(one[key][what]["within"] for key in keys[:-1]) for one in found] for what in ("flights", "rehearsal")}
    for key in keys:
        shares = [[100 * one[key][what]["within"] for one in found] for what in ("promise", "flights", "rehearsal")]
        first = [str(sum(one[key][what]["within"] >= most for one, most in zip(found, best[what]))) for what in best]
        print(f"| {key} | {' | '.join([with_error(share) + ' %' for share in shares] + first)} |")
    for what in best:
        more = [100 * (one["choice"][what]["within"] - most) for one, most in zip(found, best[what])]
        print(f"\n{what}: beside the best fixed depth of each place {with_error(more)} points; more than one point better at "
              f"{sum(one > 1 for one in more)}, worse at {sum(one < -1 for one in more)}; most {max(more):.0f}, least {min(more):.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--missions", type=int, default=12)
    parser.add_argument("--only", choices=VEHICLES, action="append")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.tidewise).resolve())
    kept = contextlib.nullcontext(arguments.keep) if arguments.keep else tempfile.TemporaryDirectory()
    results = {}
    with kept as name:
        folder = pathlib.Path(name).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for kind in arguments.only or VEHICLES:
            results[kind] = measure(program, arguments.data.resolve(), kind, arguments.missions, folder)
            {"glider": show_glider, "float": show_float, "station": show_station}[kind](results[kind])
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1).replace("NaN", "null") + "\n")


if __name__ == "__main__":
    main()
