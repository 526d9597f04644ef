#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/memory/array.h"
#include "solver/policy/policy.h"
#include "solver/policy/rows.h"

namespace tidewise {

/// A policy in memory, without a file, for evaluation and flights: the actions of all legs of a
/// mission (two bytes per state), and the values of the levels at which vehicles depart.
class PolicyMemory final : public PolicySink, public PolicySource {
 public:
  /// For levels 0 … last. Keeps the values of `value_levels`.
  PolicyMemory(const Grid& grid, TimeLevel last, const std::vector<TimeLevel>& value_levels,
               std::size_t legs = 1);
  /// Also keeps the rows of a mission with one leg, in at most `memory` [B].
  void keep_rows(std::size_t memory) {
    if (later_legs_.empty()) rows_.emplace(memory);
  }
  /// Memory for each leg, without rows [B].
  static std::size_t size(const Grid& grid, TimeLevel last, std::size_t value_levels = 1);

  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  /// Action of a level that was accepted, (y, x); valid as long as this object.
  View<const std::int16_t> accepted(std::size_t leg, TimeLevel k) const {
    return leg_memory(leg).action(k);
  }
  /// A level that was not accepted has no action.
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// Errors: RunError for a level that is not kept.
  void read_value(TimeLevel k, View<float> value) const override;
  const PolicySource& leg(std::size_t n) const override { return leg_memory(n); }
  PolicyRows* rows_to_keep() override { return rows_ ? &*rows_ : nullptr; }
  const PolicyRows* rows() const override { return rows_ ? &*rows_ : nullptr; }

 private:
  const PolicyMemory& leg_memory(std::size_t n) const {
    return n == 0 ? *this : later_legs_.at(n - 1);
  }
  View<const std::int16_t> action(TimeLevel k) const;
  std::optional<std::size_t> place_of(TimeLevel k) const;

  std::size_t cells_;
  std::vector<TimeLevel> value_levels_;  // ascending, each once
  Array<std::int16_t> action_;           // (time, y, x)
  std::vector<std::uint8_t> accepted_;   // (time): 1 if the level was accepted
  std::vector<float> value_;             // (value level, y, x)
  std::vector<PolicyMemory> later_legs_;
  std::optional<PolicyRows> rows_;
};

}  // namespace tidewise
