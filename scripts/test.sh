#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests. Built files are kept. Arguments go
# to ctest, e.g. 'scripts/test.sh -R solver_test'; to run one case: build/cpu/tests/unit/solver_test
# --gtest_filter=CASE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_dependencies.sh
cmake --preset cpu >/dev/null
cmake --build --preset cpu
code=0
ctest --preset cpu --parallel "$(nproc)" "$@" || code=$?
# Sums GoogleTest's results at the end of each part: ctest counts a part of a program as one test.
awk '/^\[  PASSED  \]/ { passed += $4 } /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
     END { printf "[  PASSED  ] %d tests of GoogleTest; %d of them skipped here.\n", passed + skipped, skipped }' \
  build/cpu/Testing/Temporary/LastTest.log
exit "$code"
