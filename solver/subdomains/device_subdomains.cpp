#include "solver/subdomains/device_subdomains.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/parallel/start_thread.h"
#include "base/stopwatch.h"
#include "env/device/device_environment.h"
#include "env/file/blame.h"
#include "env/row_balance.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"
#include "solver/subdomains/induction.h"
#include "solver/subdomains/nccl_halo_group.h"
#include "solver/subdomains/planes.h"

namespace tidewise {
namespace {

/// A device refused the flow of a level, which the host is to explain.
struct RefusedFlow {
  TimeLevel level;
};

/// Of several threads' exceptions the first that says why.
class FirstReason {
 public:
  void keep(std::exception_ptr reason) {
    const std::lock_guard lock(mutex_);
    if (!reason_) reason_ = std::move(reason);
  }
  /// Call it when all threads have ended.
  void rethrow() const {
    if (reason_) std::rethrow_exception(reason_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr reason_;
};

/// What a thread does with its band's levels: it brings them to where the whole ones are made.
class ThreadHost final : public SubdomainHost {
 public:
  ThreadHost(SubdomainPlanes& planes, DeviceHaloExchange& exchange, std::size_t subdomain)
      : planes_(planes), exchange_(exchange), subdomain_(subdomain) {}

  void validate(const SolvedLevel& solved) override {
    if (solved.flow_refused) throw RefusedFlow{solved.level};
  }
  void agree(const SubdomainLevelOutcome& outcome) override {
    if (outcome.failure) std::rethrow_exception(outcome.failure);
    exchange_.refuse_if_ended();
    // The pass goes on all the same: it is then known how many rows its repetition takes.
    if (outcome.needed_halo > 0) planes_.end();
  }
  void take(const SolvedLevel& solved) override {
    planes_.bring(subdomain_, solved.level, solved.action, solved.value, solved.overflow);
  }
  /// Subdomains that are ahead may be waiting for room, which is made by levels that now never
  /// come.
  void give_up() noexcept override { planes_.end(); }

 private:
  SubdomainPlanes& planes_;
  DeviceHaloExchange& exchange_;
  const std::size_t subdomain_;
};

/// One pass with given bands.
class DevicesPass {
 public:
  DevicesPass(const EnvironmentReader& environment, const std::vector<RowWindow>& subdomains,
              const std::vector<int>& devices, const PlanningProblem& problem,
              const PlannerOptions& options, const LevelBudget& level_budget)
      : environment_(environment),
        subdomains_(subdomains),
        devices_(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(subdomains.size())),
        problem_(problem),
        options_(options),
        level_budget_(level_budget),
        planes_(environment.info().grid, subdomains),
        reports_(subdomains.size()) {}

  SolveReport run(HaloTransport transport, PolicySink& sink, Progress& progress) {
    const Stopwatch total;
    const EnvironmentInfo& info = environment_.info();
    group_ = transport == HaloTransport::nccl && subdomains_.size() > 1
                 ? make_nccl_halo_group(subdomains_, info.grid.nx, devices_)
                 : make_copying_halo_group(subdomains_, info.grid.nx);
    auto threads =
        start_threads(subdomains_.size(), [this](std::size_t subdomain) { solve(subdomain); });
    hand_over(sink, progress);
    threads.clear();  // waits for them
    explain();
    std::int32_t needed = 0;
    for (const SubdomainReport& subdomain : reports_)
      needed = std::max(needed, subdomain.needed_halo);
    if (needed > 0) throw HaloTooShort(needed);
    return report(total.seconds());
  }

 private:
  /// A band's thread.
  void solve(std::size_t subdomain) {
    DeviceHaloExchange& exchange = group_->of_subdomain(subdomain);
    try {
      use_device(devices_[subdomain]);
      const EnvironmentReader rows(environment_.path(), environment_.names(),
                                   subdomains_[subdomain]);
      DeviceEnvironment levels(rows, level_budget_(rows.info(), subdomain));
      const Mission mission =
          subdomain_mission(problem_.mission, subdomains_[subdomain], environment_.info().grid);
      ThreadHost host(planes_, exchange, subdomain);
      SilentProgress progress;
      reports_[subdomain] =
          solve_subdomain_on_device(levels, {problem_.actions, mission, problem_.rule},
                                    options_.engine, exchange, host, progress);
    } catch (const SubdomainsEnded&) {
      planes_.end();
    } catch (...) {
      reason_.keep(std::current_exception());
      planes_.end();
      exchange.give_up();  // where it has not come so far as to do this itself
    }
    exchange.leave();
  }

  /// Gives `sink` the whole levels as they come.
  void hand_over(PolicySink& sink, Progress& progress) {
    const Grid& grid = environment_.info().grid;
    try {
      progress.begin("planning", problem_.mission.last.value, "levels");
      for (std::int32_t k = problem_.mission.last.value; k >= 0; --k) {
        const SubdomainPlanes::Level* level = planes_.take();
        if (level == nullptr) return;
        const View<const float> value{level->value.data(), level->value.size()};
        if (level->overflow) {
          blaming(environment_, [&] { refuse_overflow(grid, level->k, value); });
        }
        sink.accept(level->k, {level->action.data(), level->action.size()}, value);
        progress.advance_to(problem_.mission.last.value - k);
      }
      progress.end();
    } catch (...) {
      reason_.keep(std::current_exception());
      group_->give_up();
      planes_.end();
    }
  }

  void explain() const {
    try {
      reason_.rethrow();
    } catch (const RefusedFlow& refused) {
      explain_refused_flow(environment_, problem_.rule, problem_.actions, {&problem_.mission},
                           refused.level);
    }
  }

  SolveReport report(double seconds) const {
    const EnvironmentInfo& info = environment_.info();
    SolveReport report;
    report.states =
        static_cast<std::int64_t>(info.grid.cell_count()) * (problem_.mission.last.value + 1);
    for (const SubdomainReport& subdomain : reports_) {
      report.rows += subdomain.rows;
      report.read_seconds = std::max(report.read_seconds, subdomain.read_seconds);
    }
    report.transitions = report.rows * info.realization_count;
    report.subdomains = static_cast<std::int32_t>(subdomains_.size());
    report.solve_seconds = seconds - report.read_seconds;
    return report;
  }

  const EnvironmentReader& environment_;
  const std::vector<RowWindow> subdomains_;
  const std::vector<int> devices_;  ///< (band)
  PlanningProblem problem_;
  const PlannerOptions& options_;
  const LevelBudget& level_budget_;
  SubdomainPlanes planes_;
  std::unique_ptr<DeviceHaloGroup> group_;
  std::vector<SubdomainReport> reports_;  ///< (band)
  FirstReason reason_;
};

/// As many bands with as high halos, but of about as much open water each: that is where devices
/// have work.
std::vector<RowWindow> share_water(const EnvironmentReader& environment, const Mission& mission,
                                   const std::vector<RowWindow>& subdomains) {
  if (subdomains.size() == 1) return subdomains;
  constexpr double closed_cell = 0.02;  // its work, of an open one's
  const Grid& grid = environment.info().grid;
  std::vector<double> cost(static_cast<std::size_t>(grid.ny), 0);
  try {
    const auto masked = environment.read_masked(TimeLevel(mission.last.value / 2));
    for (std::size_t cell = 0; cell < masked.size(); ++cell) {
      cost[cell / static_cast<std::size_t>(grid.nx)] += masked[cell] == 0 ? 1 : closed_cell;
    }
  } catch (const InputError&) {  // the pass meets it again, in the order that it is to be told in
    return subdomains;
  }
  return balance_rows(cost, static_cast<std::int32_t>(subdomains.size()),
                      subdomains.front().north_halo());
}

}  // namespace

SolveReport solve_subdomains_on_devices(const EnvironmentReader& environment,
                                        const std::vector<RowWindow>& subdomains,
                                        const std::vector<int>& devices,
                                        const PlanningProblem& problem,
                                        const PlannerOptions& options,
                                        const LevelBudget& level_budget, HaloTransport transport,
                                        PolicySink& sink, Progress& progress) {
  return DevicesPass(environment, subdomains, devices, problem, options, level_budget)
      .run(transport, sink, progress);
}

SolveReport solve_mission_on_devices(const EnvironmentReader& environment,
                                     const std::vector<int>& devices,
                                     const PlanningProblem& problem, const PlannerOptions& options,
                                     const LevelBudget& level_budget, HaloTransport transport,
                                     PolicySink& sink, Progress& progress) {
  const auto alone = make_lone_communicator();
  const std::int32_t halo = choose_halo(environment, problem, options.threads, *alone);
  return solve_with_halo(
      environment.info().grid.ny, static_cast<std::int32_t>(devices.size()), halo, &sink,
      [&](const std::vector<RowWindow>& subdomains, PolicySink* levels) {
        return solve_subdomains_on_devices(
            environment, share_water(environment, problem.mission, subdomains), devices, problem,
            options, level_budget, transport, *levels, progress);
      });
}

}  // namespace tidewise
