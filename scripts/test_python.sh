#!/usr/bin/env bash
# Builds the Python package's wheel as it is handed to others (scripts/build_wheel.sh), installs it into a virtual
# environment of its own (build/python) and tests it beside the program that 'cmake --build --preset cpu' built, or another that
# TIDEWISE names. What is installed is kept until the sources change. Words after the name go to pytest,
# e.g. 'scripts/test_python.sh -k policy'. Needs 'scripts/install_dependencies.sh --python'.
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

sources=(CMakeLists.txt cmake include base mdp env model_builder solver learning output planner bench app
  python/CMakeLists.txt python/bindings python/build_backend python/pyproject.toml python/tidewise
  packaging/wheel scripts/build_wheel.sh)
if [[ ! -e $installed || -n $(find "${sources[@]}" -newer "$installed" -type f \
  -not -name '*.pyc' -not -name '*.so' -print -quit) ]]; then
  echo "== Building the wheel (build/dist), and installing it ($place)"
  rm -f "$installed"
  scripts/build_wheel.sh
  wheel=$(ls build/dist/tidewise-*.whl)
  "$python" -m pip uninstall --quiet --yes tidewise 2>/dev/null || true
  "$python" -m pip install --quiet --prefer-binary "$wheel[maps,pandas,progress,test,docs]"
  touch "$installed"
fi

# From the tests' folder, so that what is tested is what was installed.
cd python/tests
"../../$python" -m pytest --quiet -p no:cacheprovider "$@"
