#!/usr/bin/env bash
# Runs every reader of decision processes, and the reader of policies on board, with inputs of libFuzzer,
# under the address and undefined-behaviour sanitizers. It stops at the first fault and keeps the input in build/fuzz/faults.
#
#   scripts/fuzz.sh SECONDS [READER...]   SECONDS for each reader (json_process, xml_process,
#                                         hdf5_process, solution_text, board_policy)
#
# Needs clang with its runtime (scripts/install_dependencies.sh --development).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${1:?give the seconds for each reader, such as: scripts/fuzz.sh 60}
shift
readers=("$@")
if ((${#readers[@]} == 0)); then
  readers=(json_process xml_process hdf5_process solution_text board_policy)
fi
build=build/fuzz
if ! command -v clang++ >/dev/null; then
  echo "fuzz.sh: there is no clang++; run scripts/install_dependencies.sh --development" >&2
  exit 1
fi
launcher=()
if command -v ccache >/dev/null; then launcher=(ccache); fi
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
rm -rf "$build/objects"  # objects of deleted files
mkdir -p "$build/objects" "$build/faults"

read -ra library_flags <<<"$(pkg-config --cflags hdf5-serial fmt)"
# Debian's library of dimension scales lies in the folder of HDF5's own; no file of it names the path.
read -ra libraries <<<"$(pkg-config --libs-only-L hdf5-serial) -lhdf5_hl -lhdf5 -lfmt -lexpat -lz"
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
# GCC defines this macro under the sanitizer; clang 14 does not.
flags=(-std=c++20 -O1 -g -fno-omit-frame-pointer -D__SANITIZE_ADDRESS__=1 -I . -I include -I tests -Wall -Wextra "${library_flags[@]}")

# The readers and writers with their dependencies only.
sources=(base/byte_size.cpp base/error_text.cpp base/file/*.cpp base/file/guarded/*.cpp base/hdf5/*.cpp base/memory/headroom.cpp base/printable.cpp
  mdp/process/decision_process.cpp mdp/process/row_writer.cpp mdp/process/options.cpp
  mdp/process/terminal_states.cpp)
for source in mdp/file/*.cpp mdp/text/*.cpp; do
  [[ $source == *_absent.cpp ]] || sources+=("$source")
done

# One process per core; the first that fails ends the script.
running=0
finish_one() {
  wait -n
  running=$((running - 1))
}
start() {  # COMMAND…
  "$@" &
  running=$((running + 1))
  if ((running >= $(nproc))); then finish_one; fi
}
finish() { while ((running > 0)); do finish_one; done; }
compile() {  # SOURCE
  "${launcher[@]}" clang++ "${flags[@]}" "${sanitizers[@]}" -fsanitize=fuzzer-no-link \
    -c "$1" -o "$build/objects/${1//\//_}.o"
}
run_one() {  # READER
  local log="$build/$1.log"
  # -max_len: long enough for inputs of many lines, short enough for thousands of runs a second.
  if ! "$build/${1}_fuzzer" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=2048 -timeout=10 \
      -print_final_stats=1 -artifact_prefix="$build/faults/$1-" "$build/corpus/$1" >"$log" 2>&1; then
    echo "fuzz.sh: $1: a fault; the last of $log:" >&2
    tail -n 40 "$log" >&2
    return 1
  fi
  echo "$1: $(grep -o 'stat::number_of_executed_units: *[0-9]*' "$log" | grep -o '[0-9]*$') inputs," \
    "$(grep -o 'cov: [0-9]*' "$log" | tail -n 1), no fault"
}

echo "Compiling"
fuzzers=("${readers[@]/#/tests/fuzz/}")
for source in "${sources[@]}" tests/fuzz/make_seeds.cpp "${fuzzers[@]/%/_fuzzer.cpp}"; do
  start compile "$source"
done
finish
common=()
for source in "${sources[@]}"; do common+=("$build/objects/${source//\//_}.o"); done
clang++ "${sanitizers[@]}" "${common[@]}" "$build/objects/tests_fuzz_make_seeds.cpp.o" "${libraries[@]}" \
  -o "$build/make_seeds"
"$build/make_seeds" "$build/corpus"
for reader in "${readers[@]}"; do
  clang++ "${sanitizers[@]}" -fsanitize=fuzzer "${common[@]}" \
    "$build/objects/tests_fuzz_${reader}_fuzzer.cpp.o" "${libraries[@]}" -o "$build/${reader}_fuzzer"
done

echo "Fuzzing: $seconds s for each of ${#readers[@]} readers"
for reader in "${readers[@]}"; do start run_one "$reader"; done
finish
