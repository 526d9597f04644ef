#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/policy/policy.h"

namespace tidewise {

/// The actions of a whole policy in memory, two bytes a state, and the values of the levels at
/// which vehicles depart: what evaluation and flights need, without a way through a file.
class PolicyMemory final : public PolicySink, public PolicySource {
 public:
  /// Levels 0 … last; values are kept of `value_levels`.
  PolicyMemory(const Grid& grid, TimeLevel last, std::vector<TimeLevel> value_levels);
  /// Bytes that such a memory takes.
  static std::size_t size(const Grid& grid, TimeLevel last, std::size_t value_levels = 1);

  void accept(TimeLevel k, View<const std::int16_t> action, View<const float> value) override;
  /// (y, x) of a level; stays where it is as long as this object.
  View<const std::int16_t> action(TimeLevel k) const;
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// Errors: RunError for a level that is not kept.
  void read_value(TimeLevel k, View<float> value) const override;

 private:
  std::optional<std::size_t> place_of(TimeLevel k) const;

  std::size_t cells_;
  std::vector<TimeLevel> value_levels_;  // ascending, each once
  std::vector<std::int16_t> action_;     // (time, y, x)
  std::vector<float> value_;             // (value level, y, x)
};

}  // namespace tidewise
