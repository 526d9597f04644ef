// Steering of baseline controllers, one step at a time, with simple numbers.

#include "solver/flight/baseline_steering.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tidewise {
namespace {

constexpr double tolerance = 1e-12;

PlaneVector steer(Baseline baseline, const PlaneVector& position, const PlaneVector& current,
                  double speed, double step = 1) {
  const BaselineSteering steering{{baseline, speed, 0, 0}, {0, 0}, {10, 0}};
  return steering.velocity(position, current, step);
}

void expect_velocity(const PlaneVector& found, double x, double y) {
  EXPECT_NEAR(found.x, x, tolerance);
  EXPECT_NEAR(found.y, y, tolerance);
}

TEST(CourseToSteer, ComputesTheTimeThroughACurrent) {
  EXPECT_DOUBLE_EQ((CourseToSteer{{3, 4}, {0, 0}, 2}).time(), 2.5);
  EXPECT_DOUBLE_EQ((CourseToSteer{{4, 0}, {-1, 0}, 3}).time(), 2) << "a head current";
  EXPECT_DOUBLE_EQ((CourseToSteer{{4, 0}, {1, 0}, 3}).time(), 1) << "a following one";
  EXPECT_DOUBLE_EQ((CourseToSteer{{4, 0}, {0, 3}, 5}).time(), 1) << "4 of 5 are left of across";
  EXPECT_DOUBLE_EQ((CourseToSteer{{4, 0}, {1, 0}, 1}).time(), 2) << "as fast as the vehicle";
  EXPECT_DOUBLE_EQ((CourseToSteer{{6, 0}, {2, 0}, 1}).time(), 2)
      << "faster, because the current carries it";
  EXPECT_LT((CourseToSteer{{4, 0}, {0, 1}, 1}).time(), 0) << "never quite";
  EXPECT_LT((CourseToSteer{{4, 0}, {-2, 0}, 1}).time(), 0) << "carried away";
  EXPECT_LT((CourseToSteer{{4, 0}, {0, 2}, 1}).time(), 0) << "carried past";
  EXPECT_LT((CourseToSteer{{4, 0}, {0, 0}, 0}).time(), 0) << "drifting in still water";
}

TEST(Aim, PointsAtTheTargetInAnyCurrent) {
  expect_velocity(steer(Baseline::aim, {0, 0}, {0, 5}, 2), 2, 0);
  expect_velocity(steer(Baseline::aim, {10, 3}, {1, 1}, 2), 0, -2);
  expect_velocity(steer(Baseline::aim, {9.5, 0}, {0, 0}, 2), 2, 0);  // it does not slow down
  expect_velocity(steer(Baseline::aim, {10, 0}, {0, 0}, 2), 0, 0);
}

TEST(Crab, FollowsTheLine) {
  expect_velocity(steer(Baseline::crab, {0, 0}, {0, -0.6}, 1), 0.8, 0.6);
  expect_velocity(steer(Baseline::crab, {0, 0}, {7, 0.6}, 1), 0.8,
                  -0.6);  // the component along the line is irrelevant
  // Off the line, the vehicle returns to it by the end of the step.
  expect_velocity(steer(Baseline::crab, {2, 0.6}, {0, 0}, 1), 0.8, -0.6);
  expect_velocity(steer(Baseline::crab, {2, 0.3}, {0, 0}, 1, 0.5), 0.8, -0.6);
  expect_velocity(steer(Baseline::crab, {2, -0.2}, {0, -0.4}, 1), 0.8, 0.6);
}

TEST(Crab, MinimizesDriftInAStrongCurrent) {
  expect_velocity(steer(Baseline::crab, {2, 0}, {3, 2}, 1), 0, -1);
  expect_velocity(steer(Baseline::crab, {2, 5}, {0, 0}, 1), 0, -1);
  expect_velocity(steer(Baseline::crab, {2, -5}, {0, 0}, 1), 0, 1);
}

TEST(Crab, TurnsBackAfterPassingTheTarget) {
  expect_velocity(steer(Baseline::crab, {12, 0}, {0, -0.6}, 1), -0.8, 0.6);
}

TEST(CrabAndGreedy, SteerForATargetWithinOneStep) {
  for (const Baseline baseline : {Baseline::crab, Baseline::greedy}) {
    const PlaneVector position{7, 1};
    const PlaneVector current{-1, 1};
    const PlaneVector velocity = steer(baseline, position, current, 5);
    const CourseToSteer course{{3, -1}, current, 5};
    const double time = course.time();
    ASSERT_GT(time, 0);
    ASSERT_LT(time, 1);
    EXPECT_NEAR(position.x + time * (current.x + velocity.x), 10, tolerance);
    EXPECT_NEAR(position.y + time * (current.y + velocity.y), 0, tolerance);
    EXPECT_NEAR(std::hypot(velocity.x, velocity.y), 5, tolerance);
  }
}

TEST(Greedy, EndsNearerThanAnyOtherHeading) {
  const PlaneVector current{-0.3, 0.9};
  for (const double speed : {0.25, 1.0}) {  // slower than the current, and faster
    const PlaneVector best = steer(Baseline::greedy, {2, 1}, current, speed, 2);
    const auto distance_left = [&](const PlaneVector& velocity) {
      return std::hypot(10 - (2 + 2 * (current.x + velocity.x)), 1 + 2 * (current.y + velocity.y));
    };
    EXPECT_NEAR(std::hypot(best.x, best.y), speed, tolerance);
    for (int degree = 0; degree < 360; ++degree) {
      const double heading = degree * std::numbers::pi / 180;
      EXPECT_LE(distance_left(best),
                distance_left({speed * std::cos(heading), speed * std::sin(heading)}) + tolerance)
          << degree;
    }
  }
}

TEST(Baselines, KeepTheirVelocityUntilTheNextDecision) {
  const BaselineSteering steering{{Baseline::crab, 1, 0, 0}, {0, 0}, {10, 0}};
  StepContext context;
  context.step = 0.5;
  context.begun = 0.2;
  context.until_decision = 3;
  Vehicle vehicle;
  vehicle.x = 2;
  vehicle.y = 0.84;
  // Three steps of 0.5, of which 0.1 has passed: the vehicle is back on the line after 1.4.
  const Steered first = steering(context, CellIndex(0), vehicle, {0, 0});
  expect_velocity({first.taken.u, first.taken.v}, 0.8, -0.6);
  vehicle.hold(first.action, first.taken);
  context.holds = true;
  vehicle.y = -3;
  const Steered held = steering(context, CellIndex(0), vehicle, {5, 5});
  expect_velocity({held.taken.u, held.taken.v}, 0.8, -0.6);
}

TEST(Baselines, DriftAtNoSpeed) {
  for (const Baseline baseline : {Baseline::aim, Baseline::crab, Baseline::greedy}) {
    expect_velocity(steer(baseline, {2, 1}, {0.5, 0.25}, 0), 0, 0);
  }
}

}  // namespace
}  // namespace tidewise
