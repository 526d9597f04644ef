#include <algorithm>
#include <exception>
#include <optional>

#include "base/memory/device.h"
#include "env/file/level_stream.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {
namespace {

/// Lets nobody wait for this band, neither for values nor for levels.
void give_up(DeviceHaloExchange& exchange, SubdomainHost& host) noexcept {
  exchange.give_up();
  host.give_up();
}

/// A band's part in the exchange: however its pass ends, no other band waits for it, and what the
/// others may read of it stays until they have.
class Participation {
 public:
  Participation(DeviceHaloExchange& exchange, SubdomainHost& host)
      : exchange_(exchange), host_(host) {}
  Participation(const Participation&) = delete;
  Participation& operator=(const Participation&) = delete;
  ~Participation() {
    if (!complete_) give_up(exchange_, host_);
    try {
      wait_for_device();
    } catch (...) {  // the device is lost, and its work with it
    }
    exchange_.leave();
  }
  void complete() { complete_ = true; }

 private:
  DeviceHaloExchange& exchange_;
  SubdomainHost& host_;
  bool complete_ = false;
};

/// The pass over the levels, some of them in flight at a time.
class SubdomainPass {
 public:
  SubdomainPass(DeviceEnvironment& environment, const PlanningProblem& problem, Engine engine,
                DeviceHaloExchange& exchange, SubdomainHost& host, Progress& progress)
      : environment_(environment),
        action_count_(static_cast<std::int64_t>(problem.actions.size())),
        mission_(problem.mission),
        exchange_(exchange),
        host_(host),
        progress_(progress),
        window_(environment.reader().window()),
        solver_(environment.info(), problem, engine, KeepRows::no,
                SubdomainWork{window_, &exchange}) {}

  SubdomainReport run() {
    Participation participation(exchange_, host_);
    // All memory is there before values travel: taking some could wait for them.
    exchange_.meet();
    environment_.begin(levels_between(mission_.last, TimeLevel(0)));
    progress_.begin("planning", mission_.last.value, "levels");
    for (TimeLevel k = mission_.last; k.value >= 0; --k.value) {
      LevelView fields;
      attempt([&] {
        if (solver_.in_flight() == DeviceLevelSolver::depth()) collect();
        fields = environment_.next(solver_.preparation_stream());
      });
      settle();
      solver_.submit(k, fields);
      if (k != mission_.last) environment_.release(solver_.solving_stream());
    }
    while (solver_.in_flight() > 0) {
      attempt([&] { collect(); });
      settle();
    }
    attempt([&] { environment_.finish(); });
    settle();
    environment_.release(solver_.solving_stream());
    progress_.end();
    report_.read_seconds = environment_.waited_seconds();
    participation.complete();
    return report_;
  }

 private:
  /// Keeps what goes wrong for the others to learn at settle().
  template <class Work>
  void attempt(const Work& work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void collect() {
    const SolvedLevel solved = solver_.collect();
    if (solved.flow_refused) environment_.finish();  // an unreadable level is the better reason
    report_.rows += solved.decided * action_count_;
    if (window_.south_halo() > 0) require(solved.reach_south, window_.south_halo());
    if (window_.north_halo() > 0) require(solved.reach_north, window_.north_halo());
    if (report_.needed_halo > 0) return;
    host_.validate(solved);
    collected_ = solved;
  }

  void require(std::int32_t reach, std::int32_t halo) {
    if (reach > halo) report_.needed_halo = std::max(report_.needed_halo, reach);
  }

  void settle() {
    host_.agree({report_.needed_halo, failure_});
    if (!collected_) return;
    attempt([&] { host_.take(*collected_); });
    progress_.advance_to(mission_.last.value - collected_->level.value);
    collected_.reset();
  }

  DeviceEnvironment& environment_;
  const std::int64_t action_count_;
  const Mission& mission_;
  DeviceHaloExchange& exchange_;
  SubdomainHost& host_;
  Progress& progress_;
  const RowWindow window_;
  DeviceLevelSolver solver_;
  std::exception_ptr failure_;
  std::optional<SolvedLevel> collected_;  ///< not yet taken
  SubdomainReport report_;
};

}  // namespace

std::int64_t agreements_of_a_subdomain(TimeLevel last) {
  const std::int64_t levels = std::int64_t{last.value} + 1;
  const std::int64_t in_flight_at_the_end =
      std::min<std::int64_t>(levels, DeviceLevelSolver::depth());
  return 1 + levels + in_flight_at_the_end + 1;
}

SubdomainReport solve_subdomain_on_device(DeviceEnvironment& environment,
                                          const PlanningProblem& problem, Engine engine,
                                          DeviceHaloExchange& exchange, SubdomainHost& host,
                                          Progress& progress) {
  try {
    std::optional<SubdomainPass> pass;
    SubdomainLevelOutcome made;
    try {
      pass.emplace(environment, problem, engine, exchange, host, progress);
    } catch (...) {
      made.failure = std::current_exception();
    }
    host.agree(made);
    return pass->run();
  } catch (...) {
    give_up(exchange, host);
    exchange.leave();
    throw;
  }
}

}  // namespace tidewise
