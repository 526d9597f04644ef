#!/usr/bin/env bash
# Opens pages of 'tidewise view' in Chromium, without a network, and compares what they show with the
# runs they show (tests/view); opens the site of docs, too, where scripts/build_docs.sh has built it. Uses
# a virtual environment of its own (build/view_tests) and the program that 'cmake --build --preset cpu'
# built, or another that TIDEWISE names. Words after the name go to unittest, e.g.
# 'scripts/test_view.sh -k keys'. Needs 'scripts/install_dependencies.sh --view'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=build/view_tests
python=$place/bin/python

export TIDEWISE="${TIDEWISE:-$PWD/build/cpu/app/tidewise}" PIP_DISABLE_PIP_VERSION_CHECK=1
export CHROMIUM="${CHROMIUM:-/usr/bin/chromium}"
if [[ ! -x $TIDEWISE ]]; then
  echo "test_view.sh: $TIDEWISE is not there; build it with 'cmake --preset cpu && cmake --build" \
    "--preset cpu --target tidewise', or name another by the variable TIDEWISE" >&2
  exit 1
fi
if [[ ! -x $CHROMIUM ]]; then
  echo "test_view.sh: $CHROMIUM is not there; run 'scripts/install_dependencies.sh --view', or name" \
    "another Chromium by the variable CHROMIUM" >&2
  exit 1
fi
TIDEWISE=$(realpath "$TIDEWISE")

# A folder that was moved, or whose Python is gone, is made anew.
if ! "$python" -c 'import h5py, numpy, playwright' 2>/dev/null; then
  echo "== Installing playwright, h5py and numpy ($place)"
  rm -rf "$place"
  if ! python3 -m venv "$place"; then
    rm -rf "$place"
    echo "test_view.sh: python3 cannot make virtual environments here; run" \
      "'scripts/install_dependencies.sh --view' first" >&2
    exit 1
  fi
  "$python" -m pip install --quiet --prefer-binary 'playwright>=1.40' h5py numpy
fi

cd tests/view
"../../$python" -B -m unittest "$@"
