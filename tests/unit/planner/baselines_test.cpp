#include "planner/run/baselines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "planner/mission/resolve/validation.h"
#include "support/ocean/environment_builder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double no_error = std::numeric_limits<double>::quiet_NaN();

FlightEnd arrived_after(double time, double energy, double reward) {
  return {0, TrajectoryOutcome::arrived, time, static_cast<float>(energy), 0, reward};
}

TEST(Baselines, UseTheGreatestSpeedForTimeAndAllSpeedsForOtherObjectives) {
  RunRequest request;
  const auto info = test::plain_info(3, 3, 2);
  const auto actions = make_profile_actions({{0.5, 2, 1}, {0.25}}, 4, info.grid, info.time);
  const auto chosen_speeds = [&] {
    std::vector<std::pair<double, std::int32_t>> speeds;
    for (const auto& [speed, profile] : baseline_speeds(request, actions)) {
      speeds.emplace_back(speed, profile);
    }
    return speeds;
  };
  using Speeds = std::vector<std::pair<double, std::int32_t>>;
  EXPECT_EQ(chosen_speeds(), (Speeds{{2, 0}, {0.25, 1}}));
  for (const Objective objective :
       {Objective::energy, Objective::net_energy, Objective::weighted, Objective::stay}) {
    request.goal.objective = objective;
    EXPECT_EQ(chosen_speeds(), (Speeds{{0.5, 0}, {2, 0}, {1, 0}, {0.25, 1}}));
  }
}

TEST(Baselines, AreRepresentedByTheirBestSpeed) {
  const auto info = test::plain_info(3, 3, 9, 1, 1);
  RolloutResult plan;
  plan.trajectories = {{0, TrajectoryOutcome::arrived, 90, {}}};
  plan.trajectories[0].points.resize(5);
  const auto outcomes = compare_with_baselines(plan,
                                               {{Baseline::aim, 1, 0, {arrived_after(8, 8, 92)}},
                                                {Baseline::aim, 2, 0, {arrived_after(4, 16, 84)}},
                                                {Baseline::crab, 1, 0, {arrived_after(9, 9, 80)}},
                                                {Baseline::crab, 2, 0, {arrived_after(6, 24, 85)}}},
                                               Mission(), info);
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].baseline, Baseline::aim);
  EXPECT_EQ(outcomes[0].speed, 1);
  EXPECT_EQ(outcomes[0].rollout.time.mean, 8);
  EXPECT_EQ(outcomes[0].plan_gain.time, 4);
  EXPECT_EQ(outcomes[0].plan_gain.total_reward, -2);
  EXPECT_EQ(outcomes[1].baseline, Baseline::crab);
  EXPECT_EQ(outcomes[1].speed, 2);
  EXPECT_EQ(outcomes[1].plan_gain.total_reward, 5);
}

/// Returns the warning for a plan with mean reward 50 and a controller whose mean reward is greater
/// by `excess`.
std::string warning_for(double excess, double error, std::int32_t realizations = 9) {
  RolloutStatistics flown;
  flown.trajectories = 8;
  flown.arrival_rate = 1;
  flown.time.mean = 50;
  flown.mean_total_reward = 50;
  BaselineOutcome worse;
  worse.rollout.mean_total_reward = -1000;
  worse.plan_gain.total_reward = 1050;
  BaselineOutcome outcome{Baseline::crab, 1, "", flown, {}};
  outcome.rollout.time.mean = 50 - excess;
  outcome.rollout.mean_total_reward = 50 + excess;
  outcome.plan_gain.total_reward = -excess;
  outcome.plan_gain.standard_error = error;
  return validate_against_baselines({worse, outcome}, flown, Mission(),
                                    test::plain_info(3, 3, 2, 1, realizations));
}

TEST(Baselines, BeatAPlanByMoreThanAPercentAndMoreThanChance) {
  EXPECT_EQ(warning_for(-5, 0.01), "") << "the plan is better";
  EXPECT_EQ(warning_for(0, 0), "") << "they are alike";
  EXPECT_EQ(warning_for(0.4, 0.01), "") << "less than 1 % of 50";
  EXPECT_EQ(warning_for(2, 1), "") << "less than 3 standard errors";
  EXPECT_EQ(warning_for(2, no_error), "") << "one flight of several realizations";
  const std::string line = warning_for(2, 0.1);
  EXPECT_THAT(line, HasSubstr("the baseline controller 'crab' at speed 1"));
  EXPECT_THAT(line, HasSubstr("100 % of 8 arrive after 48, with the plan 100 % of 8 arrive after "
                              "50"));
  EXPECT_NE(warning_for(2, no_error, 8), "") << "all realizations were flown";
  EXPECT_NE(warning_for(2, 1, 8), "");
  EXPECT_EQ(validate_against_baselines({}, {}, Mission(), test::plain_info(3, 3, 2)), "");
}

/// A float has no slower speed to plan with.
TEST(Baselines, AdviseNoSlowerSpeedThanNone) {
  RolloutStatistics flown;
  flown.trajectories = 8;
  Mission mission;
  mission.objective = Objective::stay;
  mission.kept = KeptPlace{};
  const auto info = test::plain_info(3, 3, 2, 1, 9);
  for (const double speed : {0.0, 1.0}) {
    BaselineOutcome outcome{Baseline::greedy, speed, "deep", flown, {}};
    outcome.plan_gain.total_reward = -100;
    outcome.plan_gain.standard_error = 0.1;
    const std::string line = validate_against_baselines({outcome}, flown, mission, info);
    EXPECT_THAT(line, HasSubstr("steer by that controller"));
    EXPECT_EQ(line.find("slower speeds") != std::string::npos, speed > 0) << line;
  }
}

/// Down to 700 m and up again at 0.1 m/s takes 3.9 h.
TEST(Dives, WarnsOfDivesThatAreTooDeep) {
  RunRequest request;
  request.name = "m.toml";
  EnvironmentInfo info = test::plain_info(3, 3, 9, 1, 1);
  info.units = Units::metric;
  info.time.step = 3600;
  info.profiles = {{"shallow", "0:150"}, {"deep", "0:700"}, {"own", "0:50@0.4,50:900@0.6"}};
  Mission mission;
  mission.last = TimeLevel(8);
  const auto lines = validate_dives(request, info, mission);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("m.toml: a dive of profile deep (0:700) takes 3.89 h down and up "
                                  "at 0.1 m/s, and the vehicle decides each 1 h: "));
  EXPECT_THAT(lines[0], HasSubstr("mission.decide_every = 4"));
  EXPECT_THAT(lines[0], HasSubstr("a --step of 3.9h or more, or dive a shallower profile"));
  EXPECT_THAT(lines[1], HasSubstr("profile own (0:50@0.4,50:900@0.6) takes 5 h"));
  mission.decisions.every = 5;
  EXPECT_TRUE(validate_dives(request, info, mission).empty()) << "as it was told to";
  // Time at the surface leaves less time for a dive, and a faster vehicle returns sooner.
  request.vehicle.surface_drift = TimeSpan::of_seconds(600);
  EXPECT_THAT(validate_dives(request, info, mission).at(0),
              HasSubstr("profile own (0:50@0.4,50:900@0.6)"));
  request.vertical_speed = 0.5;
  EXPECT_TRUE(validate_dives(request, info, mission).empty());
  request.vertical_speed.reset();
  // A hold longer than the mission is not advised.
  mission.decisions.every = 1;
  mission.last = TimeLevel(2);
  EXPECT_THAT(validate_dives(request, info, mission).at(0), Not(HasSubstr("mission.decide_every")));
}

TEST(Headings, WarnsOfTooFewHeadings) {
  RunRequest request;
  request.name = "m.toml";
  request.vehicle.speeds = {0, 1};
  EnvironmentInfo info;
  info.grid.dx = info.grid.dy = 1;
  info.time.step = 1;
  EXPECT_EQ(validate_headings(request, info), "") << "by default there are enough";
  request.vehicle.headings = 31;
  EXPECT_THAT(validate_headings(request, info),
              HasSubstr("m.toml: vehicle.headings is 31; below 32"));
  request.vehicle.speeds = {0};
  EXPECT_EQ(validate_headings(request, info), "") << "which drifts";
  // If the vehicle is fast or the step long, headings end far apart.
  request.vehicle.speeds = {10};
  request.vehicle.headings = 32;
  EXPECT_THAT(validate_headings(request, info),
              AllOf(HasSubstr("10 cells in a step"), HasSubstr("vehicle.headings = 128"),
                    HasSubstr("[headings_coarse]")));
  request.vehicle.headings = 128;
  EXPECT_EQ(validate_headings(request, info), "");
  request.vehicle.headings = 32;
  info.time.step = 0.4;
  EXPECT_EQ(validate_headings(request, info), "");
}

}  // namespace
}  // namespace tidewise
