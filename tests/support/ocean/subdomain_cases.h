#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "env/level_fields.h"
#include "solver/policy/policy.h"

namespace tidewise::test {

/// A policy table that expects each level once, from the last to the first.
class StrictTable final : public PolicySink {
 public:
  StrictTable(const Grid& grid, TimeLevel last) : table(grid, last), awaited_(last) {}
  void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override {
    EXPECT_EQ(k, awaited_);
    --awaited_.value;
    table.accept(0, k, action, value);
  }
  bool complete() const { return awaited_.value == -1; }

  PolicyTable table;

 private:
  TimeLevel awaited_;
};

/// Columns of the grids that surge() fills.
constexpr std::size_t surging_columns = 13;

/// Fills still water, except for a current of five rows per step along one column at level 3.
inline void surge(TimeLevel k, LevelFields<>& fields) {
  for (std::size_t cell = 6; k.value == 3 && cell < fields.v_mean.size(); cell += surging_columns) {
    fields.v_mean[cell] = 5.2F;
    fields.v_mode[cell] = 0.3F;
  }
  for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
    fields.coefficient[n] = 0.1F * static_cast<float>(n % 7);
  }
}

}  // namespace tidewise::test
