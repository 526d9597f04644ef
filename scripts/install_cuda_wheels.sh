#!/usr/bin/env bash
# Puts a CUDA toolkit into a folder, from NVIDIA's wheels on PyPI: enough to build the preset cuda on a
# machine without NVIDIA's own packages. Needs no root; only running needs a GPU.
#
#   scripts/install_cuda_wheels.sh [DIR]        default: build/cuda_wheels
#
# Prints the arguments for cmake; see docs/reference/cuda.md.
#
# Settings by environment variable:
#   CUDA_VERSION   version of the toolkit, 13.0 or later (default: 13.0); the driver of the machine that runs the
#                  program must serve the same major version
#   PYTHON         a Python 3 with pip (default: python3)
set -euo pipefail
version="${CUDA_VERSION:-13.0}"
python="${PYTHON:-python3}"
major="${version%%.*}"
folder=$(realpath --canonicalize-missing "${1:-$(dirname "${BASH_SOURCE[0]}")/../build/cuda_wheels}")

if ! "$python" -m pip --version >/dev/null 2>&1; then
  echo "install_cuda_wheels.sh: $python has no pip; install python3-pip, or set PYTHON" >&2
  exit 1
fi
if ! [[ $version =~ ^[0-9]+\.[0-9]+$ ]] || ((major < 13)); then
  echo "install_cuda_wheels.sh: CUDA_VERSION is '$version'; give a version from 13.0 on, e.g. 13.0" >&2
  exit 2
fi
if [[ -e $folder && ! -e $folder/nvidia && -n "$(ls -A "$folder")" ]]; then
  echo "install_cuda_wheels.sh: $folder holds something else; name a new folder" >&2
  exit 2
fi

# The meta-package pins the parts of one release: compiler (nvcc, with its headers, libdevice and the
# static runtime), Thrust and CUB (cccl), cuSPARSE.
"$python" -m pip install --quiet --upgrade --target "$folder" \
  "cuda-toolkit[nvcc,cccl,cusparse]==$version.*"

root="$folder/nvidia/cu$major"
if [[ ! -x $root/bin/nvcc ]]; then
  echo "install_cuda_wheels.sh: the wheels hold no $root/bin/nvcc; their layout may have changed" >&2
  exit 1
fi
# nvcc looks in lib64; the wheels have lib.
ln -sfn lib "$root/lib64"
# Linkers look for libx.so; the wheels have only libx.so.N.
for library in "$root"/lib/lib*.so.*; do
  ln -sfn "$(basename "$library")" "${library%%.so.*}.so"
done

cat <<MESSAGE
CUDA $("$root/bin/nvcc" --version | sed -n 's/.*V\([0-9.]*\)$/\1/p') is in $root. Build with:
  cmake --preset cuda -D CMAKE_CUDA_COMPILER=$root/bin/nvcc -D CUDAToolkit_ROOT=$root
  cmake --build --preset cuda
MESSAGE
