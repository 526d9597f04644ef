#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/cell_transitions.h"
#include "solver/missions/lanes.h"
#include "solver/step/landing_rule.h"
#include "solver/step/obstacle_index.h"

namespace tidewise {

/// Inputs of a level's backup that are the same for all members.
struct GroupLevel {
  LandingRule landing;           ///< without target, disc and last step
  View<const float> scalar_now;  ///< g at k, (y, x); empty if no field is needed
};

/// LevelBackup for all members of a group, on the CPU. The landing cells are found once per cell;
/// values are added up with one lane per member. Targets are part of the values (LaneValues::next).
class GroupBackup final : public CountSink {
 public:
  /// `obstacles`: index of the level's masks. `values`: with all fields. `value`, `action`: (cell,
  /// lane), written for every counted cell and every lane that decides at level k.
  GroupBackup(TimeLevel k, const GroupLevel& level, const ObstacleIndex& obstacles,
              const GroupLanes& lanes, const LaneValues& values, std::int32_t threads,
              View<float> value, View<std::int16_t> action);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  // Work memory of one thread, on its own cache lines.
  struct alignas(64) Scratch {
    std::vector<std::int32_t> place;  // (row, column) of a window, shared or one for each action
    std::int32_t place_width = 0;     // columns of a window
    std::vector<std::int32_t> first_place;  // (action)
    std::vector<float> count;               // (landing)
    std::vector<std::int32_t> landing_place;
    std::vector<std::int32_t> row_end;
    std::vector<std::int32_t> action_end;
    std::vector<const LaneDisc*> near;  // discs that some path from the cell may enter
    // LaneEnds of the paths that enter a disc.
    std::vector<float> fraction;
    std::vector<float> gained;
    std::vector<std::int32_t> scalar_cell;
  };

  void find_places(Scratch& scratch, CellIndex cell, const CellTransitions& counts) const;
  void fill_places(Scratch& scratch, CellIndex cell, Offset first, Offset last,
                   std::int32_t start) const;
  void find_ends(Scratch& scratch, CellIndex cell, Offset first, Offset last,
                 std::int32_t start) const;
  std::int32_t add_end(Scratch& scratch, CellIndex cell, std::int32_t place) const;
  Landings find_transitions(Scratch& scratch, const CellTransitions& counts) const;

  GroupLevel level_;
  const GroupLanes& lanes_;
  LaneValues values_;
  std::vector<LaneRun> runs_;
  std::vector<LaneDisc> discs_;
  const ObstacleIndex& obstacles_;
  std::vector<Scratch> scratch_;  // (thread)
  View<float> value_;
  View<std::int16_t> action_;
};

}  // namespace tidewise
