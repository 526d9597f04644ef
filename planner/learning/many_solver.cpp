#include "planner/learning/many_solver.h"

#include <optional>
#include <utility>

#include "base/parallel/first_error.h"
#include "base/progress.h"
#include "env/file/blame.h"
#include "solver/confined/device_solver.h"
#include "solver/confined/solver.h"

namespace tidewise {
namespace {

class ThreadedManySolver final : public ManySolver {
 public:
  ThreadedManySolver(const EnvironmentReader& environment, const HeldLevels& levels,
                     const PlanningProblem& problem, Engine engine, std::int32_t threads,
                     std::unique_ptr<DeviceHeldLevels> on_device)
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
          blaming(environment_, [&] { worker->solve(); });
          use(n, std::as_const(worker->policy));
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
        if (many.on_device_) there.emplace(info, *problem, many.engine_, *many.on_device_);
      }
      if (there && there->solve(task.coefficient, task.from, policy)) return;
      if (!here) {
        here.emplace(info, *problem,
                     PlannerOptions{.engine = many.engine_, .threads = 1, .subgrid_radius = 0});
      }
      EnsembleLevels levels(many.levels_, task.coefficient, task.realization_count);
      SilentProgress silent;
      here->solve(levels, task.from, policy, silent);
    }

    const ThreadedManySolver& many;
    EnvironmentInfo info;  ///< of the ensemble at hand
    PosedSolve task;
    std::optional<PlanningProblem> problem;
    std::optional<ConfinedSolver> here;
    std::optional<DeviceConfinedSolver> there;
    ConfinedPolicy policy;
  };

  const EnvironmentReader& environment_;
  const HeldLevels& levels_;
  const PlanningProblem problem_;
  Engine engine_;
  std::int32_t threads_;
  std::unique_ptr<DeviceHeldLevels> on_device_;  ///< null: the processor solves
};

/// Device memory for all that work at once.
std::size_t device_bytes(const EnvironmentInfo& info, const HeldLevels& levels,
                         std::int32_t threads) {
  return HeldLevels::size(info, levels.first(), levels.last()) +
         static_cast<std::size_t>(threads) *
             DeviceConfinedSolver::size(info, levels.first(), levels.last());
}

}  // namespace

std::unique_ptr<ManySolver> make_many_solver(const EnvironmentReader& environment,
                                             const HeldLevels& levels,
                                             const PlanningProblem& problem, Engine engine,
                                             const Backend& backend) {
  std::unique_ptr<DeviceHeldLevels> on_device;
  // The engine of the published paper is no part of the device's level solver.
  if (backend.kind == BackendKind::cuda && engine != Engine::paper &&
      device_bytes(environment.info(), levels, backend.threads) <= backend.device_memory) {
    on_device = std::make_unique<DeviceHeldLevels>(levels);
  }
  return std::make_unique<ThreadedManySolver>(environment, levels, problem, engine, backend.threads,
                                              std::move(on_device));
}

}  // namespace tidewise
