#!/usr/bin/env bash
# For a machine with an NVIDIA GPU and a CUDA toolkit: configures the cuda-gpu preset, builds, runs the
# tests (where "no GPU, skipped" is a failure) and the benchmarks, and leaves all results in a folder.
#
#   scripts/gpu_box.sh [RESULTS]        default: runs/gpu
#
# Without a toolkit of NVIDIA's packages, scripts/install_cuda_wheels.sh puts one into a folder; add its
# bin to PATH and what it prints to CMAKE_ARGUMENTS (docs/cuda.md).
#
# Installs nothing. Where netCDF, PROJ or Eigen are lacking, 'env import' is left out; where
# GoogleTest is, the tests are, and the script says so.
#
# Settings by environment variable:
#   CUDA_ARCHITECTURES   for CMAKE_CUDA_ARCHITECTURES, e.g. 90 (default: native)
#   TOMLPLUSPLUS_DIR     the folder that holds toml++/toml.h, where it is not a system header
#   CLI11_DIR            the folder that holds CLI/CLI.hpp, likewise
#   CMAKE_ARGUMENTS      further words for the configuration, e.g. "-DTIDEWISE_IMPORT=OFF"
set -euo pipefail
results=$(realpath --canonicalize-missing "${1:-$(dirname "${BASH_SOURCE[0]}")/../runs/gpu}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$results"

if ! command -v nvcc >/dev/null; then
  echo "gpu_box.sh: there is no nvcc on PATH; install a CUDA toolkit or add its bin folder" >&2
  exit 1
fi

has_header() { echo "#include <$1>" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

settings=("-DCMAKE_CUDA_ARCHITECTURES=${CUDA_ARCHITECTURES:-native}")
[[ -z ${TOMLPLUSPLUS_DIR:-} ]] || settings+=("-DTOMLPLUSPLUS_INCLUDE_DIR=$(realpath "$TOMLPLUSPLUS_DIR")")
[[ -z ${CLI11_DIR:-} ]] || settings+=("-DCLI11_INCLUDE_DIR=$(realpath "$CLI11_DIR")")
if ! { has_header netcdf.h && has_header proj.h && has_header eigen3/Eigen/Core; }; then
  echo "netCDF, PROJ or Eigen is not here: building without 'env import'"
  settings+=(-DTIDEWISE_IMPORT=OFF)
fi
run_tests=true
if ! { has_header gtest/gtest.h && has_header gmock/gmock.h; }; then
  echo "GoogleTest is not here: building without the tests"
  settings+=(-DTIDEWISE_TESTS=OFF)
  run_tests=false
fi
read -ra more <<<"${CMAKE_ARGUMENTS:-}"

{
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
  nvcc --version | tail -n 1
  c++ --version | head -n 1
  git rev-parse HEAD 2>/dev/null || true
} | tee "$results/machine.txt"

cmake --preset cuda-gpu "${settings[@]}" "${more[@]}" | tee "$results/configure.log"
cmake --build --preset cuda-gpu 2>&1 | tee "$results/build.log"
if $run_tests; then
  ctest --preset cuda-gpu --output-junit "$results/tests.xml" | tee "$results/tests.log"
fi
build/cuda-gpu/app/tidewise bench model-builder --json "$results/model_builder.json" |
  tee "$results/model_builder.txt"
echo "Results: $results"
