// Vehicles that choose with each action where they dive (docs/model.md, 1.6): by hand, every
// backend against plain loops, and what follows the policy against what the plan promised.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "solver/subdomains/induction.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/in_subdomains.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

EnvironmentInfo of_two(EnvironmentInfo info) {
  info.profiles = {{"shallow", "0:50"}, {"deep", "0:1000"}};
  return info;
}

/// Reads both, in the order of their names.
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

/// The shallow water flows east and the deep one west, a cell a step.
void flow_apart(TimeLevel, std::size_t profile, LevelFields<>& fields) {
  std::fill(fields.u_mean.begin(), fields.u_mean.end(), profile == 0 ? 1.0F : -1.0F);
}

TEST(Profiles, AreReadOneBesideTheOther) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = of_two(plain_info(4, 3, 2, 2, 3));
  write_profiles(
      folder / "env.h5", info, [](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
        const auto value = static_cast<float>(10 * (profile + 1)) + static_cast<float>(k.value);
        for (std::size_t n = 0; n < fields.u_mode.size(); ++n) {
          fields.u_mode[n] = value + static_cast<float>(n) / 100;
        }
        std::fill(fields.v_mean.begin(), fields.v_mean.end(), value);
        fields.masked[profile] = 1;  // each closed where the other is not
        fields.masked[5] = 1;        // and both here
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
  // Water that some profile can dive is no obstacle; one that ends at its bottom has the velocity
  // of the other there.
  const std::vector<std::uint8_t> masked(deep.masked.begin(), deep.masked.end());
  EXPECT_EQ(masked, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(reader.read_masked(TimeLevel(1)), masked);
  EXPECT_EQ(deep.v_mean[1], 11.0F);
  EXPECT_EQ(deep.u_mode[12 + 1], 11.0F + 13.0F / 100);
  EXPECT_EQ(shallow.v_mean[1], 11.0F);
  EXPECT_EQ(shallow.v_mean[0], 21.0F);
  EXPECT_EQ(shallow.u_mode[0], 21.0F);
}

/// A quarter of the time at the surface: a quarter of its current, and of the dive's the rest.
TEST(Profiles, DriftAtTheSurfaceForAShareOfTheTime) {
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
  EnvironmentReader without = open(folder / "none.h5", {"deep"});
  EXPECT_THROW(without.drift_at_surface(0.25), InputError);
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

/// A float of no speed between two opposed currents comes to its target from either side, by the
/// depth that flows there.
TEST_P(ProfileSolves, AFloatBetweenOpposedDepthsByHand) {
  const EnvironmentInfo info = of_two(plain_info(11, 3, 8));
  write_profiles(folder_ / "env.h5", info, flow_apart);
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

/// A vehicle of two cells a step: three with the current and one against it. Where the deep water
/// is closed a dive ends in the shallow one.
TEST_P(ProfileSolves, WhereADepthIsClosedADiveEndsInTheOther) {
  const EnvironmentInfo info = of_two(plain_info(11, 3, 8));
  write_profiles(folder_ / "env.h5", info,
                 [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
                   flow_apart(k, profile, fields);
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

/// Random currents at both depths, each closed in places of its own.
TEST_P(ProfileSolves, AgreeWithPlainLoops) {
  for (const bool hold : {false, true}) {
    SCOPED_TRACE(hold ? "held" : "each step decides");
    EnvironmentInfo info = of_two(plain_info(23, 17, 6, 3, 37));
    write_random_environment(folder_ / "env.h5", info, 1.5F);
    const EnvironmentReader reader = open(folder_ / "env.h5");
    Mission mission = random_mission(reader.info());
    if (hold) mission.decisions = {2, TimeLevel(0)};
    const auto actions = make_profile_actions({{0, 0.6}, {0.4, 1.3}}, 7, info.grid, info.time);
    const PlanningProblem problem{actions, mission, by_cell};
    PolicyTable expected(info.grid, mission.last);
    solve_reference(reader, problem, expected);
    const PolicyTable policy = solve(reader, problem);
    EXPECT_EQ(policy.action, expected.action);
    EXPECT_EQ(policy.value, expected.value);
    const auto deep = std::count_if(policy.action.begin(), policy.action.end(),
                                    [&](std::int16_t action) { return action >= 8; });
    EXPECT_GT(deep, 100);
    EXPECT_LT(deep, static_cast<std::ptrdiff_t>(policy.action.size()) - 300);
  }
}

/// The same water at both depths: the first is taken, with the bits of it alone.
TEST_P(ProfileSolves, OfOneFlowAreTheBitsOfOneProfile) {
  const EnvironmentInfo one = plain_info(23, 17, 6, 3, 37);
  write_random_environment(folder_ / "one.h5", one, 1.5F);
  const EnvironmentReader alone(folder_ / "one.h5");
  write_profiles(
      folder_ / "env.h5", of_two(one),
      [&](TimeLevel k, std::size_t, LevelFields<>& fields) { alone.read_level(k, fields); });
  const EnvironmentReader reader = open(folder_ / "env.h5");
  const Mission mission = random_mission(one);
  const auto actions = actions_of(reader.info(), {0.4, 1.2}, 6);
  const auto of_one = make_actions({0.4, 1.2}, 6, one.grid, one.time);
  const PolicyTable both = solve(reader, {actions, mission, by_cell});
  const PolicyTable expected = solve(alone, {of_one, mission, by_cell});
  EXPECT_EQ(both.action, expected.action);
  EXPECT_EQ(both.value, expected.value);
}

INSTANTIATE_TEST_SUITE_P(Backends, ProfileSolves, testing::ValuesIn(solving_backends()),
                         [](const auto& parameter) { return parameter.param.name; });

/// What follows a policy that dives.
class ProfileFlights : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam()); }
  TemporaryFolder folder_;
};

TEST_P(ProfileFlights, SailByTheDepthOfTheirAction) {
  const EnvironmentInfo info = of_two(plain_info(11, 3, 8));
  write_profiles(folder_ / "env.h5", info, flow_apart);
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
  // Rules that need no plan are flown at each depth.
  const auto rules = fly_baselines_on(GetParam(), reader, mission, {{0, 0}, {0, 1}});
  ASSERT_EQ(rules.size(), 6u);
  EXPECT_EQ(rules[0].ends.at(0).outcome, TrajectoryOutcome::out_of_domain);
  EXPECT_EQ(rules[1].ends.at(0).outcome, TrajectoryOutcome::arrived);
  EXPECT_EQ(rules[1].profile, 1);
}

/// Random oceans and policies: bits of the processor, and the plan's own value by the chain of
/// counts.
TEST_P(ProfileFlights, HaveTheBitsOfTheProcessorAndTheValueOfThePlan) {
  const EnvironmentInfo info = of_two(plain_info(23, 17, 6, 3, 37));
  write_random_environment(folder_ / "env.h5", info, 1.5F);
  const EnvironmentReader reader = open(folder_ / "env.h5");
  const Mission mission = random_mission(reader.info());
  const auto actions = make_profile_actions({{0.4, 1.3}, {0, 0.6}}, 7, info.grid, info.time);
  const PlanningProblem problem{actions, mission, by_cell};
  const RandomPolicy random(actions.size(), 5);
  EXPECT_TRUE(same_bits(evaluate_on(GetParam(), reader, problem, random),
                        evaluate_on(Backend::cpu, reader, problem, random, 2)));
  for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
    RolloutOptions options;
    options.mode = mode;
    options.flights = 200;
    EXPECT_TRUE(same_bits(fly_on(GetParam(), reader, problem, random, options),
                          fly_on(Backend::cpu, reader, problem, random, options)));
  }
  PolicyTable policy(info.grid, mission.last);
  solve_reference(reader, problem, policy);
  const ExpectedOutcome expected = evaluate_on(GetParam(), reader, problem, policy);
  const float promised = policy.value[static_cast<std::size_t>(mission.start.value)];
  EXPECT_NEAR(expected.value, promised, 1e-4 * std::abs(promised));
}

INSTANTIATE_TEST_SUITE_P(Backends, ProfileFlights, testing::ValuesIn(all_backends),
                         name_of_backend);

/// Bands of rows whose currents lead far in the second profile alone.
TEST(ProfileBands, GiveTheBitsOfOneSolver) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = of_two(plain_info(11, 30, 6, 2, 20));
  write_random_environment(folder / "slow.h5", plain_info(11, 30, 6, 2, 20), 0.3F);
  write_random_environment(folder / "fast.h5", plain_info(11, 30, 6, 2, 20), 2.5F, 2);
  const EnvironmentReader slow(folder / "slow.h5");
  const EnvironmentReader fast(folder / "fast.h5");
  write_profiles(folder / "env.h5", info,
                 [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
                   (profile == 0 ? slow : fast).read_level(k, fields);
                 });
  const EnvironmentReader reader = open(folder / "env.h5");
  const Mission mission = random_mission(reader.info());
  const auto actions = actions_of(reader.info(), {0.5, 1}, 6);
  const PlanningProblem problem{actions, mission, by_cell};
  SilentProgress progress;
  PolicyTable expected(info.grid, mission.last);
  solve_mission(reader, problem, {}, expected, progress);
  for (const int bands : {2, 3}) {
    SCOPED_TRACE(bands);
    PolicyTable found(info.grid, mission.last);
    const auto thrown = run_ranks(bands, [&](Communicator& communicator) {
      SilentProgress silent;
      (void)solve_in_subdomains(reader, problem, {}, communicator,
                                communicator.rank() == 0 ? &found : nullptr, silent);
    });
    EXPECT_EQ(thrown, std::vector<std::string>(static_cast<std::size_t>(bands)));
    EXPECT_EQ(found.action, expected.action);
    EXPECT_EQ(found.value, expected.value);
  }
}

/// Each member of a group has the bits of its own solve.
TEST(ProfileGroup, OfManyMissionsIsEachAlone) {
  const TemporaryFolder folder;
  const EnvironmentInfo info = of_two(plain_info(13, 11, 7, 3, 40));
  write_random_environment(folder / "env.h5", info, 0.7F);
  const EnvironmentReader reader = open(folder / "env.h5");
  const auto actions = make_profile_actions({{0, 0.4}, {1.2}}, 5, info.grid, info.time);
  for (const GroupBackend& backend : group_backends()) {
    if (backend.kind != Backend::cpu) continue;
    SCOPED_TRACE(backend.name);
    expect_each_as_alone(backend, reader, by_cell, actions, varied_missions(reader.info(), 17));
  }
}

}  // namespace
}  // namespace tidewise::test
