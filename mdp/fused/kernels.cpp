#include "mdp/fused/kernels.h"

namespace tidewise::mdp {

std::size_t available_fused_kernels(const FusedKernels* (&kernels)[4]) {
  std::size_t count = 0;
  kernels[count++] = &portable_fused_kernels;
#if defined(__x86_64__)
  kernels[count++] = &avx2_fused_kernels;  // the least processor has them
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    kernels[count++] = &avx512_fused_kernels;
  }
#endif
  return count;
}

const FusedKernels& fused_kernels() {
  const FusedKernels* kernels[4] = {};
  return *kernels[available_fused_kernels(kernels) - 1];
}

}  // namespace tidewise::mdp
