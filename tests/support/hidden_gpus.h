#pragma once

#include <stdlib.h>

#include "base/memory/device.h"

namespace tidewise::test {

/// Hides all GPUs from programs that are started during its lifetime.
class HiddenGpus {
 public:
  /// Looks for this process's own GPUs first, so that they stay visible to it.
  HiddenGpus() {
    (void)device_count();
    ::setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  }
  ~HiddenGpus() { ::unsetenv("CUDA_VISIBLE_DEVICES"); }
};

}  // namespace tidewise::test
