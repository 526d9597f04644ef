// Depths of a vehicle under way, compared with results by hand.

#include "planner/rehearsal/dive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace tidewise::rehearsal {
namespace {

constexpr double deep = 5000;  // depth of the water [m]
constexpr double never = std::numeric_limits<double>::infinity();

TEST(Dive, IsASawtoothOfItsVerticalSpeed) {
  Dive dive(0.1);
  dive.set_depths({0, 100});
  for (const double depth : {50.0, 100.0, 50.0, 0.0, 50.0}) {
    dive.advance(500, deep, never);
    EXPECT_NEAR(dive.depth(), depth, 1e-9);
  }
  dive.advance(1250, deep, never);  // 50 m down and 75 m up
  EXPECT_NEAR(dive.depth(), 25, 1e-9);
}

TEST(Dive, GoesDownToItsDepthAndHoldsIt) {
  Dive dive(0.1);
  dive.set_depths({200, 200});
  dive.advance(1500, deep, never);
  EXPECT_NEAR(dive.depth(), 150, 1e-9);
  dive.advance(1505, deep, never);
  EXPECT_NEAR(dive.depth(), 200, 1e-9);
  // With other depths it dives from its present depth.
  dive.set_depths({20, 50});
  dive.advance(1000, deep, never);
  EXPECT_NEAR(dive.depth(), 100, 1e-9);
  dive.advance(1000, deep, never);  // 80 m up and 20 down
  EXPECT_NEAR(dive.depth(), 40, 1e-9);
}

TEST(Dive, TurnsAboveTheBottom) {
  Dive dive(0.1);
  dive.set_depths({0, 100});
  dive.advance(700, 60, never);
  EXPECT_NEAR(dive.depth(), 50, 1e-9);
  dive.advance(1, 30, never);
  EXPECT_LE(dive.depth(), 30);
  // If the water is too shallow for the dive, the vehicle stays at the bottom.
  dive.set_depths({80, 100});
  dive.advance(3600, 60, never);
  EXPECT_NEAR(dive.depth(), 60, 1e-9);
}

TEST(Dive, IsAtTheSurfaceInTime) {
  Dive dive(0.1);
  dive.set_depths({0, 1000});
  double deepest = 0;
  for (double time = 0; time < 7200; time += 300) {
    dive.advance(300, deep, 7200 - time);
    deepest = std::max(deepest, dive.depth());
    EXPECT_LE(dive.depth(), 0.1 * (7200 - time - 300) + 1e-9);
  }
  EXPECT_NEAR(deepest, 360, 1);  // the vehicle descends for half of the time
  EXPECT_EQ(dive.depth(), 0);
  dive.advance(600, deep, 0);  // it drifts
  EXPECT_EQ(dive.depth(), 0);
  dive.advance(600, deep, 7200);
  EXPECT_NEAR(dive.depth(), 60, 1e-9);
}

}  // namespace
}  // namespace tidewise::rehearsal
