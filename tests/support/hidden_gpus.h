#pragma once

#include <stdlib.h>

#include "base/memory/device.h"

namespace tidewise::test {

/// While it lives, started programs find no GPU.
class HiddenGpus {
 public:
  /// This process has looked for its own before, and keeps them.
  HiddenGpus() {
    (void)device_count();
    ::setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  }
  ~HiddenGpus() { ::unsetenv("CUDA_VISIBLE_DEVICES"); }
};

}  // namespace tidewise::test
