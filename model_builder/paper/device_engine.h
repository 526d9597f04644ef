#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `paper` on the current device: the published algorithm (model_builder/paper/device_model.h) on
/// levels in host memory. A level is brought over once; counts come back action by action, and the
/// sink hears of them from thread 0. The baseline to beat and a second opinion; no way to plan in a
/// hurry. `subgrid_radius`: cells that the sub-grid reaches at least. `block_size` and `batch`: as
/// of DevicePaperModel. Errors: those of DevicePaperModel.
std::unique_ptr<CountingEngine> make_device_paper_engine(
    const PositionRule& rule, const Grid& grid, const TimeAxis& time, std::vector<Action> actions,
    std::int32_t subgrid_radius = 0, std::int32_t block_size = 64, std::int32_t batch = INT32_MAX);

}  // namespace tidewise
