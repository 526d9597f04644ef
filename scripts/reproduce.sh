#!/usr/bin/env bash
# The published missions from beginning to end: makes the stochastic gyre, plans the three missions on
# it, as published and by area, and again with the flow ignored and with its mean alone, prints the
# tables and draws the pictures of docs/trust/reproduction.md. What is there already is kept; delete it to
# have it made again.
#
#   scripts/reproduce.sh [FOLDER]     where everything goes; default: runs
#
# Words in TIDEWISE_OCEAN go to 'tidewise env wind-driven-gyre', e.g. "--nx 50 --ny 50 --realizations 300";
# those in TIDEWISE_PLOT_WORDS to 'tidewise-plot', e.g. "--format pdf". TIDEWISE and TIDEWISE_PLOT are the
# two programs, PYTHON a Python with xarray and netCDF4.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidewise=${TIDEWISE:-build/cpu/app/tidewise}
plot=${TIDEWISE_PLOT:-tidewise-plot}
python=${PYTHON:-python3}
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

# The mean flow without its uncertainty, and still water.
if ! is_newer "$folder/gyre_mean.h5" "$ocean" || ! is_newer "$folder/gyre_still.h5" "$ocean"; then
  say "The mean flow, and still water"
  "$python" - "$ocean" "$folder" <<'EOF'
import sys

import xarray as xr

ocean, folder = sys.argv[1:]
gyre = xr.open_dataset(ocean, decode_cf=False)
mean = gyre.isel(realization=[0], mode=[0]).load()
mean["coefficient"][:] = 0
mean.to_netcdf(f"{folder}/gyre_mean.h5")
mean["u_mean"][:] = 0
mean["v_mean"][:] = 0
mean.to_netcdf(f"{folder}/gyre_still.h5")
EOF
fi

# plan_in ENVIRONMENT RUN MISSION WORDS…
plan_in() {
  local run=$folder/$2 mission=examples/wind-driven-gyre/$3.toml
  is_newer "$run/summary.json" "$1" "$mission" && return
  say "Planning $2"
  "$tidewise" plan "$mission" --set "environment.file=\"$1\"" --out "$run" --overwrite "${@:4}"
}
# plan_with KNOWN MISSION: plans in what is known, flies in the ocean
plan_with() {
  local name=gyre_$2_$1
  plan_in "$folder/gyre_$1.h5" "$name" "$2" --set rollout.mode=none
  is_newer "$folder/$name/in_the_flow/summary.json" "$folder/$name/summary.json" && return
  say "Flying $name"
  "$tidewise" rollout "$folder/$name" --environment "$ocean" --mode continuous \
    --out "$folder/$name/in_the_flow" --overwrite
}
for mission in time energy net_energy; do
  plan_in "$ocean" "gyre_$mission" "$mission"
  plan_in "$ocean" "gyre_${mission}_by_cell" "$mission" --set planner.landing=cell  # as published
  plan_with mean "$mission"
  plan_with still "$mission"
done
# A small cost of time against waiting, for this vehicle and for one that may also drift. c_t is a share
# of what a step of 6220.8 s at full speed takes.
drifting=(--set "vehicle.speeds=[0.0, 0.4, 0.8]")
plan_in "$ocean" gyre_energy_c_t_0.1 energy --set "vehicle.energy.c_t=1.6075103e-5"
plan_in "$ocean" gyre_energy_c_t_0.3 energy --set "vehicle.energy.c_t=4.8225309e-5"
plan_in "$ocean" gyre_energy_drifting energy "${drifting[@]}"
plan_in "$ocean" gyre_energy_drifting_c_t_0.02 energy "${drifting[@]}" \
  --set "vehicle.energy.c_t=3.2150206e-6"
plan_in "$ocean" gyre_energy_drifting_c_t_0.1 energy "${drifting[@]}" \
  --set "vehicle.energy.c_t=1.6075103e-5"

say "What came of it"
"$python" scripts/mission_table.py "$folder" | tee "$folder/reproduction.md"

if ! command -v "$plot" >/dev/null; then
  say "No pictures: there is no $plot; pip install './python[plot]'"
  exit
fi
say "Pictures"
read -r -a words <<<"${TIDEWISE_PLOT_WORDS:-}"
for mission in time energy net_energy; do
  "$plot" "$folder/gyre_$mission" --out "$folder/figures/$mission" "${words[@]}"
done
