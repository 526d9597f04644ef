#!/usr/bin/env bash
# Compares flights, the smoother and the import with independent programs (Parcels, OpenDrift,
# iterative_ensemble_smoother, cf-xarray, xgcm), in a separate virtual environment (build/referees), which is kept.
# The program is the one that 'cmake --build --preset cpu' built, or the one that TIDEWISE names. Arguments go to pytest;
# -rP prints the figures of docs/trust/referees.md. Needs 'scripts/install_dependencies.sh --python', with Python 3.11 or
# later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

place=build/referees
python=$place/bin/python
wanted=tests/referees/requirements.txt

require_built TIDEWISE tidewise app/tidewise
if ! cmp --silent "$wanted" "$place/installed"; then rm -rf "$place"; fi
make_venv "$place" pytest --python --requirement "$wanted"
cp "$wanted" "$place/installed"

export MPLBACKEND=Agg
# One of the two processes runs the tests of flights, which take as long as all others together.
"$python" -B -m pytest --quiet -p no:cacheprovider --numprocesses 2 --dist loadfile tests/referees "$@"
