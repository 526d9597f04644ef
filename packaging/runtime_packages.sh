#!/usr/bin/env bash
# Prints the Debian or Ubuntu packages of a program's libraries, one name per line, without the C library,
# which every system has, and without libraries from other sources (CUDA's folder, a driver).
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
  # Packages list a file by its path, or by its path before /lib became a link to /usr/lib.
  place=$(realpath "$library")
  for name in "$place" "${place#/usr}"; do
    if package=$(dpkg-query --search "$name" 2>/dev/null); then
      echo "${package%%:*}"
      break
    fi
  done
done | sort --unique | grep --invert-match --line-regexp 'libc6'
