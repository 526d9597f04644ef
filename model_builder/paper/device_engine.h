#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `paper` on the current device: the published algorithm (model_builder/paper/device_model.h) for
/// levels in host memory. A level is copied once; counts return action by action, and the sink gets
/// them from thread 0. For comparisons of speed and results, not for planning. `subgrid_radius`:
/// minimum radius of the sub-grid [cells]. `block_size` and `batch`: as in DevicePaperModel.
/// Errors: those of DevicePaperModel.
std::unique_ptr<CountingEngine> make_device_paper_engine(
    const PositionRule& rule, const Grid& grid, const TimeAxis& time, std::vector<Action> actions,
    std::int32_t subgrid_radius = 0, std::int32_t block_size = 64, std::int32_t batch = INT32_MAX);

}  // namespace tidewise
