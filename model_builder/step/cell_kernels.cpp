#include "model_builder/step/cell_kernels.h"

#include "model_builder/step/cell_kernels_variants.h"

namespace tidewise {

std::size_t available_cell_kernels(const CellKernels* (&kernels)[4]) {
  std::size_t count = 0;
  kernels[count++] = &portable_cell_kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    kernels[count++] = &avx512_cell_kernels;
  }
#endif
  return count;
}

const CellKernels& cell_kernels() {
  const CellKernels* kernels[4] = {};
  return *kernels[available_cell_kernels(kernels) - 1];
}

}  // namespace tidewise
