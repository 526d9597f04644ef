#include <exception>
#include <memory>
#include <optional>

#include "base/stopwatch.h"
#include "env/device/device_environment.h"
#include "env/file/blame.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"
#include "solver/subdomains/device_subdomains.h"
#include "solver/subdomains/gather.h"
#include "solver/subdomains/induction.h"
#include "solver/subdomains/message_device_halo.h"

namespace tidewise {
namespace {

/// What a rank does with its band's levels: rank 0 brings them together.
class RankHost final : public SubdomainHost {
 public:
  RankHost(const EnvironmentReader& rows, const PlanningProblem& problem,
           Communicator& communicator, SubdomainGather& gather, PolicySink* sink)
      : rows_(rows),
        problem_(problem),
        communicator_(communicator),
        gather_(gather),
        sink_(sink),
        subdomain_grid_(rows.info().grid) {
    const RowWindow& window = rows.window();
    subdomain_grid_.ny = window.size();
    subdomain_grid_.first_row += window.south_halo();
  }

  void validate(const SolvedLevel& solved) override {
    if (solved.flow_refused)
      explain_refused_flow(rows_, problem_.rule, problem_.actions, {&problem_.mission},
                           solved.level);
    blaming(rows_, [&] {
      if (solved.overflow) refuse_overflow(subdomain_grid_, solved.level, solved.value);
    });
  }
  void agree(const SubdomainLevelOutcome& outcome) override {
    tidewise::agree(communicator_, outcome);
  }
  void take(const SolvedLevel& solved) override {
    gather_.give(solved.action, solved.value);
    if (sink_ == nullptr) return;
    gather_.collect();
    gather_.hand_over(solved.level, *sink_);
  }

 private:
  const EnvironmentReader& rows_;
  PlanningProblem problem_;
  Communicator& communicator_;
  SubdomainGather& gather_;
  PolicySink* sink_;
  Grid subdomain_grid_;  ///< of the band alone, for messages
};

/// A rank that has no band, as there are too few rows for all: it hears how the others fare.
void follow_the_others(Communicator& communicator, TimeLevel last) {
  constexpr std::int64_t own = 1;  // of solve_own_band()
  for (std::int64_t n = 0; n < own + agreements_of_a_subdomain(last); ++n) agree(communicator, {});
}

/// This rank's band, where it has one.
SubdomainReport solve_own_subdomain(const EnvironmentReader& whole,
                                    const std::vector<RowWindow>& subdomains,
                                    const PlanningProblem& problem, Engine engine,
                                    const LevelBudget& level_budget, Communicator& communicator,
                                    PolicySink* sink, Progress& progress) {
  const RowWindow& window = subdomains[static_cast<std::size_t>(communicator.rank())];
  const Grid& grid = whole.info().grid;
  std::optional<EnvironmentReader> rows;
  std::optional<DeviceEnvironment> levels;
  std::optional<MessageDeviceHalo> exchange;
  SubdomainLevelOutcome made;
  try {
    rows.emplace(whole.path(), whole.names(), window);
    levels.emplace(*rows, level_budget(rows->info(), 0));
    exchange.emplace(communicator, subdomains, grid.nx);
  } catch (...) {
    made.failure = std::current_exception();
  }
  agree(communicator, made);
  const Mission own = subdomain_mission(problem.mission, window, grid);
  SubdomainGather gather(communicator, subdomains, grid.nx);
  RankHost host(*rows, {problem.actions, own}, communicator, gather, sink);
  return solve_subdomain_on_device(*levels, {problem.actions, own}, engine, *exchange, host,
                                   progress);
}

}  // namespace

SolveReport solve_mission_on_devices_of_ranks(const EnvironmentReader& whole,
                                              const PlanningProblem& problem,
                                              const PlannerOptions& options,
                                              const LevelBudget& level_budget,
                                              Communicator& communicator, PolicySink* sink,
                                              Progress& progress) {
  const EnvironmentInfo& info = whole.info();
  const std::int32_t halo = choose_halo(whole, problem, options.threads, communicator);
  return solve_with_halo(info.grid.ny, communicator.size(), halo, sink,
                         [&](const std::vector<RowWindow>& subdomains, PolicySink* levels) {
                           const Stopwatch total;
                           SubdomainReport subdomain;
                           if (static_cast<std::size_t>(communicator.rank()) < subdomains.size()) {
                             subdomain =
                                 solve_own_subdomain(whole, subdomains, problem, options.engine,
                                                     level_budget, communicator, levels, progress);
                           } else {
                             follow_the_others(communicator, problem.mission.last);
                           }
                           SolveReport report;
                           report.states = static_cast<std::int64_t>(info.grid.cell_count()) *
                                           (problem.mission.last.value + 1);
                           report.rows = communicator.all_sum(subdomain.rows);
                           report.transitions = report.rows * info.realization_count;
                           report.subdomains = static_cast<std::int32_t>(subdomains.size());
                           report.read_seconds = subdomain.read_seconds;
                           report.solve_seconds = total.seconds() - subdomain.read_seconds;
                           return report;
                         });
}

}  // namespace tidewise
