#pragma once

#include <cstdint>

#include "model_builder/step/displacement.h"
#include "solver/step/bilinear.h"
#include "solver/step/segment.h"
#include "solver/step/steering.h"
#include "solver/step/vehicle.h"

namespace tidewise {

/// The flow of one realization at a stencil: the mean plus its modes.
TIDEWISE_HOST_DEVICE inline Current current_at(const LevelView& level,
                                               const BilinearStencil& stencil,
                                               std::int32_t realization) {
  const auto component = [&](View<const float> mean, View<const float> mode) {
    return interpolate(stencil, [&](std::size_t cell) {
      return static_cast<double>(
          velocity(mean[cell], mode.data + cell, mean.size, level.coefficient.data + realization,
                   static_cast<std::size_t>(level.realization_count), level.mode_count));
    });
  };
  return {component(level.u_mean, level.u_mode), component(level.v_mean, level.v_mode)};
}

/// The scalar field (y, x) there.
TIDEWISE_HOST_DEVICE inline float scalar_at(View<const float> field,
                                            const BilinearStencil& stencil) {
  return static_cast<float>(
      interpolate(stencil, [&](std::size_t cell) { return static_cast<double>(field[cell]); }));
}

/// One step of a vehicle at its true position through one realization: velocity and scalar field
/// bilinear in space at the start of the step, x' = x + (v + a)Δt, the action a what `Steering`
/// finds for the cell which holds x, or for x itself (steering.h). The true segment is followed: it
/// is barred by every cell that is closed at k or k+1, but not by the one it starts in unless it
/// stays there, and ends in the target, where it comes there first. The vehicle ends where it met
/// either. Trivially copyable.
template <class Steering = PolicySteering>
struct ContinuousStep {
  StepContext context;
  Steering steering = {};

  TIDEWISE_HOST_DEVICE StepRecord operator()(std::int32_t realization, Vehicle& vehicle) const {
    const Grid& grid = context.rule.grid;
    const CellIndex cell = grid.cell(grid.column_at(vehicle.x), grid.row_at(vehicle.y));
    const auto here = bilinear_stencil(grid, context.now.dry, vehicle.x, vehicle.y);
    const LevelView& now = context.now;
    const Current current = current_at(now, here, realization);
    const auto [action, taken] = steering(context, cell, vehicle, current);
    if (action == no_action) return stranded(context, cell, vehicle);
    const double x = vehicle.x + (current.u + taken.u) * context.step;
    const double y = vehicle.y + (current.v + taken.v) * context.step;
    const SegmentEnd way = followed(cell, vehicle, x, y);
    const StepEnd end{way.outcome, static_cast<float>(way.arrives() ? way.at : 1)};
    float scalar_here = 0;
    float scalar_there = 0;
    if (!now.scalar.empty()) {
      const auto there = bilinear_stencil(grid, context.next.dry, x, y);
      scalar_here = scalar_at(now.scalar, here);
      scalar_there = scalar_at(context.next.scalar, there);
    }
    enter(context.worth(taken, end, grid.column_at(x), grid.row_at(y), scalar_here, scalar_there),
          end, vehicle);
    if (way.at < 1) {
      vehicle.x += way.at * (x - vehicle.x);
      vehicle.y += way.at * (y - vehicle.y);
    } else {
      vehicle.x = x;
      vehicle.y = y;
    }
    return {end.outcome, action};
  }

 private:
  /// How the segment of a step ends.
  struct SegmentEnd {
    StepOutcome outcome;
    double at = 1;  ///< where along it: 0 … 1

    TIDEWISE_HOST_DEVICE bool arrives() const { return outcome == StepOutcome::arrived; }
  };

  /// Follows the segment from a vehicle in cell `start` to (x, y) until it meets an obstacle or the
  /// target: the disc, or where there is none a cell of it. An obstacle in the same place wins.
  TIDEWISE_HOST_DEVICE SegmentEnd followed(CellIndex start, const Vehicle& from, double x,
                                           double y) const {
    const LandingRule& rule = context.rule;
    const Grid& grid = rule.grid;
    const bool has_disc = rule.disc.radius > 0;
    bool barred = false;
    StepOutcome bar = StepOutcome::obstacle;  // what of
    SegmentHit hit;
    if (grid.column_at(x) == grid.column(start) && grid.row_at(y) == grid.row(start)) {
      barred = rule.masked(grid.column(start), grid.row(start));
      if (barred) {
        bar = rule.barred_by(grid.column(start), grid.row(start));
        hit = {SegmentHit::Kind::hit, 1};
      }
    } else {
      hit = walk_segment(grid, from.x, from.y, x, y, [&](std::int32_t i, std::int32_t j) {
        if (!barred && rule.masked(i, j)) {
          barred = true;
          bar = rule.barred_by(i, j);
        }
        return barred || (!has_disc && rule.in_target(i, j));
      });
    }
    if (has_disc) {
      const double met = rule.disc.met_by(grid, from.x, from.y, x, y);
      if (met <= 1 && (!barred || met < hit.at)) return {StepOutcome::arrived, met};
    }
    if (hit.kind == SegmentHit::Kind::hit) {
      return {barred ? bar : StepOutcome::arrived, hit.at};
    }
    return {rule.unobstructed(grid.column_at(x), grid.row_at(y)), 1};
  }
};

}  // namespace tidewise
