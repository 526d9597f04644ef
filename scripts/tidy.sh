#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy.
#
#   scripts/tidy.sh [BASE]    the six files that changed most since BASE (HEAD~1), committed or not
#   scripts/tidy.sh --all     all files: some hours on two cores
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == --all ]]; then
  list() { git ls-files '*.cpp'; }
else
  base=${1:-HEAD~1}
  # The first commit, and a clone with a single commit, have no commit before them.
  if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
    echo "tidy.sh: there is no $base here to compare with; nothing was looked at"
    exit 0
  fi
  # Six files fit into the time of CI; the nightly run checks all.
  list() {
    git diff --numstat --no-renames --diff-filter=d "$base" -- '*.cpp' |
      awk '{print $1 + $2 "\t" $3}' | sort -rn | cut -f 2- | head -n 6
  }
fi
# Clang cannot read headers that GCC precompiled.
cmake --preset cpu -B build/tidy -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
mapfile -t files < <(list | grep -v '^tests/layering/breaches/\|^tests/fuzz/' || true)
if ((${#files[@]} == 0)); then
  echo "No source has changed."
  exit 0
fi
# Only files compiled in this build: a build without CUDA does not compile its substitutes, for example.
mapfile -t known < <(python3 - "${files[@]}" <<'END'
import json, os, sys
known = {os.path.relpath(entry["file"]) for entry in json.load(open("build/tidy/compile_commands.json"))}
for name in sys.argv[1:]:
    if name in known:
        print(name)
END
)
if ((${#known[@]} == 0)); then
  echo "What has changed is not compiled here."
  exit 0
fi
printf '%s\0' "${known[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy -p build/tidy --quiet
echo "${#known[@]} files are clean."
