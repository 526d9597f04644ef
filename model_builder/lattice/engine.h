#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/counting_engine.h"

namespace tidewise {

/// `lattice`: the cloud of a cell binned once, the counts of every action read off a summed-area
/// table. Clouds too wide for the table are counted the `direct` way.
std::unique_ptr<CountingEngine> make_lattice_engine(const Grid& grid, const TimeAxis& time,
                                                    std::vector<Action> actions,
                                                    std::int32_t threads,
                                                    const CellKernels& kernels = cell_kernels());

}  // namespace tidewise
