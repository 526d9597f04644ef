#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "planner/rehearsal/rehearsal.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double hour = 3600;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

RehearsalFlight arrived(double hours) {
  return {"member", TrajectoryOutcome::arrived, hours * hour, {}};
}
RehearsalFlight failed(TrajectoryOutcome outcome) { return {"member", outcome, 50 * hour, {}}; }

std::string warning_of(const RehearsalFlight& flight, const RehearsalFlight& member) {
  Rehearsal rehearsal;
  rehearsal.paired = true;
  rehearsal.flights = {flight};
  rehearsal.members = {member};
  return warn_of_differences(rehearsal);
}

TEST(RehearsalDifference, IsRelativeToTheRehearsedTime) {
  Rehearsal rehearsal;
  rehearsal.flights = {arrived(90), arrived(90)};
  rehearsal.members = {arrived(100), failed(TrajectoryOutcome::out_of_time)};
  EXPECT_DOUBLE_EQ(*difference_of_pair(rehearsal, 0), -0.1);
  EXPECT_FALSE(difference_of_pair(rehearsal, 1));
}

TEST(RehearsalDifference, WarnsFromFivePerCentOn) {
  EXPECT_EQ(warning_of(arrived(104.9), arrived(100)), "");
  EXPECT_EQ(warning_of(arrived(95.1), arrived(100)), "");
  EXPECT_THAT(warning_of(arrived(94), arrived(100)),
              HasSubstr("member: flight arrives after 94.0 h, rehearsal arrives after 100.0 h"));
}

/// Smaller cells do not help a vehicle during descent and ascent.
TEST(RehearsalDifference, AdvisesEffectiveChanges) {
  Rehearsal rehearsal;
  rehearsal.paired = true;
  rehearsal.flights = {arrived(94)};
  rehearsal.members = {arrived(100)};
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("a shorter --step and --spacing"));
  rehearsal.changes_depth = true;
  EXPECT_THAT(warn_of_differences(rehearsal),
              testing::AllOf(HasSubstr("the plan ignores the time of descent and ascent"),
                             HasSubstr("mission.decide_every"), Not(HasSubstr("--spacing"))));
}

TEST(RehearsalDifference, WarnsIfOnlyOneArrives) {
  EXPECT_THAT(warning_of(arrived(90), failed(TrajectoryOutcome::obstacle)),
              HasSubstr("flight arrives after 90.0 h, rehearsal hit an obstacle"));
  // Neither arrives; the kinds of failure do not matter.
  EXPECT_EQ(warning_of(failed(TrajectoryOutcome::out_of_domain),
                       failed(TrajectoryOutcome::out_of_forecast)),
            "");
}

/// Limits are percentage points of the time within, and a tenth of a distance, for any outcome.
TEST(RehearsalDifference, ComparesStationKeeping) {
  Rehearsal rehearsal;
  rehearsal.paired = true;
  rehearsal.flights = {failed(TrajectoryOutcome::out_of_time)};
  rehearsal.members = {failed(TrajectoryOutcome::out_of_time)};
  const auto warning = [&](Objective objective, double flown, double rehearsed) {
    rehearsal.objective = objective;
    rehearsal.flights[0].keeping = flown;
    rehearsal.members[0].keeping = rehearsed;
    return warn_of_differences(rehearsal);
  };
  EXPECT_EQ(warning(Objective::stay, 0.54, 0.5), "");
  EXPECT_NEAR(*difference_of_pair(rehearsal, 0), 0.04, 1e-12);
  EXPECT_THAT(warning(Objective::stay, 0.56, 0.5),
              HasSubstr("by more than 5 points (member: flight within the target 56 % of the time, "
                        "rehearsal within the target 50 % of the time)"));
  EXPECT_EQ(warning(Objective::follow, 1080, 1000), "");
  EXPECT_NEAR(*difference_of_pair(rehearsal, 0), 0.08, 1e-12);
  EXPECT_THAT(warning(Objective::follow, 1110, 1000),
              HasSubstr("by more than 10 % (member: flight 1.11 km away on average"));
  rehearsal.members[0].outcome = TrajectoryOutcome::obstacle;
  rehearsal.members[0].duration = 51 * 3600;
  EXPECT_TRUE(succeeds(rehearsal, rehearsal.flights[0]));
  EXPECT_FALSE(succeeds(rehearsal, rehearsal.members[0]));
  EXPECT_THAT(warning(Objective::follow, 1000, 1000),
              HasSubstr("rehearsal 1 km away on average until it "));
  EXPECT_THAT(warning(Objective::follow, 1000, 1000), HasSubstr(" after 51.0 h"));
  rehearsal.paired = false;
  rehearsal.flown.keeping = 1110;
  rehearsal.rehearsed.keeping = 1000;
  EXPECT_THAT(warn_of_differences(rehearsal),
              HasSubstr("(flights: 1.11 km away on average; rehearsal: 1 km away on average)"));
}

TEST(RehearsalDifference, NamesThreeAndCountsTheRest) {
  Rehearsal rehearsal;
  rehearsal.paired = true;
  rehearsal.flights.assign(5, arrived(80));
  rehearsal.members.assign(5, arrived(100));
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("; and 2 more)"));
  rehearsal.flights.resize(3);
  rehearsal.members.resize(3);
  EXPECT_THAT(warn_of_differences(rehearsal), Not(HasSubstr("more)")));
}

TEST(RehearsalDifference, NamesASmallTargetForActionHolds) {
  Rehearsal rehearsal;
  rehearsal.paired = true;
  rehearsal.flights = {arrived(53)};
  rehearsal.members = {arrived(44)};
  rehearsal.target_radius = 2500;
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("--step and --spacing"));
  rehearsal.distance_between_decisions = 7600;
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("mission.target_radius of 7.6km"));
  rehearsal.target_radius = 4000;
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("--step and --spacing"));
}

TEST(RehearsalDifference, ComparesAveragesOfUnpairedFlights) {
  Rehearsal rehearsal;
  rehearsal.members.assign(4, arrived(100));
  rehearsal.rehearsed = {1, 100 * hour};
  rehearsal.flown = {0.8, 103 * hour};  // four members resolve differences of a quarter
  EXPECT_EQ(warn_of_differences(rehearsal), "");
  rehearsal.flown = {0.7, 103 * hour};
  EXPECT_THAT(warn_of_differences(rehearsal),
              HasSubstr("flights: 70 % arrive, after 103.0 h on average; rehearsal: 100 % arrive"));
  rehearsal.uncertainty = ForecastUncertainty::lagged;
  EXPECT_THAT(warn_of_differences(rehearsal),
              HasSubstr("flights: some arrive, after 103.0 h on average; rehearsal: all arrive"));
  EXPECT_FALSE(outlook_of(rehearsal).has_probability);
  rehearsal.flown = {1, 106 * hour};
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("after 106.0 h"));
  rehearsal.rehearsed = {0, unknown};
  EXPECT_THAT(warn_of_differences(rehearsal), HasSubstr("rehearsal: none arrive"));
  rehearsal.flown = {0, unknown};
  EXPECT_EQ(warn_of_differences(rehearsal), "");
}

}  // namespace
}  // namespace tidewise
