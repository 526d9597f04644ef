#pragma once

// Compiles the including file once for each kind of processor ("target") that Google Highway
// supports here, narrowest first:
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "layer/folder/kernels.cpp"  // the file itself
//   #include "base/simd/each_target.h"
//   #include "base/simd/vectors.h"
//
//   HWY_BEFORE_NAMESPACE();
//   namespace tidewise::HWY_NAMESPACE { ... }  // once for each target
//   HWY_AFTER_NAMESPACE();
//   #if HWY_ONCE
//   namespace tidewise { HWY_EXPORT(f); ... HWY_DYNAMIC_DISPATCH(f)(...); }
//   #endif

#include "base/simd/targets.h"
#include "hwy/foreach_target.h"
