#pragma once

#include <stdlib.h>

namespace tidewise::test {

/// As long as it lives, programs that are run find no GPU.
class HiddenGpus {
 public:
  HiddenGpus() { ::setenv("CUDA_VISIBLE_DEVICES", "-1", 1); }
  ~HiddenGpus() { ::unsetenv("CUDA_VISIBLE_DEVICES"); }
};

}  // namespace tidewise::test
