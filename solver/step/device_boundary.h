#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/step/displacement.h"
#include "solver/step/boundary.h"

// For .cu files: what a level of a mission looks like before anything is decided. All memory is the
// device's, all work goes on `stream`.

namespace tidewise {

/// Cells whose rows follow each other; the end is not included.
struct CellRange {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

/// Boundary values and actions (docs/model.md, 3.2) of a level; cells that are non-terminal go into
/// `cells` in any order and are counted in *cell_count, which is 0 before. All: (y, x). Cells
/// outside `own` belong to others: they are written where no water is non-terminal (at level L,
/// where everyone knows all of them), else left alone.
void set_boundary(View<const std::uint8_t> masked, View<const std::uint8_t> target, CellRange own,
                  float failure_penalty, BeyondTarget water, float* value, std::int16_t* action,
                  std::int32_t* cells, std::int32_t* cell_count, const DeviceStream& stream);

/// near[cell] = 1 where a closed cell of level k or k+1 may lie on the way of an action whose
/// displacement is within [least, greatest], under the flow's displacements in `facts`. scratch and
/// near: (y, x).
void find_near_masked(const Grid& grid, View<const std::uint8_t> masked_now,
                      View<const std::uint8_t> masked_next, Displacement least,
                      Displacement greatest, const PositionRule& rule,
                      const DeviceLevelFacts* facts, std::uint8_t* scratch, std::uint8_t* near,
                      const DeviceStream& stream);

}  // namespace tidewise
