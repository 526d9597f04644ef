#!/usr/bin/env bash
# Tests the Python package with the program that 'cmake --build --preset cpu' built, or another that TIDEWISE
# names. pip installs it into a separate virtual environment (build/python), with a module that is built on the
# libraries of build/cpu. Arguments go to pytest, e.g. 'scripts/test_python.sh -k policy'. Needs
# 'scripts/install_dependencies.sh --python'.
#   scripts/test_python.sh [WORDS...]
#   scripts/test_python.sh --wheel [WORDS...]   tests the wheel of scripts/build_wheel.sh instead
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

wheel=
if [[ ${1:-} == --wheel ]]; then
  wheel=yes
  shift
fi
place=build/python
python=$place/bin/python

export MPLBACKEND=Agg
require_built TIDEWISE tidewise app/tidewise
make_venv "$place" 'nanobind, scikit_build_core' --python 'scikit-build-core>=0.10' 'nanobind>=2.2'

package=./python
if [[ -n $wheel ]]; then
  scripts/build_wheel.sh
  package=$(ls build/dist/tidewise-*.whl)
fi
"$python" -m pip install --quiet --force-reinstall --no-deps --no-build-isolation "$package"
"$python" -m pip install --quiet --prefer-binary 'tidewise[plot,pandas,progress,test,docs]'

# Checks docstrings by numpydoc's rules, lengths of lines, and unused names.
"$python" -m ruff check --quiet --select D,E,F --ignore D401 python/tidewise

# Runs in the tests' folder, so that the installed package is tested.
cd python/tests
# Two processes share the test files; each makes its own runs.
"../../$python" -m pytest --quiet -p no:cacheprovider --numprocesses 2 --dist loadfile "$@"
