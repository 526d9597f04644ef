#!/usr/bin/env bash
# Installs the Python package into a virtual environment of its own (build/python) and tests it on runs
# of the program that 'cmake --build --preset cpu' built, or of another that TIDEWISE names. What is
# installed is kept until the package changes. Words after the name go to pytest, e.g.
# 'scripts/test_python.sh -k policy'. Needs 'scripts/install_dependencies.sh --python'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=build/python
installed=$place/installed
python=$place/bin/python

export TIDEWISE="${TIDEWISE:-$PWD/build/cpu/app/tidewise}" MPLBACKEND=Agg PIP_DISABLE_PIP_VERSION_CHECK=1
if [[ ! -x $TIDEWISE ]]; then
  echo "test_python.sh: $TIDEWISE is not there; build it with 'cmake --preset cpu && cmake --build" \
    "--preset cpu --target tidewise', or name another by the variable TIDEWISE" >&2
  exit 1
fi

TIDEWISE=$(realpath "$TIDEWISE")

# A folder that was moved, or whose Python is gone, is made anew.
if ! "$python" -c 'import pip' 2>/dev/null; then
  rm -rf "$place"
  if ! python3 -m venv "$place"; then
    rm -rf "$place"
    echo "test_python.sh: python3 cannot make virtual environments here; run" \
      "'scripts/install_dependencies.sh --python' first" >&2
    exit 1
  fi
fi

if [[ ! -e $installed || -n $(find python/tidewise python/pyproject.toml -newer "$installed" \
  -not -name '*.pyc' -print -quit) ]]; then
  echo "== Installing the package ($place)"
  rm -f "$installed"
  "$python" -m pip install --quiet --prefer-binary './python[maps,test,docs]'
  rm -rf python/build python/tidewise.egg-info
  touch "$installed"
fi

# From the tests' folder, so that what is tested is what was installed.
cd python/tests
"../../$python" -m pytest --quiet -p no:cacheprovider "$@"
