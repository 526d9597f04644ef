#!/usr/bin/env bash
# The published missions from beginning to end: makes the stochastic gyre, plans the three missions on
# it, and again with the flow ignored and with its mean alone, draws the pictures and prints the
# tables of docs/reproduction.md. What is there already is kept; delete it to have it made again.
#
#   scripts/reproduce.sh [FOLDER]     where everything goes; default: runs
#
# Words in TIDEWISE_OCEAN go to 'tidewise env wind-driven-gyre', e.g. "--nx 60 --ny 60 --realizations 500".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidewise=${TIDEWISE:-build/cpu/app/tidewise}
plot=${TIDEWISE_PLOT:-tidewise-plot}
folder=${1:-runs}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
ocean=$folder/wind_driven_gyre.h5

say() { printf '\n== %s\n' "$1"; }
# is_newer RESULT SOURCE…: RESULT is there, and newer than all its sources
is_newer() {
  local result=$1 source
  shift
  [[ -e $result ]] || return 1
  for source in "$@"; do [[ $result -nt $source ]] || return 1; done
}

if [[ ! -e $ocean ]]; then
  say "The ocean"
  read -r -a words <<<"${TIDEWISE_OCEAN:-}"
  "$tidewise" env wind-driven-gyre --out "$ocean" "${words[@]}"
fi
for flow in mean still; do
  if ! is_newer "$folder/gyre_$flow.h5" "$ocean"; then
    say "The same ocean, $flow"
    "$tidewise" env select "$ocean" --flow "$flow" --out "$folder/gyre_$flow.h5"
  fi
done

# plan NAME MISSION WORDS…
plan() {
  local run=$folder/$1 mission=configs/wind_driven_gyre_$2.toml
  is_newer "$run/summary.json" "$ocean" "$mission" && return
  say "Planning $1"
  "$tidewise" plan "$mission" --set "environment.file=\"$ocean\"" --out "$run" "${@:3}"
}
for mission in time energy net_energy; do
  plan "gyre_$mission" "$mission"
  for flow in mean still; do
    plan "gyre_${mission}_$flow" "$mission" --set "environment.file=\"$folder/gyre_$flow.h5\""
    flown=$folder/gyre_${mission}_$flow/in_the_flow
    if ! is_newer "$flown/summary.json" "$folder/gyre_${mission}_$flow/summary.json"; then
      say "Flying it in the flow"
      "$tidewise" rollout "$folder/gyre_${mission}_$flow" --environment "$ocean" --out "$flown"
    fi
  done
done
# A small cost of time against waiting: a fiftieth of a step at full speed.
plan gyre_energy_hurried energy --set "vehicle.energy.c_t=3.215e-6"

say "What came of it"
python3 scripts/mission_table.py "$folder" | tee "$folder/reproduction.md"

if command -v "$plot" >/dev/null; then
  say "Pictures"
  for mission in time energy net_energy; do "$plot" "$folder/gyre_$mission"; done
else
  say "No pictures: there is no $plot; pip install ./python"
fi
