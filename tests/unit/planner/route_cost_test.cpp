#include "planner/route/route_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

RolloutStatistics flights(double arrival_rate, double time, double reward) {
  RolloutStatistics flown;
  flown.arrival_rate = arrival_rate;
  flown.time.mean = time;
  flown.mean_total_reward = reward;
  return flown;
}

std::string warning_of(const RolloutStatistics& policy, const RolloutStatistics& waypoints) {
  Route route;
  route.waypoints.resize(3);
  route.cost = {policy, waypoints};
  return route_cost_warning(route);
}

TEST(RouteCost, WarnsIfWaypointsBeatThePolicy) {
  EXPECT_THAT(warning_of(flights(1, 50, -50), flights(1, 49.9, -49.9)),
              StartsWith("2 waypoints give better flights than the policy"));
  // Flights by waypoints take longer, but more of them arrive, which the mission values more.
  EXPECT_THAT(warning_of(flights(0.5, 50, -500), flights(1, 55, -55)),
              HasSubstr("waypoints 100 % arrive"));
}

TEST(RouteCost, TheAdviceNamesTheOptionForPositions) {
  Route route;
  route.waypoints.resize(2);
  route.cost = {flights(1, 50, -50), flights(0.5, 50, -100)};
  EXPECT_THAT(route_cost_warning(route), HasSubstr("'tidewise rollout --at-xy',"));
  route.waypoints.front().place = GeographicPoint{-126, 47};
  EXPECT_THAT(route_cost_warning(route), HasSubstr("'tidewise rollout --at',"));
}

TEST(RouteCost, WarnsFromThreePerCentOn) {
  EXPECT_EQ(warning_of(flights(1, 50, -50), flights(1, 50, -50)), "");
  EXPECT_EQ(warning_of(flights(1, 50, -50), flights(1, 51, -51)), "");
  EXPECT_THAT(warning_of(flights(1, 50, -50), flights(1, 52, -52)),
              HasSubstr("flights take 52 on average, with the policy 50 (+4.0 %)"));
  EXPECT_THAT(warning_of(flights(1, 50, -50), flights(0.9, 50, -90)),
              HasSubstr("90 % of the flights arrive, with the policy 100 %"));
}

TEST(RouteCost, CountsMissionsWithoutProbability) {
  Route route;
  route.waypoints.resize(2);
  RolloutStatistics policy = flights(1, 50, -50);
  policy.trajectories = 9;
  policy.has_probability = false;
  RolloutStatistics waypoints = policy;
  waypoints.arrival_rate = 8.0 / 9;
  waypoints.failures.obstacle = 1;
  waypoints.mean_total_reward = -90;
  route.cost = {policy, waypoints, "no probability"};
  const std::vector<std::string> lines = route_cost_remarks(route);
  EXPECT_THAT(lines[0], HasSubstr("8 of 9 simulated missions arrive, with the policy 9"));
  EXPECT_EQ(lines[1], "no probability");
  EXPECT_THAT(lines[2], HasSubstr(": 8 of 9 simulated missions arrive, after 50 on average"));
  EXPECT_THAT(lines, testing::Each(testing::Not(HasSubstr("%"))));
}

TEST(RouteCost, ReportsEnergyInPilotUnits) {
  Route route;
  route.units = Units::metric;
  route.waypoints.resize(2);
  route.cost = {flights(1, 3600, -3600), flights(1, 3600, -3600)};
  route.cost->policy.energy.mean = 90360;
  EXPECT_THAT(describe_route_cost(route).back(), testing::Not(HasSubstr("energy")));
  route.energy.c_t = 2;
  EXPECT_THAT(describe_route_cost(route).back(), testing::EndsWith(", energy 90.4 kJ"));
}

}  // namespace
}  // namespace tidewise
