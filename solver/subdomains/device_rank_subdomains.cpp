#include <exception>
#include <memory>
#include <optional>

#include "base/stopwatch.h"
#include "env/device/device_environment.h"
#include "env/file/blame.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"
#include "solver/subdomains/device_subdomain.h"
#include "solver/subdomains/device_subdomains.h"
#include "solver/subdomains/gather.h"
#include "solver/subdomains/induction.h"
#include "solver/subdomains/message_device_halo.h"

namespace tidewise {
namespace {

/// What a rank does with its band's levels: rank 0 brings them together.
class RankHost final : public BandHost {
 public:
  RankHost(const EnvironmentReader& rows, const std::vector<Action>& actions,
           const Mission& mission, Communicator& communicator, BandAssembly& assembly,
           PolicySink* sink)
      : rows_(rows),
        actions_(actions),
        mission_(mission),
        communicator_(communicator),
        assembly_(assembly),
        sink_(sink),
        band_grid_(rows.info().grid) {
    const RowWindow& window = rows.window();
    band_grid_.ny = window.size();
    band_grid_.first_row += window.south_halo();
  }

  void judge(const SolvedLevel& solved) override {
    if (solved.flow_refused) explain_refused_flow(rows_, actions_, {&mission_}, solved.level);
    blaming(rows_, [&] {
      if (solved.overflow) refuse_overflow(band_grid_, solved.level, solved.value);
    });
  }
  void agree(const BandLevelOutcome& outcome) override { tidewise::agree(communicator_, outcome); }
  void take(const SolvedLevel& solved) override {
    assembly_.give(solved.action, solved.value);
    if (sink_ == nullptr) return;
    assembly_.collect();
    assembly_.hand_over(solved.level, *sink_);
  }

 private:
  const EnvironmentReader& rows_;
  const std::vector<Action>& actions_;
  const Mission& mission_;
  Communicator& communicator_;
  BandAssembly& assembly_;
  PolicySink* sink_;
  Grid band_grid_;  ///< of the band alone, for messages
};

/// A rank that has no band, as there are too few rows for all: it hears how the others fare.
void follow_the_others(Communicator& communicator, TimeLevel last) {
  constexpr std::int64_t own = 1;  // of solve_own_band()
  for (std::int64_t n = 0; n < own + agreements_of_a_band(last); ++n) agree(communicator, {});
}

/// This rank's band, where it has one.
BandReport solve_own_band(const EnvironmentReader& whole, const std::vector<RowWindow>& bands,
                          const std::vector<Action>& actions, const Mission& mission, Engine engine,
                          const LevelBudget& level_budget, Communicator& communicator,
                          PolicySink* sink, Progress& progress) {
  const RowWindow& window = bands[static_cast<std::size_t>(communicator.rank())];
  const Grid& grid = whole.info().grid;
  std::optional<EnvironmentReader> rows;
  std::optional<DeviceEnvironment> levels;
  std::optional<MessageDeviceHalo> exchange;
  BandLevelOutcome made;
  try {
    rows.emplace(whole.path(), whole.names(), window);
    levels.emplace(*rows, level_budget(rows->info(), 0));
    exchange.emplace(communicator, bands, grid.nx);
  } catch (...) {
    made.failure = std::current_exception();
  }
  agree(communicator, made);
  const Mission own = band_mission(mission, window, grid);
  BandAssembly assembly(communicator, bands, grid.nx);
  RankHost host(*rows, actions, own, communicator, assembly, sink);
  return solve_band_on_device(*levels, actions, own, engine, *exchange, host, progress);
}

}  // namespace

SolveReport solve_mission_on_devices_of_ranks(const EnvironmentReader& whole,
                                              const std::vector<Action>& actions,
                                              const Mission& mission, const PlannerOptions& options,
                                              const LevelBudget& level_budget,
                                              Communicator& communicator, PolicySink* sink,
                                              Progress& progress) {
  const EnvironmentInfo& info = whole.info();
  const std::int32_t halo = choose_halo(whole, actions, mission, options.threads, communicator);
  return solve_with_halo(info.grid.ny, communicator.size(), halo, sink,
                         [&](const std::vector<RowWindow>& bands, PolicySink* levels) {
                           const Stopwatch total;
                           BandReport band;
                           if (static_cast<std::size_t>(communicator.rank()) < bands.size()) {
                             band = solve_own_band(whole, bands, actions, mission, options.engine,
                                                   level_budget, communicator, levels, progress);
                           } else {
                             follow_the_others(communicator, mission.last);
                           }
                           SolveReport report;
                           report.states = static_cast<std::int64_t>(info.grid.cell_count()) *
                                           (mission.last.value + 1);
                           report.rows = communicator.all_sum(band.rows);
                           report.transitions = report.rows * info.realization_count;
                           report.bands = static_cast<std::int32_t>(bands.size());
                           report.read_seconds = band.read_seconds;
                           report.solve_seconds = total.seconds() - band.read_seconds;
                           return report;
                         });
}

}  // namespace tidewise
