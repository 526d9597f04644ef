#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "env/tools/double_gyre.h"
#include "support/backend.h"
#include "support/ocean/reference_solver.h"
#include "support/temporary_folder.h"

namespace tidewise::test {

/// A solved mission on a small stochastic double gyre with moving obstacles.
class FlightOnGyre : public testing::Test {
 protected:
  static constexpr std::int32_t levels = 22;

  FlightOnGyre() {
    DoubleGyreOptions options;
    options.nx = 24;
    options.ny = 20;
    options.level_count = levels;
    options.mode_count = 3;
    options.realization_count = 100;
    SilentProgress progress;
    write_double_gyre(folder_ / "env.h5", options, progress);
  }

  void solve(Objective objective) {
    const auto& info = reader().info();
    mission_.objective = objective;
    mission_.energy = {.c_f = 1.5, .c_t = 0.1, .c_r = 0.7, .alpha = 0.3};
    mission_.start = info.grid.cell(12, 4);
    mission_.start_x = 12.6;
    mission_.start_y = 4.3;
    mission_.target = target_cells(info.grid, 12.5, 15.5, 1.0);
    mission_.disc = target_disc(info.grid, 12.5, 15.5, 1.0);
    mission_.failure = {-1300, -1200, -1000, 1.5};
    mission_.departure = TimeLevel(10);
    mission_.last = TimeLevel(levels - 1);
    actions_ = make_actions({0, 0.6, 1.2}, 6, info.grid, info.time);
    policy_ = PolicyTable(info.grid, mission_.last);
    solve_reference(reader(), problem(), policy_);
  }

  PlanningProblem problem() const { return {actions_, mission_, rule_}; }

  const EnvironmentReader& reader() {
    if (!reader_) reader_.emplace(folder_ / "env.h5");
    return *reader_;
  }

  double value_at_start() const {
    const std::size_t cells = policy_.value.size() / levels;
    return policy_.value[cells * static_cast<std::size_t>(mission_.departure.value) +
                         static_cast<std::size_t>(mission_.start.value)];
  }

  static RolloutOptions options_of(RolloutMode mode, std::int32_t flights = 0,
                                   std::int32_t threads = 1) {
    RolloutOptions options;
    options.mode = mode;
    options.flights = flights;
    options.seed = 11;
    options.threads = threads;
    return options;
  }

  RolloutResult fly_by(const RolloutOptions& options, Backend backend = Backend::cpu) {
    return fly_on(backend, reader(), problem(), policy_, options);
  }
  ExpectedOutcome evaluate(const ThreadedBackend& on = {}) {
    return evaluate_on(on.backend, reader(), problem(), policy_, on.threads);
  }

  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  Mission mission_;
  PositionRule rule_{LandingBy::cell, 3};
  PolicyTable policy_{Grid{2, 2, 0, 0, 1, 1}, TimeLevel(0)};
};

inline constexpr Objective all_objectives[] = {Objective::time, Objective::energy,
                                               Objective::net_energy, Objective::weighted};

}  // namespace tidewise::test
