// The size of a target for which the mission gives no radius.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

class TargetSize : public testing::Test {
 protected:
  /// Resolves a mission in 9 × 9 cells of `dx` by 1, of which column 6, row 6 is land.
  ResolvedMission resolve(Position target, std::optional<double> radius = {}, double dx = 1) {
    EnvironmentInfo info = test::plain_info(9, 9, 4);
    info.grid.dx = dx;
    test::write_environment(folder_ / "ocean.h5", info,
                            [](TimeLevel, LevelFields<>& fields) { fields.masked[6 * 9 + 6] = 1; });
    RunRequest request;
    request.name = "m.toml";
    request.environment = folder_ / "ocean.h5";
    request.vehicle.speeds = {1};
    request.goal.start = {Position::Frame::plane, 1.5, 1.5};
    request.goal.target = std::move(target);
    request.goal.target_radius = radius;
    return resolve_mission(request, open_environment(request));
  }
  static std::ptrdiff_t cells(const ResolvedMission& resolved) {
    return std::count(resolved.mission.target.begin(), resolved.mission.target.end(), 1);
  }
  static Position point(double x, double y) { return {Position::Frame::plane, x, y}; }

  test::TemporaryFolder folder_;
};

TEST_F(TargetSize, IsACellsWidth) {
  const ResolvedMission resolved = resolve(point(4.5, 4.5));
  EXPECT_EQ(resolved.mission.disc.radius, 1);
  EXPECT_EQ(cells(resolved), 5) << "its own and those beside it";
  EXPECT_EQ(resolve(point(4.5, 4.5), {}, 2).mission.disc.radius, 2) << "the longer side";
}

TEST_F(TargetSize, IsTheCellIfTheMissionHasRadiusZero) {
  const ResolvedMission resolved = resolve(point(4.5, 4.5), 0);
  EXPECT_EQ(resolved.mission.disc.radius, 0);
  EXPECT_EQ(cells(resolved), 1);
}

TEST_F(TargetSize, IsTheCellsOfTooManyPointsForDiscs) {
  Position points = point(2.5, 7.5);
  for (int n = 1; n < 8; ++n) points.others.push_back({n + 0.5, 7.5});
  EXPECT_EQ(resolve(points).mission.disc.radius, 1);
  points.others.push_back({8.5, 7.5});
  EXPECT_EQ(resolve(points).mission.disc.radius, 0);
}

TEST_F(TargetSize, KeepsAPointOnLandClosed) {
  try {
    (void)resolve(point(6.5, 6.5));
    FAIL() << "a point on land was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("target_closed", "widen mission.target_radius"));
  }
  EXPECT_EQ(cells(resolve(point(6.5, 6.5), 1)), 5) << "what the message says to do";
}

}  // namespace
}  // namespace tidewise
