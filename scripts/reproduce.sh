#!/usr/bin/env bash
# Reproduces the published missions: makes the stochastic gyre, plans the three missions on it, with both
# landings, then plans them without the flow and with only its mean, prints the
# tables and draws the pictures of docs/trust/reproduction.md. Existing files are kept; delete a file to
# make it again.
#
#   scripts/reproduce.sh [FOLDER]     folder of all files; default: runs
#
# TIDEWISE_OCEAN: options for 'tidewise env wind-driven-gyre', e.g. "--nx 50 --ny 50 --realizations 300";
# TIDEWISE_PLOT_WORDS: options for 'tidewise-plot', e.g. "--format pdf". TIDEWISE and TIDEWISE_PLOT are the
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

heading() { printf '\n== %s\n' "$1"; }
# is_newer RESULT SOURCE…: true if RESULT exists and is newer than all its sources.
is_newer() {
  local result=$1 source
  shift
  [[ -e $result ]] || return 1
  for source in "$@"; do [[ $result -nt $source ]] || return 1; done
}

if [[ ! -e $ocean ]]; then
  heading "Environment"
  read -r -a words <<<"${TIDEWISE_OCEAN:-}"
  "$tidewise" env wind-driven-gyre --out "$ocean" "${words[@]}"
fi

# Environments of the mean flow without its uncertainty, and of still water.
if ! is_newer "$folder/gyre_mean.h5" "$ocean" || ! is_newer "$folder/gyre_still.h5" "$ocean"; then
  heading "Mean flow and still water"
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

# plan_in ENVIRONMENT RUN MISSION WORDS…: plans MISSION in ENVIRONMENT, unless RUN is newer.
plan_in() {
  local run=$folder/$2 mission=examples/wind-driven-gyre/$3.toml
  is_newer "$run/summary.json" "$1" "$mission" && return
  heading "Planning $2"
  "$tidewise" plan "$mission" --set "environment.file=\"$1\"" --out "$run" --overwrite "${@:4}"
}
# plan_with KNOWN MISSION: plans in the known flow, and simulates in the whole environment.
plan_with() {
  local name=gyre_$2_$1
  plan_in "$folder/gyre_$1.h5" "$name" "$2" --set rollout.mode=none
  is_newer "$folder/$name/in_the_flow/summary.json" "$folder/$name/summary.json" && return
  heading "Simulating $name"
  "$tidewise" rollout "$folder/$name" --environment "$ocean" --mode continuous \
    --out "$folder/$name/in_the_flow" --overwrite
}
for mission in time energy net_energy; do
  plan_in "$ocean" "gyre_$mission" "$mission"
  plan_in "$ocean" "gyre_${mission}_by_cell" "$mission" --set planner.landing=cell  # as published
  plan_with mean "$mission"
  plan_with still "$mission"
done
# A small cost of time makes waiting expensive, for this vehicle and for one that may also drift. c_t is a share
# of the energy of a step of 6220.8 s at full speed.
drifting=(--set "vehicle.speeds=[0.0, 0.4, 0.8]")
plan_in "$ocean" gyre_energy_c_t_0.1 energy --set "vehicle.energy.c_t=1.6075103e-5"
plan_in "$ocean" gyre_energy_c_t_0.3 energy --set "vehicle.energy.c_t=4.8225309e-5"
plan_in "$ocean" gyre_energy_drifting energy "${drifting[@]}"
plan_in "$ocean" gyre_energy_drifting_c_t_0.02 energy "${drifting[@]}" \
  --set "vehicle.energy.c_t=3.2150206e-6"
plan_in "$ocean" gyre_energy_drifting_c_t_0.1 energy "${drifting[@]}" \
  --set "vehicle.energy.c_t=1.6075103e-5"

heading "Results"
"$python" scripts/mission_table.py "$folder" | tee "$folder/reproduction.md"

if ! command -v "$plot" >/dev/null; then
  heading "No pictures: $plot is missing; pip install './python[plot]'"
  exit
fi
heading "Pictures"
read -r -a words <<<"${TIDEWISE_PLOT_WORDS:-}"
for mission in time energy net_energy; do
  "$plot" "$folder/gyre_$mission" --out "$folder/figures/$mission" "${words[@]}"
done
