#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/memory/view.h"
#include "solver/step/baseline_steering.h"
#include "solver/step/continuous_step.h"
#include "solver/step/segment.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// A point to go to, how fast, and what a whole step on the way to it comes to. Trivially copyable.
struct WaypointGoal {
  PlaneVector place;  ///< [m or 1]
  double speed = 0;   ///< through the water [m s-1 or 1]
  double spent = 0;   ///< (c_f F² + c_t) Δt
  float reward = 0;   ///< the part of r that depends on the speed alone
};

/// One step of a vehicle that steers at the next waypoint, wherever the current sets it, and at the
/// one after it once it has come within the capture radius. The current is that at the vehicle at
/// the start of the step, as in ContinuousStep, so that the two differ by how they steer alone; but
/// the vehicle steers all the time, in parts of the step that are the shorter the nearer the
/// waypoint is. Obstacles, target and border end the flight as they end those of ContinuousStep.
/// Trivially copyable.
struct WaypointStep {
  StepContext context;
  View<const WaypointGoal> goals;  ///< in their order; the last one is the target
  double capture_radius = 0;       ///< of all but the last [m or 1], > 0

  /// `goal`: the one that is next. `reached`: (goal) when it was, in steps since departure.
  StepOutcome operator()(std::int32_t realization, Vehicle& vehicle, std::int32_t& goal,
                         View<double> reached) const {
    const Grid& grid = context.rule.grid;
    const Cell start{grid.column_at(vehicle.x), grid.row_at(vehicle.y)};
    const auto here = bilinear_stencil(grid, context.now.dry, vehicle.x, vehicle.y);
    const Current current = current_at(context.now, here, realization);
    const std::int32_t before = vehicle.steps;
    const double reward_before = vehicle.total_reward;
    double done = 0;  // of the step
    for (;;) {
      const WaypointGoal& next = goals[static_cast<std::size_t>(goal)];
      const Part part = plan_part(vehicle, next, current, done);
      const double reward_so_far = vehicle.total_reward;
      const PartEnd end = make_part(start, vehicle, next, current, part, is_target(goal));
      const double until = end.whole ? part.until : done + end.share;
      if (end.captured) {
        reached[static_cast<std::size_t>(goal)] = before + until;
        ++goal;
      }
      done = until;
      if (end.outcome != StepOutcome::under_way || done >= 1) {
        vehicle.steps = before + 1;
        vehicle.last_step = static_cast<float>(done);
        // The price of a failure takes the place of what its whole step would have brought.
        if (has_failed(end.outcome)) {
          vehicle.total_reward = reward_before + (vehicle.total_reward - reward_so_far);
        }
        if (end.outcome == StepOutcome::arrived) reached[goals.size - 1] = before + done;
        return end.outcome;
      }
    }
  }

 private:
  struct Cell {
    std::int32_t column;
    std::int32_t row;
  };
  /// What is steered in one direction.
  struct Part {
    double share;  ///< of the step
    double until;  ///< 1 exactly where it is the last one
  };
  struct PartEnd {
    StepOutcome outcome = StepOutcome::under_way;
    bool captured = false;
    bool whole = true;  ///< the part was made as planned
    double share = 0;   ///< of the step, that was made of it
  };

  bool is_target(std::int32_t goal) const {
    return static_cast<std::size_t>(goal) + 1 == goals.size;
  }

  Part plan_part(const Vehicle& vehicle, const WaypointGoal& next, const Current& current,
                 double done) const {
    // An eighth of the distance keeps what the current sets it off meanwhile below that.
    constexpr double share_of_distance = 0.125;
    constexpr double longest = 0.25;
    constexpr double shortest = 1.0 / 4096;
    const double left = 1 - done;
    const double distance = std::hypot(next.place.x - vehicle.x, next.place.y - vehicle.y);
    const double moved = (std::hypot(current.u, current.v) + next.speed) * context.step;
    if (!(moved > 0)) return {left, 1};
    const double near = std::max(distance, capture_radius);
    const double share = std::clamp(share_of_distance * near / moved, shortest, longest);
    return share < left ? Part{share, done + share} : Part{left, 1};
  }

  PartEnd make_part(const Cell& start, Vehicle& vehicle, const WaypointGoal& next,
                    const Current& current, const Part& part, bool to_target) const {
    const PlaneVector way{next.place.x - vehicle.x, next.place.y - vehicle.y};
    const PlaneVector through = with_length(next.speed, way);
    const double time = part.share * context.step;
    const PlaneVector moved{(current.u + through.x) * time, (current.v + through.y) * time};
    const double met =
        to_target ? never_met : disc_met_at(-way.x, -way.y, moved.x, moved.y, capture_radius);
    const bool last = part.until >= 1;
    const auto [outcome, at] =
        followed(start, vehicle, vehicle.x + moved.x, vehicle.y + moved.y, last);
    PartEnd end{outcome, false, at >= 1, at * part.share};
    if (met <= 1 && (outcome == StepOutcome::under_way || met < at)) {
      end = {StepOutcome::under_way, true, met >= 1, met * part.share};
      if (met >= 1) end.outcome = outcome;
    }
    const double made = part.share > 0 ? end.share / part.share : 1;
    book(vehicle, next, end, vehicle.x + made * moved.x, vehicle.y + made * moved.y);
    return end;
  }

  struct Following {
    StepOutcome outcome;
    double at;  ///< where along the segment: 0 … 1
  };

  /// Follows the segment to (x, y) until it meets an obstacle or the target. The cell in which the
  /// whole step began bars it only where the step ends there, as in ContinuousStep.
  Following followed(const Cell& start, const Vehicle& from, double x, double y, bool last) const {
    LandingRule rule = context.rule;
    const Grid& grid = rule.grid;
    if (!last) rule.last_step = LastStep::no;
    const bool has_disc = rule.disc.radius > 0;
    bool barred = false;
    StepOutcome bar = StepOutcome::obstacle;  // what of
    SegmentHit hit = walk_segment(grid, from.x, from.y, x, y, [&](std::int32_t i, std::int32_t j) {
      if (!barred && rule.masked(i, j) && !(i == start.column && j == start.row)) {
        barred = true;
        bar = rule.barred_by(i, j);
      }
      return barred || (!has_disc && rule.in_target(i, j));
    });
    const Cell end{grid.column_at(x), grid.row_at(y)};
    const bool stays = end.column == start.column && end.row == start.row;
    if (last && stays && rule.masked(end.column, end.row)) {
      barred = true;
      bar = rule.barred_by(end.column, end.row);
      hit = {SegmentHit::Kind::hit, 1};
    }
    if (has_disc) {
      const double met = rule.disc.met_by(grid, from.x, from.y, x, y);
      if (met <= 1 && (!barred || met < hit.at)) return {StepOutcome::arrived, met};
    }
    if (hit.kind == SegmentHit::Kind::hit) {
      return {barred ? bar : StepOutcome::arrived, hit.at};
    }
    return {rule.unobstructed(end.column, end.row), 1};
  }

  /// Enters what a part brought in the vehicle's books and moves it to (x, y).
  void book(Vehicle& vehicle, const WaypointGoal& next, const PartEnd& end, double x,
            double y) const {
    const Grid& grid = context.rule.grid;
    StepContext of_part = context;
    of_part.step = end.share * context.step;
    of_part.harvest = static_cast<float>(end.share * context.harvest);
    float scalar_here = 0;
    float scalar_there = 0;
    if (!context.now.scalar.empty()) {
      const auto here = bilinear_stencil(grid, context.now.dry, vehicle.x, vehicle.y);
      const auto there = bilinear_stencil(grid, context.next.dry, x, y);
      scalar_here = scalar_at(context.now.scalar, here);
      scalar_there = scalar_at(context.next.scalar, there);
    }
    const ActionEffect taken{
        0, 0, end.share * next.spent, static_cast<float>(end.share * next.reward), {}};
    const StepWorth worth =
        of_part.worth(taken, {end.outcome, 1}, std::clamp(grid.column_at(x), 0, grid.nx - 1),
                      std::clamp(grid.row_at(y), 0, grid.ny - 1), scalar_here, scalar_there);
    vehicle.spent += worth.spent;
    vehicle.harvested += worth.harvested;
    vehicle.total_reward += worth.reward;
    vehicle.x = x;
    vehicle.y = y;
  }
};

}  // namespace tidewise
