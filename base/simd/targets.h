#pragma once

// Targets for which kernels are compiled: on x86-64 AVX2, AVX-512 and scalar code, on AArch64 NEON,
// SVE and scalar code. Only this file includes Highway first, so that all files agree. Sums have
// the same bits everywhere (docs/model.md), so every target needs a fused multiply-add, which
// x86-64 has from AVX2 on. Bit 14 is SSE2, for which Highway 1.0.3 has no name.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_SSSE3 | (1LL << 14))
// x86-64-v3 is AVX2 without these two, and no kernel needs them.
#define HWY_DISABLE_PCLMUL_AES
// Scalar code with std::fma is the fallback; tests compare the other targets with it.
#define HWY_BROKEN_EMU128 1
#define HWY_COMPILE_ALL_ATTAINABLE

#include "hwy/targets.h"
