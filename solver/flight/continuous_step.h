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

/// Cells that a part of a step leads through at most along either axis, by the flow of the centres
/// around its beginning: docs/trust/accuracy.md shows what other numbers give.
inline constexpr double most_cells_of_part = 1;

/// Part of a step, in shares of it.
struct StepPart {
  double share = 0;
  double until = 0;  ///< 1 exactly where it is the last one

  TIDEWISE_HOST_DEVICE bool is_last() const { return until >= 1; }
};

/// What is left of a step after `done` of it, or as much as leads through most_cells_of_part of the
/// `cells` that a whole step would lead through from here: equal parts, as far as can be told.
TIDEWISE_HOST_DEVICE inline StepPart next_part(double done, double cells) {
  constexpr double most_parts = 4096;  // whoever is that fast leaves the domain in the first
  const double left = 1 - done;
  double parts = std::ceil(left * cells / most_cells_of_part);
  if (!(parts < most_parts)) parts = most_parts;
  if (!(parts > 1)) return {left, 1};
  return {left / parts, done + left / parts};
}

/// How a part of a step ends.
struct PartEnd {
  StepOutcome outcome;
  double at = 1;  ///< where along it: 0 … 1
};

/// Judges the straight parts of a step that began in one cell. Trivially copyable.
struct PartRule {
  LandingRule rule;
  std::int32_t start_column;
  std::int32_t start_row;

  /// Follows a part from (x0, y0) to (x, y) until it meets an obstacle or the target: the disc, or
  /// where there is none a cell of it. An obstacle in the same place wins. It is barred by every
  /// cell that is closed at k or k+1, but not by the one that the step began in unless that is
  /// where the step ends.
  TIDEWISE_HOST_DEVICE PartEnd follow(double x0, double y0, double x, double y,
                                      bool is_last) const {
    const Grid& grid = rule.grid;
    const bool has_disc = rule.disc.radius > 0;
    const auto is_start = [&](std::int32_t i, std::int32_t j) {
      return i == start_column && j == start_row;
    };
    bool barred = false;
    StepOutcome bar = StepOutcome::obstacle;  // what of
    SegmentHit hit = walk_segment(grid, x0, y0, x, y, [&](std::int32_t i, std::int32_t j) {
      if (!barred && rule.masked(i, j) && !is_start(i, j)) {
        barred = true;
        bar = rule.barred_by(i, j);
      }
      return barred || (!has_disc && rule.in_target(i, j));
    });
    const std::int32_t column = grid.column_at(x);
    const std::int32_t row = grid.row_at(y);
    if (is_last && is_start(column, row) && rule.masked(column, row)) {
      barred = true;
      bar = rule.barred_by(column, row);
      hit = {SegmentHit::Kind::hit, 1};
    }
    if (has_disc) {
      const double met = rule.disc.met_by(grid, x0, y0, x, y);
      if (met <= 1 && (!barred || met < hit.at)) return {StepOutcome::arrived, met};
    }
    if (hit.kind == SegmentHit::Kind::hit) {
      return {barred ? bar : StepOutcome::arrived, hit.at};
    }
    if (is_last) return {rule.unobstructed(column, row), 1};
    return {grid.contains(column, row) ? StepOutcome::under_way : StepOutcome::out_of_domain, 1};
  }
};

/// The scalar field of a level at a point; 0 where it has none.
TIDEWISE_HOST_DEVICE inline float scalar_at(const LevelView& level, const Grid& grid, double x,
                                            double y) {
  if (level.scalar.empty()) return 0;
  return static_cast<float>(
      interpolate(bilinear_stencil(grid, level.dry, x, y),
                  [&](std::size_t cell) { return static_cast<double>(level.scalar[cell]); }));
}

/// g of a level at a true position; `from`: of what is followed there.
TIDEWISE_HOST_DEVICE inline float scalar_in(const KeptScalar& kept, const LevelView& level,
                                            const Grid& grid, const PlanePoint& from, double x,
                                            double y) {
  return kept.by == KeptScalar::By::field ? scalar_at(level, grid, x, y)
                                          : kept.at(grid, level.scalar, from, x, y);
}

/// One step of a vehicle at its true position through one realization: dx/dt = v(x) + a, with the
/// level's flow bilinear in space, and the action a what `Steering` finds for the cell which holds
/// x, or for x itself (steering.h), held all the step, or what
/// is left of it at the departure, and on through steps that do not decide, off by the vehicle's
/// own error. The step is integrated in parts as short as the flow around asks for (docs/model.md,
/// 4), and each part is followed as a straight way: it ends in the target, at an obstacle or beyond
/// the border, where it comes there first. Trivially copyable.
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
    Current here = flow.at(vehicle.x, vehicle.y);
    const auto [action, taken] = steering(context, cell, vehicle, here);
    if (action == no_action) return stranded(context, cell, vehicle);
    vehicle.hold(action, taken);
    const Current own =
        own_velocity({taken.u, taken.v}, context.error, realization, context.decided.value);
    const float scalar_here =
        scalar_in(context.kept, now, grid, context.kept.now, vehicle.x, vehicle.y);
    PartEnd way{StepOutcome::under_way};
    double done = context.begun;  // of the step
    for (;;) {
      const StepPart part = next_part(done, flow.most_cells(own, context.step));
      const Current by = flow.carried(vehicle.x, vehicle.y, here, own, part.share * context.step);
      const double x = vehicle.x + by.u;
      const double y = vehicle.y + by.v;
      way = rule.follow(vehicle.x, vehicle.y, x, y, part.is_last());
      vehicle.x = way.at < 1 ? vehicle.x + way.at * by.u : x;
      vehicle.y = way.at < 1 ? vehicle.y + way.at * by.v : y;
      done = way.at < 1 ? done + way.at * part.share : part.until;
      if (part.is_last() || way.outcome != StepOutcome::under_way) break;
      here = flow.at(vehicle.x, vehicle.y);
    }
    const bool arrives = way.outcome == StepOutcome::arrived;
    const double until = arrives ? done : 1;
    const StepEnd end{way.outcome, static_cast<float>(until - context.begun)};
    enter(context.worth(taken, end, grid.column_at(vehicle.x), grid.row_at(vehicle.y), scalar_here,
                        scalar_in(context.kept, context.next.profile(profile), grid,
                                  context.kept.next, vehicle.x, vehicle.y)),
          end, vehicle);
    vehicle.last_step = static_cast<float>(until);
    return {end.outcome, action};
  }
};

}  // namespace tidewise
