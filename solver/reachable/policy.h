#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/policy/policy.h"
#include "solver/reachable/reach.h"

namespace tidewise {

/// What to do in the cells that a vehicle can still be in, and what that is worth: of a leg of a
/// mission.
class ReachablePolicy final : public PolicySource {
 public:
  /// Begins with a reach that has been found, for the solver to fill; keeps its memory.
  void begin(ReachableCells reach) {
    reach_ = std::move(reach);
    action_.resize(reach_.size());
    value_.resize(reach_.size());
  }
  /// Takes over what a whole plan says of one of the reach's levels. (y, x)
  void take(TimeLevel k, View<const std::int16_t> action, View<const float> value);

  /// no_action outside the reach, at the last level, and in cells where there is none.
  std::int16_t action(TimeLevel k, CellIndex cell) const;
  /// Nothing outside the reach.
  std::optional<float> value(TimeLevel k, CellIndex cell) const;

  /// (y, x): no_action outside.
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  /// (y, x): not a number outside.
  void read_value(TimeLevel k, View<float> value) const override;

  const ReachableCells& reach() const { return reach_; }

 private:
  std::optional<std::size_t> place_of(TimeLevel k, CellIndex cell) const;

  ReachableCells reach_;
  std::vector<std::int16_t> action_;  // (cell of the reach)
  std::vector<float> value_;
};

/// Gives levels last … 0 of a leg to `sink`: no action and no number where the policy says nothing.
void give_all_levels(const ReachablePolicy& policy, std::size_t leg, const Grid& grid,
                     TimeLevel last, PolicySink& sink);

/// Passes on of a whole policy what it says in the reach of each leg, (leg), and no action and no
/// number elsewhere.
class ReachSink final : public PolicySink {
 public:
  /// Both must outlive it.
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
