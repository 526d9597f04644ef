#pragma once

#include <memory>
#include <vector>

#include "env/file/reader.h"
#include "model_builder/explicit/compact_level_source.h"
#include "planner/backend/backend.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Returns a source that counts the model's levels on `backend`. Errors: those of the engine.
std::unique_ptr<CompactLevelSource> make_model_source(
    const Backend& backend, const PlanOptions& planner, const EnvironmentReader& environment,
    const PositionRule& rule, const std::vector<Action>& actions, const SubGrid& subgrid);

}  // namespace tidewise
