#!/usr/bin/env bash
# The packages of Debian or Ubuntu that hold the libraries of a program, a name a line. What came by other
# ways (CUDA's folder, a driver) and the C library, which every system has, are not among them.
#   packaging/runtime_packages.sh PROGRAM
set -euo pipefail
if (($# != 1)) || [[ ! -x $1 ]]; then
  echo "runtime_packages.sh: name one program, and it must be there" >&2
  exit 2
fi
libraries=$(ldd "$1")
if grep 'not found' <<<"$libraries" >&2; then
  echo "runtime_packages.sh: $1 does not find these libraries" >&2
  exit 1
fi
awk '$2 == "=>" && $3 ~ "^/" { print $3 }' <<<"$libraries" | while read -r library; do
  # Packages name a file by where it is, or by where it was before /lib became a link to /usr/lib.
  place=$(realpath "$library")
  for name in "$place" "${place#/usr}"; do
    if package=$(dpkg-query --search "$name" 2>/dev/null); then
      echo "${package%%:*}"
      break
    fi
  done
done | sort --unique | grep --invert-match --line-regexp 'libc6'
