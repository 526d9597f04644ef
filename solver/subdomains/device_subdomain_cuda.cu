#include <algorithm>
#include <optional>
#include <utility>

#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "env/device/device_environment.h"
#include "env/file/file_in_error.h"
#include "env/levels/level_stream.h"
#include "solver/induction/device_level_solver.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"
#include "solver/pass/device_backward.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {
namespace {

void await_device() noexcept {
  try {
    wait_for_device();
  } catch (...) {  // the device's work is lost with it
  }
}

// The pass on a device, with several levels in flight.
class DeviceSubdomainPass final : public SubdomainPass {
 public:
  DeviceSubdomainPass(const SharedMission& shared, const std::vector<RowWindow>& subdomains,
                      const LevelBudget& level_budget, std::shared_ptr<DeviceHaloExchange> exchange)
      : SubdomainPass(shared, subdomains),
        exchange_(std::move(exchange)),
        environment_(reader_,
                     level_budget(reader_.info(), static_cast<std::size_t>(communicator_.rank()))),
        solver_(reader_.info(), {actions_, mission_, rule_}, options_.engine, KeepRows::no,
                SubdomainWork{window_, exchange_.get()}) {}

  // On any exit the device has completed its work, because it may read data of other bands.
  SolveReport run() override {
    try {
      solve();
    } catch (const HaloTooShort&) {
      await_device();  // every exchange of this band has begun in all bands
      throw;
    } catch (...) {
      exchange_->give_up();
      await_device();
      throw;
    }
    return report_;
  }

  // walk_backward_in_flight() calls the following functions.
  static bool goes_on() {
    return true;
  }  // a failure ends the walk when all ranks have agreed on it
  LevelView fields(TimeLevel) {
    LevelView level;
    attempt([&] { level = environment_.next(solver_.preparation_stream()); });
    return level;
  }
  // All ranks agree on the state; then the collected level is gathered.
  void settle() {
    agree(needed_halo_);
    if (collected_) {
      for (std::size_t n = collected_->leg.size(); n-- > 0;) {
        const SolvedLeg& leg = collected_->leg[n];
        bring_together(n, collected_->level, leg.action, leg.value);
      }
    }
    collected_.reset();
  }
  void submitted(TimeLevel k) {
    if (k != mission_.last) environment_.release(solver_.solving_stream());
  }
  void collect() {
    attempt([&] { validate(solver_.collect()); });
  }

 private:
  void solve() {
    const Stopwatch total;
    attempt([&] {
      environment_.begin(levels_between(mission_.last, TimeLevel(0)));
      progress_.begin("planning", mission_.last.value, "levels");
    });
    walk_backward_in_flight(solver_, mission_.last, TimeLevel(0), *this);
    attempt([&] { environment_.finish(); });
    agree_at_end();
    environment_.release(solver_.solving_stream());
    progress_.end();
    report_.read_seconds = environment_.waited_seconds();
    report_.solve_seconds = total.seconds() - report_.read_seconds;
  }

  void validate(const SolvedLevel& solved) {
    exchange_->validate();
    if (solved.flow_refused) {
      environment_.finish();  // an unreadable level is the more useful error
      explain_refused_flow(reader_, rule_, actions_, {&mission_}, solved.level);
    }
    report_.rows += solved.decided * static_cast<std::int64_t>(actions_.size());
    if (window_.south_halo() > 0) require(solved.reach_south, window_.south_halo());
    if (window_.north_halo() > 0) require(solved.reach_north, window_.north_halo());
    if (needed_halo_ > 0) return;  // the level's values are wrong
    Grid own = reader_.info().grid;
    own.ny = window_.size();
    own.first_row += window_.south_halo();
    with_file_in_error(reader_, [&] {
      for (std::size_t n = solved.overflow ? solved.leg.size() : 0; n-- > 0;) {
        refuse_overflow(own, solved.level, solved.leg[n].value);
      }
    });
    collected_ = solved;
  }

  void require(std::int32_t reach, std::int32_t halo) {
    if (reach > halo) needed_halo_ = std::max(needed_halo_, reach);
  }

  std::shared_ptr<DeviceHaloExchange> exchange_;
  DeviceEnvironment environment_;
  DeviceLevelSolver solver_;
  std::int32_t needed_halo_ = 0;
  std::optional<SolvedLevel> collected_;  ///< not yet gathered
  SolveReport report_;
};

}  // namespace

std::unique_ptr<SubdomainPass> make_device_pass(const SharedMission& shared,
                                                const std::vector<RowWindow>& subdomains,
                                                const LevelBudget& level_budget,
                                                std::shared_ptr<DeviceHaloExchange> exchange) {
  return std::make_unique<DeviceSubdomainPass>(shared, subdomains, level_budget,
                                               std::move(exchange));
}

}  // namespace tidewise
