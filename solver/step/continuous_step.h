#pragma once

#include <cstdint>

#include "model_builder/step/displacement.h"
#include "solver/step/bilinear.h"
#include "solver/step/segment.h"
#include "solver/step/steering.h"
#include "solver/step/vehicle.h"

namespace tidewise {

/// One step of a vehicle at its true position through one realization: velocity and scalar field
/// bilinear in space at the start of the step, x' = x + (v + a)Δt, the action a what `Steering`
/// finds for the cell which holds x, or for x itself (steering.h). The true segment is walked: it
/// is barred by every cell that is closed at k or k+1, but not by the one it starts in unless it
/// stays there. A barred vehicle ends where it met the obstacle. Trivially copyable.
template <class Steering = PolicySteering>
struct ContinuousStep {
  StepContext context;
  Steering steering = {};

  TIDEWISE_HOST_DEVICE StepRecord operator()(std::int32_t realization, Vehicle& vehicle) const {
    const Grid& grid = context.rule.grid;
    const CellIndex cell = grid.cell(grid.column_at(vehicle.x), grid.row_at(vehicle.y));
    const auto here = bilinear_stencil(grid, context.now.dry, vehicle.x, vehicle.y);
    const LevelView& now = context.now;
    const Current current{flow(here, now.u_mean, now.u_mode, realization),
                          flow(here, now.v_mean, now.v_mode, realization)};
    const auto [action, taken] = steering(context, cell, vehicle, current);
    if (action == no_action) return stranded(context, vehicle);
    const double x = vehicle.x + (current.u + taken.u) * context.step;
    const double y = vehicle.y + (current.v + taken.v) * context.step;
    const SegmentHit way = barred(cell, vehicle, x, y);
    const StepOutcome outcome = way.kind == SegmentHit::Kind::hit
                                    ? StepOutcome::obstacle
                                    : context.rule.unobstructed(grid.column_at(x), grid.row_at(y));
    float scalar_here = 0;
    float scalar_there = 0;
    if (!now.scalar.empty()) {
      const auto there = bilinear_stencil(grid, context.next.dry, x, y);
      scalar_here = scalar(here, now.scalar);
      scalar_there = scalar(there, context.next.scalar);
    }
    enter(context.worth(taken, outcome, scalar_here, scalar_there), vehicle);
    if (way.kind == SegmentHit::Kind::hit) {
      vehicle.x += way.at * (x - vehicle.x);
      vehicle.y += way.at * (y - vehicle.y);
    } else {
      vehicle.x = x;
      vehicle.y = y;
    }
    return {outcome, action};
  }

 private:
  TIDEWISE_HOST_DEVICE SegmentHit barred(CellIndex start, const Vehicle& from, double x,
                                         double y) const {
    const LandingRule& rule = context.rule;
    const std::int32_t column = rule.grid.column(start);
    const std::int32_t row = rule.grid.row(start);
    if (rule.grid.column_at(x) == column && rule.grid.row_at(y) == row) {
      return rule.masked(column, row) ? SegmentHit{SegmentHit::Kind::hit, 1} : SegmentHit{};
    }
    return walk_segment(rule.grid, from.x, from.y, x, y,
                        [&rule](std::int32_t i, std::int32_t j) { return rule.masked(i, j); });
  }

  /// One component of the realization's velocity. mean: (y, x), mode: (mode, y, x).
  TIDEWISE_HOST_DEVICE double flow(const BilinearStencil& stencil, View<const float> mean,
                                   View<const float> mode, std::int32_t realization) const {
    const LevelView& level = context.now;
    return interpolate(stencil, [&](std::size_t cell) {
      return static_cast<double>(
          velocity(mean[cell], mode.data + cell, mean.size, level.coefficient.data + realization,
                   static_cast<std::size_t>(level.realization_count), level.mode_count));
    });
  }

  TIDEWISE_HOST_DEVICE static float scalar(const BilinearStencil& stencil,
                                           View<const float> field) {
    return static_cast<float>(
        interpolate(stencil, [&](std::size_t cell) { return static_cast<double>(field[cell]); }));
  }
};

}  // namespace tidewise
