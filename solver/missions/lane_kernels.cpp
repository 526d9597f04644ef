#include "solver/missions/lane_kernels.h"

#include "solver/missions/lane_kernels_variants.h"

namespace tidewise {

std::size_t available_lane_kernels(const LaneKernels* (&kernels)[4]) {
  std::size_t count = 0;
  kernels[count++] = &portable_lane_kernels;
#if defined(__x86_64__)
  kernels[count++] = &avx2_lane_kernels;  // the least processor has them
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    kernels[count++] = &avx512_lane_kernels;
  }
#endif
  return count;
}

const LaneKernels& lane_kernels() {
  const LaneKernels* kernels[4] = {};
  return *kernels[available_lane_kernels(kernels) - 1];
}

}  // namespace tidewise
