#!/usr/bin/env bash
# Tests the Python package beside the program that 'cmake --build --preset cpu' built, or another that TIDEWISE
# names. Its module is built there too, on the same libraries, and installed with the package into a virtual environment
# of its own (build/python). Words go to pytest, e.g. 'scripts/test_python.sh -k policy'. Needs
# 'scripts/install_dependencies.sh --python'.
#   scripts/test_python.sh [WORDS...]
#   scripts/test_python.sh --wheel [WORDS...]   of the wheel that scripts/build_wheel.sh makes to be handed on
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

if [[ -n $wheel ]]; then
  scripts/build_wheel.sh
  package=$(ls build/dist/tidewise-*.whl)
else
  cmake --preset cpu -D TIDEWISE_PYTHON=ON -D "Python_EXECUTABLE=$PWD/$python" >/dev/null
  cmake --build --preset cpu --target tidewise_python tidewise_processor tidewise_python_stub
  # The rest of the package, by its own pyproject.toml.
  rm -rf build/python_package
  "$python" -m pip wheel --quiet --no-deps --no-build-isolation --config-settings wheel.cmake=false \
    --config-settings wheel.py-api=py3 --wheel-dir build/python_package ./python
  package=$(ls build/python_package/tidewise-*.whl)
fi
"$python" -m pip uninstall --quiet --yes tidewise 2>/dev/null || true
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
rm -rf "$packages/tidewise" "$packages/tidewise.libs"
"$python" -m pip install --quiet --prefer-binary "$package[plot,pandas,progress,test,docs]"
[[ -n $wheel ]] || cmake --install build/cpu --component python --prefix "$packages" >/dev/null

# Docstrings by numpydoc's rules, lengths of lines, names that are not used.
"$python" -m ruff check --quiet --select D,E,F --ignore D401 python/tidewise

# From the tests' folder, so that what is tested is what was installed.
cd python/tests
# Files of tests are shared by two processes, each of which makes its own runs.
"../../$python" -m pytest --quiet -p no:cacheprovider --numprocesses 2 --dist loadfile "$@"
