"""A wheel for distribution (scripts/build_wheel.sh) needs no libraries of the system."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest

import tidewise as tw
from tidewise import _load

LIBRARIES = Path(tw.__file__).parents[1] / "tidewise.libs"
needs_wheel = pytest.mark.skipif(
    not LIBRARIES.is_dir(), reason="installed without its libraries, by 'pip install ./python'"
)
# Libraries that Python itself may need: without them nothing can run.
PYTHONS = {"libexpat", "libz"}
WITHOUT_NETWORK = ("libcurl", "libcurl-gnutls", "libcrypto", "libxml2", "libjbig")

HIDE = """
set -eu
mount --make-rprivate /
if [ -d /usr/share/proj ]; then mount -t tmpfs none /usr/share/proj; fi
script=$1 forecast=$2 python=$3
shift 3
for file in "$@"; do mount --bind /dev/null "$file"; done
exec "$python" -I -c "$script" "$forecast"
"""
PLAN = """
import sys
import tidewise as tw
from pathlib import Path

ocean = tw.Environment.from_netcdf(sys.argv[1], spacing="4km", lagged=1)
print("shape", ocean.shape)
libraries = {Path(line.split()[-1]) for line in open("/proc/self/maps") if ".so" in line}
print("mapped", *sorted(map(str, libraries)), sep="\\n")
"""


@pytest.fixture(scope="module")
def polar_forecast(tmp_path_factory) -> Path:
    """A forecast on a plane that is named by a code, which PROJ finds in its database."""
    path = tmp_path_factory.mktemp("polar") / "forecast.nc"
    with netCDF4.Dataset(path, "w") as file:
        for name, values in (("y", np.arange(12)), ("x", np.arange(16))):
            file.createDimension(name, values.size)
            axis = file.createVariable(name, "f8", (name,))
            axis[:] = 4000.0 * values + (100000.0 if name == "x" else -1600000.0)
            axis.setncatts({"units": "m", "standard_name": f"projection_{name}_coordinate"})
        file.createDimension("time", 5)
        time = file.createVariable("time", "f8", ("time",))
        time[:] = 3600.0 * np.arange(5)
        time.units = "seconds since 2024-10-29"
        file.createVariable("crs", "i4").spatial_ref = "EPSG:3413"
        for name, sense in (("u", "x"), ("v", "y")):
            flow = file.createVariable(name, "f4", ("time", "y", "x"))
            flow[:] = 0.1 + 0.01 * np.arange(5)[:, None, None] * np.ones((12, 16))
            flow.setncatts(
                {
                    "units": "m s-1",
                    "standard_name": f"sea_water_{sense}_velocity",
                    "grid_mapping": "crs",
                }
            )
    return path


def files_of_system() -> list[str]:
    """Return the system's copies of libraries in the wheel, and libraries of network access."""
    in_wheel = {re.sub(r"(-[0-9a-f]{8})?\.so.*", "", file.name) for file in LIBRARIES.iterdir()}
    names = {*in_wheel, *WITHOUT_NETWORK} - PYTHONS
    files = set()
    for folder in ("/lib", "/usr/lib"):
        for file in Path(folder).glob("*-linux-gnu/*.so*"):
            if file.name.split(".so")[0] in names and file.is_file():
                files.add(str(file.resolve()))
    return sorted(files)


@needs_wheel
def test_uses_no_library_of_the_system(polar_forecast):
    unshare = ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*unshare, "mount", "--make-rprivate", "/"], check=False).returncode:
        pytest.skip("this system does not allow hiding files (unshare --mount --map-root-user)")
    hidden = files_of_system()
    assert any("libproj" in file for file in hidden)
    command = ["sh", "-c", HIDE, "sh", PLAN, polar_forecast, sys.executable, *hidden]
    done = subprocess.run([*unshare, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ocean = tw.Environment.from_netcdf(polar_forecast, spacing="4km", lagged=1)
    assert done.stdout.splitlines()[0] == f"shape {ocean.shape}"
    mapped = set(done.stdout.splitlines()[2:])
    assert not mapped & set(hidden)
    assert any("tidewise.libs/libproj" in file for file in mapped)


@needs_wheel
def test_contains_neither_fftw_nor_mpi():
    names = [file.name for file in LIBRARIES.iterdir()]
    assert not [name for name in names if re.match("lib(fftw|mpi|open-)", name)]


@needs_wheel
def test_has_a_licence_for_every_library():
    (licences,) = LIBRARIES.parent.glob("tidewise-*.dist-info/licenses/libraries")
    named = (licences / "README").read_text()
    for file in LIBRARIES.iterdir():
        assert re.sub(r"-[0-9a-f]{8}\.so.*", "", file.name) in named
    assert len(list(licences.glob("*/copyright"))) > 10


def test_openmp_spins_briefly_unless_the_user_sets_it():
    environment = {}
    with _load.short_spins(environment):
        assert environment == {"GOMP_SPINCOUNT": "10000"}
    assert environment == {}
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        environment = {name: "1"}
        with _load.short_spins(environment):
            assert environment == {name: "1"}


def test_proj_folder_of_the_user_precedes_that_of_the_wheel(monkeypatch, tmp_path):
    monkeypatch.setattr(_load, "PROJECTIONS", tmp_path)
    assert _load.projection_folders({"PROJ_DATA": "/a"}) == []
    (tmp_path / "proj.db").touch()
    assert _load.projection_folders({}) == [str(tmp_path)]
    assert _load.projection_folders({"PROJ_LIB": "/b"}) == ["/b", str(tmp_path)]
    assert _load.projection_folders({"PROJ_DATA": "/a:/c", "PROJ_LIB": "/b"}) == [
        "/a",
        "/c",
        str(tmp_path),
    ]
