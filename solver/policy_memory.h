#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/policy.h"

namespace tidewise {

/// The actions of a whole policy in memory, two bytes a state, and the values of one level: what
/// evaluation and flights need, without a way through a file.
class PolicyMemory final : public PolicySink, public PolicySource {
 public:
  /// Levels 0 … last; values are kept of `value_level`.
  PolicyMemory(const Grid& grid, TimeLevel last, TimeLevel value_level);
  /// Bytes that such a memory takes.
  static std::size_t size(const Grid& grid, TimeLevel last);

  void accept(TimeLevel k, View<const std::int16_t> action, View<const float> value) override;
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// Errors: RunError for another level than the one that is kept.
  void read_value(TimeLevel k, View<float> value) const override;

 private:
  std::size_t cells_;
  TimeLevel value_level_;
  std::vector<std::int16_t> action_;  // (time, y, x)
  std::vector<float> value_;          // (y, x)
};

}  // namespace tidewise
