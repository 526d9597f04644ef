#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/policy/policy.h"
#include "solver/reachable/reach.h"

namespace tidewise {

/// Actions and values of a leg of a mission, in the cells that a vehicle can still reach.
class ReachablePolicy final : public PolicySource {
 public:
  /// Begins with a given reach, which a solver then fills. Keeps the memory of earlier results.
  void begin(ReachableCells reach) {
    reach_ = std::move(reach);
    action_.resize(reach_.size());
    value_.resize(reach_.size());
  }
  /// Stores one of the reach's levels from a plan for all cells. `action`, `value`: (y, x).
  void take(TimeLevel k, View<const std::int16_t> action, View<const float> value);

  /// Action of a cell; no_action outside the reach, at the last level, and in cells without an
  /// action.
  std::int16_t action(TimeLevel k, CellIndex cell) const;
  /// Value of a cell; nullopt outside the reach.
  std::optional<float> value(TimeLevel k, CellIndex cell) const;

  /// (y, x); no_action outside the reach.
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// (y, x); NaN outside the reach.
  void read_value(TimeLevel k, View<float> value) const override;

  /// Cells of the policy.
  const ReachableCells& reach() const { return reach_; }

 private:
  std::optional<std::size_t> place_of(TimeLevel k, CellIndex cell) const;

  ReachableCells reach_;
  std::vector<std::int16_t> action_;  // (cell of the reach)
  std::vector<float> value_;
};

/// Passes levels last … 0 of a leg to `sink`. Cells outside the reach have no_action and NaN.
void give_all_levels(const ReachablePolicy& policy, std::size_t leg, const Grid& grid,
                     TimeLevel last, PolicySink& sink);

/// Passes a whole policy to another sink, with no_action and NaN outside the reach of each leg,
/// (leg).
class ReachSink final : public PolicySink {
 public:
  /// Both must outlive the object.
  ReachSink(const std::vector<ReachableCells>& reach, const Grid& grid, PolicySink& sink);
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;

 private:
  const std::vector<ReachableCells>& reach_;
  PolicySink& sink_;
  std::vector<std::int16_t> action_;  // (y, x)
  std::vector<float> value_;
};

}  // namespace tidewise
