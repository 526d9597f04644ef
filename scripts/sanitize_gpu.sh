#!/usr/bin/env bash
# Runs compute-sanitizer over tests on a GPU. Requires a build of the preset cuda-gpu.
#
#   scripts/sanitize_gpu.sh [BUILD] [REPORT]     defaults: build/cuda-gpu, build/sanitizers_gpu.txt
#
# Environment: TOOLS (default: memcheck racecheck initcheck synccheck), JOBS (processes at a time, default: one per
# core), LIMIT (seconds for each process, default: 300).
# Exit status 1: a tool found an error, a test failed, or a process took too long.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/cuda-gpu}
report=${2:-build/sanitizers_gpu.txt}

# Small tests of every kernel, since the tools make them hundreds of times as slow: a program and a filter.
cases=(
  "unit/solver_test *BackwardInductionByHand*/cuda*"
  "unit/solver_test *FlightEnds.*/cuda:*FlightAccumulators.*/cuda"
  "unit/solver_test *FlightGroup.*/cuda"
  "unit/solver_test *GroupEvaluation.*/cuda-*Divides*:*InPartsAndSlices*"
  "unit/solver_test *BaselineFlight.*/cuda:*KeepingFlight.*/cuda:*ProfileFlights.*/cuda"
  "unit/solver_test *ExplicitOnDevice.MatchesTheCpuBitForBit/time_gyre"
  "unit/solver_test *GroupOnDevice.MatchesSingleSolvesBitForBit/few*"
  "unit/solver_test *HeldActions*cuda_induction*:*ProximityPlans*cuda_induction*"
  "unit/env_test DeviceEnvironment*:*DeviceEnvironmentOfLayout*"
  "unit/mdp_test DeviceBits/0.*-*EveryLayout:*BackwardInduction:*WhenGivingUp:*InnerSweeps"
  "unit/mdp_test PoliciesOnDevice/0.ProjectsAndMultiplies"
  "unit/model_builder_test *PaperModels.MatchesTheHostOnADevice/*"
)

run() {  # NUMBER TOOL PROGRAM FILTER
  local log=$logs/$1.txt status=0
  timeout "${LIMIT:-300}" compute-sanitizer --tool "$2" --target-processes application-only --error-exitcode 1 \
    "$build/tests/$3" --gtest_brief=1 --gtest_filter="$4" >"$log" 2>&1 || status=$?
  grep -q "PASSED  \] [1-9]" "$log" || status=1  # also if the filter has no test
  {
    echo "== $2: $3 $4: $([[ $status == 0 ]] && echo clean || echo "exit status $status") ($SECONDS s)"
    grep -E "tests? from .* ran|ERROR SUMMARY|RACECHECK SUMMARY" "$log" || true
    [[ $status == 0 ]] || grep -v "Skipped" "$log" | head -n 60
  } >"$log.summary"
  return "$((status != 0))"
}
export -f run
export build LIMIT
logs=$(mktemp --directory)
export logs
trap 'rm -rf "$logs"' EXIT

arguments=()
for tool in ${TOOLS:-memcheck racecheck initcheck synccheck}; do
  for case in "${cases[@]}"; do
    arguments+=("$((1000 + ${#arguments[@]}))" "$tool" "${case%% *}" "${case#* }")
  done
done
status=0
printf '%s\0' "${arguments[@]}" |
  xargs -0 -n 4 -P "${JOBS:-$(nproc)}" bash -c 'run "$@"' run || status=1
cat "$logs"/*.summary | tee "$report"
exit "$status"
