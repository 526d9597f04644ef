#pragma once

#include <cstdint>

#include "solver/step/realized_flow.h"
#include "solver/step/steering.h"
#include "solver/step/step_parts.h"
#include "solver/step/vehicle.h"

namespace tidewise {

/// The scalar field (y, x) there.
TIDEWISE_HOST_DEVICE inline float scalar_at(View<const float> field,
                                            const BilinearStencil& stencil) {
  return static_cast<float>(
      interpolate(stencil, [&](std::size_t cell) { return static_cast<double>(field[cell]); }));
}

/// One step of a vehicle at its true position through one realization: dx/dt = v(x) + a, with the
/// level's flow bilinear in space, and the action a what `Steering` finds for the cell which holds
/// x, or for x itself (steering.h), held all the step. The step is integrated in parts as short as
/// the flow around asks for (docs/model.md, 4), and each part is followed as a straight way: it
/// ends in the target, at an obstacle or beyond the border, where it comes there first. Trivially
/// copyable.
template <class Steering = PolicySteering>
struct ContinuousStep {
  StepContext context;
  Steering steering = {};
  double most_cells = most_cells_of_part;  ///< of a part

  TIDEWISE_HOST_DEVICE StepRecord operator()(std::int32_t realization, Vehicle& vehicle) const {
    const Grid& grid = context.rule.grid;
    const PartRule rule{context.rule, grid.column_at(vehicle.x), grid.row_at(vehicle.y)};
    const CellIndex cell = grid.cell(rule.start_column, rule.start_row);
    RealizedFlow flow(context.now, grid, realization);
    const auto [action, taken] = steering(context, cell, vehicle, flow.at(vehicle.x, vehicle.y));
    if (action == no_action) return stranded(context, cell, vehicle);
    const Current own{taken.u, taken.v};
    const float scalar_here = scalar_of(context.now, vehicle);
    PartEnd way{StepOutcome::under_way};
    double done = 0;  // of the step
    for (bool is_last = false; !is_last && way.outcome == StepOutcome::under_way;) {
      (void)flow.at(vehicle.x, vehicle.y);
      const StepPart part = next_part(done, flow.most_cells(own, context.step), most_cells);
      is_last = part.is_last();
      const Current by = flow.carried(vehicle.x, vehicle.y, own, part.share * context.step);
      const double x = vehicle.x + by.u;
      const double y = vehicle.y + by.v;
      way = rule.follow(vehicle.x, vehicle.y, x, y, is_last);
      vehicle.x = way.at < 1 ? vehicle.x + way.at * by.u : x;
      vehicle.y = way.at < 1 ? vehicle.y + way.at * by.v : y;
      done = way.at < 1 ? done + way.at * part.share : part.until;
    }
    const StepEnd end{way.outcome, static_cast<float>(way.arrives() ? done : 1)};
    enter(context.worth(taken, end, grid.column_at(vehicle.x), grid.row_at(vehicle.y), scalar_here,
                        scalar_of(context.next, vehicle)),
          end, vehicle);
    return {end.outcome, action};
  }

 private:
  TIDEWISE_HOST_DEVICE float scalar_of(const LevelView& level, const Vehicle& vehicle) const {
    if (level.scalar.empty()) return 0;
    return scalar_at(level.scalar,
                     bilinear_stencil(context.rule.grid, level.dry, vehicle.x, vehicle.y));
  }
};

}  // namespace tidewise
