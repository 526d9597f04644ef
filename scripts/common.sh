# Functions that other scripts share; they source this file in the repository's root.
export PIP_DISABLE_PIP_VERSION_CHECK=1
fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}
step() { printf -- '-- %s\n' "$*"; }
# require_built VARIABLE TARGET PATH: exports VARIABLE, the path of a program; default: PATH in build/cpu.
require_built() {
  local path=${!1:-build/cpu/$3}
  [[ -x $path ]] || fail "$path is not there; build it with 'cmake --preset cpu && cmake --build --preset cpu" \
    "--target $2', or name another by the variable $1"
  export "$1=$(realpath "$path")"
}
# make_venv FOLDER MODULES OPTION PACKAGES…: makes a virtual environment that can import MODULES; pip installs
# PACKAGES into it. It is made again if its folder was moved or its Python is missing. PYTHON names another
# python3. 'scripts/install_dependencies.sh OPTION' installs missing packages of the system.
make_venv() {
  if "$1/bin/python" -c "import $2" 2>/dev/null; then return; fi
  echo "== Installing $2 ($1)"
  rm -rf "$1"
  if ! "${PYTHON:-python3}" -m venv "$1"; then
    rm -rf "$1"
    fail "${PYTHON:-python3} cannot make virtual environments here; run 'scripts/install_dependencies.sh $3' first"
  fi
  if (($# > 3)); then "$1/bin/python" -m pip install --quiet --prefer-binary "${@:4}"; fi
}
