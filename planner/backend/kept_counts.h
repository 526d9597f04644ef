#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/explicit/compact_level_source.h"
#include "model_builder/step/actions.h"
#include "output/model/model_file.h"
#include "solver/induction/backward_induction.h"

namespace tidewise {

/// The transition counts of an environment and a vehicle, in memory. Missions that differ in start,
/// target or times share them, so that each of them is planned without counting. Some 60 bytes a
/// row (cell, level, action).
class KeptCounts {
 public:
  /// Counts all levels on the CPU. Errors: those of reading and counting.
  KeptCounts(const EnvironmentReader& environment, const PositionRule& rule,
             const std::vector<Action>& actions, const PlannerOptions& options, Progress& progress);

  /// For solve_backward(). A level of another forecast, rule or vehicle is counted by the engine of
  /// `options`. These counts and the problem must outlive what is returned.
  CountLevel counts(const EnvironmentInfo& environment, const PlanningProblem& problem,
                    const PlannerOptions& options) const;

 private:
  bool is_of(const EnvironmentInfo& environment, const PlanningProblem& problem) const;

  ModelInfo model_;
  std::vector<CountedLevel> levels_;
};

}  // namespace tidewise
