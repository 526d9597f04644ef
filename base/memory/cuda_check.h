#pragma once

#include <cuda_runtime.h>

namespace tidewise {

/// Throws RunError with the error's name and text, the call itself, file and line; clears the error
/// first, so that the next call does not report this one again. Out of memory and a device that
/// answers no more, whatever the error was, each have words of their own.
[[noreturn]] void throw_cuda_error(cudaError_t status, const char* call, const char* file,
                                   int line);

}  // namespace tidewise

/// Every CUDA call goes through this check.
#define TIDEWISE_CUDA_CHECK(call)                                               \
  do {                                                                          \
    const cudaError_t tidewise_status = (call);                                 \
    if (tidewise_status != cudaSuccess)                                         \
      ::tidewise::throw_cuda_error(tidewise_status, #call, __FILE__, __LINE__); \
  } while (false)
