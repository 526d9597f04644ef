#!/usr/bin/env bash
# Installs a build into a scratch folder and uses only the installed files: builds and runs
# examples/library, completes commands, reads the manual page.
#   scripts/check_install.sh [BUILD]      BUILD: build/cpu if not given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh
source=$PWD build=${1:-build/cpu}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect TEXT COMMAND…: fails unless the output of the command contains the text.
expect() {
  local text=$1 printed
  shift
  printed=$("$@") || fail "'$*' failed"
  [[ $printed == *"$text"* ]] || fail "'$*' does not print '$text' but: $printed"
}

step "install"
cmake --build "$build" --target tidewise tidewise_command_files >/dev/null
cmake --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/prefix" # the installed files must not depend on their folder
prefix=$scratch/prefix
package=$(dirname "$(find "$prefix" -name TidewiseConfig.cmake)")
if grep -rnF -e "$source" -e "$scratch" "$package"; then
  fail "the package's files name folders of the build"
fi
expect tidewise "$prefix/bin/tidewise" --help
[[ -s $(find "$prefix/share/doc" -name LICENSE) ]] || fail "there is no LICENSE"

step "headers: each by itself, without headers of other libraries"
for header in "$prefix"/include/tidewise/*.h; do
  echo "#include <tidewise/$(basename "$header")>" >"$scratch/one.cpp"
  "${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -I "$prefix/include" -M "$scratch/one.cpp" >"$scratch/one.d"
  "${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -I "$prefix/include" -fsyntax-only "$scratch/one.cpp"
  if grep -E 'hdf5|H5|CLI/|toml|fmt/|nlohmann|omp\.h' "$scratch/one.d"; then
    fail "$header includes another library"
  fi
done

"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$prefix/include" examples/onboard/policy_daemon.c -o "$scratch/daemon" -lm ||
  fail "tidewise_policy.h is not installed in a form that C accepts"

step "C: an example by pkg-config, in C99 and C11"
"$prefix/bin/tidewise" -q research mdp gridworld --out "$scratch/world.json" --nx 8 --gamma 0.9
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tidewise-mdp.pc)") pkg-config --cflags --libs tidewise-mdp)
for standard in c99 c11; do
  # shellcheck disable=SC2086  # several words
  "${CC:-cc}" -std=$standard -Wall -Wextra -Wpedantic -Werror examples/library/solve.c -o "$scratch/solve_file" $flags
  expect "within the tolerance" "$scratch/solve_file" "$scratch/world.json" backend=cpu method=block-divided \
    block-divided.variant=both
done
if "$scratch/solve_file" "$scratch/world.json" methd=fused 2>"$scratch/said"; then fail "a misspelt option is accepted"; fi
grep -q 'solve_option_unknown' "$scratch/said" || fail "a misspelt option is not named"

step "examples: build and run"
cp -r examples/library "$scratch/example"
cmake -S "$scratch/example" -B "$scratch/build" -D CMAKE_PREFIX_PATH="$prefix" \
  -D CMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$scratch/build" >/dev/null
cd "$scratch"
expect "cell 0: go right, 5.0000 tries" "$scratch/build/solve"
expect "cell 4: go nowhere, 0.0000 tries" "$scratch/build/solve"
expect "state 0: action " "$scratch/build/solve_file" world.json backend=cpu stop=relative
expect "expected: " "$scratch/build/plan"
expect "flown:    " "$scratch/build/plan"
expect "Arrival" "$prefix/bin/tidewise" -q rollout double_gyre --time 5 --backend cpu
ls double_gyre/{policy.h5,trajectories.nc,summary.json,environment.h5} >/dev/null

step "completion"
bash=$prefix/share/bash-completion/completions/tidewise
zsh=$prefix/share/zsh/site-functions/_tidewise
bash -n "$bash"
# complete_words WORD…: prints bash's completions of the last word.
complete_words() {
  bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tidewise
           printf "%s\n" "${COMPREPLY[@]}"' "$bash" "$@"
}
[[ $(complete_words tidewise pl) == plan ]] || fail "'tidewise pl' is not completed to plan"
[[ $(complete_words tidewise env inf) == info ]] || fail "'tidewise env inf' is not completed"
[[ $(complete_words tidewise plan --model) == --model ]] || fail "options are not completed"
[[ $(complete_words tidewise research solve m.h5 --method fu) == fused ]] || fail "words are not completed"
if command -v zsh >/dev/null; then
  zsh -n "$zsh"
else
  echo "   no zsh here: $(basename "$zsh") is not looked at"
fi

step "manual page"
page=$prefix/share/man/man1/tidewise.1
if command -v groff >/dev/null; then
  complaints=$(groff -man -Kutf8 -Tutf8 -wall "$page" 2>&1 >"$scratch/page")
  [[ -z $complaints ]] || fail "groff reports: $complaints"
  grep -q 'Solve a mission' "$scratch/page" || fail "the page does not describe plan"
fi
if command -v man >/dev/null; then
  man -l "$page" >"$scratch/page" 2>&1 || fail "man cannot show the page"
fi
echo "installed, linked, completed and described"
