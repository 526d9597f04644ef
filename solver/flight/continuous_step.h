#pragma once

#include <cstdint>

#include "solver/flight/realized_flow.h"
#include "solver/flight/steering.h"
#include "solver/flight/step_parts.h"
#include "solver/flight/vehicle.h"

namespace tidewise {

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
/// is left of it at the departure, and on through steps that do not decide. The step is integrated
/// in parts as short as the flow around asks for (docs/model.md, 4), and each part is followed as a
/// straight way: it ends in the target, at an obstacle or beyond the border, where it comes there
/// first. Trivially copyable.
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
    const Current own{taken.u, taken.v};
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
