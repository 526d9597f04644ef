#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage bench_explicit_needs_gpu{
    "bench_explicit_needs_gpu", "bench explicit measures a GPU, and none can be used here"};
inline constexpr ErrorMessage bench_gyre_not_built{
    "bench_gyre_not_built",
    "bench gyre: this build has no wind-driven gyre (TIDEWISE_GYRE is OFF); build with "
    "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen"};
inline constexpr ErrorMessage bench_mdp_needs_gpu{
    "bench_mdp_needs_gpu", "bench mdp is to measure a GPU, and none can be used here"};
inline constexpr ErrorMessage rewired_world_invalid{
    "rewired_world_invalid",
    "the world {} should be rewired-SIDExPERCENT@DISCOUNT, such as rewired-450x10@0.99"};
inline constexpr ErrorMessage bench_world_unknown{"bench_world_unknown",
                                                  "{}, {}, rewired-450x10, {}"};
inline constexpr ErrorMessage bench_missions_needs_gpu{
    "bench_missions_needs_gpu",
    "bench missions: no GPU can be used here; leave --backend cuda out"};
inline constexpr ErrorMessage bench_planner_needs_gpu{
    "bench_planner_needs_gpu", "bench planner measures a GPU, and none can be used here"};
inline constexpr ErrorMessage bench_bands_without_reference{
    "bench_bands_without_reference",
    "bench bands compares with one device; name 1 among --devices"};
inline constexpr ErrorMessage bench_bands_too_low{
    "bench_bands_too_low",
    "bench bands: {} bands of {} rows are lower than the {} rows that a step may cross; give more "
    "--cells or fewer --devices"};
inline constexpr ErrorMessage bench_bands_needs_gpu{
    "bench_bands_needs_gpu", "bench bands measures GPUs, and none can be used here"};

}  // namespace tidewise::errors
