// Legs of a flight that can be straight in spite of closed cells.

#include "planner/route/flight_line.h"

#include <gtest/gtest.h>

#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

class FlightLineTest : public testing::Test {
 protected:
  /// A flight east along row 2 at one cell per step, from the middle of column 1 to that of column
  /// 90, and a target in row 4 above its end.
  FlightLineTest() : info_(test::plain_info(100, 6, 120)) {
    mission_.departure = TimeLevel(3);
    mission_.last = TimeLevel(119);
    mission_.target_x = info_.grid.x(90);
    mission_.target_y = info_.grid.y(4);
    mission_.target = target_cells(info_.grid, mission_.target_x, mission_.target_y, 0);
    flight_.outcome = TrajectoryOutcome::arrived;
    for (int i = 1; i <= 90; ++i) {
      flight_.points.push_back({info_.grid.x(i), info_.grid.y(2), 0, 1, 0, 0});
    }
  }

  /// Returns the flight's line if column 50 is closed at the levels `first` to `last`.
  FlightLine line_with_wall(int first, int last) {
    test::write_environment(folder_ / "env.h5", info_, [&](TimeLevel k, LevelFields<>& fields) {
      for (std::int32_t j = 0; j < 6 && k.value >= first && k.value <= last; ++j) {
        fields.masked[static_cast<std::size_t>(info_.grid.cell(50, j).value)] = 1;
      }
    });
    return {EnvironmentReader(folder_ / "env.h5"), mission_, flight_};
  }

  test::TemporaryFolder folder_;
  EnvironmentInfo info_;
  Mission mission_;
  Trajectory flight_;
};

TEST_F(FlightLineTest, ALegIsBlockedByCellsClosedDuringIt) {
  // From point 10 (level 13) to point 80 (level 83).
  EXPECT_TRUE(line_with_wall(0, 12).is_clear(10, 80));
  EXPECT_FALSE(line_with_wall(0, 13).is_clear(10, 80));
  EXPECT_FALSE(line_with_wall(40, 40).is_clear(10, 80));
  EXPECT_FALSE(line_with_wall(70, 75).is_clear(10, 80));  // beyond 64 levels, too
  EXPECT_FALSE(line_with_wall(83, 119).is_clear(10, 80));
  EXPECT_TRUE(line_with_wall(84, 119).is_clear(10, 80));
}

TEST_F(FlightLineTest, ALegThatAvoidsClosedCellsIsClear) {
  const FlightLine line = line_with_wall(0, 119);
  EXPECT_TRUE(line.is_clear(0, 48));
  EXPECT_FALSE(line.is_clear(0, 49));
  EXPECT_TRUE(line.is_clear(49, 80));  // leaves the cell in which it begins
  EXPECT_TRUE(line.is_clear(48, 49));  // the flight took this leg
}

TEST_F(FlightLineTest, SpeedsAndTimesAreThoseOfTheFlight) {
  for (std::size_t n = 0; n < 40; ++n) flight_.points[n].speed = 0.5F;
  flight_.last_step = 0.25;
  const FlightLine line = line_with_wall(0, 0);
  EXPECT_EQ(line.points().size(), 90u);
  EXPECT_EQ(line.points().back().y, mission_.target_y);  // in place of the flight's end
  EXPECT_EQ(line.steps_to(10), 10);
  EXPECT_EQ(line.steps_to(89), 88.25);
  EXPECT_EQ(line.mean_speed(0, 40), 0.5);
  EXPECT_EQ(line.mean_speed(30, 50), 0.75);
  EXPECT_NEAR(line.mean_speed(0, 89), (40 * 0.5 + 48.25) / 88.25, 1e-12);
  EXPECT_EQ(line.mean_speed(88, 89), 1);
}

TEST_F(FlightLineTest, ALegToTheTargetEndsAtItsRim) {
  // Cells behind the target's cell do not block a leg, cells before it do.
  test::write_environment(folder_ / "env.h5", info_, [&](TimeLevel, LevelFields<>& fields) {
    for (int i = 80; i < 100; ++i) {
      if (i < 86 || i > 90)
        fields.masked[static_cast<std::size_t>(info_.grid.cell(i, 4).value)] = 1;
      fields.masked[static_cast<std::size_t>(info_.grid.cell(i, 5).value)] = 1;
    }
  });
  mission_.disc = TargetDisc{};
  const EnvironmentReader reader(folder_ / "env.h5");
  const FlightLine line(reader, mission_, flight_);
  EXPECT_EQ(line.points().size(), 90u);
  EXPECT_TRUE(line.is_clear(87, 89));
  EXPECT_TRUE(line.is_clear(84, 89));
  EXPECT_FALSE(line.is_clear(50, 89));
}

TEST_F(FlightLineTest, KeepsTheFlightsEndIfTheStraightPathToTheTargetIsClosed) {
  // Closed cells lie between the point before the end and the target, but not below the target.
  test::write_environment(folder_ / "env.h5", info_, [&](TimeLevel, LevelFields<>& fields) {
    for (int i = 80; i < 90; ++i) {
      fields.masked[static_cast<std::size_t>(info_.grid.cell(i, 3).value)] = 1;
    }
  });
  const EnvironmentReader reader(folder_ / "env.h5");
  const FlightLine line(reader, mission_, flight_);
  ASSERT_EQ(line.points().size(), 91u);
  EXPECT_EQ(line.points()[89].y, info_.grid.y(2));
  EXPECT_EQ(line.steps_to(90), line.steps_to(89));
  EXPECT_EQ(line.mean_speed(89, 90), 1);
  EXPECT_FALSE(line.is_clear(88, 90));
  EXPECT_TRUE(line.is_clear(89, 90));
}

/// The flight uses profile 1 from point 10 to point 14, profile 2 at the end, and 0 elsewhere.
TEST_F(FlightLineTest, ALegUsesTheMostFrequentProfileOfTheFlight) {
  flight_.profiles.assign(89, 0);
  std::fill_n(flight_.profiles.begin() + 10, 4, std::uint8_t{1});
  flight_.profiles.back() = 2;
  const FlightLine line = line_with_wall(0, -1);
  EXPECT_TRUE(line.keeps_profile(0, 10));
  EXPECT_FALSE(line.keeps_profile(0, 11));
  EXPECT_TRUE(line.keeps_profile(10, 14));
  EXPECT_FALSE(line.keeps_profile(9, 14));
  EXPECT_TRUE(line.keeps_profile(14, 88));
  EXPECT_FALSE(line.keeps_profile(14, 89));
  EXPECT_EQ(line.profile(8, 14), 1);
  EXPECT_EQ(line.other_profiles(8, 14), 2);
  EXPECT_EQ(line.profile(6, 14), 0);  // the first of equally frequent profiles
  EXPECT_EQ(line.profile(0, 89), 0);
  EXPECT_EQ(line.other_profiles(0, 89), 5);
  EXPECT_EQ(line.profile(88, 89), 2);
}

}  // namespace
}  // namespace tidewise
