#!/usr/bin/env bash
# Counts what docs/architecture.md says of the house: lines of source by layer, of tests and of Python, and the
# files that name three keys.
#   scripts/count_lines.sh [REVISION]     HEAD if not given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
revision=${1:-HEAD}
sources=('*.h' '*.c' '*.cpp' '*.cu' '*.cuh')
# lines FOLDER PATTERN…
lines() {
  local folder=$1
  shift
  git grep -c '' "$revision" -- "${@/#/:(glob)$folder/**/}" | awk -F: '{ sum += $NF } END { print sum + 0 }'
}
layers=(base mdp env model_builder solver learning output planner bench app)
for folder in "${layers[@]}" include tests; do printf '%-14s %6d\n' "$folder" "$(lines "$folder" "${sources[@]}")"; done
printf '%-14s %6d\n' python "$(lines python '*.py' "${sources[@]}")"
# naming KEY WORDS: files outside of tests and bench.
naming() {
  printf '%-18s %3d files name it\n' "$1" "$(git grep -lE "$2" "$revision" -- "${layers[@]/bench/include}" |
    grep -cE '\.(h|cpp|cu|cuh)$')"
}
naming vehicle.battery '\bbattery\b'
naming planner.landing 'LandingBy|planner\.landing|rule\.landing'
naming mission.via '\bvia\b'
