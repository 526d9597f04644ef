#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `paper`: the sequential twin of the published algorithm. Per action, per cell, per realization,
/// the position computed anew each time, and counts gathered in S2_count of size Nsg · Nc. The
/// baseline to compare with. The sub-grid reaches `subgrid_radius` cells at least.
std::unique_ptr<CountingEngine> make_paper_engine(const PositionRule& rule, const Grid& grid,
                                                  const TimeAxis& time,
                                                  const std::vector<Action>& actions,
                                                  std::int32_t threads,
                                                  std::int32_t subgrid_radius = 0);

}  // namespace tidewise
