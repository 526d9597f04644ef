#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// The windows and counts of all actions of one cell, by the `direct` method: every point of the
/// cloud is shifted by every action and landed separately. Scratch memory of one thread.
class DirectCounts {
 public:
  DirectCounts(const std::vector<Action>& actions, const PositionRule& rule)
      : actions_(actions), rule_(rule) {}

  /// `x`, `y`: D of the cell's cloud (realization); `mean`: M. `weights` may be empty. The result
  /// is valid until the next call.
  CellTransitions count(View<const std::int32_t> x, View<const std::int32_t> y, Displacement mean,
                        View<const std::uint32_t> weights);

 private:
  const std::vector<Action>& actions_;
  PositionRule rule_;
  std::vector<Offset> origin_;
  std::vector<std::uint32_t> count_;
};

/// `direct`: computes the spread of each cell once, then counts every realization for each action.
std::unique_ptr<CountingEngine> make_direct_engine(const PositionRule& rule, const Grid& grid,
                                                   const TimeAxis& time,
                                                   std::vector<Action> actions,
                                                   std::int32_t threads);

}  // namespace tidewise
