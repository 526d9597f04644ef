// Effects of the vehicle's error, as given in a mission file, on the actions.

#include <gtest/gtest.h>

#include <cmath>

#include "env/units/angle.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

class VehicleErrorOfRequest : public testing::Test {
 protected:
  VehicleErrorOfRequest() {
    test::write_environment(folder_ / "ocean.h5", test::plain_info(9, 9, 8));
    request_.name = "m.toml";
    request_.environment = folder_ / "ocean.h5";
    request_.vehicle.speeds = {1};
    request_.vehicle.headings = 4;
    request_.rollout.seed = 5;
    request_.goal.start = {Position::Frame::plane, 1.5, 1.5};
    request_.goal.target = {Position::Frame::plane, 6.5, 6.5};
  }
  ResolvedMission resolve() const { return resolve_mission(request_, open_environment(request_)); }

  test::TemporaryFolder folder_;
  RunRequest request_;
};

TEST_F(VehicleErrorOfRequest, IsZeroByDefault) {
  const ResolvedMission resolved = resolve();
  EXPECT_FALSE(resolved.mission.error.any());
  EXPECT_EQ(resolved.rule.draws, 1);
  EXPECT_EQ(resolved.actions[0].error.along.x, 0);
}

TEST_F(VehicleErrorOfRequest, GrowsInEachStepWithTheTimeBetweenDecisions) {
  request_.vehicle.speed_error = 0.25;
  request_.vehicle.heading_error = 9;
  const ResolvedMission every_step = resolve();
  EXPECT_EQ(every_step.rule.draws, error_draws);
  EXPECT_EQ(every_step.mission.error.speed, 0.25);
  EXPECT_EQ(every_step.mission.error.heading, 9 * radians_per_degree);
  EXPECT_EQ(every_step.mission.error.seed, 5U);
  // The displacements are exact up to the second order of 9 degrees, one part in a hundred.
  EXPECT_NEAR(every_step.actions[0].error.along.x, std::sqrt(2) * 0.25 * one_cell, 0.02 * one_cell);
  EXPECT_NEAR(every_step.actions[0].error.across.y,
              std::sqrt(2) * 9 * radians_per_degree * one_cell, 0.02 * one_cell);
  request_.goal.decide_every = TimeSpan(4);
  const ResolvedMission with_hold = resolve();
  EXPECT_NEAR(with_hold.actions[0].error.along.x, 2 * every_step.actions[0].error.along.x, 1);
  EXPECT_NEAR(with_hold.actions[1].error.across.x, 2 * every_step.actions[1].error.across.x, 1);
}

}  // namespace
}  // namespace tidewise
