#!/usr/bin/env bash
# Counts on AArch64: cross-compiles the engines with their tests and runs them under emulation, on a
# Debian or Ubuntu machine of another kind. It shows that the portable kernels give the same integers
# there, and that lanes of missions and slices of decision processes have the same sums by NEON and by
# SVE of several lengths. Files and commands are not tested, because their libraries would have to be
# cross-built too.
#
#   scripts/check_aarch64.sh   needs what 'scripts/install_dependencies.sh --aarch64' installs
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
ln -sfn /usr/include/fmt /usr/include/hwy $folder/include # only headers, no libraries to cross-build

# cross_compile NAME ARGUMENTS: a program, or with -c an object. Without Highway's library for
# choosing a processor at run time, each program is for the one that -march names.
cross_compile() {
  $compiler -std=c++20 -O2 -fopenmp -static -ffp-contract=off -fno-math-errno -fno-trapping-math \
    -DFMT_HEADER_ONLY -DHWY_COMPILE_ONLY_STATIC -I. -Iinclude -Itests -isystem $folder/include \
    -I"$googletest/include" -I"$googletest" -o "$folder/$1" "${@:2}"
}

memory=(base/memory/{memory,without_cuda}.cpp)
counting=(
  tests/unit/model_builder/{counting_test,lattice_counts_test,position_test}.cpp env/weights.cpp
  model_builder/step/{actions,cell_kernels,counting_engine,level_bounds,level_spread,position}.cpp
  model_builder/{engines,direct/engine,lattice/counts,lattice/engine}.cpp
  model_builder/paper/{engine,model,device_engine}.cpp model_builder/device/without_cuda.cpp
)
kernels=(
  tests/unit/{solver/lane_kernels_test,mdp/fused_test}.cpp tests/support/mdp/process_cases.cpp
  solver/missions/lane_kernels.cpp
  mdp/fused/{iterate_fused,kernels,model_sample,packed_process,sell_process}.cpp
  mdp/fused/{slice_tasks,slice_writer,sweeps}.cpp mdp/graph/endless_gain.cpp
  mdp/process/{decision_process,row_writer}.cpp mdp/stop/{change_monitor,sweep_monitor}.cpp
  base/memory/thread_copy.cpp
)
of_kernels='--gtest_filter=*LaneKernels*:*ByEveryKernel*:PackedLayout.TellsSlices*'

cross_compile googletest.o -c "$googletest/src/gtest-all.cc"
tests=($folder/googletest.o "$googletest/src/gtest_main.cc" "${memory[@]}")
cross_compile counting_test "${counting[@]}" "${tests[@]}"
cross_compile neon_test "${kernels[@]}" "${tests[@]}"
cross_compile sve_test -march=armv8.2-a+sve "${kernels[@]}" "${tests[@]}"

$emulator $folder/counting_test --gtest_brief=1
$emulator $folder/neon_test --gtest_brief=1 "$of_kernels"
for bits in 128 2048; do
  echo "SVE of $bits bits"
  $emulator -cpu "max,sve$bits=on" $folder/sve_test --gtest_brief=1 "$of_kernels"
done
