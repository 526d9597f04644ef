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

/// Terminal states behind those of the levels, (k·Ny + j)·Nx + i with k = 0 … L: a step ends in one
/// of them where it ends the mission in no cell that is open at k + 1.
enum class EndState : std::int32_t {
  target,    ///< the path meets the target's disc, and the step ends in another cell
  obstacle,  ///< the path or its end is closed
  border,    ///< the step ends outside the grid
  count
};

/// Writes a mission as a finite decision process in the form of mdp/file/hdf5.h, level by level:
/// P, and the rewards of a step of docs/model.md, 3.4, with the margin's penalty (3.10). Terminal
/// are target, closed cells, level L and the EndStates; `initial_value` is what each brings
/// (docs/mdp/worlds.md). γ = 1. Its values are the plan's to rounding, but in the target, where
/// they are the arrival reward.
///
/// `model` describes the environment's counts, `source` makes them. Missions with via points or
/// held actions have other states and must not be given. Returns the number of entries. Errors:
/// InputError for 2^31 states or more; those of `source` and of writing.
std::int64_t write_mission_process(const std::filesystem::path& path,
                                   const EnvironmentReader& environment,
                                   const PlanningProblem& problem, const ModelInfo& model,
                                   CompactLevelSource& source, const std::string& history,
                                   Progress& progress);

}  // namespace tidewise
