#!/usr/bin/env python3
"""Makes the pictures and live pages of docs/gallery: runs each of its scripts.

  make_gallery.py OUT [NAME...]    into OUT: NAME.png, NAME.html
  make_gallery.py --keep OUT       and keeps the pictures in docs/gallery/pictures

The Python that runs this needs the package 'tidewise' with Matplotlib (scripts/test_python.sh makes one).
"""

import contextlib
import io
import os
import runpy
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
FORECAST = HERE.parents[1] / "examples/washington/rtofs_washington_2024.nc"
MISSIONS = (
    "double_gyre", "fast_or_sparing", "washington", "waypoints", "places_to_pass", "three_vehicles", "observing",
    "replanning",
)


def make(name, out):
    """Runs a script in a temporary folder and keeps its picture and page. SystemExit if it makes none."""
    with tempfile.TemporaryDirectory(prefix="gallery.") as folder:
        folder = Path(folder)
        if FORECAST.name in (HERE / f"scripts/{name}.py").read_text():
            shutil.copyfile(FORECAST, folder / FORECAST.name)
            shutil.copyfile(HERE / "scripts/glider.csv", folder / "glider.csv")
        begin = time.process_time()
        with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about missions that are only examples
            runpy.run_path(str(HERE / f"scripts/{name}.py"))
        for ending in ("png", "html"):
            if not (folder / f"{name}.{ending}").exists():
                sys.exit(f"make_gallery.py: {name}.py leaves no {name}.{ending}")
            shutil.copyfile(folder / f"{name}.{ending}", out / f"{name}.{ending}")
    print(f"{name}: {time.process_time() - begin:.1f} s of processor time")


def main(words):
    keep = "--keep" in words
    out, *names = [word for word in words if word != "--keep"] or sys.exit(__doc__)
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # cores may be shared
    out = Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name in names or MISSIONS:
        make(name, out)
        if keep:
            small = Image.open(out / f"{name}.png").convert("RGB").quantize(128)
            small.save(HERE / f"pictures/{name}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
