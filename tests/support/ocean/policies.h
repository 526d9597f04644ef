#pragma once

#include <algorithm>

#include "solver/policy/policy.h"

namespace tidewise::test {

/// One action in every cell at every level.
class ConstantPolicy final : public PolicySource {
 public:
  explicit ConstantPolicy(std::int16_t action) : action_(action) {}
  void read_action(TimeLevel, View<std::int16_t> action) const override {
    std::fill(action.begin(), action.end(), action_);
  }
  void read_value(TimeLevel, View<float> value) const override {
    std::fill(value.begin(), value.end(), 0.0F);
  }

 private:
  std::int16_t action_;
};

}  // namespace tidewise::test
