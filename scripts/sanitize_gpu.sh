#!/usr/bin/env bash
# Runs compute-sanitizer over tests on a GPU. Requires a build of the preset cuda-gpu.
#
#   scripts/sanitize_gpu.sh [BUILD] [REPORT]     defaults: build/cuda-gpu, build/sanitizers_gpu.txt
#
# Environment: TOOLS (default: memcheck racecheck initcheck synccheck), JOBS (processes at a time, default: one per
# core), LIMIT (seconds for each process, default: 300).
# Fails if a tool found an error, a test failed, or a process took too long.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/cuda-gpu}
report=${2:-build/sanitizers_gpu.txt}

# Small tests of every kernel, since the tools make them hundreds of times as slow: a program and a filter.
cases=(
  "unit/solver_test Backends/BackwardInductionByHand.*/cuda*"
  "unit/solver_test *FlightEnds.*/cuda:*FlightAccumulators.*/cuda"
  "unit/solver_test *FlightGroup.*/cuda"
  "unit/solver_test *GroupEvaluation.*/cuda-*Divides*:*InPartsAndSlices*"
  "unit/solver_test *BaselineFlight.*/cuda:*KeepingFlight.*/cuda:*ProfileFlights.*/cuda"
  "unit/solver_test *ExplicitOnDevice.MatchesTheCpuBitForBit/time_gyre"
  "unit/solver_test *GroupOnDevice.MatchesSingleSolvesBitForBit/few*"
  "unit/solver_test Backends/ActionHold.*/cuda_lattice*:Backends/ProximityPlans.*/cuda_lattice*"
  "unit/env_test DeviceEnvironment*:*DeviceEnvironmentOfLayout*"
  "unit/mdp_test DeviceBits/0.*SmallProcess:DeviceBits/0.*TerminalStates:DeviceBits/0.*InfiniteValues"
  "unit/mdp_test PoliciesOnDevice/0.ProjectsAndMultiplies"
  "unit/model_builder_test *PaperModels.MatchesTheHostOnADevice/*"
)

# Runs one process under one tool, and prints the result. Its errors follow the line with its status.
run() {  # TOOL PROGRAM FILTER
  local log races status=0 begun=$SECONDS
  log=$(mktemp)
  timeout "$limit" compute-sanitizer --tool "$1" --target-processes application-only --error-exitcode 99 \
    "$build/tests/$2" --gtest_brief=1 --gtest_filter="$3" >"$log" 2>&1 || status=$?
  # In a kernel of cuSPARSE several threads write equal values.
  if [[ $1 == racecheck && $status == 99 ]]; then
    races=$(grep "access at" "$log" || true)
    [[ -z $races ]] || grep -qv cusparse:: <<<"$races" || status=0
  fi
  # The filter has no test, or one failed.
  { grep -q "PASSED  \] [1-9]" "$log" && ! grep -q "FAILED  \]" "$log"; } || status=$((status ? status : 2))
  {
    echo "== $1: $2 $3: $([[ $status == 0 ]] && echo clean || echo "exit status $status"), $((SECONDS - begun)) s"
    [[ $status == 0 ]] || grep -v "Skipped" "$log" | head -n 60
  } | flock "$report" tee -a "$report"
  rm "$log"
  return "$((status != 0))"
}
export -f run
export build report limit=${LIMIT:-300}

: >"$report"
arguments=()
for tool in ${TOOLS:-memcheck racecheck initcheck synccheck}; do
  for case in "${cases[@]}"; do arguments+=("$tool" "${case%% *}" "${case#* }"); done
done
printf '%s\0' "${arguments[@]}" | xargs -0 -n 3 -P "${JOBS:-$(nproc)}" bash -c 'run "$@"' run
