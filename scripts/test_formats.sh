#!/usr/bin/env bash
# Reads routes in all formats of 'tidewise export' with other readers (GDAL, gpxpy, fastkml, pymavlink)
# and with readers of the published grammars, and compares the times of NetCDF axes with cftime's. Works
# in a separate virtual environment (build/oracles), which is kept. The programs are those that
# 'cmake --build --preset cpu' built (build/cpu/tests/oracles), or those named by TIDEWISE_WRITE_SAMPLES and
# TIDEWISE_READ_TIMES. Arguments go to pytest. Needs
# 'scripts/install_dependencies.sh --python'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

place=build/oracles
python=$place/bin/python
wanted=tests/oracles/requirements.txt

for program in write_samples read_times; do
  require_built "TIDEWISE_${program^^}" "$program" "tests/oracles/$program"
done
if ! cmp --silent "$wanted" "$place/installed"; then rm -rf "$place"; fi
make_venv "$place" pytest --python --requirement "$wanted"
cp "$wanted" "$place/installed"

"$python" -B -m pytest --quiet -p no:cacheprovider tests/oracles "$@"
