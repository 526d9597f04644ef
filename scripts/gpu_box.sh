#!/usr/bin/env bash
# For a machine with an NVIDIA GPU and a CUDA toolkit: configures the cuda-gpu preset, builds, runs the
# tests (where "no GPU, skipped" is a failure) and the benchmarks, plans the published problem from file
# to files, and leaves all results in a folder.
#
#   scripts/gpu_box.sh [RESULTS]        default: runs/gpu
#
# Without a toolkit of NVIDIA's packages, scripts/install_cuda_wheels.sh puts one into a folder; add its
# bin to PATH and what it prints to CMAKE_ARGUMENTS (docs/reference/cuda.md).
#
# Installs nothing. Without netCDF or PROJ it leaves 'env import' out, without FFTW 'env wind-driven-gyre',
# without GoogleTest the tests, and prints so.
#
# Settings by environment variable:
#   CUDA_ARCHITECTURES   for CMAKE_CUDA_ARCHITECTURES, e.g. 90 (default: native)
#   TOMLPLUSPLUS_DIR     the folder that holds toml++/toml.h, where it is not a system header
#   CLI11_DIR            the folder that holds CLI/CLI.hpp, likewise
#   EIGEN_DIR            the folder that holds Eigen/SparseLU, likewise
#   HIGHWAY_DIR          the folder that holds hwy/highway.h, likewise
#   HIGHWAY_LIBRARY      Highway's library (libhwy), likewise; without it there is one kind of vector
#   SANITIZE=1           also runs compute-sanitizer's tools over some small tests, case by case (minutes)
#   SANITIZE=only        builds those tests and runs that, nothing else
#   SANITIZE_TOOLS       which tools (default: "memcheck racecheck initcheck synccheck")
#   SANITIZE_LIMIT       seconds that a case may take (default: 60)
#   CMAKE_ARGUMENTS      further words for the configuration, e.g. "-DTIDEWISE_IMPORT=OFF"
set -euo pipefail
results=$(realpath --canonicalize-missing "${1:-$(dirname "${BASH_SOURCE[0]}")/../runs/gpu}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$results"

if ! command -v nvcc >/dev/null; then
  echo "gpu_box.sh: there is no nvcc on PATH; install a CUDA toolkit or add its bin folder" >&2
  exit 1
fi

# Program, and some of its cases that work on the GPU: small ones, the tools are slow.
sanitized=(
  "unit/solver_test */ByHand.*cuda*"
  "golden/golden_test */GoldenPolicies.*/wide_on_cuda_induction_*"
  "unit/solver_test */FlightEnds.*cuda*:*/FlightAccumulators.*cuda*"
  "unit/solver_test */ExplicitOnDevice.GivesTheSameBits/time_gyre"
  "unit/solver_test */GroupOnDevice.GivesTheBitsOfEachAlone/few*"
  "unit/solver_test Backends/GroupEvaluation.*/cuda:Backends/FlightGroup.*/cuda"
  "unit/solver_test Backends/Subdomains.OfUnequalHeights*/cuda:Backends/Subdomains*.BeginAgain*/cuda:Backends/Subdomains*.BeginAgain*/cuda_ranks"
  "unit/mdp_test DeviceBits/0.*:PoliciesOnDevice/0.ProjectsAndMultiplies:PoliciesOnDevice/0.GoesWithout*"
  "unit/solver_test */HeldActions.*cuda_induction*:*/PricesOfNearness.*cuda_induction*"
  "unit/model_builder_test */PaperModelOf.TheDeviceMakesTheSameOneAndAppends/*"
)
# Those that take over a minute each where every access to shared memory is looked at.
slow_for_racecheck="*.LandingsMayBeSharedByArea/*:*.GoesInPartsOfCellsAndSlicesOfMembers/*"
slow_for_racecheck+=":*.OfSweepsInEveryLayout:*.OfStepsBackwardByAnyLayoutAndInBatches:*.OfWhatIsGivenUp"

# Cases of GoogleTest that a program has of a filter, a line each. Errors: where there is none.
cases_of() {  # PROGRAM FILTER
  local cases
  cases=$("build/cuda-gpu/tests/$1" --gtest_list_tests --gtest_filter="$2" |
    awk '$1 ~ /\.$/ && !/^ / { suite = $1 } /^  / { print suite $1 }')
  if [[ -z $cases ]]; then
    echo "gpu_box.sh: $1 has no case that is named '$2'; correct the list 'sanitized'" >&2
    return 1
  fi
  echo "$cases"
}

# One process for all cases, since it takes seconds to begin under a tool. A case that takes too long is
# ended and named, and so is one in which the process ends; those after it run in a process of their own.
run_cases() {  # TOOL PROGRAM CASES, which stand between colons; adds to `dirty`
  local tool=$1 program=$2 left=":$3:" limit=${SANITIZE_LIMIT:-60}
  local line case deadline end status pid
  while [[ $left != : ]]; do
    case="" end=""
    exec 3< <(exec setsid compute-sanitizer --tool "$tool" --target-processes application-only --error-exitcode 1 \
      "build/cuda-gpu/tests/$program" --gtest_filter="${left:1:-1}" 2>&1 4>&-)
    pid=$!
    trap "kill -- -$pid 2>/dev/null || true" EXIT
    deadline=$((SECONDS + limit))
    while [[ -z $end ]]; do
      status=0
      IFS= read -r -t "$((deadline > SECONDS ? deadline - SECONDS : 1))" -u 3 line || status=$?
      if ((status > 128 || SECONDS > deadline)); then
        end="took longer than $limit s"
      elif ((status)); then
        end="its process ended"
      elif [[ $line == "[ RUN      ] "* ]]; then
        case=${line#"[ RUN      ] "}
        left=${left/":$case:"/:}
        deadline=$((SECONDS + limit))
      else
        [[ $line == "[---"* || $line == "Note: "* ]] || echo "$line"
        [[ $line != "["*" ms)" ]] || case=""  # which says how long it took
      fi
    done
    kill -- "-$pid" 2>/dev/null || true
    status=0
    wait "$pid" || status=$?
    exec 3<&-
    trap - EXIT
    if [[ -n $case ]]; then
      dirty+=("$tool: $program: $case: $end")
      continue
    fi
    ((status == 0)) || dirty+=("$tool: $program: exit status $status")
    [[ $left == : ]] || dirty+=("$tool: $program: did not run ${left:1:-1}")
    break
  done
}

sanitize() {
  if ! command -v compute-sanitizer >/dev/null; then
    echo "gpu_box.sh: SANITIZE=$SANITIZE, and there is no compute-sanitizer on PATH" >&2
    exit 1
  fi
  local dirty=() entry program filter tool found begun kept
  for entry in "${sanitized[@]}"; do
    read -r program filter <<<"$entry"
    cases_of "$program" "$filter" >/dev/null
  done
  exec 4> >(tee "$results/sanitizer.txt")
  kept=$!
  for tool in ${SANITIZE_TOOLS:-memcheck racecheck initcheck synccheck}; do
    begun=$SECONDS
    for entry in "${sanitized[@]}"; do
      read -r program filter <<<"$entry"
      [[ $tool != racecheck ]] || filter+="-$slow_for_racecheck"
      found=$(cases_of "$program" "$filter")
      echo "== $tool: $program"
      run_cases "$tool" "$program" "${found//$'\n'/:}"
    done
    echo "== $tool: $((SECONDS - begun)) s"
  done >&4
  exec 4>&-
  wait "$kept"  # what tee has yet to write is kept as well
  if ((${#dirty[@]})); then
    printf 'gpu_box.sh: not clean: %s\n' "${dirty[@]}" >&2
    exit 1
  fi
}

has_header() { echo "#include <$1>" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

settings=("-DCMAKE_CUDA_ARCHITECTURES=${CUDA_ARCHITECTURES:-native}")
[[ -z ${TOMLPLUSPLUS_DIR:-} ]] || settings+=("-DTOMLPLUSPLUS_INCLUDE_DIR=$(realpath "$TOMLPLUSPLUS_DIR")")
[[ -z ${CLI11_DIR:-} ]] || settings+=("-DCLI11_INCLUDE_DIR=$(realpath "$CLI11_DIR")")
[[ -z ${EIGEN_DIR:-} ]] || settings+=("-DEIGEN3_INCLUDE_DIR=$(realpath "$EIGEN_DIR")")
[[ -z ${HIGHWAY_DIR:-} ]] || settings+=("-DHIGHWAY_INCLUDE_DIR=$(realpath "$HIGHWAY_DIR")")
[[ -z ${HIGHWAY_LIBRARY:-} ]] || settings+=("-DHIGHWAY_LIBRARY=$(realpath "$HIGHWAY_LIBRARY")")
if ! { has_header netcdf.h && has_header proj.h; }; then
  echo "netCDF or PROJ is not here: building without 'env import'"
  settings+=(-DTIDEWISE_IMPORT=OFF)
fi
if ! has_header fftw3.h; then
  echo "FFTW is not here: building without 'env wind-driven-gyre'"
  settings+=(-DTIDEWISE_GYRE=OFF)
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
if [[ ${SANITIZE:-0} == only ]]; then
  mapfile -t programs < <(printf '%s\n' "${sanitized[@]}" | sed 's/ .*//; s/.*\///' | sort -u)
  cmake --build --preset cuda-gpu --target "${programs[@]}" 2>&1 | tee "$results/build.log"
  sanitize
  exit
fi
cmake --build --preset cuda-gpu 2>&1 | tee "$results/build.log"
if $run_tests; then
  ctest --preset cuda-gpu --parallel "$(nproc)" --output-junit "$results/tests.xml" | tee "$results/tests.log"
fi
tidewise=$PWD/build/cuda-gpu/app/tidewise

bench() {  # NAME OPTIONS: figures as text and JSON, under the name with _ for -
  local name=${1//-/_}
  "$tidewise" bench "$@" --json "$results/$name.json" | tee "$results/$name.txt"
}
bench model-builder
bench planner --growth
bench explicit
bench missions --backend cuda --repeats 7
bench bands  # as many devices of 1, 2 and 4 as there are
bench mdp --worlds all

# From the environment's file to all of a run's, three times; the file is in the page cache, since it
# has just been written.
end_to_end() (
  folder=$(mktemp --directory)
  trap 'rm -rf "$folder"' EXIT
  "$tidewise" env double-gyre --out "$folder/environment.h5" -q
  cat "$folder/environment.h5" >/dev/null
  for run in 1 2 3; do
    begun=$(date +%s%N)
    "$tidewise" plan configs/double_gyre_time.toml --backend cuda -q --out "$folder/run_$run" \
      --set environment.file="$folder/environment.h5" >"$folder/plan.txt"
    ended=$(date +%s%N)
    echo "run $run: $(((ended - begun) / 1000000)) ms of wall time"
    sed -n '/^  "seconds": {/,/^  }/p' "$folder/run_$run/summary.json"
  done
  cp "$folder/run_3/summary.json" "$results/end_to_end_summary.json"
)
end_to_end | tee "$results/end_to_end.txt"

# A hundred missions (50 targets, time and energy) on the same environment against one of them, each
# from file to files; `of which` adds the missions' shares up, and writing goes on beside the rest.
hundred_missions() (
  folder=$(mktemp --directory)
  trap 'rm -rf "$folder"' EXIT
  "$tidewise" env double-gyre --out "$folder/environment.h5" -q
  cat "$folder/environment.h5" >/dev/null
  cp configs/double_gyre_time.toml "$folder/base.toml"
  {
    printf '[batch]\nmission = "base.toml"\n[vary]\nmission.objective = ["time", "energy"]\nmission.target = ['
    for x in 20 40 60 80 100 120 140 160 170 180; do
      for y in 100 120 140 160 180; do printf '[%d.5, %d.5], ' "$x" "$y"; done
    done
    printf ']\n'
  } >"$folder/hundred.toml"
  for run in 1 2 3; do
    for what in plan batch; do
      rm -rf "$folder/out"
      mission=("plan" "$folder/base.toml" --set 'rollout.baselines="none"')
      [[ $what == plan ]] || mission=("batch" "$folder/hundred.toml")
      begun=$(date +%s%N)
      "$tidewise" "${mission[@]}" --backend cuda -q --out "$folder/out" \
        --set environment.file="$folder/environment.h5" >"$folder/printed.txt"
      ended=$(date +%s%N)
      echo "run $run, $what: $(((ended - begun) / 1000000)) ms of wall time"
      grep '^of which' "$folder/printed.txt" || true
    done
  done
)
hundred_missions | tee "$results/hundred_missions.txt"

if [[ ${SANITIZE:-0} == 1 ]] && $run_tests; then sanitize; fi
echo "Results: $results"
