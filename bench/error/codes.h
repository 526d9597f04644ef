#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(bench_needs_gpu, "bench {} measures a GPU, and none can be used here");
TIDEWISE_ERROR(bench_gyre_not_built,
               "bench gyre: this build has no wind-driven gyre (TIDEWISE_GYRE is OFF); build with "
               "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
TIDEWISE_ERROR(
    rewired_world_invalid,
    "the world {} should be rewired-SIDExPERCENT@DISCOUNT, such as rewired-450x10@0.99, or of a "
    "wet floor rewired-wet-256x1x10");
TIDEWISE_ERROR(bench_world_unknown, "{}, {}, rewired-450x10, {}");
TIDEWISE_ERROR(bench_missions_needs_gpu,
               "bench missions: no GPU can be used here; leave --backend cuda out");
TIDEWISE_ERROR(bench_bands_without_reference,
               "bench bands compares with one device; name 1 among --devices");
TIDEWISE_ERROR(bench_bands_too_low,
               "bench bands: {} bands of {} rows are lower than the {} rows that a step may cross; "
               "give more --cells or fewer --devices");

}  // namespace tidewise::errors
