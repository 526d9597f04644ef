#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `lattice`: the cloud of a cell binned once, the counts of every action read off a table of sums
/// (LatticeCounts). Clouds too wide or too few for a table are counted the `direct` way.
std::unique_ptr<CountingEngine> make_lattice_engine(const PositionRule& rule, const Grid& grid,
                                                    const TimeAxis& time,
                                                    std::vector<Action> actions,
                                                    std::int32_t threads);

}  // namespace tidewise
