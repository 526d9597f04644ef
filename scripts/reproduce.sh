#!/usr/bin/env bash
# The published missions from beginning to end: makes the stochastic gyre, plans the three missions on
# it, and again with the flow ignored and with its mean alone, prints the tables and draws the pictures
# of docs/reproduction.md. What is there already is kept; delete it to have it made again.
#
#   scripts/reproduce.sh [FOLDER]     where everything goes; default: runs
#
# Words in TIDEWISE_OCEAN go to 'tidewise env wind-driven-gyre', e.g. "--nx 50 --ny 50 --realizations 300";
# those in TIDEWISE_PLOT_WORDS to 'tidewise-plot', e.g. "--format pdf". TIDEWISE and TIDEWISE_PLOT are the
# two programs.
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

# What a planner may know of it: the whole forecast, its mean, or nothing. Each is spread over a cell,
# so that no plan gains by rounding to cells (docs/environments.md).
# known NAME WORDS…
known() {
  is_newer "$folder/gyre_$1.h5" "$ocean" && return
  say "What is known: $1"
  "$tidewise" env select "$ocean" --spread "${@:2}" --out "$folder/gyre_$1.h5"
}
known forecast
known mean --flow mean
known still --flow still

# plan RUN MISSION ENVIRONMENT WORDS…
plan() {
  local run=$folder/$1 mission=configs/wind_driven_gyre_$2.toml
  is_newer "$run/summary.json" "$3" "$mission" && return
  say "Planning $1"
  "$tidewise" plan "$mission" --set "environment.file=\"$3\"" --out "$run" "${@:4}"
}
# plan_and_fly RUN MISSION KNOWN WORDS…: plans in what is known, flies in the ocean
plan_and_fly() {
  plan "$1" "$2" "$folder/gyre_$3.h5" --set rollout.mode=none "${@:4}"
  is_newer "$folder/$1/in_the_flow/summary.json" "$folder/$1/summary.json" && return
  say "Flying $1"
  "$tidewise" rollout "$folder/$1" --environment "$ocean" --mode continuous \
    --out "$folder/$1/in_the_flow"
}
for mission in time energy net_energy; do
  plan "gyre_$mission" "$mission" "$ocean"  # as published
  for known in forecast mean still; do
    plan_and_fly "gyre_${mission}_$known" "$mission" "$known"
  done
done
# A small cost of time against waiting, for this vehicle and for one that may also drift. c_t is a share
# of what a step of 6220.8 s at full speed takes.
drifting=(--set "vehicle.speeds=[0.0, 0.4, 0.8]")
plan_and_fly gyre_energy_c_t_0.1 energy forecast --set "vehicle.energy.c_t=1.6075103e-5"
plan_and_fly gyre_energy_c_t_0.3 energy forecast --set "vehicle.energy.c_t=4.8225309e-5"
plan_and_fly gyre_energy_drifting energy forecast "${drifting[@]}"
plan_and_fly gyre_energy_drifting_c_t_0.02 energy forecast "${drifting[@]}" \
  --set "vehicle.energy.c_t=3.2150206e-6"
plan_and_fly gyre_energy_drifting_c_t_0.1 energy forecast "${drifting[@]}" \
  --set "vehicle.energy.c_t=1.6075103e-5"

say "What came of it"
python3 scripts/mission_table.py "$folder" | tee "$folder/reproduction.md"

if ! command -v "$plot" >/dev/null; then
  say "No pictures: there is no $plot; pip install ./python"
  exit
fi
say "Pictures"
read -r -a words <<<"${TIDEWISE_PLOT_WORDS:-}"
for mission in time energy net_energy; do
  run=$folder/gyre_${mission}_forecast
  "$plot" "$run/in_the_flow" --out "$folder/figures/$mission" "${words[@]}"
  "$plot" "$run" --only policy --out "$folder/figures/$mission" "${words[@]}"
done
