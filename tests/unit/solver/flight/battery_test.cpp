#include "solver/fly/battery.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidewise {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

// Three steps along x at speed 2, with energy 4 each. The flight ends in the middle of the third.
Trajectory three_steps() {
  Trajectory flight{0, TrajectoryOutcome::arrived, 95, {}};
  flight.points = {
      {0, 0, 0, 2, 0, 0}, {2, 0, 0, 2, 4, 0}, {4, 0, 0, 2, 8, 0}, {5, 0, none, none, 10, 0}};
  flight.last_step = 0.5;
  return flight;
}

Mission mission_with(double battery) {
  Mission mission;
  mission.battery = battery;
  mission.target_x = 6;
  mission.disc.radius = 1;
  mission.failure.late = -50;
  mission.failure.late_per_length = 2;
  return mission;
}

TEST(Battery, LastsUntilArrival) {
  Trajectory flight = three_steps();
  drain(flight, mission_with(10), 1);
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived) << "empty is not short of energy";
  EXPECT_EQ(flight.energy_left, 0);
  EXPECT_EQ(flight.points.size(), 4U);
  EXPECT_EQ(flight.total_reward, 95);
}

TEST(Battery, StopsFlightWhenEmpty) {
  Trajectory flight = three_steps();
  drain(flight, mission_with(7), 1);
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_energy);
  ASSERT_EQ(flight.points.size(), 3U);
  EXPECT_DOUBLE_EQ(flight.points.back().x, 3.5);
  EXPECT_DOUBLE_EQ(flight.points.back().energy, 7);
  EXPECT_TRUE(std::isnan(flight.points.back().speed));
  EXPECT_DOUBLE_EQ(flight.steps(), 1.75);
  EXPECT_EQ(flight.energy_left, 0);
  // The flight made 1.75 steps and ended 1.5 from the disc.
  EXPECT_DOUBLE_EQ(flight.total_reward, -1.75 - 50 - 2 * 1.5);
}

// The reward includes the energy of dives. Profiles after the end of the flight are removed.
TEST(Battery, CountsTheEnergyOfDives) {
  Trajectory flight = three_steps();
  flight.profiles = {1, 0, 1};
  Mission mission = mission_with(7);
  mission.objective = Objective::energy;
  mission.energy.c_f = 0.5;
  mission.profile_power = {6, 1};
  drain(flight, mission, 1);
  EXPECT_EQ(flight.profiles, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_DOUBLE_EQ(flight.total_reward, -(2 + 1) - 0.75 * (2 + 6) - 50 - 2 * 1.5);
}

TEST(Battery, StopsFlightInAPartialStep) {
  Trajectory flight = three_steps();
  drain(flight, mission_with(9), 1);
  EXPECT_DOUBLE_EQ(flight.points.back().x, 4.5);
  EXPECT_DOUBLE_EQ(flight.steps(), 2.25);
}

TEST(Battery, NeverExceedsCapacity) {
  Trajectory flight = three_steps();
  // The first step harvests 9 with a full battery, which can store only the energy spent.
  for (std::size_t n = 1; n < 4; ++n) flight.points[n].harvested = 9;
  drain(flight, mission_with(5), 1);
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_energy);
  EXPECT_DOUBLE_EQ(flight.points.back().x, 4.5) << "5 for the second step and a quarter";
}

TEST(Battery, StopsFlightsOfWhichOnlyTheEndIsKept) {
  FlightEnd flight{0, TrajectoryOutcome::arrived, 2.5, 10, 2, 95};
  drain(flight, mission_with(9));
  EXPECT_TRUE(flight.arrived());
  EXPECT_EQ(flight.energy_left, 1);
  drain(flight, mission_with(7));
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_energy);
}

TEST(Battery, ChangesNothingForMissionsWithoutBattery) {
  Trajectory flight = three_steps();
  drain(flight, Mission{}, 1);
  EXPECT_TRUE(std::isnan(flight.energy_left));
  EXPECT_TRUE(flight.outcome == TrajectoryOutcome::arrived);
}

}  // namespace
}  // namespace tidewise
