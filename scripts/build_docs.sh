#!/usr/bin/env bash
# Builds the site of documents, Python package and C++ headers into build/site/html. Every warning is an error.
# Executes notebooks, and plans and draws the gallery's missions. Uses a separate virtual environment
# (build/docs), and that of scripts/test_python.sh (build/python) to read the Python package's docstrings and to
# run notebooks. Needs 'scripts/install_dependencies.sh --docs'.
#   scripts/build_docs.sh                the site
#   scripts/build_docs.sh --notebooks    writes the outputs of notebooks into docs/notebooks, for code hosts
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

export PYTHONDONTWRITEBYTECODE=1
place=build/docs
python=$place/bin/python

command -v doxygen >/dev/null ||
  fail "doxygen is not there; run 'scripts/install_dependencies.sh --docs' first"
package=$(build/python/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') ||
  fail "build/python is not there, which holds the Python package; make it with 'scripts/test_python.sh'"

if ! cmp --silent docs/site/requirements.txt "$place/installed"; then rm -rf "$place"; fi
PYTHON=build/python/bin/python make_venv "$place" sphinx --docs --requirement docs/site/requirements.txt
cp docs/site/requirements.txt "$place/installed"
# The path is added last, so that Sphinx's own requirements come from the first environment.
echo "$package" >"$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/package.pth"

if [[ ${1:-} == --notebooks ]]; then
  exec "$python" scripts/execute_notebooks.py docs/notebooks/*.ipynb
fi
(($# == 0)) || fail "'$1' is no option; there is --notebooks"

# Builds from an empty folder and in one process, because Breathe's C++ data grow with each build and with each
# process that is merged. Outputs of notebooks are kept.
rm -rf build/site/doctrees build/site/html build/site/xml
mkdir -p build/site
doxygen docs/site/Doxyfile
"$python" -m sphinx --builder html --conf-dir docs/site --doctree-dir build/site/doctrees --quiet \
  --fail-on-warning --keep-going . build/site/html
# Adds the gallery: its live pages, one of them on the home page, and its pictures in place of those in the
# repository.
gallery=build/site/html/gallery
build/python/bin/python docs/gallery/make_gallery.py "$gallery"
cp "$gallery"/*.png build/site/html/_images
cp "$gallery/washington.html" "$gallery/home.html"
scripts/bench_history.py build/site/html/bench/history.html
echo "build/site/html/index.html"
