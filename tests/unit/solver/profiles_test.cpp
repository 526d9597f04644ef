// Vehicles that choose a depth profile with each action (docs/model.md, 1.6), compared with results
// by hand and with plain loops.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "output/model/model_file.h"
#include "solver/reachable/file_levels.h"
#include "solver/reachable/flight_bound.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/reachable/solver.h"
#include "solver/refine/refine_policy.h"
#include "solver/subdomains/induction.h"
#include "support/backend.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

EnvironmentInfo two_profiles(EnvironmentInfo info) {
  info.profiles = {{"shallow", "0:50"}, {"deep", "0:1000"}};
  return info;
}

// Reads both profiles, in the order of their names.
EnvironmentReader open(const std::filesystem::path& path,
                       const std::vector<std::string>& names = {"shallow", "deep"}) {
  EnvironmentReader reader(path);
  reader.choose_profiles(names);
  return reader;
}

std::vector<Action> actions_of(const EnvironmentInfo& info, const std::vector<double>& speeds,
                               std::int32_t headings) {
  const std::vector<std::vector<double>> both(static_cast<std::size_t>(info.velocities), speeds);
  return make_profile_actions(both, headings, info.grid, info.time);
}

// A random mission whose profiles differ in power.
Mission random_dives(const EnvironmentInfo& info) {
  Mission mission = random_mission(info);
  mission.profile_power = {0.6, 0.1};
  return mission;
}

// The shallow water flows east and the deep water west, one cell per step.
void opposed_flow(TimeLevel, std::size_t profile, LevelFields<>& fields) {
  std::fill(fields.u_mean.begin(), fields.u_mean.end(), profile == 0 ? 1.0F : -1.0F);
}

TEST(Profiles, AreReadSideBySide) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = two_profiles(plain_info(4, 3, 2, 2, 3));
  write_profiles(
      folder / "env.h5", info, [](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
        const auto value = static_cast<float>(10 * (profile + 1)) + static_cast<float>(k.value);
        for (std::size_t n = 0; n < fields.u_mode.size(); ++n) {
          fields.u_mode[n] = value + static_cast<float>(n) / 100;
        }
        std::fill(fields.v_mean.begin(), fields.v_mean.end(), value);
        fields.masked[profile] = 1;  // each is closed where the other is open
        fields.masked[5] = 1;        // both are closed
      });
  const EnvironmentReader reader = open(folder / "env.h5", {"deep", "shallow"});
  EXPECT_EQ(reader.info().velocities, 2);
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(1), fields);
  const LevelView deep = fields.view(reader.info());
  const LevelView shallow = deep.profile(1);
  EXPECT_EQ(deep.v_mean[0], 21.0F);
  EXPECT_EQ(shallow.v_mean[2], 11.0F);
  EXPECT_EQ(shallow.u_mode[12 + 4], 11.0F + 16.0F / 100);
  EXPECT_EQ(shallow.u_mean.size, 12u);
  // A cell that is open to some profile is no obstacle. There, a closed profile has the velocity of
  // the other.
  const std::vector<std::uint8_t> masked(deep.masked.begin(), deep.masked.end());
  EXPECT_EQ(masked, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(reader.read_masked(TimeLevel(1)), masked);
  EXPECT_EQ(deep.v_mean[1], 11.0F);
  EXPECT_EQ(deep.u_mode[12 + 1], 11.0F + 13.0F / 100);
  EXPECT_EQ(shallow.v_mean[1], 11.0F);
  EXPECT_EQ(shallow.v_mean[0], 21.0F);
  EXPECT_EQ(shallow.u_mode[0], 21.0F);
}

// Cell 1 is closed only to the shallow profile, cell 5 to both.
void close_shallow(std::size_t profile, LevelFields<>& fields) {
  fields.masked[5] = fields.dry[5] = 1;
  if (profile == 0) fields.masked[1] = fields.dry[1] = 1;
}

TEST(Profiles, ShareOneScalarInOpenCells) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = two_profiles(plain_info(3, 2, 2));
  write_profiles(folder / "env.h5", info,
                 [](TimeLevel, std::size_t profile, LevelFields<>& fields) {
                   close_shallow(profile, fields);
                   for (std::size_t cell = 0; cell < 5; ++cell) {
                     fields.scalar[cell] = static_cast<float>(cell + 1);
                   }
                   fields.scalar[5] = std::nanf("");
                 });
  for (const auto& names : {std::vector<std::string>{"shallow", "deep"}, {"deep", "shallow"}}) {
    const EnvironmentReader reader = open(folder / "env.h5", names);
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(0), fields);
    const std::vector<float> scalar(fields.scalar.begin(), fields.scalar.end());
    EXPECT_EQ(scalar, (std::vector<float>{1, 2, 3, 4, 5, 0}));
  }
}

TEST(Profiles, AreRejectedWithoutAScalarInAnOpenCell) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = two_profiles(plain_info(3, 2, 2));
  write_profiles(folder / "env.h5", info,
                 [](TimeLevel, std::size_t profile, LevelFields<>& fields) {
                   close_shallow(profile, fields);
                   fields.scalar[1] = std::nanf("");
                 });
  const auto read_or_error = [&](const EnvironmentReader& reader) -> std::string {
    LevelFields<> fields(reader.info());
    try {
      reader.read_level(TimeLevel(0), fields);
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  };
  const auto rejected = test::has_code("field_not_finite", "time 0, row 0, column 1");
  EXPECT_EQ(read_or_error(open(folder / "env.h5", {"shallow"})), "read");
  EXPECT_THAT(read_or_error(open(folder / "env.h5", {"deep"})), rejected);
  EXPECT_THAT(read_or_error(open(folder / "env.h5", {"shallow", "deep"})), rejected);
  EXPECT_THAT(read_or_error(open(folder / "env.h5", {"deep", "shallow"})), rejected);
  // Other tools read the profiles one after the other.
  for (const std::size_t number : {0U, 1U}) {
    EnvironmentReader reader(folder / "env.h5");
    reader.choose_profile(number);
    EXPECT_THAT(read_or_error(reader), rejected);
  }
}

// The vehicle spends a quarter of the time at the surface, and the rest in the dive.
TEST(Profiles, DriftAtTheSurfaceForAFractionOfTheTime) {
  const TemporaryFolder folder;
  EnvironmentInfo info = plain_info(3, 3, 2, 1, 2);
  info.profiles = {{"deep", "0:1000"}, {"surface", "at:0"}};
  write_profiles(folder / "env.h5", info,
                 [](TimeLevel, std::size_t profile, LevelFields<>& fields) {
                   std::fill(fields.u_mean.begin(), fields.u_mean.end(), profile == 0 ? 4 : 8);
                   std::fill(fields.v_mode.begin(), fields.v_mode.end(), profile == 0 ? 1 : -3);
                   if (profile == 1) return;
                   fields.masked[4] = fields.dry[4] = 1;
                 });
  EnvironmentReader reader = open(folder / "env.h5", {"deep"});
  reader.drift_at_surface(0.25);
  EXPECT_EQ(reader.info().velocities, 1);
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  EXPECT_EQ(fields.u_mean[0], 5.0F);
  EXPECT_EQ(fields.v_mode[8], 0.0F);
  EXPECT_EQ(fields.u_mean[4], 0.0F) << "closed to the dive";
  EXPECT_EQ(fields.dry[4], 1);
  info.profiles[1].name = "top";
  write_profiles(folder / "none.h5", info, [](TimeLevel, std::size_t, LevelFields<>&) {});
  EnvironmentReader no_surface = open(folder / "none.h5", {"deep"});
  EXPECT_THROW(no_surface.drift_at_surface(0.25), InputError);
}

class ProfileSolves : public testing::TestWithParam<SolvingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  PolicyTable solve(const EnvironmentReader& reader, const PlanningProblem& problem) const {
    PolicyTable policy(reader.info().grid, problem.mission.last);
    GetParam().solve(reader, problem, policy);
    return policy;
  }
  TemporaryFolder folder_;
};

// A float without speed between two opposed currents reaches its target from either side by the
// depth that flows toward it.
TEST_P(ProfileSolves, UsesOpposedDepthsByHand) {
  const EnvironmentInfo info = two_profiles(plain_info(11, 3, 8));
  write_profiles(folder_ / "env.h5", info, opposed_flow);
  const EnvironmentReader reader = open(folder_ / "env.h5");
  const Mission mission = mission_between(reader.info(), 1, 1, 5, 1);
  const auto actions = actions_of(reader.info(), {0}, 1);
  ASSERT_EQ(actions.size(), 2u);
  const PolicyTable policy = solve(reader, {actions, mission, by_cell});
  for (int i = 0; i < 11; ++i) {
    const auto cell = static_cast<std::size_t>(info.grid.cell(i, 1).value);
    SCOPED_TRACE(i);
    if (i == 5) continue;
    EXPECT_EQ(policy.value[cell], 100.0F - static_cast<float>(std::abs(i - 5)));
    EXPECT_EQ(policy.action[cell], i < 5 ? 0 : 1);
  }
}

// At a speed of two cells per step, the vehicle moves three with the current and one against it.
// Where the deep water is closed, a dive is made in the shallow water.
TEST_P(ProfileSolves, UsesTheOpenDepthByHand) {
  const EnvironmentInfo info = two_profiles(plain_info(11, 3, 8));
  write_profiles(folder_ / "env.h5", info,
                 [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
                   opposed_flow(k, profile, fields);
                   if (profile == 0) return;
                   for (int i = 7; i < 11; ++i) {
                     for (int j = 0; j < 3; ++j) {
                       fields.masked[static_cast<std::size_t>(info.grid.cell(i, j).value)] = 1;
                     }
                   }
                 });
  const EnvironmentReader reader = open(folder_ / "env.h5");
  const Mission mission = mission_between(reader.info(), 0, 1, 3, 1);
  const auto actions = actions_of(reader.info(), {2}, 4);
  const PolicyTable policy = solve(reader, {actions, mission, by_cell});
  const auto at = [&](int i) { return static_cast<std::size_t>(info.grid.cell(i, 1).value); };
  constexpr std::int16_t west = 2;
  EXPECT_EQ(policy.value[at(0)], 99.0F);  // shallow
  EXPECT_EQ(policy.action[at(0)], 0);
  EXPECT_EQ(policy.value[at(6)], 99.0F);  // deep
  EXPECT_EQ(policy.action[at(6)], 4 + west);
  EXPECT_EQ(policy.value[at(8)], 97.0F);  // two steps against the shallow flow, then deep
  EXPECT_EQ(policy.action[at(8)], west);
}

// The shallow water flows twice as fast as the deep water, both eastward.
void eastward_flow(TimeLevel, std::size_t profile, LevelFields<>& fields) {
  std::fill(fields.u_mean.begin(), fields.u_mean.end(), profile == 0 ? 2.0F : 1.0F);
}

// Two cells take one step in the shallow water, or two in the deep water at a lower power.
TEST_P(ProfileSolves, UsesExpensiveDivesForTimeAndCheapOnesForEnergy) {
  write_profiles(folder_ / "env.h5", two_profiles(plain_info(11, 3, 8)), eastward_flow);
  const EnvironmentReader reader = open(folder_ / "env.h5");
  Mission mission = mission_between(reader.info(), 2, 1, 4, 1);
  mission.profile_power = {5, 2};
  const auto actions = actions_of(reader.info(), {0}, 1);
  const auto expect = [&](Objective objective, const EnergyModel& energy, std::int16_t action,
                          float value) {
    SCOPED_TRACE(to_string(objective));
    mission.objective = objective;
    mission.energy = energy;
    const PolicyTable policy = solve(reader, {actions, mission, by_cell});
    const auto start = static_cast<std::size_t>(mission.start.value);
    EXPECT_EQ(policy.action[start], action);
    EXPECT_EQ(policy.value[start], value);
  };
  expect(Objective::time, {}, 0, 100 - 1);
  expect(Objective::energy, {.c_f = 0}, 1, 100 - 2 * 2);             // and not 5
  expect(Objective::energy, {.c_f = 0, .c_t = 2}, 0, 100 - 7);       // and not 2 · 4
  expect(Objective::weighted, {.alpha = 0.75}, 1, 100 - 2 * 1.75F);  // and not 4
  expect(Objective::weighted, {.alpha = 0.25}, 0, 100 - 2);          // and not 2 · 1.25
  mission.last = TimeLevel(1);                                       // there is only one step
  expect(Objective::energy, {.c_f = 0}, 0, 100 - 5);
}

INSTANTIATE_TEST_SUITE_P(Backends, ProfileSolves, testing::ValuesIn(solving_backends()),
                         [](const auto& parameter) { return parameter.param.name; });

// Evaluations and flights of a policy with dives.
class ProfileFlights : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam()); }
  TemporaryFolder folder_;
};

TEST_P(ProfileFlights, UseTheDepthOfTheirAction) {
  const EnvironmentInfo info = two_profiles(plain_info(11, 3, 8));
  write_profiles(folder_ / "env.h5", info, opposed_flow);
  const EnvironmentReader reader = open(folder_ / "env.h5");
  const auto actions = actions_of(reader.info(), {0}, 1);
  const Mission mission = mission_between(reader.info(), 8, 1, 5, 1);
  const PlanningProblem problem{actions, mission, by_cell};
  const ConstantPolicy deep(1);
  for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
    RolloutOptions options;
    options.mode = mode;
    const RolloutResult flown = fly_on(GetParam(), reader, problem, deep, options);
    const Trajectory& flight = flown.trajectories.at(0);
    EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
    EXPECT_EQ(flight.points.size(), 4u);
    EXPECT_EQ(flight.points[1].x, 7.5);
    EXPECT_EQ(flight.profiles, (std::vector<std::uint8_t>{1, 1, 1}));
  }
  const ExpectedOutcome expected = evaluate_on(GetParam(), reader, problem, deep);
  EXPECT_EQ(expected.arrival_probability, 1);
  EXPECT_EQ(expected.time, 3);
  const ConstantPolicy shallow(0);
  EXPECT_EQ(evaluate_on(GetParam(), reader, problem, shallow).out_of_domain_probability, 1);
  // Baseline controllers fly at each depth.
  const auto baselines = fly_baselines_on(GetParam(), reader, mission, {{0, 0}, {0, 1}});
  ASSERT_EQ(baselines.size(), 6u);
  EXPECT_EQ(baselines[0].ends.at(0).outcome, TrajectoryOutcome::out_of_domain);
  EXPECT_EQ(baselines[1].ends.at(0).outcome, TrajectoryOutcome::arrived);
  EXPECT_EQ(baselines[1].profile, 1);
}

// Three cells in the deep water take the energy of three steps. A flight at its true position makes
// half of the last one.
TEST_P(ProfileFlights, SpendTheEnergyOfTheirDives) {
  write_profiles(folder_ / "env.h5", two_profiles(plain_info(11, 3, 8)), opposed_flow);
  const EnvironmentReader reader = open(folder_ / "env.h5");
  const auto actions = actions_of(reader.info(), {0}, 1);
  Mission mission = mission_between(reader.info(), 8, 1, 5, 1, Objective::energy);
  mission.energy = {.c_f = 1, .c_t = 0.25};
  mission.profile_power = {40, 4};
  const PlanningProblem problem{actions, mission, by_cell};
  const ConstantPolicy deep(1);
  EXPECT_EQ(evaluate_on(GetParam(), reader, problem, deep).energy, 3 * 4.25);
  EXPECT_EQ(evaluate_on(GetParam(), reader, problem, deep).value, 100 - 3 * 4.25);
  const RolloutResult flown = fly_on(GetParam(), reader, problem, deep, {});
  const Trajectory& flight = flown.trajectories.at(0);
  EXPECT_EQ(flight.points.at(2).energy, 8.5F);
  EXPECT_EQ(flight.points.back().energy, 2.5F * 4.25F);
  const auto baselines = fly_baselines_on(GetParam(), reader, mission, {{0, 0}, {0, 1}});
  EXPECT_EQ(baselines.at(1).ends.at(0).energy, 2.5F * 4.25F);
  EXPECT_EQ(baselines.at(1).ends.at(0).total_reward, 100 - 2.5 * 4.25);
}

INSTANTIATE_TEST_SUITE_P(Backends, ProfileFlights, testing::ValuesIn(all_backends),
                         name_of_backend);

// A state is refined at the depth of its action, as in a file with only that depth and for a
// vehicle with that dive's power.
TEST(ProfileRefinement, MatchesRefinementOfSingleDepths) {
  const TemporaryFolder folder;
  EnvironmentInfo info = two_profiles(plain_info(23, 17, 6, 3, 37));
  info.obstacles = Obstacles::none;
  write_random_environment(folder / "env.h5", info, 0.7F);
  const EnvironmentReader reader = open(folder / "env.h5");
  Mission mission = random_dives(reader.info());
  mission.energy.c_t = 0;
  const auto actions = actions_of(reader.info(), {0, 0.5, 1.1}, 6);
  const auto single_actions = make_actions({0, 0.5, 1.1}, 6, info.grid, info.time);
  const auto per_profile = static_cast<std::int16_t>(single_actions.size());
  const auto profile_of = [&](const PolicyTable& policy, std::size_t k, std::int32_t cell) {
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    return policy.action[k * cells + static_cast<std::size_t>(cell)] / per_profile;
  };
  const PlanningProblem problem{actions, mission, by_cell};
  PolicyTable policy(info.grid, mission.last);
  solve_reference(reader, problem, policy);
  SilentProgress progress;
  const RefinedPolicy both = refine_policy(reader, problem, policy, nullptr, {}, progress);
  for (const std::int32_t profile : {0, 1}) {
    SCOPED_TRACE(profile);
    const EnvironmentReader single_file =
        open(folder / "env.h5", {profile == 0 ? "shallow" : "deep"});
    PolicyTable single_policy = policy;
    for (std::int16_t& action : single_policy.action) {
      if (action != no_action) action = static_cast<std::int16_t>(action % per_profile);
    }
    Mission at_depth = mission;
    at_depth.profile_power = {};
    at_depth.energy.c_t = mission.profile_power[static_cast<std::size_t>(profile)];
    const RefinedPolicy expected = refine_policy(single_file, {single_actions, at_depth, by_cell},
                                                 single_policy, nullptr, {}, progress);
    std::size_t improved = 0;
    for (std::size_t k = 0; k < both.level.size(); ++k) {
      ASSERT_EQ(both.level[k].size(), expected.level[k].size());
      for (std::size_t n = 0; n < both.level[k].size(); ++n) {
        const RefinedAction& refined = both.level[k][n];
        if (profile_of(policy, k, refined.cell) != profile) continue;
        EXPECT_EQ(refined.heading, expected.level[k][n].heading);
        EXPECT_EQ(refined.speed, expected.level[k][n].speed);
        EXPECT_EQ(refined.gain, expected.level[k][n].gain);
        improved += refined.gain > 0 ? 1 : 0;
      }
    }
    EXPECT_GT(improved, 100u);
  }
}

// A depth with one speed keeps it, whatever the speeds of the other depth.
TEST(ProfileRefinement, UsesOnlyTheSpeedsOfADepth) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = two_profiles(plain_info(23, 17, 6, 3, 37));
  write_random_environment(folder / "env.h5", info, 0.7F);
  const EnvironmentReader reader = open(folder / "env.h5");
  const Mission mission = random_mission(reader.info());
  const auto actions = make_profile_actions({{0.6}, {1.3}}, 7, info.grid, info.time);
  const PlanningProblem problem{actions, mission, by_cell};
  PolicyTable policy(info.grid, mission.last);
  solve_reference(reader, problem, policy);
  SilentProgress progress;
  const RefinedPolicy refined = refine_policy(reader, problem, policy, nullptr, {}, progress);
  std::size_t improved = 0;
  for (const auto& level : refined.level) {
    for (const RefinedAction& action : level) {
      EXPECT_TRUE(action.speed == 0.6F || action.speed == 1.3F) << action.speed;
      improved += action.gain > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(improved, 100u);
}

TEST(ProfileRefinement, UsesTheDepthOfTheActionInFlights) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = two_profiles(plain_info(11, 3, 8));
  write_profiles(folder / "env.h5", info, opposed_flow);
  const EnvironmentReader reader = open(folder / "env.h5");
  const auto actions = actions_of(reader.info(), {0}, 1);
  const Mission mission = mission_between(reader.info(), 8, 1, 2, 1);
  RefinedPolicy refined;
  refined.level = {{{mission.start.value, 3.14159265F, 0.5F, 1}}};
  SilentProgress progress;
  const RolloutResult flown =
      fly_refined(reader, {actions, mission, by_cell}, ConstantPolicy(1), refined, {}, progress);
  const Trajectory& flight = flown.trajectories.at(0);
  EXPECT_NEAR(flight.points.at(1).x, 8.5 - 1.5, 1e-6);
  EXPECT_NEAR(flight.points.at(2).x, 8.5 - 2.5, 1e-6);
  EXPECT_EQ(flight.profiles.at(0), 1);
}

TEST(ProfileModel, RejectsOtherDepths) {
  const TemporaryFolder folder;
  const EnvironmentInfo two = two_profiles(plain_info(11, 3, 8));
  write_profiles(folder / "env.h5", two, opposed_flow);
  const EnvironmentReader reader = open(folder / "env.h5");
  const EnvironmentInfo& info = reader.info();
  const auto actions = actions_of(info, {1}, 4);
  SilentProgress progress;
  write_model(folder / "model.h5", reader, by_cell, actions, {}, ModelForm::compact, "", progress);
  const ModelFile model(folder / "model.h5");
  // The same actions, all at one depth.
  auto at_first_depth = actions;
  for (Action& action : at_first_depth) action.profile = 0;
  EXPECT_THROW(model.require_match(reader, by_cell, at_first_depth), InputError);
  const auto solve_on = [&](const EnvironmentReader& environment) {
    const PlanningProblem problem{actions, mission_between(info, 1, 1, 5, 1), by_cell};
    PolicyTable policy(info.grid, problem.mission.last);
    solve_backward(environment, problem, 1, model.counts(environment.info(), 1), policy, progress);
  };
  EXPECT_NO_THROW(solve_on(reader));
  // The model fits neither the reverse order, nor a single depth, nor another flow in deep water.
  EXPECT_THROW(solve_on(open(folder / "env.h5", {"deep", "shallow"})), InputError);
  EXPECT_THROW(solve_on(open(folder / "env.h5", {"shallow"})), InputError);
  write_profiles(folder / "other.h5", two,
                 [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
                   opposed_flow(k, profile, fields);
                   if (profile == 1) fields.u_mean[7] = -0.9F;
                 });
  EXPECT_THROW(solve_on(open(folder / "other.h5")), InputError);
}

// Number of reachable states in which the policy differs from the complete one.
std::int64_t differing_states(const ReachablePolicy& found, const PolicyTable& whole,
                              const Grid& grid) {
  std::int64_t different = 0;
  for (TimeLevel k = found.reach().first(); k <= found.reach().last(); ++k.value) {
    for (const CellIndex cell : found.reach().of(k)) {
      const auto state = static_cast<std::size_t>(k.value) * std::size_t(grid.cell_count()) +
                         static_cast<std::size_t>(cell.value);
      different += found.value(k, cell) != whole.value[state] ||
                   found.action(k, cell) != whole.action[state];
    }
  }
  return different;
}

// A float can move one cell per step to either side, at one of the depths.
TEST(ProfileReach, UsesTheStrongestDepth) {
  const TemporaryFolder folder;
  write_profiles(folder / "env.h5", two_profiles(plain_info(11, 3, 8)), opposed_flow);
  const EnvironmentReader reader = open(folder / "env.h5");
  FlightBound bound(reader.info(), 0, {{5.5, 1.5}});
  FileLevels levels(reader);
  for (int k = 0; k < 2; ++k) bound.advance(levels.level(TimeLevel(k)));
  EXPECT_EQ(bound.short_of(mission_between(reader.info(), 5, 1, 3, 1)), 0);
  EXPECT_EQ(bound.short_of(mission_between(reader.info(), 5, 1, 7, 1)), 0);
  EXPECT_GT(bound.short_of(mission_between(reader.info(), 5, 1, 1, 1)), 0.5);
}

// With known flow, the plan uses one realization. It equals that of plain loops on a file with only
// that realization, and flights stay in reachable states.
TEST(ProfileReach, MatchesPlainLoopsForOneRealization) {
  const TemporaryFolder folder;
  const EnvironmentInfo ensemble = two_profiles(plain_info(17, 15, 6, 2, 9));
  write_random_environment(folder / "env.h5", ensemble, 0.7F);
  const EnvironmentReader reader = open(folder / "env.h5");
  const InMemoryLevels in_memory(reader, TimeLevel(0), TimeLevel(5));
  EnvironmentInfo single = reader.info();
  single.realization_count = 1;
  const auto actions = make_profile_actions({{0, 0.9}, {0.7}}, 6, single.grid, single.time);
  const Mission mission = random_mission(single);
  const PlanningProblem problem{actions, mission, by_cell};
  SilentProgress progress;
  for (const std::size_t realization : {0, 4, 8}) {
    SCOPED_TRACE(realization);
    std::vector<float> coefficients;
    for (TimeLevel k(0); k.value < 6; ++k.value) {
      for (std::size_t m = 0; m < 2; ++m) {
        coefficients.push_back(in_memory.level(k).coefficient[m * 9 + realization]);
      }
    }
    EnsembleLevels levels(in_memory, coefficients, 1);
    std::vector<ReachablePolicy> policies;
    ReachableSolver(single, problem, {})
        .solve(levels, {mission.start, TimeLevel(0)}, policies, progress);
    const ReachablePolicy& found = policies.at(0);

    EnvironmentInfo single_info = ensemble;
    single_info.realization_count = 1;
    const EnvironmentReader depths[]{open(folder / "env.h5", {"shallow"}),
                                     open(folder / "env.h5", {"deep"})};
    write_profiles(folder / "one.h5", single_info,
                   [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
                     LevelFields<> all(depths[profile].info());
                     depths[profile].read_level(k, all);
                     fields.u_mean = std::move(all.u_mean);
                     fields.v_mean = std::move(all.v_mean);
                     fields.u_mode = std::move(all.u_mode);
                     fields.v_mode = std::move(all.v_mode);
                     fields.scalar = std::move(all.scalar);
                     fields.masked = std::move(all.masked);
                     for (std::size_t m = 0; m < 2; ++m) {
                       fields.coefficient[m] = all.coefficient[m * 9 + realization];
                     }
                   });
    const EnvironmentReader single_file = open(folder / "one.h5");
    PolicyTable expected(single.grid, mission.last);
    solve_reference(single_file, problem, expected);
    EXPECT_EQ(differing_states(found, expected, single.grid), 0);
    EXPECT_GT(found.reach().size(), 100u);

    const RolloutResult flown = fly(single_file, problem, expected, {}, progress);
    const Trajectory& flight = flown.trajectories.at(0);
    for (std::size_t n = 0; n + 1 < flight.points.size(); ++n) {
      const CellIndex cell = single.grid.cell(single.grid.column_at(flight.points[n].x),
                                              single.grid.row_at(flight.points[n].y));
      EXPECT_TRUE(found.value(TimeLevel(static_cast<std::int32_t>(n)), cell)) << n;
    }
  }
}

}  // namespace
}  // namespace tidewise::test
