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

/// A problem to be solved on levels in memory: where and when a vehicle is, on which leg of the
/// mission (solver/legs/legs.h), and the ensemble that it believes in.
struct SolveTask {
  StartState from;
  std::size_t leg = 0;
  std::int32_t realization_count = 0;
  std::vector<std::uint32_t> realization_weight;  ///< as of EnvironmentInfo
  /// (level from the first in memory on, mode, realization); those before `from` are not looked at.
  std::vector<float> coefficient;
};

/// Solves many such problems of one mission side by side: a thread a problem, each a solve of what
/// is reachable (solver/reachable), on the processor or on the current GPU, where the problems of
/// all threads run side by side. The results are the same bits.
class ManySolver {
 public:
  /// If the GPU's memory cannot hold the problems of all threads, or the engine has no GPU version,
  /// the CPU solves, and a line is added to `notes`. `environment`: the source of the levels. Of
  /// the problem's rule only the landing matters. All of it must outlive the solver.
  ManySolver(const EnvironmentReader& environment, const InMemoryLevels& levels,
             const PlanningProblem& problem, Engine engine, const Backend& backend,
             std::vector<std::string>& notes);

  /// Poses problem n: fills `task`, whose memory is used again and again. Called for each n once,
  /// from any thread, several at a time.
  using Pose = std::function<void(std::size_t n, SolveTask& task)>;
  /// Takes what came of problem n, on the same terms: the policies of its leg and of those after
  /// it, (leg less the task's), which are valid until it returns.
  using Use = std::function<void(std::size_t n, const std::vector<ReachablePolicy>& policies)>;

  /// Problems 0 … count − 1, in any order. Errors: the first that a part of it throws, which ends
  /// the rest.
  void solve(std::size_t count, const Pose& pose, const Use& use) const;

 private:
  struct Worker;

  const EnvironmentReader& environment_;
  const InMemoryLevels& levels_;
  const PlanningProblem problem_;
  Engine engine_;
  std::int32_t threads_;
  std::unique_ptr<DeviceLevelsInMemory> on_device_;  ///< null: the processor solves
};

}  // namespace tidewise
