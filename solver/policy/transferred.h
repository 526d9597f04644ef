#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "solver/policy/alignment.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// A policy with the cells, levels and actions of another one. It has no_action in cells outside
/// the source's grid, at levels before the source's first, and from the source's last level on.
class TransferredPolicy final : public PolicySource {
 public:
  /// `source` has the cells of `grid` and actions at `decision_levels` levels; it must outlive this
  /// object. `to_grid`: the cells of this policy.
  TransferredPolicy(const PolicySource& source, const Grid& grid, std::int32_t decision_levels,
                    PolicyAlignment alignment, const Grid& to_grid);

  /// True if the source has actions at level k of this policy.
  bool holds(TimeLevel k) const;
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// The value is NaN where the source has none.
  void read_value(TimeLevel k, View<float> value) const override;
  const PolicySource& leg(std::size_t n) const override;

 private:
  template <class T>
  void copy_common_cells(const std::vector<T>& from, View<T> to) const;

  const PolicySource& source_;
  Grid grid_;
  std::int32_t decision_levels_;
  PolicyAlignment alignment_;
  Grid to_grid_;
  // Created on first use.
  mutable std::map<std::size_t, std::unique_ptr<TransferredPolicy>> later_legs_;
};

}  // namespace tidewise
