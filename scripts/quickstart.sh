#!/usr/bin/env bash
# From a bare Debian 12 or Ubuntu 24.04 to a planned mission: installs what is missing, builds, makes
# a stochastic double gyre and plans the fastest route across it. Later runs reuse finished parts.
#
#   scripts/quickstart.sh [FOLDER]     folder of environment and run; default: runs
#
# TIDEWISE_OCEAN: options for 'tidewise env double-gyre', in place of the size given below.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mission=configs/double_gyre_time.toml
folder=${1:-runs}
environment=$folder/double_gyre.h5
run=$folder/double_gyre_time
tidewise=build/cpu/app/tidewise

scripts/install_dependencies.sh

echo "== Building (build/cpu)"
cmake --preset cpu >/dev/null
cmake --build --preset cpu --target tidewise

# Files get their names when they are complete, so an existing file is complete. The full-sized case of
# the paper is ten modes, 5000 realizations and 200 levels; this one is sized for two cores and a minute.
if [[ -e $environment ]]; then
  echo "== The environment is there: $environment (delete it to have it made again)"
else
  echo "== Making the environment"
  mkdir -p "$folder"
  read -r -a words <<<"${TIDEWISE_OCEAN:---nx 200 --ny 200 --nt 200 --modes 4 --realizations 1000}"
  "$tidewise" env double-gyre --out "$environment" "${words[@]}"
fi

summary=$run/summary.json
if [[ $summary -nt $environment && $summary -nt $mission && $summary -nt $tidewise ]]; then
  echo "== The run is there, and newer than program, mission and environment: $run"
else
  echo "== Planning $mission"
  "$tidewise" plan "$mission" --set "environment.file=\"$environment\"" --out "$run" --overwrite
fi

cat <<END

Made:
  $environment           the forecast: 1000 realizations of a double gyre with obstacles
  $run/policy.h5         the best heading and speed for every cell and time level
  $run/trajectories.nc   that policy flown through every realization
  $run/summary.json      arrival rate, times, energies, and what the run took
Next:
  $tidewise env info $environment
  $tidewise rollout $run --at-xy 60.5,40.5 --time 10    another start, no new solve
  $tidewise plan $mission --set mission.objective=energy${1:+ --set environment.file=$environment} --out $folder/double_gyre_energy
docs/start/five_minutes.md goes on from here; docs/missions.md has every key of a mission.
END
