#pragma once

#include <memory>
#include <vector>

#include "app/backend.h"
#include "env/environment_reader.h"
#include "model_builder/compact_level_source.h"

namespace tidewise {

/// What `build` counts on. On a GPU the engine paper alone counts for a model; with another one
/// `auto` leaves the GPU alone. Errors: those of take_backend(); InputError where cuda is asked for
/// with such an engine.
Backend take_building_backend(const MissionFile& mission);

/// Counts the model's levels on it. Errors: those of the engine.
std::unique_ptr<CompactLevelSource> make_model_source(const Backend& backend,
                                                      const MissionFile::Planner& planner,
                                                      const EnvironmentReader& environment,
                                                      const std::vector<Action>& actions,
                                                      const SubGrid& subgrid);

}  // namespace tidewise
