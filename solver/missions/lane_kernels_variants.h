#pragma once

#include "solver/missions/lane_kernels.h"

namespace tidewise {

extern const LaneKernels portable_lane_kernels;
extern const LaneKernels avx2_lane_kernels;    ///< defined on x86-64 only
extern const LaneKernels avx512_lane_kernels;  ///< defined on x86-64 only

}  // namespace tidewise
