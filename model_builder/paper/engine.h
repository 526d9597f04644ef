#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `paper`: the sequential counterpart of the published algorithm, for comparisons. For each
/// action, cell and realization it computes the position separately, and counts in S2_count of size
/// Nsg · Nc. The sub-grid reaches at least `subgrid_radius` cells.
std::unique_ptr<CountingEngine> make_paper_engine(const PositionRule& rule, const Grid& grid,
                                                  const TimeAxis& time,
                                                  const std::vector<Action>& actions,
                                                  std::int32_t threads,
                                                  std::int32_t subgrid_radius = 0);

}  // namespace tidewise
