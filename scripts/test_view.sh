#!/usr/bin/env bash
# Opens pages of 'tidewise view' in Chromium, without a network, and compares their contents with the runs'
# files (tests/view). Also opens the site of docs if scripts/build_docs.sh has built it. Uses a separate virtual
# environment (build/view_tests) and the program that 'cmake --build --preset cpu' built, or another that
# TIDEWISE names. Arguments go to unittest, e.g. 'scripts/test_view.sh -k keys'. Screenshots are kept in
# build/view_tests/pictures. Needs 'scripts/install_dependencies.sh --view'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

place=build/view_tests
python=$place/bin/python

export CHROMIUM="${CHROMIUM:-/usr/bin/chromium}"
require_built TIDEWISE tidewise app/tidewise
[[ -x $CHROMIUM ]] || fail "$CHROMIUM is not there; run 'scripts/install_dependencies.sh --view', or name another" \
  "Chromium by the variable CHROMIUM"
export PICTURES="$PWD/$place/pictures"
make_venv "$place" 'h5py, numpy, playwright' --view 'playwright>=1.40' h5py numpy

cd tests/view
"../../$python" -B -m unittest "$@"
