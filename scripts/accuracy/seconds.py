#!/usr/bin/env python3
"""Seconds that `check` promises beside those that `plan` takes, and the flights' share of these
(docs/reference/speed.md, "Seconds promised").

  scripts/accuracy/seconds.py [--data ../shared/data] [--tidewise build/cpu/app/tidewise] [--only WORD] [--threads N]

The missions are three of configs/ and three on forecasts as they come, each checked and planned one after the other.
Seconds are the clock's, as check's are, which tries some cells here and now: other work on the machine lengthens both,
and says how much by those of the processor, by thread. Needs nothing but Python.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {"s": 1, "min": 60, "h": 3600}

# What they are made by, of the data's folder.
OCEANS = {
    "gyre": ["double-gyre"],
    "washington": ["import", "{data}/rtofs_washington_2024.nc", "--spacing", "3km", "--step", "3h", "--lagged", "4"],
    "rtofs": ["import", "{data}/rtofs_washington_2024.nc"],
    "nemo": ["import", "--u", "{data}/depth/nemo_norwegian_sea_2000_U.nc:uo",
             "--v", "{data}/depth/nemo_norwegian_sea_2000_V.nc:vo"],
    "wind": ["import", "{data}/wind_ensemble_21_members_2015.nc"],
}

OWN = '[environment]\nfile = "none.h5"\n[vehicle]\nspeeds = [{}]\n[mission]\nstart_lonlat = {}\ntarget_lonlat = {}\n'

# Name, ocean, and a file of configs/ or a mission's text.
MISSIONS = [
    ("double_gyre_time", "gyre", None),
    ("double_gyre_weighted", "gyre", None),
    ("washington", "washington", None),
    ("Washington, a point of its file, one forecast", "rtofs", OWN.format(0.5, [-126.0, 46.8], [-124.95, 48.45])),
    ("Norwegian Sea, NEMO", "nemo", OWN.format(0.35, [2.0, 66.0], [6.0, 68.0])),
    ("wind, 21 members", "wind", OWN.format(9.0, [-127.0, 37.0], [-122.5, 42.5])),
]


def run(program, *words):
    # Threads that wait sleep: beside other work they would spin in each other's way.
    waiting = os.environ | {"OMP_WAIT_POLICY": "passive"}
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, env=waiting)
    if done.returncode:
        sys.exit(f"seconds.py: {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def processor_seconds():
    """Of all that was run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def promised(text):
    """Of check's line, in which less than a second is 1: "time  about 17 s with lattice on 2 thread(s), …"."""
    found = re.search(r"^time +(?:about ([\d.]+) (s|min|h)|less than a second)", text, re.MULTILINE)
    if found is None:
        sys.exit(f"seconds.py: check says no time:\n{text}")
    return float(found[1]) * UNITS[found[2]] if found[1] else 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "../shared/data")
    parser.add_argument("--tidewise", default=ROOT / "build/cpu/app/tidewise")
    parser.add_argument("--only", default="", help="missions whose name holds this")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    print("| mission | states | promised | taken | promised by taken | processor's | solve | evaluate | flights | with rules |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for mission, ocean, text in MISSIONS:
            if options.only not in mission:
                continue
            environment = folder / f"{ocean}.h5"
            if not environment.exists():
                words = [word.format(data=options.data) for word in OCEANS[ocean]]
                run(options.tidewise, "env", *words, "--out", environment, "-q")
            file = folder / "mission.toml" if text else ROOT / f"configs/{mission}.toml"
            if text:
                file.write_text(text)
            given = ["--set", f"environment.file={environment}", "--threads", options.threads]
            told = promised(run(options.tidewise, "check", file, *given, "-q"))
            out = ["--out", folder / "run", "--overwrite", "-q"]
            began, used = time.perf_counter(), processor_seconds()
            run(options.tidewise, "plan", file, *given, *out)
            clock, used = time.perf_counter() - began, (processor_seconds() - used) / options.threads
            summary = json.loads((folder / "run/summary.json").read_text())
            flown = folder / "flown"
            run(options.tidewise, "rollout", folder / "run", "--baselines", "none", "--out", flown, "--overwrite", "-q")
            alone = json.loads((flown / "summary.json").read_text())["seconds"]["rollout"]
            seconds = summary["seconds"]
            parts = [seconds["solve"], seconds["evaluate"], alone, seconds["rollout"]]
            print(
                f"| {mission} | {summary['problem']['states']} | {told:.3g} | {clock:.3g} | {told / clock:.2f} | {used:.3g} | "
                + " | ".join(f"{part:.2f}" for part in parts) + " |",
                flush=True,
            )


if __name__ == "__main__":
    main()
