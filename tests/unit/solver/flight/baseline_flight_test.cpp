// Flights of baseline controllers, compared with results by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/fly/rollout_statistics.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

class BaselineFlight : public FlightByHand {
 protected:
  // Short steps, so that a step is a small part of a cell.
  static EnvironmentInfo info_with_short_steps() {
    auto info = plain_info(34, 34, 60 * steps_per_cell);
    info.time.step = step;
    return info;
  }

  static Mission crossing(const EnvironmentInfo& info, int start_i, int start_j, int target_i,
                          int target_j) {
    Mission mission = mission_between(info, start_i, start_j, target_i, target_j);
    mission.target_x = info.grid.x(target_i);
    mission.target_y = info.grid.y(target_j);
    return mission;
  }

  std::vector<BaselineFlights> fly_baselines(const EnvironmentInfo& info, const FillLevel& fill,
                                             const Mission& mission,
                                             const std::vector<BaselineSpeed>& speeds = {1}) {
    write_environment(folder_ / "env.h5", info, fill);
    const EnvironmentReader reader(folder_ / "env.h5");
    return fly_baselines_on(GetParam(), reader, mission, speeds);
  }

  static const FlightEnd& end_of(const std::vector<BaselineFlights>& flown, Baseline baseline) {
    const auto found =
        std::find_if(flown.begin(), flown.end(),
                     [&](const BaselineFlights& flights) { return flights.baseline == baseline; });
    return found->ends.at(0);
  }

  static constexpr int steps_per_cell = 16;
  static constexpr double step = 1.0 / steps_per_cell;
};

// A northward flow, across the path.
FillLevel northward(float v) {
  return [v](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.v_mean.begin(), fields.v_mean.end(), v);
  };
}

TEST_P(BaselineFlight, TakesTheDistanceInStillWater) {
  const auto info = info_with_short_steps();
  // 24 east and 18 north: distance 30 along (0.8, 0.6). The flight ends at the edge of the target's
  // cell, half a cell before its centre.
  const auto flown = fly_baselines(info, {}, crossing(info, 2, 3, 26, 21), {2});
  ASSERT_EQ(flown.size(), 3u);
  for (const BaselineFlights& flights : flown) {
    SCOPED_TRACE(to_string(flights.baseline));
    EXPECT_EQ(flights.speed, 2);
    EXPECT_EQ(flights.ends.at(0).outcome, TrajectoryOutcome::arrived);
    EXPECT_NEAR(flights.ends.at(0).time, (30 - 0.5 / 0.8) / 2, step);
    EXPECT_NEAR(flights.ends.at(0).energy, 4 * flights.ends.at(0).time, 1e-5);
    EXPECT_NEAR(flights.ends.at(0).total_reward, 100 - flights.ends.at(0).time, 1e-6);
  }
}

TEST_P(BaselineFlight, CrossesACurrent) {
  const auto info = info_with_short_steps();
  const auto flown = fly_baselines(info, northward(0.6F), crossing(info, 1, 8, 31, 8));
  // `crab` follows the line with √(F² − c²); the target's cell begins half a cell before the end.
  EXPECT_NEAR(end_of(flown, Baseline::crab).time, 29.5 / 0.8, step);
  // `aim` follows the pursuit curve of length L F / (F² − c²), at whose end the vehicle approaches
  // against the current: in the last half cell with F − c.
  const double pursuit = 30 / (1 - 0.36) - 0.5 / (1 - 0.6);
  EXPECT_NEAR(end_of(flown, Baseline::aim).time, pursuit, 2 * step);
  // `greedy` looks only a short step ahead and is hardly better.
  EXPECT_LT(end_of(flown, Baseline::greedy).time, end_of(flown, Baseline::aim).time);
  EXPECT_NEAR(end_of(flown, Baseline::greedy).time, pursuit, 0.02 * pursuit);
}

TEST_P(BaselineFlight, MovesAgainstAndWithACurrent) {
  const auto info = info_with_short_steps();
  for (const double flow : {-0.5, 0.5}) {
    const auto flown =
        fly_baselines(info, eastward(static_cast<float>(flow)), crossing(info, 1, 8, 21, 8));
    for (const BaselineFlights& flights : flown) {
      EXPECT_NEAR(flights.ends.at(0).time, 19.5 / (1 + flow), step) << to_string(flights.baseline);
    }
  }
}

TEST_P(BaselineFlight, DriftsAwayInAStrongCurrent) {
  const auto info = info_with_short_steps();
  const auto flown = fly_baselines(info, northward(2), crossing(info, 1, 8, 31, 8));
  for (const BaselineFlights& flights : flown) {
    EXPECT_EQ(flights.ends.at(0).outcome, TrajectoryOutcome::out_of_domain);
  }
  // `crab` uses its full speed to stay on the line: 25.5 cells to the border at 2 − 1.
  EXPECT_NEAR(end_of(flown, Baseline::crab).time, 25.5, step);
}

// Along a row, the baseline controllers act like a policy that always heads east.
TEST_P(BaselineFlight, EndsLikeAPlannedFlight) {
  const auto info = plain_info(6, 3, 9);
  const auto wall = [&](TimeLevel, LevelFields<>& fields) { fields.masked[6 + 3] = 1; };
  const auto closing = [&](TimeLevel k, LevelFields<>& fields) {
    fields.masked[6 + 2] = k.value == 2;
  };
  auto late = crossing(info, 0, 1, 5, 1);
  late.departure = TimeLevel(5);
  auto at_the_end = late;
  at_the_end.departure = late.last;
  const auto carried_out = eastward(-2);
  for (const auto& [fill, mission] :
       std::vector<std::pair<FillLevel, Mission>>{{{}, crossing(info, 0, 1, 4, 1)},
                                                  {wall, crossing(info, 0, 1, 5, 1)},
                                                  {closing, crossing(info, 0, 1, 5, 1)},
                                                  {carried_out, crossing(info, 2, 1, 5, 1)},
                                                  {{}, late},
                                                  {{}, at_the_end},
                                                  {{}, crossing(info, 2, 1, 2, 1)}}) {
    const auto flown = fly_baselines(info, fill, mission);
    const EnvironmentReader reader(folder_ / "env.h5");
    const auto actions = make_actions({1}, 4, info.grid, info.time);
    const ConstantPolicy policy(east);
    const auto planned = flight_ends(
        fly_on(GetParam(), reader, {actions, mission, test::by_cell}, policy, {}), info.time);
    for (const BaselineFlights& flights : flown) {
      SCOPED_TRACE(to_string(flights.baseline));
      EXPECT_EQ(flights.ends.at(0).outcome, planned.at(0).outcome);
      EXPECT_EQ(flights.ends.at(0).time, planned.at(0).time);
      EXPECT_EQ(flights.ends.at(0).energy, planned.at(0).energy);
      EXPECT_EQ(flights.ends.at(0).total_reward, planned.at(0).total_reward);
    }
  }
}

TEST_P(BaselineFlight, SimulatesEverySpeedInTheRequestedRealizations) {
  auto info = plain_info(12, 3, 20, 1, 3);
  write_environment(folder_ / "env.h5", info, [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
    for (std::size_t r = 0; r < 3; ++r) fields.coefficient[r] = static_cast<float>(r);
  });
  const EnvironmentReader reader(folder_ / "env.h5");
  RolloutOptions options;
  options.realizations = {2, 0};
  const auto flown =
      fly_baselines_on(GetParam(), reader, crossing(info, 0, 1, 6, 1), {1, 2, 0}, options);
  ASSERT_EQ(flown.size(), 9u);
  const Baseline all[] = {Baseline::aim, Baseline::crab, Baseline::greedy};
  for (std::size_t n = 0; n < 9; ++n) {
    EXPECT_EQ(flown[n].baseline, all[n / 3]);
    EXPECT_EQ(flown[n].speed, (std::vector<double>{1, 2, 0})[n % 3]);
    ASSERT_EQ(flown[n].ends.size(), 2u);
    EXPECT_EQ(flown[n].ends[0].realization, 2);
    EXPECT_EQ(flown[n].ends[1].realization, 0);
  }
  // The target's edge is reached at 1 + 2 and at 1 + 0 cells per step. A drifting vehicle does not
  // move without a flow. Shares of a step are in single precision.
  EXPECT_NEAR(flown[0].ends[0].time, 5.5 / 3, 1e-6);
  EXPECT_EQ(flown[0].ends[1].time, 5.5);
  EXPECT_EQ(flown[2].ends[0].time, 5.5 / 2);
  EXPECT_EQ(flown[2].ends[1].outcome, TrajectoryOutcome::out_of_time);
  options.realizations = {3};
  EXPECT_THROW(fly_baselines_on(GetParam(), reader, crossing(info, 0, 1, 6, 1), {1}, options),
               InputError);
}

INSTANTIATE_TEST_SUITE_P(Backends, BaselineFlight, testing::ValuesIn(all_backends),
                         name_of_backend);

// Flights through random currents, over the whole forecast and over a part of it.
class BaselineBits : public testing::TestWithParam<ThreadedBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().backend); }

  void expect_same(const EnvironmentInfo& info, RolloutOptions options = {}) {
    write_random_environment(folder_ / "env.h5", info, 1);
    const EnvironmentReader reader(folder_ / "env.h5");
    const std::vector<BaselineSpeed> speeds{0, 0.75, 2};
    const Mission mission = random_mission(info);
    Mission inner = mission;
    inner.departure = TimeLevel(2);
    inner.last = TimeLevel(info.time.level_count - 3);
    for (const Mission& flown_mission : {mission, inner}) {
      options.threads = 1;
      const auto expected = fly_baselines_on(Backend::cpu, reader, flown_mission, speeds, options);
      options.threads = GetParam().threads;
      EXPECT_TRUE(same_bits(
          fly_baselines_on(GetParam().backend, reader, flown_mission, speeds, options), expected));
    }
  }

  TemporaryFolder folder_;
};

TEST_P(BaselineBits, MatchOneThread) {
  expect_same(plain_info(41, 37, 12, 3, 300));
  RolloutOptions chosen;
  chosen.realizations = {99, 3, 3, 41};
  expect_same(plain_info(33, 35, 8, 2, 100), chosen);
  auto weighted = plain_info(33, 35, 8, 2, 300);
  weighted.realization_weight = random_weights(300);
  expect_same(weighted);
  auto bare = plain_info(33, 35, 8, 2, 257);
  bare.has_scalar = false;
  bare.obstacles = Obstacles::none;
  expect_same(bare);
}

INSTANTIATE_TEST_SUITE_P(Backends, BaselineBits, testing::ValuesIn(threaded_backends),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace tidewise::test
