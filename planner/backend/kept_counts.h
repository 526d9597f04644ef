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
/// target or times share them and are planned without counting. They take about 60 bytes for each
/// row (cell, level, action).
class KeptCounts {
 public:
  /// Counts all levels on the CPU. Errors: those of reading and counting.
  KeptCounts(const EnvironmentReader& environment, const PositionRule& rule,
             const std::vector<Action>& actions, const PlannerOptions& options, Progress& progress);

  /// Returns a function for solve_backward() that passes on these counts. Levels of another
  /// forecast, rule or vehicle are counted by the engine of `options`. This object and the problem
  /// must outlive the function.
  CountLevel counts(const EnvironmentInfo& environment, const PlanningProblem& problem,
                    const PlannerOptions& options) const;

 private:
  bool matches(const EnvironmentInfo& environment, const PlanningProblem& problem) const;

  ModelInfo model_;
  std::vector<CountedLevel> levels_;
};

}  // namespace tidewise
