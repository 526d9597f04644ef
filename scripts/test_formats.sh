#!/usr/bin/env bash
# Reads routes in all formats of 'tidewise export' with other readers (GDAL, gpxpy, fastkml, pymavlink)
# and with readers of the published grammars, and compares the times of NetCDF axes with cftime's. Works
# in a virtual environment of its own (build/oracles), which is kept. The programs are those that
# 'cmake --build --preset cpu' built (build/cpu/tests/oracles), or those that TIDEWISE_WRITE_SAMPLES and
# TIDEWISE_READ_TIMES name. Words after the name go to pytest. Needs
# 'scripts/install_dependencies.sh --python'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=build/oracles
python=$place/bin/python
wanted=tests/oracles/requirements.txt

for program in write_samples read_times; do
  variable=TIDEWISE_${program^^}
  path="${!variable:-$PWD/build/cpu/tests/oracles/$program}"
  if [[ ! -x $path ]]; then
    echo "test_formats.sh: $path is not there; build it with 'cmake --preset cpu &&" \
      "cmake --build --preset cpu --target $program', or name another by the variable" \
      "$variable" >&2
    exit 1
  fi
  export "$variable=$(realpath "$path")"
done
export PIP_DISABLE_PIP_VERSION_CHECK=1

# A folder that was moved, or whose Python is gone, is made anew.
if ! "$python" -c 'import pip' 2>/dev/null; then
  rm -rf "$place"
  if ! python3 -m venv "$place"; then
    rm -rf "$place"
    echo "test_formats.sh: python3 cannot make virtual environments here; run" \
      "'scripts/install_dependencies.sh --python' first" >&2
    exit 1
  fi
fi

if ! cmp --silent "$wanted" "$place/installed"; then
  echo "== Installing the readers ($place)"
  "$python" -m pip install --quiet --prefer-binary --requirement "$wanted"
  cp "$wanted" "$place/installed"
fi

"$python" -B -m pytest --quiet -p no:cacheprovider tests/oracles "$@"
