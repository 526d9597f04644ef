#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "solver/flight/bilinear.h"
#include "solver/flight/steering.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A vector on the plane. Trivially copyable.
struct PlaneVector {
  double x = 0;
  double y = 0;
};

/// Scalar product.
TIDEWISE_HOST_DEVICE inline double dot(const PlaneVector& a, const PlaneVector& b) {
  return a.x * b.x + a.y * b.y;
}

/// Vector of this length in the direction of `a`; zero if `a` is zero.
TIDEWISE_HOST_DEVICE inline PlaneVector with_length(double length, const PlaneVector& a) {
  const double norm = std::sqrt(dot(a, a));
  if (!(norm > 0)) return {};
  return {length * (a.x / norm), length * (a.y / norm)};
}

/// A vehicle that steers towards a target through a steady current. Trivially copyable.
struct CourseToSteer {
  PlaneVector to_target;  ///< from the vehicle to the target [m or 1]
  PlaneVector current;    ///< [m s-1 or 1]
  double speed = 0;       ///< through the water, F

  /// Earliest time of arrival, from |to_target − current t| = F t [s or 1]; negative: never.
  TIDEWISE_HOST_DEVICE double time() const {
    const double along = dot(to_target, current);
    const double distance = dot(to_target, to_target);
    const double root = along * along + (speed * speed - dot(current, current)) * distance;
    if (!(root >= 0)) return -1;
    // In this form F = |current| is not a special case.
    const double divisor = along + std::sqrt(root);
    return divisor > 0 ? distance / divisor : -1;
  }

  /// Velocity through the water towards the target's position relative to the water after `time`.
  TIDEWISE_HOST_DEVICE PlaneVector towards(double time) const {
    return with_length(speed, {to_target.x - current.x * time, to_target.y - current.y * time});
  }
};

/// A baseline controller at one speed and profile, and its energy per step. Trivially copyable.
struct BaselineRule {
  Baseline baseline = Baseline::aim;
  double speed = 0;  ///< through the water [m s-1 or 1]
  double spent = 0;  ///< power_spent() Δt
  float reward = 0;  ///< part of r that depends only on the speed
  std::int32_t profile = 0;
  PlaneVector fixed = {};  ///< velocity through the water, for Baseline::fixed
  double resting = 0;      ///< energy of a step without propulsion
};

/// Steers by a baseline controller, which uses only the target's position and the current at the
/// vehicle: docs/model.md, 4.1, and 3.11 for missions that stay near a place. Trivially copyable.
struct BaselineSteering {
  BaselineRule rule;
  PlaneVector start;  ///< [m or 1]
  PlaneVector target;

  /// Profile of the step's dive.
  TIDEWISE_HOST_DEVICE std::int32_t profile(const StepContext& /*context*/, CellIndex /*cell*/,
                                            const Vehicle& /*vehicle*/) const {
    return rule.profile;
  }
  /// Velocity through the water for a step, with its energy and reward.
  TIDEWISE_HOST_DEVICE Steered operator()(const StepContext& context, CellIndex /*cell*/,
                                          const Vehicle& vehicle, const Current& current) const {
    const double step = (context.until_decision - context.begun) * context.step;
    PlaneVector through_water{vehicle.held_u, vehicle.held_v};
    if (!context.holds) {
      const PlaneVector position{vehicle.x, vehicle.y};
      const PlaneVector flow{current.u, current.v};
      through_water = context.keeps ? keeping_velocity(context, position, flow, step)
                                    : velocity(position, flow, step);
    }
    const bool rests = context.keeps && through_water.x == 0 && through_water.y == 0;
    constexpr std::int16_t the_only_action = 0;
    return {the_only_action,
            {through_water.x, through_water.y, rests ? rule.resting : rule.spent, rule.reward, {}}};
  }

  /// Velocity through the water of a mission that stays near a place or follows a point.
  TIDEWISE_HOST_DEVICE PlaneVector keeping_velocity(const StepContext& context,
                                                    const PlaneVector& position,
                                                    const PlaneVector& current, double step) const {
    if (rule.baseline == Baseline::fixed) return rule.fixed;
    const bool aims = rule.baseline == Baseline::aim;
    const PlaneVector to_target = vector_to_place(context, position, aims);
    if (aims)
      return is_within(context, position) ? PlaneVector{} : with_length(rule.speed, to_target);
    const PlaneVector wanted{to_target.x / step - current.x, to_target.y / step - current.y};
    return dot(wanted, wanted) <= rule.speed * rule.speed ? wanted
                                                          : with_length(rule.speed, wanted);
  }

  /// Velocity through the water at `position`. `step`: length of the step, or of all steps during
  /// which the velocity is held [s or 1].
  TIDEWISE_HOST_DEVICE PlaneVector velocity(const PlaneVector& position, const PlaneVector& current,
                                            double step) const {
    const PlaneVector to_target{target.x - position.x, target.y - position.y};
    if (rule.baseline == Baseline::aim) return with_length(rule.speed, to_target);
    const CourseToSteer course{to_target, current, rule.speed};
    const double time = course.time();
    if (time >= 0 && time <= step) return course.towards(time);
    return rule.baseline == Baseline::greedy ? course.towards(step)
                                             : along_the_line(position, to_target, current, step);
  }

 private:
  // Vector from the vehicle to the centre of the place, to the moving point now or after the step,
  // or to the line.
  TIDEWISE_HOST_DEVICE PlaneVector vector_to_place(const StepContext& context,
                                                   const PlaneVector& position,
                                                   bool at_begin) const {
    const KeptScalar& kept = context.kept;
    if (kept.by == KeptScalar::By::field) return vector_to_line(context, position);
    PlaneVector centre = target;
    if (kept.by == KeptScalar::By::point) {
      const PlanePoint& point = at_begin ? kept.now : kept.next;
      centre = {point.x, point.y};
    }
    return {centre.x - position.x, centre.y - position.y};
  }

  // Vector to the line: against the gradient of the distance field, with the distance as length.
  TIDEWISE_HOST_DEVICE PlaneVector vector_to_line(const StepContext& context,
                                                  const PlaneVector& position) const {
    const Grid& grid = context.rule.grid;
    const double x = grid.dx / 2;
    const double y = grid.dy / 2;
    const auto field = [&](double at_x, double at_y) {
      return interpolate(
          bilinear_stencil(grid, context.now.profile(rule.profile).dry, at_x, at_y),
          [&](std::size_t cell) { return static_cast<double>(context.now.scalar[cell]); });
    };
    const PlaneVector gradient{
        (field(position.x + x, position.y) - field(position.x - x, position.y)) / (2 * x),
        (field(position.x, position.y + y) - field(position.x, position.y - y)) / (2 * y)};
    return with_length(-field(position.x, position.y), gradient);
  }

  TIDEWISE_HOST_DEVICE static bool is_within(const StepContext& context,
                                             const PlaneVector& position) {
    const KeptScalar& kept = context.kept;
    if (kept.by != KeptScalar::By::cell && kept.by != KeptScalar::By::disc) return false;
    return kept.at(context.rule.grid, context.now.scalar, kept.now, position.x, position.y) > 0;
  }

  // Velocity with the component across the line that brings the vehicle back onto it in one step,
  // and the remaining speed along it. If the speed does not suffice, the vehicle steers only
  // across, which minimizes the drift.
  TIDEWISE_HOST_DEVICE PlaneVector along_the_line(const PlaneVector& position,
                                                  const PlaneVector& to_target,
                                                  const PlaneVector& current, double step) const {
    const PlaneVector line = with_length(1, {target.x - start.x, target.y - start.y});
    const PlaneVector left{-line.y, line.x};
    const double offset = dot(left, {position.x - start.x, position.y - start.y});
    double across = -(dot(left, current) + offset / step);
    if (across > rule.speed) across = rule.speed;
    if (across < -rule.speed) across = -rule.speed;
    double along = std::sqrt(rule.speed * rule.speed - across * across);
    if (dot(line, to_target) < 0) along = -along;  // the vehicle has passed the target
    return {across * left.x + along * line.x, across * left.y + along * line.y};
  }
};

}  // namespace tidewise
