#pragma once

// Which targets kernels are compiled for: on x86-64 AVX2, AVX-512 and plain numbers, on AArch64
// NEON, SVE and plain numbers. Nothing else includes Highway first, so that all files agree.

// Sums are the same bits everywhere (docs/model.md), so every target must have a fused
// multiply-add, which x86-64 has from AVX2 on. Bit 14 is SSE2, which Highway 1.0.3 has no name for.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_SSSE3 | (1LL << 14))
// x86-64-v3 is AVX2 without these two, and no kernel needs them.
#define HWY_DISABLE_PCLMUL_AES
// Where there is nothing else: one number at a time, for which std::fma does. As a target beside
// the others it is what tests hold them to.
#define HWY_BROKEN_EMU128 1
#define HWY_COMPILE_ALL_ATTAINABLE

#include "hwy/targets.h"
