#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/simd/targets.h"

namespace tidewise::test {

/// Returns the SIMD targets that kernels were compiled for and this processor supports.
inline std::vector<std::int64_t> simd_targets() {
  std::vector<std::int64_t> targets;
  const std::int64_t all = HWY_SUPPORTED_TARGETS & HWY_TARGETS;
  for (std::int64_t remaining = all; remaining != 0; remaining &= remaining - 1)
    targets.push_back(remaining & -remaining);
  return targets;
}

/// Restricts kernels to one target during its lifetime. Not thread-safe.
class OnTarget {
 public:
  explicit OnTarget([[maybe_unused]] std::int64_t target) { choose(target); }
  ~OnTarget() { choose(0); }
  OnTarget(const OnTarget&) = delete;
  OnTarget& operator=(const OnTarget&) = delete;

 private:
  static void choose([[maybe_unused]] std::int64_t target) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) != 0  // else there is nothing to choose from
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
#endif
  }
};

/// A fixture whose tests run on the target that is their parameter.
class OnEveryTarget : public testing::TestWithParam<std::int64_t> {
 private:
  OnTarget target_{GetParam()};
};
inline std::string name_of_target(const testing::TestParamInfo<std::int64_t>& target) {
  return hwy::TargetName(target.param);
}

}  // namespace tidewise::test
