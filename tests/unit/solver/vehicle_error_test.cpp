// The vehicle's own error (docs/model.md, 1.7): counts compared with those of the four
// displacements, the same bits on all engines, and flights compared with the theory and the plan's
// prediction.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "model_builder/engines.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/missions/group.h"
#include "solver/route/mean_flight.h"
#include "support/backend.h"
#include "support/ocean/counting_problem.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

constexpr std::int16_t eastwards = 0;
const std::vector<Engine> all_engines{Engine::paper, Engine::direct, Engine::lattice};

// A speed error whose displacements along the heading are this many cells, in steps of 1.
double speed_error_of(double cells) { return cells / std::numbers::sqrt2; }

TEST(VehicleError, HasTheMomentsOfTheDisplacement) {
  const Grid grid{10, 10, 0, 0, 2, 0.5};
  const TimeAxis time{2, 0, 3};
  const double speed = 0.7;
  const double heading = 0.4;
  const VehicleError error{0.2, 0.3};
  const std::int32_t steps = 5;
  std::vector<Action> actions{make_action(speed, heading, grid, time)};
  set_errors(actions, error, steps, grid, time);
  double mean_along = 0, mean_across = 0, along = 0, across = 0, covariance = 0;
  std::vector<std::pair<double, double>> draws;
  for (const Action& action : displaced_actions(actions, error_draws)) {
    const double x = action.displacement.x * grid.dx / one_cell / time.step;
    const double y = action.displacement.y * grid.dy / one_cell / time.step;
    draws.emplace_back(x * std::cos(heading) + y * std::sin(heading),
                       y * std::cos(heading) - x * std::sin(heading));
    mean_along += draws.back().first / 4;
    mean_across += draws.back().second / 4;
  }
  for (const auto& [a, b] : draws) {
    along += (a - mean_along) * (a - mean_along) / 4;
    across += (b - mean_across) * (b - mean_across) / 4;
    covariance += (a - mean_along) * (b - mean_across) / 4;
  }
  // The moments of (F + δ) (cos ε, sin ε), by quadrature over ε.
  double cosine = 0, cosine_square = 0, weights = 0;
  for (double z = -9; z <= 9; z += 1e-3) {
    const double weight = std::exp(-z * z / 2);
    weights += weight;
    cosine += weight * std::cos(error.heading * z);
    cosine_square += weight * std::pow(std::cos(error.heading * z), 2);
  }
  cosine /= weights;
  cosine_square /= weights;
  const double square = speed * speed + error.speed * error.speed;
  constexpr double rounding = 1e-5;
  EXPECT_NEAR(mean_along, speed * cosine, rounding);
  EXPECT_NEAR(mean_across, 0, rounding);
  EXPECT_NEAR(along, steps * (square * cosine_square - std::pow(speed * cosine, 2)), rounding);
  EXPECT_NEAR(across, steps * square * (1 - cosine_square), rounding);
  EXPECT_NEAR(covariance, 0, rounding);
}

TEST(VehicleError, IsZeroWithoutSpeed) {
  const Grid grid{10, 10, 0, 0, 1, 1};
  auto actions = make_actions({0, 1}, 4, grid, {2, 0, 1});
  set_errors(actions, {0.2, 0}, 1, grid, {2, 0, 1});
  EXPECT_EQ(actions[0].error.along.x, 0);
  EXPECT_EQ(actions[1].error.along.x, std::lround(0.2 * std::numbers::sqrt2 * one_cell));
  EXPECT_EQ(actions[1].error.across.y, 0);
}

// With an error of half a cell along the heading, the four displacements are 1.5, 0.5, 1 and 1.
TEST(VehicleErrorCounts, AddErrorsByHand) {
  const CountingProblem problem(9, 3, 1, 1);
  auto actions = problem.actions({1}, 1);
  set_errors(actions, {speed_error_of(0.5), 0}, 1, problem.info.grid, problem.info.time);
  const std::uint32_t half = 1u << 15;
  for (const Engine engine : all_engines) {
    const auto counter = make_cpu_engine(engine, {LandingBy::area, 8, error_draws},
                                         problem.info.grid, problem.info.time, actions, 2);
    const Counts counts = problem.count(*counter, 2);
    EXPECT_EQ(counts.size(), 3 * problem.cells.size());
    EXPECT_EQ(counts.at({13, 0, 0, 0}), half);
    EXPECT_EQ(counts.at({13, 0, 0, 1}), 6 * half);
    EXPECT_EQ(counts.at({13, 0, 0, 2}), half);
  }
}

TEST(VehicleErrorCounts, SumOverTheDisplacements) {
  CountingProblem problem(7, 6, 2, 50);
  problem.randomize(3, 0.4);
  auto actions = problem.actions({0, 0.6, 2.5}, 5);
  set_errors(actions, {0.3, 0.2}, 2, problem.info.grid, problem.info.time);
  const auto displaced = displaced_actions(actions, error_draws);
  for (const LandingBy landing : {LandingBy::area, LandingBy::cell}) {
    Counts sums;
    for (const auto& [key, count] : problem.reference({landing, 3}, displaced)) {
      const auto [cell, action, dy, dx] = key;
      sums[{cell, action / error_draws, dy, dx}] += count;
    }
    for (const Engine engine : all_engines) {
      const auto counter = make_cpu_engine(engine, {landing, 3, error_draws}, problem.info.grid,
                                           problem.info.time, actions, 2);
      EXPECT_EQ(problem.count(*counter, 2), sums) << to_string(engine);
    }
  }
}

TEST(VehicleErrorCounts, FillRowsOf31Bits) {
  EnvironmentInfo info = plain_info(3, 3, 2, 1, 8191);
  const PositionRule rule = position_rule(LandingBy::area, info, error_draws);
  EXPECT_EQ(row_total(info, rule), 8191u << 18);
  info.realization_weight.assign(8191, weight_total / 8191);
  EXPECT_LE(row_total(info, rule), 8191u << 18);
  info.realization_count = 8192;
  EXPECT_THROW((void)position_rule(LandingBy::area, info, error_draws), InputError);
}

class VehicleErrorPlans : public testing::Test {
 protected:
  VehicleErrorPlans() {
    write_random_environment(folder_ / "env.h5", plain_info(13, 11, 7, 2, 40), 0.7F, 5);
    reader_.emplace(folder_ / "env.h5");
  }
  // Actions of a mission that decides every `steps` steps.
  void set_actions(std::int32_t steps) {
    const EnvironmentInfo& info = reader_->info();
    actions_ = make_actions({0, 0.4, 1.2}, 5, info.grid, info.time);
    set_errors(actions_, error_, steps, info.grid, info.time);
  }
  std::vector<Mission> missions(std::int32_t count) const {
    std::vector<Mission> missions = varied_missions(reader_->info(), count);
    for (Mission& mission : missions) mission.error = error_;
    return missions;
  }
  LegTables solve(const Mission& mission, Engine engine, std::int32_t threads) {
    LegTables policy(reader_->info().grid, mission);
    SilentProgress progress;
    solve_mission(*reader_, {actions_, mission, rule_}, {.engine = engine, .threads = threads},
                  policy, progress);
    return policy;
  }

  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  VehicleError error_{0.3, 0.2};
  std::vector<Action> actions_;
  PositionRule rule_{LandingBy::area, 5, error_draws};
};

TEST_F(VehicleErrorPlans, HaveTheSameBitsOnEveryEngine) {
  for (const std::int32_t steps : {1, 2}) {
    set_actions(steps);
    for (Mission mission : missions(2)) {
      mission.decisions = {steps, TimeLevel(0)};
      const LegTables policy = solve(mission, Engine::lattice, 1);
      for (const Engine engine : all_engines) {
        const LegTables found = solve(mission, engine, 2);
        EXPECT_EQ(found.tables.front().action, policy.tables.front().action) << to_string(engine);
        EXPECT_EQ(found.tables.front().value, policy.tables.front().value) << to_string(engine);
      }
    }
  }
}

TEST_F(VehicleErrorPlans, MatchSingleMissionsInAGroup) {
  set_actions(1);
  for (const Engine engine : all_engines) {
    expect_like_single_solves(cpu_group(engine, 2), *reader_, rule_, actions_, missions(5));
  }
}

TEST_F(VehicleErrorPlans, HaveTheValueOfTheForwardEvaluation) {
  for (const std::int32_t steps : {1, 2}) {
    set_actions(steps);
    Mission mission = missions(1).front();
    mission.margin = 0;
    mission.decisions = {steps, TimeLevel(0)};
    const LegTables policy = solve(mission, Engine::lattice, 1);
    SilentProgress progress;
    const ExpectedOutcome expected =
        evaluate_policy(*reader_, {actions_, mission, rule_}, policy, 1, progress);
    std::vector<float> value(static_cast<std::size_t>(reader_->info().grid.cell_count()));
    policy.read_value(mission.departure, value);
    const double at_start =
        static_cast<double>(value[static_cast<std::size_t>(mission.start.value)]);
    EXPECT_NEAR(expected.value, at_start, 1e-4 * std::abs(at_start));
  }
}

// Flights east through still water, four cells per step, in many realizations.
class VehicleErrorFlights : public testing::Test {
 protected:
  static constexpr std::int32_t steps = 12;
  static constexpr std::int32_t realizations = 3000;

  VehicleErrorFlights() {
    EnvironmentInfo info = plain_info(80, 31, steps + 1, 1, realizations);
    write_environment(folder_ / "env.h5", info);
    reader_.emplace(folder_ / "env.h5");
    mission_ = mission_between(reader_->info(), 5, 15, 79, 30);
  }
  PlanningProblem problem(const VehicleError& error, std::int32_t every) {
    mission_.error = error;
    mission_.decisions = {every, TimeLevel(0)};
    actions_ = make_actions({4}, 1, reader_->info().grid, reader_->info().time);
    set_errors(actions_, error, every, reader_->info().grid, reader_->info().time);
    return {actions_, mission_, {LandingBy::area, 8, error_draws}};
  }
  RolloutResult fly(const PlanningProblem& problem, RolloutMode mode) {
    RolloutOptions options;
    options.mode = mode;
    options.flights = mode == RolloutMode::chain ? realizations : 0;
    return fly_on(Backend::cpu, *reader_, problem, ConstantPolicy(eastwards), options);
  }
  struct Moments {
    double mean_x = 0, mean_y = 0, variance_x = 0, variance_y = 0;
  };
  static Moments ends_of(const RolloutResult& flown) {
    Moments moments;
    const auto count = static_cast<double>(flown.trajectories.size());
    for (const Trajectory& flight : flown.trajectories) {
      moments.mean_x += flight.points.back().x / count;
      moments.mean_y += flight.points.back().y / count;
    }
    for (const Trajectory& flight : flown.trajectories) {
      moments.variance_x += std::pow(flight.points.back().x - moments.mean_x, 2) / count;
      moments.variance_y += std::pow(flight.points.back().y - moments.mean_y, 2) / count;
    }
    return moments;
  }

  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  Mission mission_;
  std::vector<Action> actions_;
};

// For N dives of n steps, each component's variance is N n² σ², in flights and in the model. Here,
// displacements end at centres of cells.
TEST_F(VehicleErrorFlights, SpreadAsPredicted) {
  for (const std::int32_t every : {1, 4}) {
    const double sigma = speed_error_of(1) / std::sqrt(every);
    // 4 σ_h gives the same error across, to second order in σ_h.
    const VehicleError error{sigma, sigma / 4};
    const double variance = steps * every * sigma * sigma;
    const double margin = 5 * variance * std::sqrt(2.0 / realizations);
    const double second_order = 0.04 * variance;
    for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
      const Moments ends = ends_of(fly(problem(error, every), mode));
      const double mean = 4 * steps * std::exp(-error.heading * error.heading / 2);
      EXPECT_NEAR(ends.mean_x, reader_->info().grid.x(5) + mean,
                  5 * std::sqrt(variance / realizations));
      EXPECT_NEAR(ends.mean_y, reader_->info().grid.y(15), 5 * std::sqrt(variance / realizations));
      // With bilinear weights a displacement between centres spreads by up to a quarter of a cell
      // squared.
      const double spread = mode == RolloutMode::chain ? 0.25 * steps : 0;
      EXPECT_NEAR(ends.variance_x, variance + spread / 2, margin + second_order + spread / 2);
      EXPECT_NEAR(ends.variance_y, variance + spread / 2, margin + second_order + spread / 2);
    }
  }
}

// Displacements end at centres of cells, so the model adds no other spread.
TEST_F(VehicleErrorFlights, ArriveAsOftenAsPredicted) {
  for (const std::int32_t every : {1, 4}) {
    const VehicleError error{speed_error_of(1) / std::sqrt(every), 0};
    std::fill(mission_.target.begin(), mission_.target.end(), std::uint8_t{0});
    for (std::int32_t j = 0; j < 31; ++j) {
      for (std::int32_t i = 5 + 4 * steps + 2; i < 80; ++i) {
        mission_.target[static_cast<std::size_t>(reader_->info().grid.cell(i, j).value)] = 1;
      }
    }
    const PlanningProblem flown_problem = problem(error, every);
    SilentProgress progress;
    const double predicted =
        evaluate_policy(*reader_, flown_problem, ConstantPolicy(eastwards), 1, progress)
            .arrival_probability;
    EXPECT_GT(predicted, 0.2);
    EXPECT_LT(predicted, 0.35);
    for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
      double arrived = 0;
      for (const Trajectory& flight : fly(flown_problem, mode).trajectories) {
        arrived += flight.outcome == TrajectoryOutcome::arrived ? 1.0 / realizations : 0;
      }
      EXPECT_NEAR(arrived, predicted, 5 * std::sqrt(predicted * (1 - predicted) / realizations));
    }
  }
}

// The velocity through the water changes only at levels with a decision.
TEST_F(VehicleErrorFlights, DrawOncePerDive) {
  const auto flown = fly(problem({0.3, 0.1}, 3), RolloutMode::continuous);
  for (std::size_t n = 0; n < 20; ++n) {
    const auto& points = flown.trajectories[n].points;
    for (std::size_t k = 1; k + 1 < points.size(); ++k) {
      const double change = std::hypot(points[k + 1].x - 2 * points[k].x + points[k - 1].x,
                                       points[k + 1].y - 2 * points[k].y + points[k - 1].y);
      if (k % 3 == 0) {
        EXPECT_GT(change, 1e-4) << k;
      } else {
        EXPECT_LT(change, 1e-9) << k;
      }
    }
  }
}

TEST_F(VehicleErrorFlights, HaveNoErrorInTheMeanFlow) {
  SilentProgress progress;
  const Trajectory flight =
      fly_through_mean(*reader_, problem({0.3, 0}, 1), ConstantPolicy(eastwards), progress);
  ASSERT_EQ(flight.points.size(), 1U + steps);
  EXPECT_EQ(flight.points.back().x, reader_->info().grid.x(5) + 4 * steps);
}

TEST_F(VehicleErrorFlights, ApplyToBaselineControllers) {
  (void)problem({0.3, 0.1}, 1);
  mission_.target_x = 1000;  // straight east, beyond the grid
  mission_.target_y = mission_.start_y;
  mission_.last = TimeLevel(1);
  mission_.failure.late_per_length = 1;  // distinguishes the cells in which flights end
  RolloutOptions options;
  options.realizations = {0, 1, 2, 3};
  SilentProgress progress;
  const auto baselines = fly_baselines(*reader_, mission_, {4.0}, options, progress);
  const PlanningProblem flown_problem{actions_, mission_, {LandingBy::area, 8, error_draws}};
  const RolloutResult planned =
      fly_on(Backend::cpu, *reader_, flown_problem, ConstantPolicy(eastwards), options);
  std::vector<double> ends;
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(baselines.front().ends[n].total_reward, planned.trajectories[n].total_reward);
    ends.push_back(planned.trajectories[n].points.back().x);
  }
  EXPECT_NE(ends[0], ends[1]);
}

}  // namespace
}  // namespace tidewise::test
