#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "solver/policy/alignment.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// A policy on the cells and levels, and in the actions, of another: what it says there, or
/// no_action where it says nothing (before its first level, from its last on, outside its grid).
class TransferredPolicy final : public PolicySource {
 public:
  /// `source` lies on `grid` and takes decisions at `decision_levels` levels; it must outlive this
  /// object. `to_grid`: the cells that it is asked for.
  TransferredPolicy(const PolicySource& source, const Grid& grid, std::int32_t decision_levels,
                    PolicyAlignment alignment, const Grid& to_grid);

  /// Whether the source takes decisions at this level of the other.
  bool holds(TimeLevel k) const;
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// NaN where the source says nothing.
  void read_value(TimeLevel k, View<float> value) const override;
  const PolicySource& leg(std::size_t n) const override;

 private:
  template <class T>
  void spread(const std::vector<T>& from, View<T> to) const;

  const PolicySource& source_;
  Grid grid_;
  std::int32_t decision_levels_;
  PolicyAlignment alignment_;
  Grid to_grid_;
  mutable std::map<std::size_t, std::unique_ptr<TransferredPolicy>>
      later_legs_;  // once they are asked for
};

}  // namespace tidewise
