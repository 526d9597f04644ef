#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/memory/view.h"
#include "solver/flight/baseline_steering.h"
#include "solver/flight/continuous_step.h"
#include "solver/flight/own_velocity.h"
#include "solver/flight/segment.h"
#include "solver/route/waypoint_record.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// A waypoint, the speed on the leg to it, and totals of a whole step of that leg. Trivially
/// copyable.
struct WaypointGoal {
  PlaneVector place;         ///< [m or 1]
  double speed = 0;          ///< through the water [m s-1 or 1]
  double spent = 0;          ///< power_spent() Δt
  float reward = 0;          ///< the part of r that depends only on the speed
  std::int32_t profile = 0;  ///< profile on the leg to it
};

/// One step of a vehicle that steers at the next waypoint without regard to the current, and at the
/// following one once it is within the capture radius. Otherwise it is a ContinuousStep. The
/// vehicle steers all the time, in parts of the step that become shorter near the waypoint.
/// Trivially copyable.
struct WaypointStep {
  StepContext context;
  View<const WaypointGoal> goals;  ///< in order; the last one is the target
  double capture_radius = 0;       ///< capture radius of waypoints other than the last [m or 1], >
                                   ///< 0

  /// `goal`: index of the next waypoint.
  StepOutcome operator()(std::int32_t realization, Vehicle& vehicle, std::int32_t& goal,
                         WaypointRecord& record) const {
    const Grid& grid = context.rule.grid;
    const PartRule rule{context.rule, grid.column_at(vehicle.x), grid.row_at(vehicle.y)};
    std::int32_t profile = goals[static_cast<std::size_t>(goal)].profile;
    LevelView now = context.now.profile(profile);
    std::optional<RealizedFlow> profile_flow;
    profile_flow.emplace(now, grid, realization);
    const std::int32_t before = vehicle.steps;
    const double reward_before = vehicle.total_reward;
    double done = context.begun;  // fraction of the step
    for (;;) {
      const WaypointGoal& next = goals[static_cast<std::size_t>(goal)];
      if (next.profile != profile) {
        profile = next.profile;
        now = context.now.profile(profile);
        profile_flow.emplace(now, grid, realization);
      }
      RealizedFlow& flow = *profile_flow;
      const PlaneVector intended =
          with_length(next.speed, {next.place.x - vehicle.x, next.place.y - vehicle.y});
      const Current through_water =
          own_velocity({intended.x, intended.y}, context.error, realization, context.decided.value);
      const Current current = flow.at(vehicle.x, vehicle.y);
      const StepPart part =
          plan_part(vehicle, next, current,
                    next_part(done, flow.max_cells(through_water, context.step)), done);
      const double reward_so_far = vehicle.total_reward;
      const PlaneVector from{vehicle.x, vehicle.y};
      const PartResult end =
          make_part(rule, flow, vehicle, next, current, through_water, part, is_target(goal));
      const double until = end.whole ? part.until : done + end.share;
      record.follow(from, {vehicle.x, vehicle.y}, before + done, before + until, goal,
                    capture_radius, [&](std::size_t n) { return goals[n].place; });
      if (end.captured) record.reach(goal++, before + until);
      done = until;
      if (end.outcome != StepOutcome::under_way || done >= 1) {
        vehicle.steps = before + 1;
        vehicle.last_step = static_cast<float>(done);
        // The failure penalty replaces the reward of the whole step.
        if (has_failed(end.outcome)) {
          vehicle.total_reward = reward_before + (vehicle.total_reward - reward_so_far);
        }
        if (end.outcome == StepOutcome::arrived) {
          record.arrive(before + done, steps_to_target(from, vehicle, end.share));
        }
        return end.outcome;
      }
    }
  }

 private:
  // Result of a part.
  struct PartResult {
    StepOutcome outcome = StepOutcome::under_way;
    bool captured = false;
    bool whole = true;  ///< true if the whole part was made
    double share = 0;   ///< fraction of the step that was made
  };

  // Steps from the edge of the target to its point, at the rate at which the vehicle approached in
  // its last part, which began at `from` and took `share` of a step. If the current almost prevents
  // the approach, the vehicle's speed through the water is used. 0 without a speed.
  double steps_to_target(const PlaneVector& from, const Vehicle& vehicle, double share) const {
    const WaypointGoal& target = goals[goals.size - 1];
    const double distance_left = std::hypot(target.place.x - vehicle.x, target.place.y - vehicle.y);
    const double gained =
        std::hypot(target.place.x - from.x, target.place.y - from.y) - distance_left;
    const double speed_per_step = target.speed * context.step;  // [m or 1 per step]
    const double closing = share > 0 ? gained / share : 0;
    const double approach = closing > 0.5 * speed_per_step ? closing : speed_per_step;
    return approach > 0 ? distance_left / approach : 0;
  }

  bool is_target(std::int32_t goal) const {
    return static_cast<std::size_t>(goal) + 1 == goals.size;
  }

  // The next part of the step, after `done` of it, limited by the distance to the waypoint.
  StepPart plan_part(const Vehicle& vehicle, const WaypointGoal& next, const Current& current,
                     const StepPart& part, double done) const {
    // A vehicle that moves an eighth of the distance drifts less than that meanwhile.
    constexpr double share_of_distance = 0.125;
    constexpr double longest = 0.25;
    constexpr double shortest = 1.0 / 4096;
    const double distance = std::hypot(next.place.x - vehicle.x, next.place.y - vehicle.y);
    const double moved = (std::hypot(current.u, current.v) + next.speed) * context.step;
    if (!(moved > 0)) return part;
    const double near = std::max(distance, capture_radius);
    const double share = std::clamp(share_of_distance * near / moved, shortest, longest);
    return share < part.share ? StepPart{share, done + share} : part;
  }

  PartResult make_part(const PartRule& rule, RealizedFlow& flow, Vehicle& vehicle,
                       const WaypointGoal& next, const Current& current,
                       const Current& through_water, const StepPart& part, bool to_target) const {
    const PlaneVector to_waypoint{next.place.x - vehicle.x, next.place.y - vehicle.y};
    const Current displacement =
        flow.displacement(vehicle.x, vehicle.y, current, through_water, part.share * context.step);
    const double entered = to_target
                               ? never_entered
                               : disc_entered_at(-to_waypoint.x, -to_waypoint.y, displacement.u,
                                                 displacement.v, capture_radius);
    const auto [outcome, at] = rule.follow(vehicle.x, vehicle.y, vehicle.x + displacement.u,
                                           vehicle.y + displacement.v, part.is_last());
    PartResult end{outcome, false, at >= 1, at * part.share};
    if (entered <= 1 && (outcome == StepOutcome::under_way || entered < at)) {
      end = {StepOutcome::under_way, true, entered >= 1, entered * part.share};
      if (entered >= 1) end.outcome = outcome;
    }
    const double made = part.share > 0 ? end.share / part.share : 1;
    add_part(vehicle, next, end, vehicle.x + made * displacement.u,
             vehicle.y + made * displacement.v);
    return end;
  }

  // Adds the results of a part to the vehicle's totals and moves it to (x, y).
  void add_part(Vehicle& vehicle, const WaypointGoal& next, const PartResult& end, double x,
                double y) const {
    const Grid& grid = context.rule.grid;
    StepContext part_context = context;
    part_context.step = end.share * context.step;
    part_context.harvest = static_cast<float>(end.share * context.harvest);
    const ActionEffect effect{
        0, 0, end.share * next.spent, static_cast<float>(end.share * next.reward), {}};
    const StepResult result = part_context.result(
        effect, {end.outcome, 1}, std::clamp(grid.column_at(x), 0, grid.nx - 1),
        std::clamp(grid.row_at(y), 0, grid.ny - 1),
        scalar_at(context.now.profile(next.profile), grid, vehicle.x, vehicle.y),
        scalar_at(context.next.profile(next.profile), grid, x, y));
    vehicle.spent += result.spent;
    vehicle.harvested += result.harvested;
    vehicle.total_reward += result.reward;
    vehicle.x = x;
    vehicle.y = y;
  }
};

}  // namespace tidewise
