#include <optional>
#include <utility>

#include "base/parallel/first_error.h"
#include "base/progress.h"
#include "env/file/blame.h"
#include "planner/learning/many_solver.h"
#include "solver/confined/solver.h"

namespace tidewise {
namespace {

class CpuManySolver final : public ManySolver {
 public:
  CpuManySolver(const EnvironmentReader& environment, const HeldLevels& levels,
                const PlanningProblem& problem, Engine engine, std::int32_t threads)
      : environment_(environment),
        levels_(levels),
        problem_(problem),
        engine_(engine),
        threads_(threads) {}

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
          worker->solve();
          use(n, std::as_const(worker->policy));
        });
      }
    }
    error.rethrow();
  }

 private:
  /// What one thread works with.
  struct Worker {
    explicit Worker(const CpuManySolver& the_many)
        : many(the_many), info(the_many.environment_.info()) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void solve() {
      if (!solver || info.realization_count != task.realization_count ||
          info.realization_weight != task.realization_weight) {
        info.realization_count = task.realization_count;
        info.realization_weight = task.realization_weight;
        const PositionRule rule = position_rule(many.problem_.rule.landing, info);
        problem.emplace(PlanningProblem{many.problem_.actions, many.problem_.mission, rule});
        solver.emplace(info, *problem,
                       PlannerOptions{.engine = many.engine_, .threads = 1, .subgrid_radius = 0});
      }
      EnsembleLevels levels(many.levels_, task.coefficient, task.realization_count);
      SilentProgress silent;
      blaming(many.environment_, [&] { solver->solve(levels, task.from, policy, silent); });
    }

    const CpuManySolver& many;
    EnvironmentInfo info;  ///< of the ensemble at hand
    PosedSolve task;
    std::optional<PlanningProblem> problem;
    std::optional<ConfinedSolver> solver;
    ConfinedPolicy policy;
  };

  const EnvironmentReader& environment_;
  const HeldLevels& levels_;
  const PlanningProblem problem_;
  Engine engine_;
  std::int32_t threads_;
};

}  // namespace

std::unique_ptr<ManySolver> make_cpu_many_solver(const EnvironmentReader& environment,
                                                 const HeldLevels& levels,
                                                 const PlanningProblem& problem, Engine engine,
                                                 std::int32_t threads) {
  return std::make_unique<CpuManySolver>(environment, levels, problem, engine, threads);
}

}  // namespace tidewise
