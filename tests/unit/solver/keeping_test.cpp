// Station keeping and target following (docs/model.md, 3.11): every backend and flights at their
// true positions, compared with results by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solver/fly/rollout_statistics.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise {
namespace {

using test::plain_info;

// A mission to stay in the disc of this radius around a cell's centre, or in that cell if it is 0.
Mission stay_mission(const EnvironmentInfo& info, int start_i, int start_j, int i, int j,
                     double radius) {
  Mission mission = test::mission_between(info, start_i, start_j, i, j);
  mission.target_x = info.grid.x(i);
  mission.target_y = info.grid.y(j);
  test::keep(mission);
  mission.kept = {target_cells(info.grid, info.grid.x(i), info.grid.y(j), radius),
                  target_disc(info.grid, info.grid.x(i), info.grid.y(j), radius)};
  return mission;
}

// Fills levels with an eastward flow, and with a scalar that is 1 in the cells of the place.
test::FillLevel levels(const Mission& mission, float u = 0) {
  return [cells = mission.kept->cells, u](TimeLevel, LevelFields<>& fields) {
    std::copy(cells.begin(), cells.end(), fields.scalar.begin());
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), u);
  };
}

class KeepingByHand : public testing::TestWithParam<test::SolvingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  // Values at departure in a row of cells, the fourth of which is the place. The vehicle drifts or
  // moves one cell per step.
  std::vector<float> solve(float u) {
    const auto info = plain_info(7, 3, 4);
    const Mission mission = stay_mission(info, 0, 1, 3, 1, 0);
    test::write_environment(folder_ / "env.h5", info, levels(mission, u));
    const EnvironmentReader reader(folder_ / "env.h5");
    policy_ = PolicyTable(info.grid, mission.last);
    GetParam().solve(
        reader, {make_actions({0, 1}, 4, info.grid, info.time), mission, test::by_cell}, policy_);
    std::vector<float> at_departure;
    at_departure.reserve(7);
    for (int i = 0; i < 7; ++i) {
      at_departure.push_back(policy_.value[static_cast<std::size_t>(info.grid.cell(i, 1).value)]);
    }
    return at_departure;
  }
  test::TemporaryFolder folder_;
  PolicyTable policy_{Grid(), TimeLevel(0)};
};

// The mission has three steps. A vehicle in the place stays; others lose the time to reach it, of
// which half a step lies inside.
TEST_P(KeepingByHand, StaysInStillWater) {
  EXPECT_EQ(solve(0), (std::vector<float>{0.5F, 1.5F, 2.5F, 3, 2.5F, 1.5F, 0.5F}));
  EXPECT_EQ(policy_.action[static_cast<std::size_t>(1 * 7 + 3)], 0) << "it drifts where it is";
}

// By steering against a current of one cell per step, the vehicle stays all the time.
TEST_P(KeepingByHand, StaysInACurrentOfItsOwnSpeed) {
  const auto found = solve(1);
  EXPECT_EQ(found[3], 3);
  EXPECT_EQ(found[2], 2.5F);
  EXPECT_EQ(found[1], 2.5F) << "two cells a step, with the current";
  EXPECT_EQ(found[4], 0) << "it never comes back";
}

// In a current of twice its speed, the vehicle moves at least one cell per step to the east. It
// passes the place once, with half a step before it and half a step after it.
TEST_P(KeepingByHand, DriftsInAFasterCurrent) {
  const auto found = solve(2);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[1], 1);
  EXPECT_EQ(found[2], 1);
  EXPECT_EQ(found[3], 0.5F);
}

// A float without speed between two opposed currents stays in a place of two cells by alternating
// between the depths. A single depth would carry it out.
TEST_P(KeepingByHand, AlternatesBetweenOpposedDepths) {
  auto info = plain_info(13, 3, 5);
  info.profiles = {{"shallow", "0:50"}, {"deep", "0:1000"}};
  Mission mission = stay_mission(info, 6, 1, 6, 1, 0);
  mission.kept->cells[static_cast<std::size_t>(info.grid.cell(7, 1).value)] = 1;
  test::write_profiles(folder_ / "env.h5", info,
                       [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
                         levels(mission, profile == 0 ? 1.0F : -1.0F)(k, fields);
                       });
  const auto value_of = [&](const std::vector<std::string>& profiles) {
    EnvironmentReader reader(folder_ / "env.h5");
    reader.choose_profiles(profiles);
    const std::vector<std::vector<double>> speeds(profiles.size(), {0});
    PolicyTable policy(info.grid, mission.last);
    GetParam().solve(
        reader, {make_profile_actions(speeds, 1, info.grid, info.time), mission, test::by_cell},
        policy);
    return policy.value[static_cast<std::size_t>(info.grid.cell(6, 1).value)];
  };
  EXPECT_EQ(value_of({"shallow"}), 1.5F);
  EXPECT_EQ(value_of({"deep"}), 0.5F);
  EXPECT_EQ(value_of({"shallow", "deep"}), 4) << "all of the time";
}

INSTANTIATE_TEST_SUITE_P(Backends, KeepingByHand, testing::ValuesIn(test::solving_backends()),
                         [](const auto& test) { return test.param.name; });

class KeepingFlight : public test::FlightByHand {
 protected:
  // Mean share of time that flights stay in the place, or mean distance from the followed point.
  static double mean_keeping(const RolloutResult& flown, const Mission& mission,
                             const EnvironmentInfo& info) {
    RolloutStatistics statistics = summarize(flown, info);
    set_keeping(flight_ends(flown, info.time), flown.mode, mission, info, statistics);
    EXPECT_EQ(statistics.failures.out_of_time, 0) << "no flight is late";
    return statistics.keeping->mean;
  }
  std::vector<BaselineFlights> fly_baselines(const Mission& mission,
                                             const std::vector<BaselineSpeed>& speeds,
                                             const EnvironmentReader& reader) {
    return test::fly_baselines_on(GetParam(), reader, mission, speeds);
  }
};

TEST_P(KeepingFlight, StaysAllTheTimeInStillWater) {
  const auto info = plain_info(9, 9, 11);
  const Mission mission = stay_mission(info, 4, 4, 4, 4, 1.2);
  const auto flown = fly_all(info, levels(mission), mission, test::ConstantPolicy(0), {0});
  EXPECT_EQ(mean_keeping(flown.continuous, mission, info), 1);
  EXPECT_EQ(mean_keeping(flown.chain, mission, info), 1);
  EXPECT_EQ(flown.expected.harvested, 10);
  EXPECT_EQ(flown.expected.value, 10);
  EXPECT_EQ(flown.continuous.trajectories.at(0).total_reward, 10) << "the last step counts";
  EXPECT_EQ(flown.continuous.trajectories.at(0).points.size(), 11U);
  EXPECT_EQ(flown.continuous.trajectories.at(0).outcome, TrajectoryOutcome::out_of_time);
}

// A float drifts through a disc of radius 3 along a chord of length 2 √(9 − 1), at half a cell per
// step. Counting ends of steps is right within one step.
TEST_P(KeepingFlight, CountsTheChordThroughADisc) {
  const auto info = plain_info(20, 9, 31);
  Mission mission = stay_mission(info, 2, 5, 9, 4, 3);
  const auto flown = fly_all(info, levels(mission, 0.5F), mission, test::ConstantPolicy(0), {0});
  const double time = 2 * std::sqrt(8.0) / 0.5;
  EXPECT_NEAR(flown.continuous.trajectories.at(0).points.back().harvested, time, 1);
  // From x = 2.5 its position is 2.5 + n/2; those within √8 of 9.5 are n = 9 … 19.
  EXPECT_EQ(flown.continuous.trajectories.at(0).points.back().harvested, 11);
  EXPECT_EQ(mean_keeping(flown.continuous, mission, info), 11.0 / 30);
}

// The true position is in the disc, but in a cell whose centre is outside.
TEST_P(KeepingFlight, CountsTruePositionsInsteadOfCells) {
  const auto info = plain_info(9, 9, 5);
  Mission mission = stay_mission(info, 4, 4, 4, 4, 1.2);
  mission.start = info.grid.cell(5, 5);  // its centre is √2 away
  mission.start_x = info.grid.x(4) + 0.6;
  mission.start_y = info.grid.y(4) + 0.6;
  const auto flown = fly_all(info, levels(mission), mission, test::ConstantPolicy(0), {0});
  EXPECT_EQ(mean_keeping(flown.continuous, mission, info), 1);
  EXPECT_EQ(mean_keeping(flown.chain, mission, info), 0);
}

// A failure ends the flight, with its reward so far and the penalty.
TEST_P(KeepingFlight, EndsAtAFailure) {
  const auto info = plain_info(6, 3, 11);
  Mission mission = stay_mission(info, 3, 1, 3, 1, 0);
  mission.failure = {-70, -50, 0, 0};
  const auto flown = fly_all(info, levels(mission, 1), mission, test::ConstantPolicy(0), {0});
  EXPECT_EQ(flown.expected.value, 0.5 - 50);
  EXPECT_EQ(flown.expected.harvested, 0.5);
  EXPECT_EQ(flown.continuous.trajectories.at(0).total_reward, 0.5 - 50);
  EXPECT_EQ(mean_keeping(flown.continuous, mission, info), 0.05);
}

// The point moves at the vehicle's speed, and the vehicle moves parallel to it.
TEST_P(KeepingFlight, MeasuresTheDistanceToAMovingPoint) {
  const auto info = plain_info(20, 9, 9);
  Mission mission = stay_mission(info, 2, 4, 2, 6, 0);
  mission.objective = Objective::follow;
  mission.kept->cells.clear();
  for (int k = 0; k < 9; ++k) mission.kept->track.push_back({2.5 + k, 6.5});
  const auto flown = fly_all(
      info,
      [&](TimeLevel k, LevelFields<>& fields) {
        for (int n = 0; n < info.grid.cell_count(); ++n) {
          const CellIndex cell(n);
          fields.scalar[static_cast<std::size_t>(n)] =
              static_cast<float>(-std::hypot(info.grid.x(info.grid.column(cell)) - 2.5 - k.value,
                                             info.grid.y(info.grid.row(cell)) - 6.5));
        }
      },
      mission, test::ConstantPolicy(0));
  EXPECT_EQ(mean_keeping(flown.continuous, mission, info), 2);
  EXPECT_EQ(mean_keeping(flown.chain, mission, info), 2);
  EXPECT_EQ(flown.expected.harvested, -16);
  EXPECT_EQ(flown.expected.value, -16);
}

// In a current of half its speed, `aim` returns and drifts out again; `greedy` stays at the centre.
TEST_P(KeepingFlight, SimulatesBaselineControllers) {
  const auto info = plain_info(20, 9, 41);
  const Mission mission = stay_mission(info, 9, 4, 9, 4, 1);
  test::write_environment(folder_ / "env.h5", info, levels(mission, 0.5F));
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto flown = fly_baselines(mission, {1}, reader);
  ASSERT_EQ(flown.size(), 2 + 16U) << "aim, greedy, and fixed at every heading";
  EXPECT_EQ(flown[0].baseline, Baseline::aim);
  EXPECT_EQ(flown[1].baseline, Baseline::greedy);
  EXPECT_EQ(flown[1].ends.at(0).harvested, 40);
  EXPECT_GT(flown[0].ends.at(0).harvested, 20);
  EXPECT_LT(flown[0].ends.at(0).harvested, 40);
  const BaselineFlights& west = flown[2 + 8];
  EXPECT_NEAR(west.heading, std::acos(-1), 1e-12);
  // Moving half a cell per step to the west, it is inside at its start and after two more steps.
  EXPECT_EQ(west.ends.at(0).harvested, 2.5F);
}

INSTANTIATE_TEST_SUITE_P(Backends, KeepingFlight, testing::ValuesIn(test::all_backends),
                         test::name_of_backend);

}  // namespace
}  // namespace tidewise
