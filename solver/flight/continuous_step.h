#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "solver/flight/own_velocity.h"
#include "solver/flight/realized_flow.h"
#include "solver/flight/segment.h"
#include "solver/flight/steering.h"
#include "solver/flight/step_context.h"
#include "solver/flight/vehicle.h"

namespace tidewise {

/// Maximum number of cells that a part of a step crosses along either axis, by the flow at the
/// centres around its start. docs/trust/accuracy.md compares other limits.
inline constexpr double max_cells_per_part = 1;

/// A part of a step, in fractions of the step.
struct StepPart {
  double share = 0;
  double until = 0;  ///< exactly 1 for the last part

  /// True for the last part of the step.
  TIDEWISE_HOST_DEVICE bool is_last() const { return until >= 1; }
};

/// The next part of a step of which the fraction `done` is complete: the rest, or less if the rest
/// crosses more than max_cells_per_part. `cells`: number of cells that a whole step would cross
/// from here. Parts are equal while the flow is constant.
TIDEWISE_HOST_DEVICE inline StepPart next_part(double done, double cells) {
  constexpr double max_parts = 4096;  // a faster vehicle leaves the domain in the first part
  const double remaining = 1 - done;
  double parts = std::ceil(remaining * cells / max_cells_per_part);
  if (!(parts < max_parts)) parts = max_parts;
  if (!(parts > 1)) return {remaining, 1};
  return {remaining / parts, done + remaining / parts};
}

/// End of a part of a step.
struct PartEnd {
  StepOutcome outcome;
  double at = 1;  ///< fraction of the part: 0 … 1
};

/// Follows the straight parts of a step that began in one cell. Trivially copyable.
struct PartRule {
  LandingRule rule;
  std::int32_t start_column;
  std::int32_t start_row;

  /// Follows a part from (x0, y0) to (x, y) until it hits an obstacle or reaches the target: the
  /// disc, or without a disc a cell of it. An obstacle at the same point takes precedence. Every
  /// cell that is closed at k or k+1 blocks the path, except the cell in which the step began,
  /// which blocks it only if the step also ends there.
  TIDEWISE_HOST_DEVICE PartEnd follow(double x0, double y0, double x, double y,
                                      bool is_last) const {
    const Grid& grid = rule.grid;
    const bool has_disc = rule.disc.radius > 0;
    const auto is_start = [&](std::int32_t i, std::int32_t j) {
      return i == start_column && j == start_row;
    };
    bool is_blocked = false;
    StepOutcome blocking_outcome = StepOutcome::obstacle;  // outcome at the blocking cell
    SegmentHit hit = walk_segment(grid, x0, y0, x, y, [&](std::int32_t i, std::int32_t j) {
      if (!is_blocked && rule.masked(i, j) && !is_start(i, j)) {
        is_blocked = true;
        blocking_outcome = rule.outcome_of_closed(i, j);
      }
      return is_blocked || (!has_disc && rule.in_target(i, j));
    });
    const std::int32_t column = grid.column_at(x);
    const std::int32_t row = grid.row_at(y);
    if (is_last && is_start(column, row) && rule.masked(column, row)) {
      is_blocked = true;
      blocking_outcome = rule.outcome_of_closed(column, row);
      hit = {SegmentHit::Kind::hit, 1};
    }
    if (has_disc) {
      const double entered = rule.disc.entered_by(grid, x0, y0, x, y);
      if (entered <= 1 && (!is_blocked || entered < hit.at)) return {StepOutcome::arrived, entered};
    }
    if (hit.kind == SegmentHit::Kind::hit) {
      return {is_blocked ? blocking_outcome : StepOutcome::arrived, hit.at};
    }
    if (is_last) return {rule.unobstructed(column, row), 1};
    return {grid.contains(column, row) ? StepOutcome::under_way : StepOutcome::out_of_domain, 1};
  }
};

/// Scalar field of a level at a point; 0 if there is none.
TIDEWISE_HOST_DEVICE inline float scalar_at(const LevelView& level, const Grid& grid, double x,
                                            double y) {
  if (level.scalar.empty()) return 0;
  return static_cast<float>(
      interpolate(bilinear_stencil(grid, level.dry, x, y),
                  [&](std::size_t cell) { return static_cast<double>(level.scalar[cell]); }));
}

/// g of a level at a true position; `from`: position of the moving point at that level.
TIDEWISE_HOST_DEVICE inline float scalar_in(const KeptScalar& kept, const LevelView& level,
                                            const Grid& grid, const PlanePoint& from, double x,
                                            double y) {
  return kept.by == KeptScalar::By::field ? scalar_at(level, grid, x, y)
                                          : kept.at(grid, level.scalar, from, x, y);
}

/// One step of a vehicle at its true position through one realization: dx/dt = v(x) + a, with the
/// level's flow bilinear in space. `Steering` finds the action a for the cell that contains x, or
/// for x itself (steering.h). The action is held for the step, or for the part of it after
/// departure, and through steps that do not decide; the vehicle's own error is added. The step is
/// integrated in parts whose length depends on the flow (docs/model.md, 4). Each part is followed
/// as a straight line, which ends at the target, an obstacle or the border, if it reaches one.
/// Trivially copyable.
template <class Steering = PolicySteering>
struct ContinuousStep {
  StepContext context;
  Steering steering = {};

  TIDEWISE_HOST_DEVICE StepRecord operator()(std::int32_t realization, Vehicle& vehicle) const {
    const Grid& grid = context.rule.grid;
    const PartRule rule{context.rule, grid.column_at(vehicle.x), grid.row_at(vehicle.y)};
    const CellIndex cell = grid.cell(rule.start_column, rule.start_row);
    const std::int32_t profile = steering.profile(context, cell, vehicle);
    const LevelView now = context.now.profile(profile);
    RealizedFlow flow(now, grid, realization);
    Current current = flow.at(vehicle.x, vehicle.y);
    const auto [action, effect] = steering(context, cell, vehicle, current);
    if (action == no_action) return stranded(context, cell, vehicle);
    vehicle.hold(action, effect);
    const Current through_water =
        own_velocity({effect.u, effect.v}, context.error, realization, context.decided.value);
    const float scalar_from =
        scalar_in(context.kept, now, grid, context.kept.now, vehicle.x, vehicle.y);
    PartEnd path{StepOutcome::under_way};
    double done = context.begun;  // fraction of the step
    for (;;) {
      const StepPart part = next_part(done, flow.max_cells(through_water, context.step));
      const Current displacement = flow.displacement(vehicle.x, vehicle.y, current, through_water,
                                                     part.share * context.step);
      const double x = vehicle.x + displacement.u;
      const double y = vehicle.y + displacement.v;
      path = rule.follow(vehicle.x, vehicle.y, x, y, part.is_last());
      vehicle.x = path.at < 1 ? vehicle.x + path.at * displacement.u : x;
      vehicle.y = path.at < 1 ? vehicle.y + path.at * displacement.v : y;
      done = path.at < 1 ? done + path.at * part.share : part.until;
      if (part.is_last() || path.outcome != StepOutcome::under_way) break;
      current = flow.at(vehicle.x, vehicle.y);
    }
    const bool arrives = path.outcome == StepOutcome::arrived;
    const double until = arrives ? done : 1;
    const StepEnd end{path.outcome, static_cast<float>(until - context.begun)};
    enter(
        context.result(effect, end, grid.column_at(vehicle.x), grid.row_at(vehicle.y), scalar_from,
                       scalar_in(context.kept, context.next.profile(profile), grid,
                                 context.kept.next, vehicle.x, vehicle.y)),
        end, vehicle);
    vehicle.last_step = static_cast<float>(until);
    return {end.outcome, action};
  }
};

}  // namespace tidewise
