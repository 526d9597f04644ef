// The value of knowing and learning the flow, computed by hand from a few flights.

#include <gtest/gtest.h>

#include <cmath>

#include "planner/learning/worth.h"

namespace tidewise {
namespace {

FlightEnd arrived(std::int32_t realization, double time) {
  FlightEnd end;
  end.realization = realization;
  end.outcome = TrajectoryOutcome::arrived;
  end.time = time;
  end.energy = static_cast<float>(2 * time);
  end.total_reward = 100 - time;
  return end;
}

FlightEnd lost(std::int32_t realization, double reward) {
  FlightEnd end;
  end.realization = realization;
  end.outcome = TrajectoryOutcome::obstacle;
  end.total_reward = reward;
  return end;
}

class Worth : public testing::Test {
 protected:
  Worth() { info_.realization_count = 4; }

  EnvironmentInfo info_;
  const std::vector<FlightEnd> open_{arrived(0, 10), arrived(1, 14), arrived(2, 12), lost(3, -900)};
  const std::vector<FlightEnd> bound_{arrived(0, 8), arrived(1, 8), arrived(2, 10), arrived(3, 9)};
  const std::vector<FlightEnd> adaptive_{arrived(0, 9), arrived(1, 11), lost(2, -900),
                                         arrived(3, 11)};
};

TEST_F(Worth, IsPairedFlightByFlight) {
  const PairedWorth gain = paired_worth(bound_, open_, info_);
  EXPECT_EQ(gain.both_arrive, 3);
  EXPECT_DOUBLE_EQ(gain.time.mean, (2 + 6 + 2) / 3.0);
  // Deviations −4/3, 8/3, −4/3: variance 16/3, over three flights.
  EXPECT_DOUBLE_EQ(gain.time.standard_error, std::sqrt(16.0 / 3 / 3));
  EXPECT_DOUBLE_EQ(gain.energy.mean, 2 * gain.time.mean);
  EXPECT_DOUBLE_EQ(gain.arrival_rate.mean, 0.25);
  EXPECT_DOUBLE_EQ(gain.total_reward.mean, (2 + 6 + 2 + 991) / 4.0);
}

TEST_F(Worth, MeasuresTheClosedRegretIfAllArrive) {
  const auto worth = knowledge_worth(open_, bound_, {93, 92, 91, 91}, adaptive_, info_);
  // Flights 0 and 1: learning saves 1 and 3 of the 2 and 6 that knowing saves.
  EXPECT_EQ(worth.all_arrive, 2);
  EXPECT_DOUBLE_EQ(worth.regret_closed.mean, 0.5);
  EXPECT_DOUBLE_EQ(worth.regret_closed.standard_error, 0);
  // Over all flights: (1 + 3 − 988 + 989) / (2 + 6 + 2 + 991).
  EXPECT_DOUBLE_EQ(worth.regret_closed_of_all.mean, 5.0 / 1001);
  // Predicted rewards minus flown ones: 1, 0, 1, 0.
  EXPECT_DOUBLE_EQ(worth.promise_gap.mean, 0.5);
  EXPECT_DOUBLE_EQ(worth.adaptive->arrival_rate, 0.75);
  EXPECT_DOUBLE_EQ(worth.adaptive_gain.arrival_rate.mean, 0);
}

TEST_F(Worth, CountsRealizationsByTheirWeights) {
  info_.realization_weight = {3, 1, 0, 0};
  const PairedWorth gain = paired_worth(bound_, open_, info_);
  EXPECT_DOUBLE_EQ(gain.time.mean, (3 * 2 + 6) / 4.0);
  EXPECT_EQ(gain.both_arrive, 2);  // a flight of weight 0 does not count
  EXPECT_DOUBLE_EQ(gain.arrival_rate.mean, 0);
}

TEST_F(Worth, IsNanWithoutFlights) {
  const auto only_bound = knowledge_worth(open_, bound_, {1, 1, 1, 1}, {}, info_);
  EXPECT_FALSE(only_bound.adaptive.has_value());
  EXPECT_TRUE(std::isnan(only_bound.regret_closed.mean));
  const auto only_learning = knowledge_worth(open_, {}, {}, adaptive_, info_);
  EXPECT_TRUE(std::isnan(only_learning.regret_closed.mean));
  EXPECT_EQ(only_learning.adaptive_gain.both_arrive, 2);
  EXPECT_EQ(only_learning.bound.trajectories, 0);
}

TEST_F(Worth, HasNoShareIfNothingCanBeGained) {
  const auto worth = knowledge_worth(open_, open_, {90, 86, 88, -900}, adaptive_, info_);
  EXPECT_TRUE(std::isnan(worth.regret_closed.mean));
}

}  // namespace
}  // namespace tidewise
