#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// An engine on the CPU. Actions of several profiles are counted profile by profile, with the
/// profile's velocity if the level has one. `threads` ≥ 1; results do not depend on it. The
/// sub-grid of `paper` reaches at least `subgrid_radius` cells; the windows of the others fit each
/// cell.
std::unique_ptr<CountingEngine> make_cpu_engine(Engine engine, const PositionRule& rule,
                                                const Grid& grid, const TimeAxis& time,
                                                std::vector<Action> actions, std::int32_t threads,
                                                std::int32_t subgrid_radius = 0);

/// An engine that combines one engine for each profile's actions. `make` creates the engine of one
/// profile's actions.
std::unique_ptr<CountingEngine> make_profile_engines(
    const std::vector<Action>& actions,
    const std::function<std::unique_ptr<CountingEngine>(std::vector<Action>)>& make);

}  // namespace tidewise
