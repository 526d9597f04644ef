#!/usr/bin/env bash
# Builds the site of docs, of the Python package and of the C++ headers into build/site/html; every
# warning is an error. Uses a virtual environment of its own (build/docs), and the packages of
# build/python (scripts/test_python.sh makes that one) to read the Python package's docstrings. Needs
# 'scripts/install_dependencies.sh --docs'. Words after the name go to sphinx-build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
place=build/docs
python=$place/bin/python

fail() {
  echo "build_docs.sh: $*" >&2
  exit 1
}
command -v doxygen >/dev/null ||
  fail "doxygen is not there; run 'scripts/install_dependencies.sh --docs' first"
package=$(build/python/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') ||
  fail "build/python is not there, which holds the Python package; make it with 'scripts/test_python.sh'"

# A folder that was moved, or whose Python is gone, is made anew; other versions are installed over it.
if ! cmp --silent docs/site/requirements.txt "$place/installed" || ! "$python" -c 'import sphinx' 2>/dev/null; then
  echo "== Installing Sphinx ($place)"
  rm -rf "$place"
  if ! build/python/bin/python -m venv "$place"; then
    rm -rf "$place"
    fail "python3 cannot make virtual environments here; run 'scripts/install_dependencies.sh --docs' first"
  fi
  "$python" -m pip install --quiet --prefer-binary --requirement docs/site/requirements.txt
  cp docs/site/requirements.txt "$place/installed"
fi
# After its own packages, so that what Sphinx needs is never the other environment's.
echo "$package" >"$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/package.pth"

mkdir -p build/site
doxygen docs/site/Doxyfile
"$python" -m sphinx --builder html --conf-dir docs/site --doctree-dir build/site/doctrees --jobs auto --quiet \
  --fail-on-warning --keep-going "$@" . build/site/html
echo "build/site/html/index.html"
