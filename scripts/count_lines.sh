#!/usr/bin/env bash
# Prints the size of the project: lines of source by layer, of tests, Python and scripts; words of prose;
# numbers of commands and options; and the number of files that name each of three keys.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
revision=${1:-HEAD}
sources=('*.h' '*.c' '*.cpp' '*.cu' '*.cuh')
# lines FOLDER PATTERN…: prints the number of lines of these files.
lines() {
  local folder=$1
  shift
  git grep -c '' "$revision" -- "${@/#/:(glob)$folder/**/}" | awk -F: '{ sum += $NF } END { print sum + 0 }'
}
layers=(base mdp env model_builder solver learning output planner bench app)
for folder in "${layers[@]}" include tests; do printf '%-14s %6d\n' "$folder" "$(lines "$folder" "${sources[@]}")"; done
printf '%-14s %6d\n' python "$(lines python '*.py' "${sources[@]}")"
printf '%-14s %6d\n' scripts "$(lines scripts '*.py' '*.sh')"
# Markdown outside of code blocks, without the changelog and the results of benchmarks.
words=$(git ls-tree -r --name-only "$revision" | grep '\.md$' | grep -vE '^(CHANGELOG\.md|bench/results/)' |
  while read -r page; do git show "$revision:$page"; printf '\n'; done | awk '/^```/ { code = !code; next } !code' | wc -w)
printf '%-14s %6d\n' words "$words"
printf '%-14s %6d\n' commands "$(git show "$revision:app/commands/commands.h" | grep -c '^void add_')"
# Options of 'research solve' are in a table, without dashes. Former names of options do not count.
printf '%-14s %6d\n' 'long options' "$({
  git grep -ohE '"(-[a-z],)?--[a-z][a-z0-9-]*' "$revision" -- app ':!app/cli/command_line_error.cpp'
  git grep -ohE '"[a-z-]+", (use|OptionUse::)' "$revision" -- mdp/api/named_options.cpp | sed 's/"\([^"]*\).*/--\1/'
} | sed 's/.*--/--/' | sort -u | wc -l)"
# naming KEY PATTERN: prints the number of files outside of tests and bench that match the pattern.
naming() {
  printf '%-18s %3d files name it\n' "$1" "$(git grep -lE "$2" "$revision" -- "${layers[@]/bench/include}" |
    grep -cE '\.(h|cpp|cu|cuh)$')"
}
naming vehicle.battery '\bbattery\b'
naming planner.landing 'LandingBy|planner\.landing|rule\.landing'
naming mission.via '\bvia\b'
