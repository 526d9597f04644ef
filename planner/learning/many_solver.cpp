#include "planner/learning/many_solver.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "base/byte_size.h"
#include "base/parallel/first_error.h"
#include "base/progress.h"
#include "env/file/file_in_error.h"
#include "solver/reachable/device_solver.h"
#include "solver/reachable/legs.h"
#include "solver/reachable/solver.h"

namespace tidewise {
namespace {

class ThreadedManySolver final : public ManySolver {
 public:
  ThreadedManySolver(const EnvironmentReader& environment, const InMemoryLevels& levels,
                     const PlanningProblem& problem, Engine engine, std::int32_t threads,
                     std::unique_ptr<DeviceLevelsInMemory> on_device)
      : environment_(environment),
        levels_(levels),
        problem_(problem),
        engine_(engine),
        threads_(threads),
        on_device_(std::move(on_device)) {}

  void solve(std::size_t count, const Pose& pose, const Use& use) override {
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

 private:
  /// What one thread works with.
  struct Worker {
    explicit Worker(const ThreadedManySolver& the_many)
        : many(the_many), info(the_many.environment_.info()) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void solve() {
      if (!problem || info.realization_count != task.realization_count ||
          info.realization_weight != task.realization_weight) {
        info.realization_count = task.realization_count;
        info.realization_weight = task.realization_weight;
        const PositionRule rule = position_rule(many.problem_.rule.landing, info);
        problem.emplace(PlanningProblem{many.problem_.actions, many.problem_.mission, rule});
        here.reset();
        there.reset();
        if (many.on_device_) {
          there = make_device_reachable_solver(info, *problem, many.engine_, *many.on_device_);
        }
      }
      if (there && there->solve(task.coefficient, task.from, policies[0])) return;
      const PlannerOptions options{.engine = many.engine_, .threads = 1, .subgrid_radius = 0};
      EnsembleLevels levels(many.levels_, task.coefficient, task.realization_count);
      SilentProgress silent;
      if (!here || leg != task.leg) here.emplace(info, *problem, options, task.leg);
      leg = task.leg;
      here->solve(levels, task.from, policies, silent);
    }

    const ThreadedManySolver& many;
    EnvironmentInfo info;  ///< of the ensemble at hand
    SolveTask task;
    std::optional<PlanningProblem> problem;
    std::optional<ReachableSolver> here;
    std::size_t leg = 0;  ///< that it solves from
    std::unique_ptr<DeviceReachableSolver> there;
    std::vector<ReachablePolicy> policies = std::vector<ReachablePolicy>(1);
  };

  const EnvironmentReader& environment_;
  const InMemoryLevels& levels_;
  const PlanningProblem problem_;
  Engine engine_;
  std::int32_t threads_;
  std::unique_ptr<DeviceLevelsInMemory> on_device_;  ///< null: the processor solves
};

/// Why the GPU of the backend is left aside; "" where it is not, or there is none.
std::string obstacle_on_device(const EnvironmentInfo& info, const InMemoryLevels& levels,
                               const Mission& mission, Engine engine, const Backend& backend) {
  if (backend.kind != BackendKind::cuda) return "";
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

std::unique_ptr<ManySolver> make_many_solver(const EnvironmentReader& environment,
                                             const InMemoryLevels& levels,
                                             const PlanningProblem& problem, Engine engine,
                                             const Backend& backend,
                                             std::vector<std::string>& notes) {
  const std::string obstacle =
      obstacle_on_device(environment.info(), levels, problem.mission, engine, backend);
  std::unique_ptr<DeviceLevelsInMemory> on_device;
  if (backend.kind == BackendKind::cuda && obstacle.empty()) {
    on_device = std::make_unique<DeviceLevelsInMemory>(levels);
  }
  if (!obstacle.empty()) {
    notes.push_back(fmt::format("plans on the way are solved on the processor: {}", obstacle));
  }
  return std::make_unique<ThreadedManySolver>(environment, levels, problem, engine, backend.threads,
                                              std::move(on_device));
}

}  // namespace tidewise
