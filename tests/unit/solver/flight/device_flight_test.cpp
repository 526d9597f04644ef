// Flights and evaluations on a device against the CPU's, to the last bit.

#include <gmock/gmock.h>

#include "base/error.h"
#include "solver/evaluate/device_evaluation.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "unit/solver/flight/flight_on_gyre.h"

namespace tidewise::test {
namespace {

class DeviceFlightOnGyre : public FlightOnGyre, public testing::WithParamInterface<Objective> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_DEVICE(); }
};

TEST_P(DeviceFlightOnGyre, HasTheSameBits) {
  solve(GetParam());
  EXPECT_TRUE(same_bits(evaluate(Backend::cuda), evaluate()));
  for (const auto mode : {RolloutMode::chain, RolloutMode::continuous}) {
    const auto options = options_of(mode);
    EXPECT_TRUE(same_bits(fly_by(options, Backend::cuda), fly_by(options)));
  }
}

INSTANTIATE_TEST_SUITE_P(Objectives, DeviceFlightOnGyre, testing::ValuesIn(all_objectives),
                         [](const auto& objective) {
                           return std::string(to_string(objective.param));
                         });

/// Random policies through random environments.
class DeviceFlight : public testing::Test {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_DEVICE(); }

  void make(const EnvironmentInfo& info, float speed) {
    write_random_environment(folder_ / "env.h5", info, speed);
    reader_.emplace(folder_ / "env.h5");
    actions_ = make_actions({0, 1.5}, 5, info.grid, info.time);
    mission_ = random_mission(info);
  }

  RandomPolicy policy() const { return {actions_.size(), 3}; }

  void expect_same_flights(const RolloutOptions& options) {
    const auto flown =
        fly_on(Backend::cpu, *reader_, {actions_, mission_, test::by_cell}, policy(), options);
    EXPECT_TRUE(same_bits(
        fly_on(Backend::cuda, *reader_, {actions_, mission_, test::by_cell}, policy(), options),
        flown));
  }

  void expect_same_evaluation(std::size_t scratch = 0) {
    const auto expected =
        evaluate_on(Backend::cpu, *reader_, {actions_, mission_, test::by_cell}, policy());
    DeviceEnvironment there(*reader_, std::size_t{64} << 20);
    SilentProgress progress;
    EXPECT_TRUE(same_bits(evaluate_policy_on_device(there, {actions_, mission_, test::by_cell},
                                                    policy(), progress, scratch),
                          expected));
    // A second pass finds levels that the first has left.
    EXPECT_TRUE(same_bits(evaluate_policy_on_device(there, {actions_, mission_, test::by_cell},
                                                    policy(), progress, scratch),
                          expected));
  }

  void expect_all_the_same() {
    expect_same_evaluation();
    RolloutOptions options;
    expect_same_flights(options);
    expect_same_baselines(options);
    options.mode = RolloutMode::chain;
    options.flights = 1000;
    options.seed = 5;
    expect_same_flights(options);
  }

  void expect_same_baselines(const RolloutOptions& options) {
    const std::vector<double> speeds{0, 0.75, 2};
    const auto flown = fly_baselines_on(Backend::cpu, *reader_, mission_, speeds, options);
    EXPECT_TRUE(
        same_bits(fly_baselines_on(Backend::cuda, *reader_, mission_, speeds, options), flown));
  }

  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  Mission mission_;
};

TEST_F(DeviceFlight, ThroughARandomEnvironment) {
  make(plain_info(41, 37, 12, 3, 300), 1);
  expect_all_the_same();
  mission_.departure = TimeLevel(4);
  mission_.last = TimeLevel(9);
  expect_all_the_same();
}

TEST_F(DeviceFlight, WithWeights) {
  auto info = plain_info(33, 35, 8, 2, 300);
  info.realization_weight = random_weights(300);
  make(info, 1);
  expect_all_the_same();
}

TEST_F(DeviceFlight, WithoutScalarsAndObstacles) {
  auto info = plain_info(33, 35, 8, 2, 257);
  info.has_scalar = false;
  info.obstacles = Obstacles::none;
  make(info, 1);
  expect_all_the_same();
}

TEST_F(DeviceFlight, ThroughSomeRealizations) {
  make(plain_info(33, 35, 8, 2, 100), 1);
  RolloutOptions options;
  options.realizations = {99, 3, 3, 41};
  expect_same_flights(options);
  expect_same_baselines(options);
  options.realizations = {100};
  EXPECT_THROW(
      fly_on(Backend::cuda, *reader_, {actions_, mission_, test::by_cell}, policy(), options),
      InputError);
}

TEST_F(DeviceFlight, WithALogOfFewSteps) {
  make(plain_info(33, 35, 12, 2, 100), 0.5F);
  for (const auto mode : {RolloutMode::chain, RolloutMode::continuous}) {
    RolloutOptions options;
    options.mode = mode;
    for (const std::size_t memory : {std::size_t{0}, std::size_t{8000}}) {  // 1 step, 3 steps
      options.log_memory = memory;
      expect_same_flights(options);
    }
  }
}

TEST_F(DeviceFlight, InManyBatchesOfCells) {
  make(plain_info(33, 35, 8, 2, 100), 1);
  expect_same_evaluation(20000);
  expect_same_evaluation(1);  // a cell at a time
}

TEST_F(DeviceFlight, ThroughWindowsOfAnyWidth) {
  // Counters in shared memory for four cells, for two and for one, and in global memory.
  for (const float speed : {0.5F, 3.0F, 9.0F, 16.0F, 40.0F, 100.0F}) {
    SCOPED_TRACE(speed);
    make(plain_info(19, 17, 3, 2, 1500), speed);
    expect_same_evaluation();
  }
}

TEST_F(DeviceFlight, WithManyModes) {
  for (const std::int32_t modes : {200, 1000, 4000}) {
    SCOPED_TRACE(modes);
    make(plain_info(7, 8, 4, modes, 40), 0.02F);
    expect_same_evaluation();
  }
}

TEST_F(DeviceFlight, EndsAtTheStart) {
  make(plain_info(33, 35, 8, 2, 100), 1);
  mission_.departure = mission_.last;
  expect_all_the_same();
  mission_.departure = TimeLevel(0);
  mission_.start = CellIndex(static_cast<std::int32_t>(
      std::find(mission_.target.begin(), mission_.target.end(), 1) - mission_.target.begin()));
  expect_all_the_same();
}

TEST_F(DeviceFlight, RefusesAFlowTooFastAsTheCpuDoes) {
  make(plain_info(33, 35, 5, 2, 20), 5000);
  std::string said;
  try {
    (void)evaluate_on(Backend::cpu, *reader_, {actions_, mission_, test::by_cell}, policy());
  } catch (const InputError& error) {
    said = error.what();
  }
  ASSERT_THAT(said, testing::HasSubstr("1024"));
  try {
    (void)evaluate_on(Backend::cuda, *reader_, {actions_, mission_, test::by_cell}, policy());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), said);
  }
}

/// Actions that exist up to a level, and none that do from there on.
class SpoiltPolicy final : public PolicySource {
 public:
  explicit SpoiltPolicy(TimeLevel spoilt) : spoilt_(spoilt) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    std::fill(action.begin(), action.end(), static_cast<std::int16_t>(k < spoilt_ ? 0 : 99));
  }
  void read_value(TimeLevel, View<float>) const override {}

 private:
  TimeLevel spoilt_;
};

TEST_F(DeviceFlight, NeedsNoPolicyAfterTheEnd) {
  // Eastwards at 1 cell a step in still water, from the middle: 17 cells to the border.
  const auto info = plain_info(33, 35, 30);
  write_environment(folder_ / "env.h5", info);
  reader_.emplace(folder_ / "env.h5");
  actions_ = make_actions({1}, 4, info.grid, info.time);
  mission_ = random_mission(info);
  const SpoiltPolicy long_enough(TimeLevel(17));
  const SpoiltPolicy too_short(TimeLevel(15));
  for (const Backend backend : all_backends) {
    EXPECT_EQ(evaluate_on(backend, *reader_, {actions_, mission_, test::by_cell}, long_enough)
                  .out_of_domain_probability,
              1);
    EXPECT_EQ(fly_on(backend, *reader_, {actions_, mission_, test::by_cell}, long_enough, {})
                  .trajectories[0]
                  .points.size(),
              18u);
    EXPECT_THROW(evaluate_on(backend, *reader_, {actions_, mission_, test::by_cell}, too_short),
                 InputError);
    EXPECT_THROW(fly_on(backend, *reader_, {actions_, mission_, test::by_cell}, too_short, {}),
                 InputError);
  }
}

}  // namespace
}  // namespace tidewise::test
