#!/usr/bin/env bash
# Tests the policy on board: compiles include/tidewise_policy.h with every compiler, looks up all
# cells of a policy on this processor and, under emulation, on a Cortex-M4, and sends
# examples/onboard/policy_daemon the requests of a mission computer and of a glider.
#
#   scripts/check_onboard.sh [TIDEWISE]   TIDEWISE: build/cpu/app/tidewise if not given
#
# Needs what 'scripts/install_dependencies.sh --development --onboard' installs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh
tidewise=$(realpath "${1:-build/cpu/app/tidewise}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for needed in gcc g++ clang clang++ arm-none-eabi-gcc qemu-system-arm; do
  command -v "$needed" >/dev/null || fail "$needed is missing; run scripts/install_dependencies.sh --development --onboard"
done

step "the header by every compiler"
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Werror -Iinclude)
cortex=(-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffunction-sections -fdata-sections)
for compiler in gcc clang "arm-none-eabi-gcc ${cortex[*]}"; do
  for source in examples/onboard/policy_daemon.c tests/onboard/answer_questions.c; do
    # shellcheck disable=SC2086
    $compiler -std=c11 -O2 "${warnings[@]}" -c "$source" -o "$scratch/one.o"
  done
done
echo '#include <tidewise_policy.h>' >"$scratch/single.c"
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -std=c++20 -x c++" "clang++ -std=c++20 -x c++" \
  "arm-none-eabi-gcc -std=c11 ${cortex[*]}" "arm-none-eabi-gcc -std=c11 -mcpu=cortex-m0 -mthumb"; do
  $compiler "${warnings[@]}" -c "$scratch/single.c" -o "$scratch/single.o"
done

step "code size of a look-up on a Cortex-M4"
# size_of NAME CALL: prints the bytes of a program with this call, without the mathematics library.
size_of() {
  printf '#include <tidewise_policy.h>\nint ask(struct tw_policy*, double, double, double, struct tw_policy_action*);\n
    int ask(struct tw_policy* p, double a, double b, double t, struct tw_policy_action* to) { return (int)%s; }\n' \
    "$2" >"$scratch/$1.c"
  arm-none-eabi-gcc -std=c11 -Os "${cortex[@]}" -Iinclude -c "$scratch/$1.c" -o "$scratch/$1.o"
  echo "   $1: $(arm-none-eabi-size "$scratch/$1.o" | awk 'NR == 2 {print $1}') bytes"
}
size_of open 'tw_policy_open(p, to, (uint64_t)a)'
size_of check 'tw_policy_check(p)'
size_of by_x_and_y 'tw_policy_act_xy(p, a, b, t, to)'
size_of by_longitude_and_latitude 'tw_policy_act_lonlat(p, a, b, t, to)'

step "policies: one with longitude, latitude and dates, one without"
(
  cp scripts/torture/forecast4.nc "$scratch"
  cd "$scratch"
  "$tidewise" -q env import forecast4.nc --out ocean.h5 --lagged 2
  cat >ocean.toml <<'MISSION'
[environment]
file = "ocean.h5"
[vehicle]
speeds = [0.5, 1.0]
headings = 16
[mission]
objective = "time"
start_lonlat = [-19.0, 41.0]
target_lonlat = [-16.0, 44.0]
target_radius = 60000.0
MISSION
  "$tidewise" -q plan ocean.toml --out ocean >/dev/null
  "$tidewise" -q export ocean --format policy --value --out ocean.twp >/dev/null
  "$tidewise" -q env double-gyre --out gyre.h5 --nx 24 --ny 24 --nt 12 --modes 2 --realizations 6
  cat >gyre.toml <<'MISSION'
[environment]
file = "gyre.h5"
[vehicle]
speeds = [1.0]
headings = 256
[mission]
objective = "time"
start = [4.5, 4.5]
target = [12.5, 16.5]
MISSION
  "$tidewise" -q plan gyre.toml --out gyre >/dev/null
  "$tidewise" -q export gyre --format policy --out gyre.twp >/dev/null
)

step "every cell on this processor, under the sanitizers"
gcc -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -Iinclude \
  tests/onboard/answer_questions.c -o "$scratch/here" -lm
for policy in ocean gyre; do
  "$scratch/here" "$scratch/$policy.twp" >"$scratch/$policy.here"
  grep -q '^checksum ok' "$scratch/$policy.here" || fail "$policy.twp differs from the written file"
  echo "   $policy: $(grep -c '^cell' "$scratch/$policy.here") states, $(grep -c '^cell ok' "$scratch/$policy.here") actions," \
    "$(grep -c '^place ok' "$scratch/$policy.here" || true) of 1000 places"
done
(($(grep -c '^place ok' "$scratch/ocean.here") > 50)) || fail "too few places by longitude and latitude have an action"

step "the same on a Cortex-M4, emulated"
arm-none-eabi-gcc -std=c11 -Os "${cortex[@]}" -Iinclude -specs=rdimon.specs -nostartfiles -T tests/onboard/mps2_an386.ld \
  tests/onboard/cortex_m4.c tests/onboard/answer_questions.c "$(arm-none-eabi-gcc "${cortex[@]}" -print-file-name=rdimon-crt0.o)" \
  -Wl,--gc-sections -o "$scratch/board.elf" -lm
for policy in ocean gyre; do
  (cd "$scratch" && timeout 30 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -kernel board.elf \
    -semihosting-config "enable=on,target=native,arg=board,arg=$policy.twp") >"$scratch/$policy.board"
  cmp "$scratch/$policy.here" "$scratch/$policy.board" || fail "the results of a Cortex-M4 differ for $policy.twp"
done

step "the daemon, in JSON and in a glider's protocol"
gcc -std=c11 -O2 -Iinclude examples/onboard/policy_daemon.c -o "$scratch/policy_daemon" -lm
python3 -B tests/onboard/talk.py "$tidewise" "$scratch/policy_daemon" "$scratch"
echo "read by every compiler, asked everywhere, and spoken with"
