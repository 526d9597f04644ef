#!/usr/bin/env bash
# Reads routes in all formats of 'tidewise export' with other people's readers (GDAL, gpxpy, fastkml,
# pymavlink) and with readers of the published grammars, in a virtual environment of its own
# (build/oracles), which is kept. Writes them with the program that 'cmake --build --preset cpu' built
# (build/cpu/tests/oracles/write_samples), or with another that TIDEWISE_WRITE_SAMPLES names. Words
# after the name go to pytest. Needs 'scripts/install_dependencies.sh --python'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=build/oracles
python=$place/bin/python
wanted=tests/oracles/requirements.txt

TIDEWISE_WRITE_SAMPLES="${TIDEWISE_WRITE_SAMPLES:-$PWD/build/cpu/tests/oracles/write_samples}"
if [[ ! -x $TIDEWISE_WRITE_SAMPLES ]]; then
  echo "test_formats.sh: $TIDEWISE_WRITE_SAMPLES is not there; build it with 'cmake --preset cpu &&" \
    "cmake --build --preset cpu --target write_samples', or name another by the variable" \
    "TIDEWISE_WRITE_SAMPLES" >&2
  exit 1
fi
TIDEWISE_WRITE_SAMPLES=$(realpath "$TIDEWISE_WRITE_SAMPLES")
export TIDEWISE_WRITE_SAMPLES PIP_DISABLE_PIP_VERSION_CHECK=1

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
