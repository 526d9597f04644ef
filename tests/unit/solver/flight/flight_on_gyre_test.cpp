// The forward evaluation and the chain rollout against the value that backward induction promises,
// on a small stochastic double gyre with moving obstacles; and the same bits however they are made.

#include "unit/solver/flight/flight_on_gyre.h"

#include <cmath>

#include "model_builder/engines.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise::test {
namespace {

class PromisedValue : public FlightOnGyre,
                      public testing::WithParamInterface<std::tuple<Objective, LandingBy>> {
 protected:
  void solve_case() {
    rule_.landing = std::get<1>(GetParam());
    solve(std::get<0>(GetParam()));
  }
};

TEST_P(PromisedValue, TheForwardEvaluationMeetsIt) {
  solve_case();
  const ExpectedOutcome expected = evaluate();
  // The value is rounded to float32 at each of 20 levels; the forward pass is in double.
  EXPECT_NEAR(expected.value, value_at_start(), 2e-3);
  EXPECT_NEAR(expected.arrival_probability + expected.obstacle_probability +
                  expected.out_of_domain_probability + expected.out_of_time_probability +
                  expected.without_action_probability + expected.out_of_forecast_probability,
              1, 1e-12);
  // A mission that may well fail, in two ways, or the test says little.
  EXPECT_GT(expected.arrival_probability, 0.1);
  EXPECT_LT(expected.arrival_probability, 0.9999);
  EXPECT_LT(expected.net_energy, expected.energy);
}

TEST_P(PromisedValue, TheChainsMeanMeetsIt) {
  solve_case();
  const auto statistics =
      summarize(fly_by(options_of(RolloutMode::chain, 4000, 2)), reader().info());
  EXPECT_EQ(statistics.trajectories, 4000);
  EXPECT_GT(statistics.standard_error, 0);
  EXPECT_NEAR(statistics.mean_total_reward, value_at_start(), 4 * statistics.standard_error);
  const auto expected = evaluate();
  const double p = expected.arrival_probability;
  EXPECT_NEAR(statistics.arrival_rate, p, 4 * std::sqrt(p * (1 - p) / 4000));
  EXPECT_NEAR(statistics.time.mean, expected.time, 0.2);
  EXPECT_NEAR(statistics.net_energy.mean, expected.net_energy, 0.4);
}

INSTANTIATE_TEST_SUITE_P(Objectives, PromisedValue,
                         testing::Combine(testing::ValuesIn(all_objectives),
                                          testing::Values(LandingBy::cell, LandingBy::area)),
                         [](const auto& test) {
                           return std::string(to_string(std::get<0>(test.param))) + "_by_" +
                                  std::string(to_string(std::get<1>(test.param)));
                         });

class SameBits : public FlightOnGyre,
                 public testing::WithParamInterface<std::tuple<Objective, ThreadedBackend>> {};

TEST_P(SameBits, WhoeverComputesAndHoweverFewStepsTheLogHolds) {
  const auto [objective, by] = GetParam();
  TIDEWISE_REQUIRE_BACKEND(by.backend);
  solve(objective);
  EXPECT_TRUE(same_bits(evaluate(by), evaluate()));
  EXPECT_FALSE(same_bits(fly_by(options_of(RolloutMode::chain)),
                         fly_by(options_of(RolloutMode::continuous))));
  for (RolloutOptions options :
       {options_of(RolloutMode::chain), options_of(RolloutMode::chain, 300),
        options_of(RolloutMode::continuous)}) {
    const auto flown = fly_by(options);
    options.threads = by.threads;
    for (const std::size_t memory : {options.log_memory, std::size_t{0}, std::size_t{8000}}) {
      options.log_memory = memory;  // of all, of 1 or of 3 steps
      EXPECT_TRUE(same_bits(fly_by(options, by.backend), flown));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Objectives, SameBits,
                         testing::Combine(testing::ValuesIn(all_objectives),
                                          testing::ValuesIn(threaded_backends)),
                         [](const auto& test) {
                           return std::string(to_string(std::get<0>(test.param))) + "_by_" +
                                  name_of(std::get<1>(test.param));
                         });

TEST_F(FlightOnGyre, CountsOfAnyEngineGiveTheSameBits) {
  solve(Objective::net_energy);
  const auto& info = reader().info();
  for (const Engine engine : {Engine::direct, Engine::paper}) {
    const auto counting =
        make_cpu_engine(engine, {LandingBy::cell, 3}, info.grid, info.time, actions_, 2);
    SilentProgress progress;
    const auto expected =
        evaluate_policy(reader(), problem(), policy_, 2, progress,
                        [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                            CountSink& sink) { counting->count_level(level, {}, cells, sink); });
    EXPECT_TRUE(same_bits(expected, evaluate()));
  }
}

TEST_F(FlightOnGyre, ContinuousFlightsStayInTheWater) {
  solve(Objective::time);
  const auto& info = reader().info();
  const auto rollout = fly_by(options_of(RolloutMode::continuous, 0, 2));
  LevelFields<> fields(info);
  for (const Trajectory& flight : rollout.trajectories) {
    if (flight.outcome != TrajectoryOutcome::arrived) continue;
    for (std::size_t n = 0; n < flight.points.size(); ++n) {
      reader().read_level(TimeLevel(mission_.departure.value + static_cast<std::int32_t>(n)),
                          fields);
      const auto& p = flight.points[n];
      const CellIndex cell = info.grid.cell(info.grid.column_at(p.x), info.grid.row_at(p.y));
      EXPECT_EQ(fields.masked[static_cast<std::size_t>(cell.value)], 0);
    }
  }
}

}  // namespace
}  // namespace tidewise::test
