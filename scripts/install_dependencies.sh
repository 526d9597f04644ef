#!/usr/bin/env bash
# Installs the packages that Tidewise needs and this machine lacks, on Debian 12 or Ubuntu 24.04, as root or with
# sudo. If nothing is missing it ends at once and needs no network.
#
#   scripts/install_dependencies.sh                 packages for building and testing
#   scripts/install_dependencies.sh --development   also for contributing and .ci/run
#   scripts/install_dependencies.sh --mpi           also for runs of several processes
#   scripts/install_dependencies.sh --python        also for scripts/test_python.sh
#   scripts/install_dependencies.sh --view          also for scripts/test_view.sh
#   scripts/install_dependencies.sh --docs          also for scripts/build_docs.sh
#   scripts/install_dependencies.sh --package       also for cpack and scripts/check_package.sh
#   scripts/install_dependencies.sh --aarch64       also for scripts/check_aarch64.sh
#   scripts/install_dependencies.sh --onboard       also for scripts/check_onboard.sh
set -euo pipefail

# docs/reference/dependencies.md lists the purpose of each package.
packages=(
  g++ cmake ninja-build pkgconf
  libhdf5-dev zlib1g-dev libnetcdf-dev libproj-dev libeigen3-dev libfftw3-dev
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libexpat1-dev libfmt-dev libhwy-dev
  libgtest-dev libgmock-dev
)
development_packages=(ccache clang clang-format clang-tidy gcovr libclang-rt-dev)
mpi_packages=(libopenmpi-dev openmpi-bin)
python_packages=(python3 python3-dev python3-venv)
onboard_packages=(gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm)
docs_packages=(doxygen)
package_packages=(debootstrap dpkg-dev file)
view_packages=(chromium fonts-dejavu-core)
aarch64_packages=(g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static)

for argument in "$@"; do
  case "$argument" in
    --development) packages+=("${development_packages[@]}") ;;
    --mpi) packages+=("${mpi_packages[@]}") ;;
    # A Python from another source may contain modules that Debian packs separately.
    --python)
      python3 -c 'import ensurepip, os, sysconfig, venv
assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
        packages+=("${python_packages[@]}")
      ;;
    --docs)
      packages+=("${docs_packages[@]}")
      python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=("${python_packages[@]}")
      ;;
    --package) packages+=("${package_packages[@]}") ;;
    --view)
      packages+=("${view_packages[@]}")
      python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=("${python_packages[@]}")
      ;;
    --aarch64) packages+=("${aarch64_packages[@]}") ;;
    --onboard)
      packages+=("${onboard_packages[@]}")
      command -v python3 >/dev/null || packages+=(python3)
      ;;
    *)
      echo "install_dependencies.sh: '$argument' is no option; there are --development, --mpi, --python, --view, --docs, --package, --aarch64 and --onboard" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  cat >&2 <<'MESSAGE'
install_dependencies.sh: this system has no apt, so nothing was installed. Install by its own means:
  a C++20 compiler with OpenMP (GCC 12 or later), CMake 3.25 or later, Ninja, pkg-config,
  HDF5 (C), zlib, netCDF-C, PROJ 9, Eigen 3.4, FFTW 3, CLI11 2, toml++ 3, nlohmann-json 3,
  expat 2, fmt 9, Highway 1, GoogleTest with GoogleMock
and then build with 'cmake --preset cpu && cmake --build --preset cpu'.
MESSAGE
  exit 1
fi

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "Nothing to install: all ${#packages[@]} packages are there."
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "install_dependencies.sh: ${#missing[@]} packages are missing, and installing them takes" \
      "root or sudo; as root, run: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

# 'env' passes the setting through sudo, which drops the caller's environment.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q)
echo "Installing ${#missing[@]} packages: ${missing[*]}"
"${apt[@]}" update
if ! "${apt[@]}" install --yes --no-install-recommends "${missing[@]}"; then
  echo "install_dependencies.sh: apt could not install all of: ${missing[*]}; Tidewise needs Debian" \
    "12, Ubuntu 24.04 (with 'universe') or later" >&2
  exit 1
fi
