// Headings and speeds refined by golden-section search: compared with courses in closed form, with
// the discrete action, and on a device.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/induction/backward_induction.h"
#include "solver/refine/host_lanes.h"
#include "solver/refine/interpolated_outcome.h"
#include "solver/refine/refine_policy.h"
#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"
#include "support/device.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "unit/solver/flight/flight_on_gyre.h"

namespace tidewise::test {
namespace {

// A policy with one field of values at every level, and with the discrete action that is best for
// it in a uniform flow.
class FieldPolicy final : public PolicySource {
 public:
  FieldPolicy(const Grid& grid, const std::vector<Action>& actions, double u, double v,
              std::function<double(double, double)> value,
              std::function<double(const Action&)> reward)
      : grid_(grid), value_(std::move(value)) {
    for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
      double best = -1e300;
      std::int16_t best_action = 0;
      for (std::size_t a = 0; a < actions.size(); ++a) {
        const Action& action = actions[a];
        const double x =
            grid.x(grid.column(CellIndex(cell))) + u + action.speed * std::cos(action.heading);
        const double y =
            grid.y(grid.row(CellIndex(cell))) + v + action.speed * std::sin(action.heading);
        const double total = reward(action) + value_(x, y);
        if (total > best) {
          best = total;
          best_action = static_cast<std::int16_t>(a);
        }
      }
      action_.push_back(best_action);
    }
  }
  void read_action(TimeLevel, View<std::int16_t> action) const override {
    std::copy(action_.begin(), action_.end(), action.begin());
  }
  void read_value(TimeLevel, View<float> value) const override {
    for (std::size_t cell = 0; cell < value.size; ++cell) {
      const CellIndex at(static_cast<std::int32_t>(cell));
      value[cell] = static_cast<float>(value_(grid_.x(grid_.column(at)), grid_.y(grid_.row(at))));
    }
  }

 private:
  Grid grid_;
  std::function<double(double, double)> value_;
  std::vector<std::int16_t> action_;
};

class Refinement : public testing::Test {
 protected:
  // Refines a policy in a uniform flow; cells and steps have size 1.
  RefinedPolicy refine(double u, double v, const PlanningProblem& problem,
                       const PolicySource& policy, const StatesToRefine& states) {
    EnvironmentInfo info = plain_info(nx, ny, 3);
    write_environment(folder_ / "env.h5", info, [&](TimeLevel, LevelFields<>& fields) {
      std::fill(fields.u_mean.begin(), fields.u_mean.end(), static_cast<float>(u));
      std::fill(fields.v_mean.begin(), fields.v_mean.end(), static_cast<float>(v));
    });
    const EnvironmentReader reader(folder_ / "env.h5");
    SilentProgress progress;
    return refine_policy(reader, problem, policy, &states, {.steps = 30, .rounds = 3}, progress);
  }

  static Mission mission_on(const Grid& grid, Objective objective) {
    Mission mission;
    mission.objective = objective;
    mission.target.assign(static_cast<std::size_t>(grid.cell_count()), 0);
    mission.last = TimeLevel(2);
    mission.failure = {-100000, -100000, -100000, 0};
    return mission;
  }

  static constexpr std::int32_t nx = 60;
  static constexpr std::int32_t ny = 90;
  TemporaryFolder folder_;
};

TEST_F(Refinement, FindsTheCrabAngleOfAStraightCrossing) {
  // On the way to a point far to the north, across a steady stream, the vehicle points up the
  // stream by asin(u/F), and its path over ground is straight.
  const EnvironmentInfo info = plain_info(nx, ny, 3);
  const double u = 0.45;
  const double speed = 1.5;
  const double x_end = 30.5;
  const double y_end = 400;
  // Time to go from (x, y): |end − (x, y) − (u, 0) T| = F T.
  const auto time_to_go = [&](double x, double y) {
    const double dx = x_end - x;
    const double dy = y_end - y;
    const double a = speed * speed - u * u;
    return (-u * dx + std::sqrt(u * u * dx * dx + a * (dx * dx + dy * dy))) / a;
  };
  const auto actions = make_actions({speed}, 8, info.grid, info.time);
  const Mission mission = mission_on(info.grid, Objective::time);
  const FieldPolicy policy(
      info.grid, actions, u, 0, [&](double x, double y) { return -time_to_go(x, y); },
      [](const Action&) { return -1.0; });
  StatesToRefine states(3);
  const CellIndex middle = info.grid.cell(30, 20);
  const CellIndex aside = info.grid.cell(10, 40);
  states[0] = {middle.value, aside.value};
  const RefinedPolicy refined = refine(u, 0, {actions, mission, test::by_cell}, policy, states);
  ASSERT_EQ(refined.level[0].size(), 2u);
  EXPECT_TRUE(refined.level[1].empty());
  const RefinedAction& north = refined.level[0][0];
  EXPECT_EQ(north.cell, middle.value);
  EXPECT_NEAR(north.heading, std::numbers::pi / 2 + std::asin(u / speed), 0.01);
  EXPECT_EQ(north.speed, 1.5F);
  // The discrete heading was due north, and drifts by 0.45 per step.
  EXPECT_GT(north.gain, 0);
  const RefinedAction& oblique = refined.level[0][1];
  const double time = time_to_go(10.5, 40.5);
  EXPECT_NEAR(oblique.heading, std::atan2(y_end - 40.5, x_end - 10.5 - u * time), 0.01);
}

TEST_F(Refinement, FindsTheBestSpeedInStillWater) {
  // c_f F² + c_t per unit of time, over a given distance: F* = √(c_t/c_f), at a cost of 2 √(c_f
  // c_t) per unit of distance.
  const EnvironmentInfo info = plain_info(nx, ny, 3);
  Mission mission = mission_on(info.grid, Objective::energy);
  mission.energy = {.c_f = 1.3, .c_t = 0.9};
  const double best = std::sqrt(0.9 / 1.3);  // 0.832
  const auto actions = make_actions({0.5, 1.5}, 4, info.grid, info.time);
  const FieldPolicy policy(
      info.grid, actions, 0, 0,
      [&](double, double y) { return -2 * std::sqrt(1.3 * 0.9) * (95 - y); },
      [&](const Action& action) { return -power_spent(mission.energy, action.speed); });
  StatesToRefine states(3);
  states[0] = {info.grid.cell(30, 20).value};
  states[1] = {info.grid.cell(12, 70).value};
  const RefinedPolicy refined = refine(0, 0, {actions, mission, test::by_cell}, policy, states);
  const RefinedAction& result = refined.level[0].at(0);
  EXPECT_NEAR(result.speed, best, 2e-3);
  EXPECT_NEAR(result.heading, std::numbers::pi / 2, 2e-3);
  // Gain over the better of the two speeds.
  const auto cost = [&](double speed) {
    return (1.3 * speed * speed + 0.9) - 2 * std::sqrt(1.3 * 0.9) * speed;
  };
  EXPECT_NEAR(result.gain, std::min(cost(0.5), cost(1.5)) - cost(best), 1e-3);
}

TEST_F(Refinement, RefinesDriftToASlowSpeed) {
  // Drifting is the best of {0, 2}; a third of a cell per step eastwards is better.
  const EnvironmentInfo info = plain_info(nx, ny, 3);
  Mission mission = mission_on(info.grid, Objective::energy);
  mission.energy = {.c_f = 1, .c_t = 0.25};
  const auto actions = make_actions({0, 2}, 8, info.grid, info.time);
  const FieldPolicy policy(
      info.grid, actions, 0, 0, [](double x, double) { return 0.7 * (x - 95); },
      [&](const Action& action) { return -power_spent(mission.energy, action.speed); });
  StatesToRefine states(3);
  states[0] = {info.grid.cell(30, 20).value};
  const RefinedAction result =
      refine(0, 0, {actions, mission, test::by_cell}, policy, states).level[0].at(0);
  EXPECT_NEAR(result.speed, 0.35, 2e-3);
  EXPECT_NEAR(std::cos(result.heading), 1, 1e-4);
  EXPECT_NEAR(result.gain, 0.35 * 0.35, 1e-4);
}

TEST(InterpolatedOutcomeRule, InterpolatesByHand) {
  const Grid grid{4, 3, 0.5, 0.5, 1, 1};
  std::vector<std::uint8_t> open(12, 0);
  std::vector<std::uint8_t> target(12, 0);
  std::vector<float> value{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, -2000};
  std::vector<std::uint8_t> non_interpolable(12, 0);
  target[0] = 1;
  FindNonInterpolable find{
      open, target, value, {-1200, -1100, -1000, 0}, {non_interpolable.data(), 12}};
  for (std::size_t n = 0; n < 12; ++n) find(n);
  EXPECT_EQ(non_interpolable, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  InterpolatedOutcome outcome;
  outcome.landing = {grid, LastStep::no, target, open, open};
  outcome.failure = {-1200, -1100, -1000, 0};
  outcome.arrival_reward = 100;
  outcome.value_next = value;
  outcome.non_interpolable = std::as_const(non_interpolable);
  // The landing is between (1, 1), (2, 1), (1, 2) and (2, 2).
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 0.25, 0.5, -1), -1 + 11.25 + 5);
  EXPECT_DOUBLE_EQ(outcome.smooth_value(1, 1, 0.25, 0.5, -1), -1 + 11.25 + 5);
  // The landing is at a centre.
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 0, 0, -1), 10);
  // Next to the target and to a cell that fails, the landing cell's own value is used.
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, -0.25, -0.25, -1), -1 + 11);
  EXPECT_DOUBLE_EQ(outcome.step_return(2, 1, 0.25, 0.25, -1), -1 + 12);
  // Landings in the target, outside, and in a cell that fails for certain, with its own value.
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, -1, -1, -1), 99);
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 3, 0, -1), -1100);
  EXPECT_DOUBLE_EQ(outcome.step_return(2, 1, 1, 1, -1), -2001);
  // At the border, the outermost cells' values are used.
  EXPECT_DOUBLE_EQ(outcome.step_return(3, 1, 0.25, 0, -1), -1 + 13);
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, std::numeric_limits<double>::quiet_NaN(), 0, -1),
                   -1100);
  // A closed cell on the path blocks it, and the last step fails outside the target.
  std::vector<std::uint8_t> masked(12, 0);
  masked[6] = 1;
  outcome.landing.masked_next = masked;
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 2, 0, -1), -1200);
  outcome.landing.last_step = LastStep::yes;
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 0, 0, -1), 11) << "v(L) is the value of being late";
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, -1, -1, -1), 99);
  // The exact path may enter a disc, wherever it ends; cells near a disc are not smooth.
  outcome.landing.disc = target_disc(grid, 3.5, 1.5, 0.5);
  outcome.landing.masked_next = open;
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 1.6, 0, -1), 100 - static_cast<double>(1.5F / 1.6F));
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 2.4, 0, -1), 100 - static_cast<double>(1.5F / 2.4F));
  EXPECT_DOUBLE_EQ(outcome.step_return(1, 1, 3, 0, -1), 99.5);
  EXPECT_FALSE(outcome.is_smooth(1, 1, 1, 0));
}

TEST(HostLanesSum, AddsInTheOrderOfAWarp) {
  const HostLanes lanes;
  EXPECT_EQ(lanes.sum(0, [](std::int32_t) { return 1.0; }), 0);
  EXPECT_EQ(lanes.sum(100, [](std::int32_t n) { return double(n); }), 4950);
  EXPECT_EQ(lanes.greatest(5, [](std::int32_t n) { return n == 3 ? 7.0 : -1.0; }), 7);
}

TEST(StatesNearFlights, IncludeARing) {
  const Grid grid{10, 10, 0.5, 0.5, 1, 1};
  RolloutResult flights;
  flights.departure = TimeLevel(2);
  flights.trajectories.resize(2);
  flights.trajectories[0].points = {{5.5, 5.5}, {0.2, 0.2}};
  flights.trajectories[1].points = {{5.6, 5.4}};
  const StatesToRefine states = states_near(flights, grid, TimeLevel(4), 1);
  ASSERT_EQ(states.size(), 5u);
  EXPECT_TRUE(states[0].empty());
  EXPECT_EQ(states[2], (std::vector<std::int32_t>{44, 45, 46, 54, 55, 56, 64, 65, 66}));
  EXPECT_EQ(states[3], (std::vector<std::int32_t>{0, 1, 10, 11}));
}

class RefinementOnGyre : public FlightOnGyre {
 protected:
  static constexpr std::int32_t few_realizations = 8;

  RefinedPolicy refined(const StatesToRefine* states, std::int32_t threads = 1,
                        std::int32_t realizations = 0) {
    SilentProgress progress;
    return refine_policy(reader(), {actions_, mission_, test::by_cell}, policy_, states,
                         {.realizations = realizations, .threads = threads}, progress);
  }
  RolloutResult fly_by_refined(const RefinedPolicy& refined, const RolloutOptions& options) {
    SilentProgress progress;
    return fly_refined(reader(), {actions_, mission_, test::by_cell}, policy_, refined, options,
                       progress);
  }
  static void expect_same(const RefinedPolicy& a, const RefinedPolicy& b) {
    ASSERT_EQ(a.level.size(), b.level.size());
    for (std::size_t k = 0; k < a.level.size(); ++k) {
      ASSERT_EQ(a.level[k].size(), b.level[k].size()) << k;
      for (std::size_t n = 0; n < a.level[k].size(); ++n) {
        const RefinedAction& x = a.level[k][n];
        const RefinedAction& y = b.level[k][n];
        ASSERT_EQ(x.cell, y.cell);
        ASSERT_EQ(x.heading, y.heading) << k << " " << x.cell;
        ASSERT_EQ(x.speed, y.speed) << k << " " << x.cell;
        ASSERT_EQ(x.gain, y.gain) << k << " " << x.cell;
      }
    }
  }
};

TEST_F(RefinementOnGyre, NeverLosesValueAndStaysBetweenNeighbours) {
  for (const Objective objective : all_objectives) {
    SCOPED_TRACE(std::string(to_string(objective)));
    solve(objective);
    const RefinedPolicy found = refined(nullptr, 2, few_realizations);
    const std::size_t cells = policy_.action.size() / levels;
    std::size_t states = 0;
    std::size_t improved = 0;
    for (std::size_t k = 0; k < found.level.size(); ++k) {
      for (const RefinedAction& action : found.level[k]) {
        ++states;
        improved += action.gain > 0 ? 1 : 0;
        EXPECT_GE(action.gain, 0);
        const Action& discrete = actions_[static_cast<std::size_t>(
            policy_.action[k * cells + static_cast<std::size_t>(action.cell)])];
        EXPECT_LE(std::fabs(double(action.speed) - discrete.speed), 0.6 + 1e-6);
        EXPECT_TRUE(action.heading >= 0 && action.heading < 6.2831855F);
        if (action.gain == 0) {
          EXPECT_EQ(action.heading, static_cast<float>(discrete.heading));
          EXPECT_EQ(action.speed, static_cast<float>(discrete.speed));
        } else if (discrete.speed > 0) {
          const double turned =
              std::remainder(double(action.heading) - discrete.heading, 2 * std::numbers::pi);
          EXPECT_LE(std::fabs(turned), std::numbers::pi / 3 + 1e-5);
        }
      }
    }
    const auto open = static_cast<std::size_t>(
        std::count_if(policy_.action.begin(), policy_.action.end(), [](auto a) { return a >= 0; }));
    EXPECT_EQ(states, open);
    EXPECT_GT(improved, states / 3);
  }
}

TEST_F(RefinementOnGyre, IsIndependentOfThreads) {
  solve(Objective::net_energy);
  expect_same(refined(nullptr, 1, few_realizations), refined(nullptr, 3, few_realizations));
}

TEST_F(RefinementOnGyre, RefinesSelectedStatesLikeAllStates) {
  solve(Objective::energy);
  const RefinedPolicy all_states = refined(nullptr, 1, few_realizations);
  const RolloutResult flights = fly_by(options_of(RolloutMode::continuous));
  const StatesToRefine states = states_near(flights, reader().info().grid, mission_.last, 1);
  const RefinedPolicy selected = refined(&states, 1, few_realizations);
  std::size_t compared = 0;
  for (std::size_t k = 0; k < selected.level.size(); ++k) {
    for (const RefinedAction& action : selected.level[k]) {
      const auto match =
          std::find_if(all_states.level[k].begin(), all_states.level[k].end(),
                       [&](const RefinedAction& state) { return state.cell == action.cell; });
      ASSERT_NE(match, all_states.level[k].end());
      EXPECT_EQ(match->heading, action.heading);
      EXPECT_EQ(match->gain, action.gain);
      ++compared;
    }
  }
  EXPECT_GT(compared, 50u);
}

TEST_F(RefinementOnGyre, FliesTheDiscretePolicyWithoutGains) {
  solve(Objective::energy);
  RefinedPolicy without_gains = refined(nullptr, 2, few_realizations);
  for (auto& level : without_gains.level) {
    for (RefinedAction& action : level) action.gain = 0;
  }
  for (const auto mode : {RolloutMode::continuous, RolloutMode::chain}) {
    const auto options = options_of(mode, 200);
    EXPECT_TRUE(same_bits(fly_by_refined({}, options), fly_by(options)));
    EXPECT_TRUE(same_bits(fly_by_refined(without_gains, options), fly_by(options)));
  }
}

TEST(RefinedFlights, EarnMoreInAShearedStream) {
  // Four headings leave large gaps between them.
  const TemporaryFolder folder;
  EnvironmentInfo info = plain_info(60, 60, 70, 1, 40);
  info.obstacles = Obstacles::none;
  info.has_scalar = false;
  write_environment(folder / "env.h5", info, [&](TimeLevel k, LevelFields<>& fields) {
    for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
      fields.u_mean[cell] = 0.5F * std::sin(0.1F * static_cast<float>(cell / 60));
      fields.v_mean[cell] = 0.1F;
      fields.u_mode[cell] = 1;
      fields.v_mode[cell] = 0.5F;
    }
    for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
      fields.coefficient[n] = 0.15F * std::sin(7.0F * static_cast<float>(n) + float(k.value));
    }
  });
  const EnvironmentReader reader(folder / "env.h5");
  Mission mission;
  mission.target = target_cells(info.grid, 48.5, 45.5, 1.5);
  mission.last = TimeLevel(69);
  const auto actions = make_actions({0.8, 1.6}, 4, info.grid, info.time);
  PolicyTable policy(info.grid, mission.last);
  SilentProgress progress;
  solve_mission(reader, {actions, mission, test::by_cell}, {}, policy, progress);
  double gain = 0;
  for (const std::int32_t i : {6, 20, 34}) {
    for (const std::int32_t j : {6, 18}) {
      mission.start = info.grid.cell(i, j);
      mission.start_x = info.grid.x(i);
      mission.start_y = info.grid.y(j);
      const RolloutResult flights =
          fly(reader, {actions, mission, test::by_cell}, policy, {}, progress);
      const StatesToRefine states = states_near(flights, info.grid, mission.last, 1);
      const RefinedPolicy refined =
          refine_policy(reader, {actions, mission, test::by_cell}, policy, &states, {}, progress);
      const auto discrete = summarize(flights, info);
      const auto flown = summarize(
          fly_refined(reader, {actions, mission, test::by_cell}, policy, refined, {}, progress),
          info);
      EXPECT_EQ(flown.arrival_rate, 1);
      gain += flown.mean_total_reward - discrete.mean_total_reward;
    }
  }
  EXPECT_GT(gain / 6, 1);  // steps saved on the path
}

TEST_F(RefinementOnGyre, RejectsInvalidOptions) {
  solve(Objective::time);
  SilentProgress progress;
  for (const RefinementOptions& options :
       {RefinementOptions{.realizations = -1}, RefinementOptions{.steps = 0},
        RefinementOptions{.rounds = 0}}) {
    EXPECT_THROW(refine_policy(reader(), {actions_, mission_, test::by_cell}, policy_, nullptr,
                               options, progress),
                 InputError);
  }
}

TEST_F(RefinementOnGyre, MatchesTheCpuOnADevice) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const Objective objective : all_objectives) {
    SCOPED_TRACE(std::string(to_string(objective)));
    solve(objective);
    SilentProgress progress;
    DeviceEnvironment device_environment(reader(), std::size_t{64} << 20);
    for (const std::int32_t realizations : {0, 33}) {
      const RefinementOptions options{.realizations = realizations};
      expect_same(refine_policy_on_device(device_environment, {actions_, mission_, test::by_cell},
                                          policy_, nullptr, options, progress),
                  refined(nullptr, 2, realizations));
      // Selected states, with memory for the velocities of one state.
      const RolloutResult flights = fly_by(options_of(RolloutMode::continuous));
      const StatesToRefine states = states_near(flights, reader().info().grid, mission_.last, 1);
      expect_same(refine_policy_on_device(device_environment, {actions_, mission_, test::by_cell},
                                          policy_, &states, options, progress, 1),
                  refined(&states, 1, realizations));
    }
  }
}

TEST(RefinementThroughARandomEnvironment, MatchesPlainLoops) {
  const TemporaryFolder folder;
  EnvironmentInfo info = plain_info(33, 35, 8, 2, 90);
  info.realization_weight = random_weights(90);
  write_random_environment(folder / "env.h5", info, 1);
  const EnvironmentReader reader(folder / "env.h5");
  const auto actions = make_actions({0, 1.5}, 5, info.grid, info.time);
  const Mission mission = random_mission(info);
  PolicyTable policy(info.grid, mission.last);
  solve_reference(reader, {actions, mission, test::by_cell}, policy);
  SilentProgress progress;
  const RefinedPolicy on_host = refine_policy(reader, {actions, mission, test::by_cell}, policy,
                                              nullptr, {.threads = 2}, progress);
  std::size_t improved = 0;
  for (const auto& level : on_host.level) {
    for (const RefinedAction& action : level) {
      ASSERT_GE(action.gain, 0);
      improved += action.gain > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(improved, 1000u);
  TIDEWISE_REQUIRE_DEVICE();
  DeviceEnvironment device_environment(reader, std::size_t{64} << 20);
  const RefinedPolicy found = refine_policy_on_device(
      device_environment, {actions, mission, test::by_cell}, policy, nullptr, {}, progress);
  for (std::size_t k = 0; k < on_host.level.size(); ++k) {
    ASSERT_EQ(found.level[k].size(), on_host.level[k].size());
    for (std::size_t n = 0; n < on_host.level[k].size(); ++n) {
      ASSERT_EQ(found.level[k][n].heading, on_host.level[k][n].heading);
      ASSERT_EQ(found.level[k][n].speed, on_host.level[k][n].speed);
      ASSERT_EQ(found.level[k][n].gain, on_host.level[k][n].gain);
    }
  }
}

}  // namespace
}  // namespace tidewise::test
