#!/usr/bin/env bash
# A seeded campaign of damage against the built program: damaged files, failing machines, wrong commands.
# Prints each fault with the command that repeats it, then a table of counts. Exits with 1 if there is a fault.
# docs/trust/reliability.md describes each kind and each result.
#
#   scripts/torture.sh [--seed S] [--count N | --seconds T] [--kinds A,B] [--jobs J] PROGRAM
#   scripts/torture.sh --seed S --case KIND:NUMBER PROGRAM     repeats one case, with all its output
#
# Needs only Python 3.10 or later with its standard library. As root it runs more cases.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "torture.sh: there is no python3; run scripts/install_dependencies.sh --python" >&2
  exit 1
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/torture" "$@"
