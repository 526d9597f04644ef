#pragma once

#include <nccl.h>

namespace tidewise {

/// Throws RunError with NCCL's words, the call itself, file and line.
[[noreturn]] void throw_nccl_error(ncclResult_t status, const char* call, const char* file,
                                   int line);

}  // namespace tidewise

/// Every NCCL call goes through this check.
#define TIDEWISE_NCCL_CHECK(call)                                               \
  do {                                                                          \
    const ncclResult_t tidewise_status = (call);                                \
    if (tidewise_status != ncclSuccess)                                         \
      ::tidewise::throw_nccl_error(tidewise_status, #call, __FILE__, __LINE__); \
  } while (false)
