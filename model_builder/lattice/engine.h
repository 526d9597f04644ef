#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `lattice`: bins the cloud of a cell once, and reads the counts of every action from a table of
/// sums (LatticeCounts). Clouds that are too wide, or have too few points for a table, are counted
/// by the `direct` method.
std::unique_ptr<CountingEngine> make_lattice_engine(const PositionRule& rule, const Grid& grid,
                                                    const TimeAxis& time,
                                                    std::vector<Action> actions,
                                                    std::int32_t threads);

}  // namespace tidewise
