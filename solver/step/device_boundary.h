#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/position.h"
#include "solver/step/boundary.h"

// For .cu files: boundary values of a level, before its backup. All memory is on the device; all
// work goes on `stream`.

namespace tidewise {

/// A range of cells, in row-major order; `end` is not included.
struct CellRange {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

/// Sets boundary values and actions (docs/model.md, 3.2) of a level. Appends the non-terminal cells
/// to `cells`, in any order, and adds their number to *cell_count, which must be 0 before. All
/// arrays: (y, x). Cells outside `own` belong to other bands. They are written if `water` is
/// BeyondTarget::late (level L, whose values every band can compute) and otherwise left unchanged.
void set_boundary(View<const std::uint8_t> masked, View<const std::uint8_t> target, CellRange own,
                  const BoundaryValue& boundary_value, BeyondTarget water, float* value,
                  std::int16_t* action, std::int32_t* cells, std::int32_t* cell_count,
                  const DeviceStream& stream);

/// Sets near[cell] = 1 where a closed cell of level k or k+1 may lie on the path of an action whose
/// displacement is within [`min`, `max`], for the flow's displacements in `facts`. scratch, near:
/// (y, x).
void find_near_masked(const Grid& grid, View<const std::uint8_t> masked_now,
                      View<const std::uint8_t> masked_next, Displacement min, Displacement max,
                      const PositionRule& rule, const DeviceLevelFacts* facts,
                      std::uint8_t* scratch, std::uint8_t* near, const DeviceStream& stream);

}  // namespace tidewise
