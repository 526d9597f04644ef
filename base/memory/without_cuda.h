#pragma once

#include "base/error.h"

namespace tidewise {

/// Body of functions that need a device, in a build without CUDA. They are never called, because
/// the choice of the backend comes first and reports the reason.
[[noreturn]] inline void refuse_without_cuda() {
  throw RunError("a GPU was requested, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise
