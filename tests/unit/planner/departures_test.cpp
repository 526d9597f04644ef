// The best departure, compared with hand calculations.

#include "planner/departures/departures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace {

using testing::ElementsAre;

constexpr double step = 10800;  // [s]
constexpr double failure = -1e6;

EnvironmentInfo environment(std::int32_t realizations) {
  EnvironmentInfo info;
  info.realization_count = realizations;
  info.time.step = step;
  return info;
}

/// Chooses among departures a step apart, each with the times of its flights [s]; NaN is a failure.
class BestDeparture : public testing::Test {
 protected:
  DepartureChoice choose(const std::vector<std::vector<double>>& departures) const {
    const EnvironmentInfo info = environment(static_cast<std::int32_t>(departures.front().size()));
    std::vector<DepartureOutcome> outcomes;
    for (std::size_t n = 0; n < departures.size(); ++n) {
      DepartureOutcome outcome{TimeLevel(static_cast<std::int32_t>(n)), double(n) * step, {}, {}};
      for (std::size_t flight = 0; flight < departures[n].size(); ++flight) {
        const double time = departures[n][flight];
        const bool arrives = !std::isnan(time);
        FlightEnd end;
        end.realization = static_cast<std::int32_t>(flight);
        end.outcome = arrives ? TrajectoryOutcome::arrived : TrajectoryOutcome::out_of_time;
        end.time = arrives ? time : 0;
        end.energy = static_cast<float>(arrives ? power * time : 0);
        end.total_reward = !arrives                                 ? failure
                           : mission.objective == Objective::energy ? -power * time
                                                                    : -time;
        outcome.ends.push_back(end);
      }
      outcome.flights = summarize(outcome.ends, RolloutMode::continuous, info);
      outcomes.push_back(std::move(outcome));
    }
    return choose_departure(outcomes, info, mission);
  }

  Mission mission;
  double power = 0.5;
};

/// In a steady flow, a later departure is better by 123 s of 60 h, which is less than half a step.
TEST_F(BestDeparture, IsTheEarliestIfOthersAreBetterBySeconds) {
  const DepartureChoice choice = choose({{217633}, {217633}, {217510}, {217563}});
  EXPECT_EQ(choice.best, 0U);
  EXPECT_THAT(choice.no_different, ElementsAre(0, 1, 2, 3));
}

TEST_F(BestDeparture, IsLaterIfBetterByMoreThanHalfAStep) {
  const DepartureChoice choice = choose({{217633}, {217633 - 0.51 * step}, {217633 - 0.52 * step}});
  EXPECT_EQ(choice.best, 1U);
  EXPECT_THAT(choice.no_different, ElementsAre(1, 2));
}

/// The second departure is better by two steps on average, either in all realizations or not.
TEST_F(BestDeparture, ComparesTheSameRealizations) {
  const double gain = 2 * step;
  const std::vector<double> spread{100e3, 200e3, 300e3, 400e3};
  std::vector<double> agreed = spread;
  for (double& time : agreed) time -= gain;
  EXPECT_EQ(choose({spread, agreed}).best, 1U);
  const std::vector<double> mixed{100e3 - 6 * gain, 200e3 + 4 * gain, 300e3 - 6 * gain,
                                  400e3 + 4 * gain};
  EXPECT_EQ(choose({spread, mixed}).best, 0U);
  EXPECT_THAT(choose({spread, mixed}).no_different, ElementsAre(0, 1));
}

/// One failure in four is within two standard errors, but counts as a difference.
TEST_F(BestDeparture, HasTheMostArrivalsAndAtLeastOne) {
  const double nan = std::nan("");
  const std::vector<double> all{100e3, 101e3, 99e3, 100e3};
  EXPECT_EQ(choose({{100e3, 101e3, 99e3, nan}, all}).best, 1U);
  EXPECT_FALSE(choose({{nan, nan, nan, nan}, {nan, nan, nan, nan}}).best);
}

TEST_F(BestDeparture, ComparesEnergyWithThatOfHalfAStep) {
  mission.objective = Objective::energy;
  EXPECT_EQ(choose({{100e3}, {100e3 - 0.4 * step}}).best, 0U);
  EXPECT_EQ(choose({{100e3}, {100e3 - 0.6 * step}}).best, 1U);
  power = 40;
  EXPECT_EQ(choose({{100e3}, {100e3 - 0.4 * step}}).best, 0U);
}

}  // namespace
}  // namespace tidewise
