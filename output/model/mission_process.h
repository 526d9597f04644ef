#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/explicit/compact_level_source.h"
#include "output/model/model_file.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Terminal states, numbered after those of the levels, (k·Ny + j)·Nx + i with k = 0 … L. A step
/// that ends the mission leads to one of them, unless it ends in a cell of the target or time is
/// up.
enum class EndState : std::int32_t {
  target,    ///< the path enters the target's disc, but the step ends in another cell
  obstacle,  ///< the path or its end is closed
  border,    ///< the step ends outside the grid
  count
};

/// Writes a mission as a finite decision process in the form of mdp/file/hdf5.h, level by level:
/// P, and the rewards of a step of docs/model.md, 3.4, with the margin's penalty (3.10). The
/// target, closed cells, level L and the EndStates are terminal; `initial_value` is their value
/// (docs/mdp/worlds.md). γ = 1. The values of the other states are those of the plan, except for
/// rounding.
///
/// `model` describes the environment's counts, which `source` makes. Requires a mission without via
/// points and action hold. Returns the number of entries. Errors: InputError for 2^31 states or
/// more; those of `source` and of writing.
std::int64_t write_mission_process(const std::filesystem::path& path,
                                   const EnvironmentReader& environment,
                                   const PlanningProblem& problem, const ModelInfo& model,
                                   CompactLevelSource& source, const std::string& history,
                                   Progress& progress);

}  // namespace tidewise
