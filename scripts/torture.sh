#!/usr/bin/env bash
# A seeded campaign of damage against the built program: damaged environments, policies, models, processes,
# forecasts and texts; kills, full disks, little memory, few descriptors and threads, closed streams, a
# folder that is gone, several at once; tracks, places and options that are wrong, exports that are
# refused or cut short, several files of one thing. Prints each fault with the line that repeats it, then a table of
# counts; docs/trust/reliability.md says what they mean. Ends with 1 where there is a fault.
#
#   scripts/torture.sh [--seed S] [--count N | --seconds T] [--kinds A,B] [--jobs J] PROGRAM
#   scripts/torture.sh --seed S --case KIND:NUMBER PROGRAM     one case again, with all that it says
#
# Needs Python 3.10 or later with its standard library, and nothing else. As root it does more.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "torture.sh: there is no python3; run scripts/install_dependencies.sh --python" >&2
  exit 1
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/torture" "$@"
