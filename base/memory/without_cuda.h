#pragma once

#include "base/error.h"

namespace tidewise {

/// What a function that needs a device does in a build without CUDA, where nothing calls it: the
/// backend is chosen before, and says there why it is the CPU's.
[[noreturn]] inline void refuse_without_cuda() {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise
