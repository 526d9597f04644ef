#!/usr/bin/env bash
# What takes too long for every change: run it by night, after 'bash .ci/run'. Stops at the first failure.
#
#   scripts/nightly.sh [SEED]     of the campaign of damage; default: the day, so that each night is another
#
# TORTURE_SECONDS and FUZZ_SECONDS say how long (3600 for the campaign, 1200 for each reader).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

step "Damage: a long campaign"
scripts/torture.sh --seed "${1:-$(date -u +%Y%m%d)}" --seconds "${TORTURE_SECONDS:-3600}" build/cpu/app/tidewise

step "A decision process of 300 MB in JSON"
TIDEWISE_LARGE_JSON_MB=300 build/cpu/tests/unit/mdp/process_files_test --gtest_filter='LargeJson*'

step "Fuzzing: every reader of decision processes"
scripts/fuzz.sh "${FUZZ_SECONDS:-1200}"

step "All passed"
