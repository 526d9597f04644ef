#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/progress.h"
#include "env/environment_info.h"
#include "solver/reachable/level_source.h"
#include "solver/reachable/reach.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Finds the reach of a vehicle on leg `first` of a mission (solver/legs/legs.h), for that leg and
/// the following ones. A vehicle in the leg's via point passes it at once, as in flights. Keeps its
/// memory from one call to the next.
class LegsReachFinder {
 public:
  /// `info` and the problem must outlive the object.
  LegsReachFinder(const EnvironmentInfo& info, const PlanningProblem& problem, std::int32_t threads,
                  std::size_t first = 0, Currents currents = Currents::of_realizations);

  /// Reach by (leg − `first`). Errors: those of the levels.
  std::vector<ReachableCells> find(LevelSource& levels, const StartState& from, Progress& progress);

 private:
  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::size_t first_;
  std::deque<Mission> legs_;
  std::deque<ReachFinder> finders_;  // (leg − first_)
};

}  // namespace tidewise
