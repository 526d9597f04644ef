#include "solver/subdomains/induction.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/stopwatch.h"
#include "env/file/blame.h"
#include "env/file/level_stream.h"
#include "model_builder/engines.h"
#include "solver/induction/level_solver.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/gather.h"
#include "solver/subdomains/halo_exchange.h"

namespace tidewise {
namespace {

/// A rank's pass over the levels of its band. Every level goes three steps: solved by each rank by
/// itself, agreed on, brought together; so that who fails, fails where nobody waits for it yet.
class SubdomainPass {
 public:
  SubdomainPass(const EnvironmentReader& whole, const std::vector<RowWindow>& subdomains,
                const PlanningProblem& problem, const PlannerOptions& options,
                Communicator& communicator, PolicySink* sink, Progress& progress)
      : nx_(static_cast<std::size_t>(whole.info().grid.nx)),
        window_(subdomains[static_cast<std::size_t>(communicator.rank())]),
        reader_(whole.path(), whole.names(), window_),
        rule_(problem.rule),
        weights_(counting_weights(reader_.info(), rule_)),
        actions_(problem.actions),
        mission_(subdomain_mission(problem.mission, window_, whole.info().grid)),
        threads_(options.threads),
        communicator_(communicator),
        sink_(sink),
        progress_(progress),
        exchange_(communicator, subdomains, whole.info().grid.nx),
        gather_(communicator, subdomains, whole.info().grid.nx),
        engine_(make_cpu_engine(options.engine, problem.rule, reader_.info().grid,
                                reader_.info().time, problem.actions, options.threads,
                                options.subgrid_radius)),
        solver_(make_cpu_subdomain_solver(
            reader_.info(), window_, {problem.actions, mission_, problem.rule}, options.threads,
            [this](TimeLevel k, const LevelView& level, View<const CellIndex> cells,
                   CountSink& counts) { count(k, level, cells, counts); })),
        levels_(reader_, levels_between(problem.mission.last, TimeLevel(0))) {}

  SolveReport run() {
    std::exception_ptr failure =
        failure_of([&] { progress_.begin("planning", mission_.last.value, "levels"); });
    for (TimeLevel k = mission_.last; k.value >= 0; --k.value) {
      SubdomainLevelOutcome outcome{0, failure};
      if (!failure) outcome = solve(k);
      agree(communicator_, outcome);
      failure = bring_together(k);
    }
    agree(communicator_, {0, failure});
    progress_.end();
    return report_;
  }

 private:
  /// The step of a level is not made where it would lead beyond the halo.
  struct Unreachable {
    std::int32_t needed;
  };

  SubdomainLevelOutcome solve(TimeLevel k) {
    try {
      const Stopwatch reading;
      const LevelFields<>& fields = levels_.next();
      report_.read_seconds += reading.seconds();
      const Stopwatch solving;
      if (k == mission_.last) {
        solver_->start(fields);
      } else {
        blaming(reader_, [&] { solver_->step(k, fields); });
        report_.rows += solver_->decided() * static_cast<std::int64_t>(actions_.size());
      }
      report_.solve_seconds += solving.seconds();
      return {};
    } catch (const Unreachable& step) {
      return {step.needed, {}};
    } catch (...) {
      return {0, std::current_exception()};
    }
  }

  void count(TimeLevel /*k*/, const LevelView& level, View<const CellIndex> cells,
             CountSink& counts) {
    const EnvironmentInfo& info = reader_.info();
    // At the grid's own border nothing lies beyond.
    const std::int32_t halo = std::max(window_.south_halo(), window_.north_halo());
    if (halo > 0) {
      const std::int32_t reach = reach_in_rows(level, info.time, cells, actions_, rule_, threads_);
      if (reach > halo) throw Unreachable{reach};
    }
    engine_->count_level(level, {weights_.data(), weights_.size()}, cells, counts);
  }

  /// Exchanges halos, and hands the whole level over. Returns what failed here alone.
  std::exception_ptr bring_together(TimeLevel k) {
    if (k != mission_.last && k.value > 0) exchange_.exchange(solver_->value());
    const std::size_t begin = static_cast<std::size_t>(window_.south_halo()) * nx_;
    const std::size_t size = static_cast<std::size_t>(window_.size()) * nx_;
    gather_.give(solver_->action().part(begin, size), solver_->value().part(begin, size));
    if (sink_ != nullptr) gather_.collect();
    return failure_of([&] {
      if (sink_ != nullptr) gather_.hand_over(k, *sink_);
      progress_.advance_to(mission_.last.value - k.value);
    });
  }

  std::size_t nx_;
  RowWindow window_;
  EnvironmentReader reader_;
  PositionRule rule_;
  std::vector<std::uint32_t> weights_;
  const std::vector<Action>& actions_;
  Mission mission_;
  std::int32_t threads_;
  Communicator& communicator_;
  PolicySink* sink_;
  Progress& progress_;
  MessageHaloExchange exchange_;
  SubdomainGather gather_;
  std::unique_ptr<CountingEngine> engine_;
  std::unique_ptr<SubdomainLevelSolver> solver_;
  LevelStream levels_;
  SolveReport report_;
};

/// What a rank without a band does: it agrees.
SolveReport sit_out(const Mission& mission, Communicator& communicator) {
  for (std::int32_t k = mission.last.value; k >= -1; --k) agree(communicator, {});
  return {};
}

}  // namespace

SolveReport solve_subdomain(const EnvironmentReader& whole,
                            const std::vector<RowWindow>& subdomains,
                            const PlanningProblem& problem, const PlannerOptions& options,
                            Communicator& communicator, PolicySink* sink, Progress& progress) {
  const bool takes_part = communicator.rank() < static_cast<int>(subdomains.size());
  std::optional<SubdomainPass> pass;
  work_and_agree(communicator, [&] {
    if (takes_part) {
      pass.emplace(whole, subdomains, problem, options, communicator, sink, progress);
    }
  });
  SolveReport report = takes_part ? pass->run() : sit_out(problem.mission, communicator);
  const EnvironmentInfo& info = whole.info();
  report.subdomains = static_cast<std::int32_t>(subdomains.size());
  report.rows = communicator.all_sum(report.rows);
  report.transitions = report.rows * info.realization_count;
  report.states =
      static_cast<std::int64_t>(info.grid.cell_count()) * (problem.mission.last.value + 1);
  return report;
}

SolveReport solve_in_subdomains(const EnvironmentReader& whole, const PlanningProblem& problem,
                                const PlannerOptions& options, Communicator& communicator,
                                PolicySink* sink, Progress& progress) {
  const std::int32_t halo = choose_halo(whole, problem, options.threads, communicator);
  return solve_with_halo(whole.info().grid.ny, communicator.size(), halo, sink,
                         [&](const std::vector<RowWindow>& subdomains, PolicySink* continued) {
                           return solve_subdomain(whole, subdomains, problem, options, communicator,
                                                  continued, progress);
                         });
}

}  // namespace tidewise
