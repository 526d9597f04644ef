#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests. What is built is kept. Words after the name go
# to ctest, e.g. 'scripts/test.sh -R solver_test'; one case alone: build/cpu/tests/unit/solver_test
# --gtest_filter=CASE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_dependencies.sh
cmake --preset cpu >/dev/null
cmake --build --preset cpu
ctest --preset cpu --parallel "$(nproc)" "$@"
