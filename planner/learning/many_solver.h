#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "planner/backend/backend.h"
#include "solver/reachable/device_solver.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/reachable/policy.h"
#include "solver/reachable/reach.h"
#include "solver/step/planning_problem.h"
#include "tidewise/backend.h"

namespace tidewise {

/// A problem on levels in memory: the cell and level of a vehicle, its leg of the mission
/// (solver/legs/legs.h), and the ensemble that it plans with.
struct SolveTask {
  StartState from;
  std::size_t leg = 0;
  std::int32_t realization_count = 0;
  std::vector<std::uint32_t> realization_weight;  ///< as in EnvironmentInfo
  /// (level from the first in memory on, mode, realization); levels before `from` are not read.
  std::vector<float> coefficient;
};

/// Solves many problems of one mission in parallel, one for each thread. Each solve covers the
/// reachable states (solver/reachable), on the CPU or on the current GPU. The results are the same
/// bits.
class ManySolver {
 public:
  /// If the GPU's memory cannot hold the problems of all threads, or the engine has no GPU version,
  /// the CPU solves, and a line is added to `notes`. `environment`: the source of the levels. Of
  /// the problem's rule only the landing matters. All references must outlive the solver.
  ManySolver(const EnvironmentReader& environment, const InMemoryLevels& levels,
             const PlanningProblem& problem, Engine engine, const Backend& backend,
             std::vector<std::string>& notes);

  /// Fills `task`, whose memory is reused, with problem n. Called once for each n, from several
  /// threads at a time.
  using Pose = std::function<void(std::size_t n, SolveTask& task)>;
  /// Receives the policies of problem n for its leg and later legs, indexed from the task's leg.
  /// They are valid until it returns. Called in the same manner.
  using Use = std::function<void(std::size_t n, const std::vector<ReachablePolicy>& policies)>;

  /// Solves problems 0 … count − 1 in any order. Errors: the first error of a problem, which ends
  /// the other solves.
  void solve(std::size_t count, const Pose& pose, const Use& use) const;

 private:
  struct Worker;

  const EnvironmentReader& environment_;
  const InMemoryLevels& levels_;
  const PlanningProblem problem_;
  Engine engine_;
  std::int32_t threads_;
  std::unique_ptr<DeviceLevelsInMemory> device_levels_;  ///< null if the CPU solves
};

}  // namespace tidewise
