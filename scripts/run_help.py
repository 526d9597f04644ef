#!/usr/bin/env python3
"""Runs the examples of every command's --help, and finds options that no page and no example mentions.

  scripts/run_help.py [--jobs N] [COMMAND...]

An option must be named by a page under docs, README.md or an example. Commands for research are left out: their
--help is their reference. Examples run as blocks do in scripts/run_docs.py. Each command's examples run in a
separate copy of the repository, with the files that they name. TIDEWISE and PYTHON name another program than
build/cpu's and another Python than build/python's.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run_docs import ROOT, SECONDS, Refused, settings

# Makes the files that examples name, in this order.
MADE = """
sed -i 's/100.5, 40.5/50.5, 20.5/; s/100.5, 160.5/50.5, 80.5/' configs/double_gyre_time.toml
tidewise example double-gyre
tidewise example washington
tidewise env double-gyre --nx 100 --ny 100 --nt 100 --modes 2 --realizations 10 --out runs/double_gyre.h5
cp runs/double_gyre.h5 double_gyre.h5
cp runs/double_gyre.h5 other.h5
tidewise plan configs/double_gyre_time.toml
tidewise env double-gyre --nx 100 --ny 100 --nt 100 --modes 2 --realizations 10 --seed 2 --out still.h5
tidewise plan configs/double_gyre_time.toml --set environment.file=still.h5 --out runs/still_water
cp examples/washington/rtofs_washington_2024.nc rtofs.nc
cp rtofs.nc rtofs_washington_2024.nc
cp examples/washington/track.csv glider.csv
cut -d, -f1-3 glider.csv > drifter.csv
awk -F, 'NR == 1 {print "ID," $0} NR > 1 {for (n = 0; n < 8; ++n) print n "," $1 "," $2 "," $3 + 0.03 * n}' drifter.csv > drifters.csv
tidewise env import rtofs_washington_2024.nc --spacing 6km --step 6h --lagged 1 --out runs/washington.h5
for name in washington forecast tomorrow later daily; do cp runs/washington.h5 $name.h5; done
tidewise plan washington/washington.toml --set environment.file=washington.h5 --set mission.target_radius=6000.0 --set mission.departure=0
tidewise plan washington/washington.toml --set environment.file=washington.h5 --set mission.target_radius=6000.0 --set mission.departure=0 --out runs/cycle_00
tidewise plan washington/washington.toml --set environment.file=tomorrow.h5 --set mission.target_radius=6000.0 --set mission.departure=0 --out runs/cycle_06
tidewise export runs/washington --format policy
python "$ROOT/scripts/run_help.py" --make-forecasts
tidewise env import --u U.nc:vozocrtx --v V.nc:vomecrty --spacing 6km --step 6h --lagged 1 --out norway.h5
tidewise plan washington/washington.toml --set environment.file=norway.h5 --set mission.target_radius=6000.0 --set mission.departure=0 --out runs/norway
tidewise research mdp gridworld --nx 20 --ny 20 --out world.h5
tidewise research mdp gridworld --nx 8 --ny 8 --out model.json
tidewise research mdp convert model.json --out model.xml
printf '{"S":3,"A":1,"P":{"indptr":[0,2,3,3],"indices":[0,1,2],"data":[0.5,0.5,1]},' > consensus.json
printf '"R":{"indptr":[0,2,3,3],"indices":[0,1,2],"data":[1,1,2]},"labels":{"finished":[2]}}' >> consensus.json
tidewise research mdp convert consensus.json --out consensus.h5
tidewise env double-gyre --nx 30 --ny 30 --nt 30 --modes 1 --realizations 5 --out small.h5
printf '[environment]\\nfile = "small.h5"\\n[vehicle]\\nspeeds = [1.0]\\nheadings = 8\\n' > mission.toml
printf '[mission]\\nstart = [10.5, 5.5]\\ntarget = [10.5, 20.5]\\n' >> mission.toml
tidewise research build mission.toml --out model.h5 --format csr
tidewise research build mission.toml --out process.h5 --format process
printf '{"tidewise_prediction":1,"departure":"2024-10-28T12:00Z","deadline":"2024-10-29T12:00Z",' > predictions.jsonl
printf '"arrival":null,"outcome":{"arrived":false}}\\n' >> predictions.jsonl
tidewise research solve world.h5 --method value-iteration --out values.h5
tidewise research solve world.h5 --method policy-iteration --out policies.txt
"""

# Replacements in examples, so that they take seconds.
INSTEAD = {
    "example": [("example washington", "example washington --out another")],
    "plan": [("plan configs/double_gyre_time.toml", "plan configs/double_gyre_time.toml --overwrite")],
    "env double-gyre": [("200", "20")],
    "env wind-driven-gyre": [("--nx 100 --ny 100 --realizations 1000", "--help")],
    "departures": [("double_gyre_time", "double_gyre_time --every 10")],
    "rollout": [("--realizations 50", "--realizations 1"), ("--every 5", "--every 30")],
    "research bound": [("--realizations 100", "--realizations 1")],
    "research refine": [(" --all-states", ""), ("--realizations 0", "--realizations 2")],
    "research build": [("double-gyre/double_gyre.toml", "mission.toml")],
    "research mdp convert": [("--out model.h5", "--out model.h5 --overwrite")],
    "init": [
        ("rtofs.nc --from", "rtofs.nc --out help.toml --from"),
        ("tidewise init --environment", "rm mission.toml; tidewise init --environment"),
    ],
}

# Reasons to skip whole commands, or examples that contain a word.
LEFT_OUT = {
    "research bench": "tests/cli/bench_test.cpp runs benchmarks, small",
    "mpirun": "tests/mpi starts several processes",
    "mdp gridworld --out g2.h5 --world G2": "a world of a million states",
    "tidewise init rtofs.nc\n": "it asks at a terminal",
    "tidewise serve ": "python/tests/test_serve.py runs servers",
}


def make_checkout(folder):
    """The files of the repository that examples name, and links to the rest."""
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in ("configs", "examples", "include", "python", "scripts"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("bench", "docs", "tests", "build"):
        if (ROOT / name).exists():
            (checkout / name).symlink_to(ROOT / name)
    return checkout


def help_of(program, command):
    done = subprocess.run(
        [program, *command.split(), "--help"], capture_output=True, text=True, check=True
    )
    return done.stdout


def listed(text):
    """Commands that a help names below its options."""
    return re.findall(r"^  ([a-z][a-z-]*) {2,}\S", text.partition("Options:")[2], re.MULTILINE)


def all_helps(program):
    """Each command with its help; a group's commands in place of the group."""
    helps = {}
    left = listed(help_of(program, ""))
    while left:
        command = left.pop(0)
        text = helps[command] = help_of(program, command)
        if "\nSubcommands:" in text:
            left += [f"{command} {one}" for one in listed(text)]
    return helps


def examples_of(text):
    """Commands, one per line; a line that ends in \\ continues."""
    lines = re.split(r"^Examples?:\n", text, flags=re.MULTILINE)[-1] if "Example" in text else ""
    joined = re.sub(r"\\\n\s+", "", lines)
    return [line.strip() for line in joined.splitlines() if line.startswith("  ")]


def options_of(text):
    options = text.partition("Options:")[2].partition("\nExample")[0]
    names = re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+(?:,--[a-z0-9-]+)*)", options, re.MULTILINE)
    return {one for line in names for one in line.split(",")} - {"--help"}


def unspoken(helps):
    """(command, option) of each option that no page and no example names, without those of research."""
    helps = {c: text for c, text in helps.items() if not c.startswith("research")}
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    mentions = "\n".join(page.read_text() for page in pages)
    mentions += "\n".join(line for text in helps.values() for line in examples_of(text))
    named = set(re.findall(r"--[a-z0-9-]+", mentions))
    return [(c, one) for c, text in helps.items() for one in sorted(options_of(text) - named)]


def left_out(command, example):
    reasons = (why for word, why in LEFT_OUT.items() if word in f"{command} {example}\n")
    return next(reasons, None)


def run(command, folder, environment, seconds=SECONDS):
    try:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise Refused(f"not done after {seconds} s: {command}") from error
    if done.returncode != 0:
        raise Refused(f"ends with {done.returncode}: {command}\n{done.stdout[-3000:]}")


def run_examples(command, text, made, environment):
    """(lines, errors)"""
    lines, errors = [], []
    with tempfile.TemporaryDirectory(prefix="tidewise_help.") as folder:
        checkout = Path(folder, "checkout")
        subprocess.run(["cp", "-r", made, checkout], check=True)
        for example in examples_of(text):
            if why := left_out(command, example):
                lines.append(f"{example}: not run: {why}")
                continue
            words = example
            for old, new in INSTEAD.get(command, []):
                words = words.replace(old, new)
            begin = time.monotonic()
            try:
                run(words, checkout, environment)
                lines.append(f"{example}: {time.monotonic() - begin:.1f} s")
            except Refused as error:
                errors.append(f"{command} --help: {error}")
    return lines, errors


def make_forecasts():
    """Makes forecasts and tracks with the names in examples from the one in the repository."""
    import numpy as np
    import pandas as pd
    import xarray as xr

    forecast = xr.open_dataset("rtofs.nc").load()
    velocity = {"water_u": "vozocrtx", "water_v": "vomecrty"}
    for letter, (old, new) in zip("UV", velocity.items(), strict=True):
        for name in (f"{letter}.nc", f"grid_{letter}.nc"):
            forecast[[old]].rename({old: new}).to_netcdf(name)
    members = [forecast * (1 + 0.1 * n) for n in range(4)]
    ensemble = xr.concat(members, pd.Index(range(4), name="member"))
    ensemble.isel(time=slice(0, 32)).to_netcdf("ensemble_1.nc")
    ensemble.isel(time=slice(32, None)).to_netcdf("ensemble_2.nc")
    surface = forecast[["water_u", "water_v"]].rename({"water_u": "u", "water_v": "v"})
    surface.isel(time=slice(0, 4), lat=slice(None, None, 3), lon=slice(None, None, 3)).to_netcdf("hfr.nc")
    track = pd.read_csv("glider.csv", parse_dates=["time"])
    track["time"] = track["time"].dt.tz_localize(None)
    for name, rows in (("dive_12.nc", slice(0, 5)), ("dive_13.nc", slice(4, None))):
        table = xr.Dataset.from_dataframe(track.iloc[rows].reset_index(drop=True))
        table.rename(index="obs").drop_vars("obs").to_netcdf(name)
    assert np.isfinite(track.lon).all()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commands", nargs="*", help="default: all")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--make-forecasts", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.make_forecasts:
        make_forecasts()
        return 0
    with tempfile.TemporaryDirectory(prefix="tidewise_help.") as folder:
        made = make_checkout(Path(folder))
        environment = settings(Path(folder)) | {"ROOT": str(ROOT)}
        helps = all_helps(str(Path(folder, "tools", "tidewise")))
        errors = [f"{c} --help: {one} is named by no page and no example" for c, one in unspoken(helps)]
        errors += [f"{c} --help: shows a library's own words of a choice" for c in helps if re.search(r"ENUM|:\{", helps[c])]
        run(MADE, made, environment, seconds=4 * SECONDS)
        wanted = {c: text for c, text in helps.items() if not chosen.commands or c in chosen.commands}
        with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
            results = pool.map(lambda c: run_examples(c, wanted[c], made, environment), wanted)
            for lines, failed in results:
                print("\n".join(lines + [f"ERROR {error}" for error in failed]), flush=True)
                errors += failed
    for error in errors:
        print(f"ERROR {error.splitlines()[0]}")
    print(f"{len(errors)} errors" if errors else "All examples run; every option is mentioned.")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
