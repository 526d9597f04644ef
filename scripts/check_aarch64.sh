#!/usr/bin/env bash
# Counts on AArch64: cross-compiles the engines with their tests and runs them under emulation, on a
# Debian or Ubuntu machine of another kind. It shows that the portable kernels give the same integers
# there, and lanes of missions the same sums; files and commands are not part of it, as their
# libraries would have to be cross-built too.
#
#   scripts/check_aarch64.sh            needs g++-aarch64-linux-gnu, qemu-user-static, googletest
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compiler=aarch64-linux-gnu-g++
emulator=qemu-aarch64-static
googletest=/usr/src/googletest/googletest
for needed in $compiler $emulator; do
  command -v "$needed" >/dev/null && continue
  echo "check_aarch64.sh: $needed is missing; install g++-aarch64-linux-gnu, qemu-user-static and" \
    "googletest" >&2
  exit 1
done

folder=build/aarch64
mkdir -p $folder/include
ln -sfn /usr/include/fmt $folder/include/fmt # header-only: nothing to cross-build
sources=(
  tests/unit/model_builder/counting_test.cpp
  base/memory/{memory,device_nocuda,memory_nocuda,stream_nocuda}.cpp
  model_builder/step/{actions,cell_kernels,cell_kernels_portable,counting_engine,level_bounds}.cpp
  model_builder/{engines,direct/engine,lattice/axis,lattice/counts,lattice/engine}.cpp
  model_builder/paper/{engine,model,device_engine,device_model_nocuda}.cpp
  model_builder/device/counting_engine_nocuda.cpp
  tests/unit/solver/lane_kernels_test.cpp
  solver/missions/{lane_kernels,lane_kernels_portable}.cpp
  "$googletest/src/gtest-all.cc" "$googletest/src/gtest_main.cc"
)
$compiler -std=c++20 -O2 -fopenmp -static -ffp-contract=off -fno-math-errno -fno-trapping-math \
  -DFMT_HEADER_ONLY -I. -Itests -I$folder/include -I"$googletest/include" -I"$googletest" \
  "${sources[@]}" -o $folder/counting_test
$emulator $folder/counting_test --gtest_brief=1
