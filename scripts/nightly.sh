#!/usr/bin/env bash
# Tests that take too long for every change. Run it at night, after 'bash .ci/run'. Stops at the first failure.
#
#   scripts/nightly.sh [SEED]     seed of random tests; default: the date, so that each night differs
#
# TORTURE_SECONDS and FUZZ_SECONDS set the time (3600 for the damage, 600 for each reader), RANDOM_MISSIONS the
# number of random missions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR=1

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

step "Packages: installed and used in a bare Debian"
scripts/install_dependencies.sh --package --python
scripts/check_package.sh

step "Campaigns: 20 000 random missions, every damage of a run, the finest grids, every backend's golden bits"
cmake --preset cpu >/dev/null
cmake --build --preset cpu --target differential_test cli_test golden_test validation_test mdp_test
export TIDEWISE_RANDOM_MISSIONS=${RANDOM_MISSIONS:-20000} TIDEWISE_RANDOM_SEED=${1:-$(date -u +%Y%m%d)}00000
shards=()
for ((n = 0; n < $(nproc); n++)); do
  GTEST_TOTAL_SHARDS=$(nproc) GTEST_SHARD_INDEX=$n build/cpu/tests/unit/differential_test --gtest_brief=1 &
  shards+=($!)
done
for shard in "${shards[@]}"; do wait "$shard"; done
unset TIDEWISE_RANDOM_MISSIONS TIDEWISE_RANDOM_SEED
TIDEWISE_NIGHT=1 build/cpu/tests/cli/cli_test --gtest_brief=1 --gtest_filter='DamagedRun.*:Surroundings.*:*Kill*:DividedBatch.*'
TIDEWISE_NIGHT=1 build/cpu/tests/golden/golden_test --gtest_brief=1
TIDEWISE_NIGHT=1 build/cpu/tests/unit/mdp_test --gtest_brief=1 --gtest_filter='MethodChoice.*'
TIDEWISE_NIGHT=1 build/cpu/tests/validation/validation_test --gtest_brief=1

step "Sanitizers: all unit tests"
cmake --preset sanitizers >/dev/null
cmake --build --preset sanitizers --target tests/unit/all
ctest --test-dir build/sanitizers/tests/unit --output-on-failure --no-tests=error \
  --parallel "$(nproc)"

step "Every file compiles with its own includes, without precompiled headers"
cmake --preset cpu -B build/unprecompiled -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D TIDEWISE_MPI=ON -D TIDEWISE_WERROR=ON >/dev/null
cmake --build build/unprecompiled

step "clang-tidy: every file"
scripts/tidy.sh --all

step "Recipes of first changes: built and tested"
scripts/try_recipes.py

step "All layers linked as a whole: no symbol may have two definitions"
cmake --preset cpu -B build/whole -D TIDEWISE_MPI=ON -D TIDEWISE_TESTS=OFF -D CMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
  -D CMAKE_CXX_FLAGS="-Werror=odr -Werror=lto-type-mismatch" >/dev/null
cmake --build build/whole --target tidewise

step "The Python package's wheel: tested, and equal to the one built from the sdist"
module() {
  python3 -c 'import glob, sys, zipfile
wheel = zipfile.ZipFile(glob.glob("build/dist/*.whl")[0])
name, = (name for name in wheel.namelist() if "/_core." in name and name.endswith(".so"))
sys.stdout.buffer.write(wheel.read(name))' >"$1"
}
TIDEWISE_KILLS=30 TIDEWISE_MISSIONS=2000 scripts/test_python.sh --wheel
module build/core_of_checkout
scripts/build_wheel.sh --sdist
module build/core_of_sdist
cmp build/core_of_checkout build/core_of_sdist

step "AArch64: counting and lanes, under emulation"
scripts/install_dependencies.sh --aarch64
scripts/check_aarch64.sh

step "Published missions, small: docs/trust/reproduction.md"
TIDEWISE_OCEAN="--nx 50 --ny 50 --nt 50 --step 24883.2s --modes 4 --realizations 300 \
  --obstacle -5,0.35,0.02 --obstacle 5,0.44,0.02 --cloud-speed 0.01" \
  PYTHON=build/python/bin/python TIDEWISE_PLOT=build/python/bin/tidewise-plot \
  TIDEWISE_PLOT_WORDS="--animation gif --frames 5" scripts/reproduce.sh build/reproduction

step "Studies of accuracy, small"
build/python/bin/python scripts/accuracy/daily_forecast.py --missions 2
build/python/bin/python scripts/accuracy/reach_times.py

if command -v nvcc >/dev/null; then
  step "CUDA: built for one architecture, with the unit tests that need no GPU"
  cmake --preset cuda -D CMAKE_CUDA_ARCHITECTURES=90 -D TIDEWISE_WERROR=ON >/dev/null
  cmake --build --preset cuda
  ctest --test-dir build/cuda/tests/unit --output-on-failure --no-tests=error --parallel "$(nproc)"
fi

step "Damage: a long campaign"
scripts/torture.sh --seed "${1:-$(date -u +%Y%m%d)}" --seconds "${TORTURE_SECONDS:-3600}" build/cpu/app/tidewise

step "A decision process of 300 MB in JSON"
TIDEWISE_LARGE_JSON_MB=300 build/cpu/tests/unit/mdp_test --gtest_filter='LargeJson*'

step "Fuzzing: readers of decision processes and of policies on board"
scripts/fuzz.sh "${FUZZ_SECONDS:-600}"

step "All passed"
