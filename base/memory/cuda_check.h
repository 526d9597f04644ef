#pragma once

#include <cuda_runtime.h>

namespace tidewise {

/// Throws RunError with the error's name and text, the call, file and line. Clears the error first,
/// so that the next call does not report it again. Out of memory and a lost device have messages of
/// their own.
[[noreturn]] void throw_cuda_error(cudaError_t status, const char* call, const char* file,
                                   int line);

}  // namespace tidewise

/// Checks the result of a CUDA call; every call uses it.
#define TIDEWISE_CUDA_CHECK(call)                                               \
  do {                                                                          \
    const cudaError_t tidewise_status = (call);                                 \
    if (tidewise_status != cudaSuccess)                                         \
      ::tidewise::throw_cuda_error(tidewise_status, #call, __FILE__, __LINE__); \
  } while (false)
