#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/device_transfer.h"
#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "env/level_fields.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/device/actions.h"
#include "model_builder/device/level_preparation.h"
#include "model_builder/step/displacement.h"
#include "solver/step/device_boundary.h"

namespace tidewise {

/// For .cu files: inputs of PreparedLevel that are the same at each level: a grid, the actions of
/// one profile, and the histogram sizes of its counting kernels.
struct LevelPreparation {
  /// limits_of(c): histogram sizes of class c. `info` and `device_actions` must outlive this
  /// object.
  template <class Limits>
  LevelPreparation(const EnvironmentInfo& info, const PositionRule& position_rule,
                   const DeviceActions& device_actions, const Limits& limits_of)
      : grid(info.grid),
        scale(info.grid, info.time),
        rule(position_rule),
        actions(device_actions),
        class_of(upload(
            std::vector<std::uint8_t>(static_cast<std::size_t>(info.grid.cell_count()), 0))) {
    for (std::int32_t c = 0; c < frame_classes; ++c) {
      limits[static_cast<std::size_t>(c)] = limits_of(c);
    }
  }

  const Grid& grid;
  DisplacementScale scale;
  PositionRule rule;
  const DeviceActions& actions;
  std::array<FrameLimits, frame_classes> limits;
  DeviceArray<std::uint8_t> class_of;  ///< (y, x): see DeviceCellLists
};

/// For .cu files: facts about a level that do not depend on values, for the actions of one profile:
/// bounds of the flow, the kernel for each cell, and the cells from which a path may hit a closed
/// cell. Prepared once for each level, in memory that levels use in turn.
class PreparedLevel {
 public:
  /// `cells`: number of cells of the grid.
  explicit PreparedLevel(std::size_t cells)
      : near_masked_(cells), near_scratch_(cells), class_cells_(cells * (frame_classes + 1)) {}

  /// Prepares a level. `fields`: fields of the profile. `range`: ranges of the level's
  /// coefficients, (mode). `cells`, `cell_count`: cells to count, in device memory. `facts`: facts
  /// of the profile, which must be 0.
  void prepare(LevelPreparation& preparation, const LevelView& fields, const Interval* range,
               View<const std::uint8_t> masked, View<const std::uint8_t> masked_next,
               const std::int32_t* cells, const std::int32_t* cell_count, DeviceLevelFacts* facts,
               const DeviceStream& stream) {
    fields_ = fields;
    facts_ = facts;
    bound_level(fields, preparation.scale, preparation.rule, range, cells, cell_count,
                preparation.actions.reach(), facts, stream);
    sort(preparation, cells, cell_count, stream);
    find_near_masked(preparation.grid, masked, masked_next, preparation.actions.least(),
                     preparation.actions.greatest(), preparation.rule, facts, near_scratch_.data(),
                     near_masked_.data(), stream);
  }
  /// Sorts the cells by class again. facts->of_class must be 0 before the call.
  void sort(LevelPreparation& preparation, const std::int32_t* cells,
            const std::int32_t* cell_count, const DeviceStream& stream) {
    sort_by_class(cells, cell_count, preparation.grid.cell_count(), lists(preparation), stream);
  }

  /// Fields that were passed to prepare().
  const LevelView& fields() const { return fields_; }
  /// Plane with 1 where a closed cell may lie on the path of an action, (y, x).
  View<const std::uint8_t> near_masked() const { return near_masked_.view(); }
  /// Cells to count, by class.
  DeviceCellLists lists(LevelPreparation& preparation) {
    DeviceCellLists lists{};
    const std::size_t cells = near_masked_.size();
    for (std::size_t c = 0; c <= frame_classes; ++c)
      lists.cell[c] = class_cells_.data() + c * cells;
    lists.count = facts_->of_class;
    lists.class_of = preparation.class_of.data();
    lists.fits = &facts_->fits;
    for (std::size_t c = 0; c < frame_classes; ++c) lists.limits[c] = preparation.limits[c];
    return lists;
  }

 private:
  DeviceArray<std::uint8_t> near_masked_;   // (y, x)
  DeviceArray<std::uint8_t> near_scratch_;  // (y, x)
  DeviceArray<std::int32_t> class_cells_;   // (class, cell): cells to count
  LevelView fields_;
  DeviceLevelFacts* facts_ = nullptr;  // in device memory
};

}  // namespace tidewise
