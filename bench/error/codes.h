#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(bench_needs_gpu,
               "bench {} needs a GPU, and none is available; run it on a machine with a GPU");
TIDEWISE_ERROR(bench_gyre_not_built,
               "bench gyre: this build has no wind-driven gyre (TIDEWISE_GYRE is OFF); build with "
               "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
TIDEWISE_ERROR(
    rewired_world_invalid,
    "the world {} must have the form rewired-SIDExPERCENT@DISCOUNT, such as rewired-450x10@0.99, "
    "or rewired-wet-SIDExSUCCESSORSxPERCENT, such as rewired-wet-256x1x10");
TIDEWISE_ERROR(bench_world_unknown, "{}, {}, rewired-450x10, {}");
TIDEWISE_ERROR(bench_missions_needs_gpu,
               "bench missions: no GPU is available; omit --backend cuda");
TIDEWISE_ERROR(bench_bands_without_reference,
               "bench bands compares with one device; include 1 in --devices");
TIDEWISE_ERROR(bench_bands_too_low,
               "bench bands: {} bands have only {} rows each, and a step may cross {} rows; "
               "increase --cells or reduce --devices");

}  // namespace tidewise::errors
