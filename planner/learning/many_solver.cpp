#include "planner/learning/many_solver.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "base/byte_size.h"
#include "base/parallel/first_error.h"
#include "base/progress.h"
#include "env/file/file_in_error.h"
#include "solver/reachable/solver.h"

namespace tidewise {
namespace {

/// The reason why the backend's GPU is not used; "" if it is, or if there is none.
std::string obstacle_on_device(const EnvironmentInfo& info, const InMemoryLevels& levels,
                               const Mission& mission, Engine engine, const Backend& backend) {
  if (backend.kind != BackendKind::cuda) return "";
  if (mission.error.any()) return "the vehicle has an error of its own (vehicle.speed_error)";
  if (mission.decisions.hold()) return "actions are held (mission.decide_every)";
  if (!mission.via.empty()) return "the mission passes places (mission.via)";
  if (info.velocities > 1) return "the vehicle chooses among depths (vehicle.profiles)";
  if (engine == Engine::paper) return "the engine paper has no part in them on a GPU";
  // All threads work at once.
  const std::size_t bytes = InMemoryLevels::size(info, levels.first(), levels.last()) +
                            static_cast<std::size_t>(backend.threads) *
                                DeviceReachableSolver::size(info, levels.first(), levels.last());
  if (bytes <= backend.device_memory) return "";
  return fmt::format("they take {} of the GPU's memory by {} threads, and {} may be taken",
                     describe_bytes(static_cast<double>(bytes)), backend.threads,
                     describe_bytes(static_cast<double>(backend.device_memory)));
}

}  // namespace

ManySolver::ManySolver(const EnvironmentReader& environment, const InMemoryLevels& levels,
                       const PlanningProblem& problem, Engine engine, const Backend& backend,
                       std::vector<std::string>& notes)
    : environment_(environment),
      levels_(levels),
      problem_(problem),
      engine_(engine),
      threads_(backend.threads) {
  const std::string obstacle =
      obstacle_on_device(environment.info(), levels, problem.mission, engine, backend);
  if (!obstacle.empty()) {
    notes.push_back(fmt::format("replanning uses the CPU: {}", obstacle));
  } else if (backend.kind == BackendKind::cuda) {
    device_levels_ = std::make_unique<DeviceLevelsInMemory>(levels);
  }
}

/// State of one thread.
struct ManySolver::Worker {
  explicit Worker(const ManySolver& many_solver)
      : many(many_solver), info(many_solver.environment_.info()) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void solve() {
    if (!problem || info.realization_count != task.realization_count ||
        info.realization_weight != task.realization_weight) {
      info.realization_count = task.realization_count;
      info.realization_weight = task.realization_weight;
      const PositionRule rule =
          position_rule(many.problem_.rule.landing, info, many.problem_.rule.draws);
      problem.emplace(PlanningProblem{many.problem_.actions, many.problem_.mission, rule});
      host_solver.reset();
      device_solver.reset();
      if (many.device_levels_) {
        device_solver =
            make_device_reachable_solver(info, *problem, many.engine_, *many.device_levels_);
      }
    }
    if (device_solver && device_solver->solve(task.coefficient, task.from, policies[0])) return;
    const PlannerOptions options{.engine = many.engine_, .threads = 1, .subgrid_radius = 0};
    EnsembleLevels levels(many.levels_, task.coefficient, task.realization_count);
    SilentProgress silent;
    if (!host_solver || leg != task.leg) host_solver.emplace(info, *problem, options, task.leg);
    leg = task.leg;
    host_solver->solve(levels, task.from, policies, silent);
  }

  const ManySolver& many;
  EnvironmentInfo info;  ///< info of the current ensemble
  SolveTask task;
  std::optional<PlanningProblem> problem;
  std::optional<ReachableSolver> host_solver;
  std::size_t leg = 0;  ///< leg from which host_solver solves
  std::unique_ptr<DeviceReachableSolver> device_solver;
  std::vector<ReachablePolicy> policies = std::vector<ReachablePolicy>(1);
};

void ManySolver::solve(std::size_t count, const Pose& pose, const Use& use) const {
  FirstError error;
#pragma omp parallel num_threads(threads_)
  {
    std::optional<Worker> worker;
    error.run([&] { worker.emplace(*this); });
#pragma omp for schedule(dynamic, 1)
    for (std::size_t n = 0; n < count; ++n) {
      error.run([&] {
        pose(n, worker->task);
        with_file_in_error(environment_, [&] { worker->solve(); });
        use(n, std::as_const(worker->policies));
      });
    }
  }
  error.rethrow();
}

}  // namespace tidewise
