#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/cell_transitions.h"
#include "solver/missions/lanes.h"
#include "solver/step/landing_rule.h"
#include "solver/step/obstacle_index.h"

namespace tidewise {

/// What a level's backup sees of it, the same for every member.
struct GroupLevel {
  LandingRule landing;           ///< no target, disc or last step
  View<const float> scalar_now;  ///< g at k, (y, x); empty without a scalar field
};

/// LevelBackup for every member of a group at once, on the processor: where a landing leads is
/// found once a cell, and its worth is added up by a lane a member. Targets are in the values
/// (LaneWorth::next).
class GroupBackup final : public CountSink {
 public:
  /// `obstacles`: of the level's masks. `worth`: with all fields. `value`, `action`: (cell, lane),
  /// written for every cell that comes and every lane that decides at level k.
  GroupBackup(TimeLevel k, const GroupLevel& level, const ObstacleIndex& obstacles,
              const GroupLanes& lanes, const LaneWorth& worth, std::int32_t threads,
              View<float> value, View<std::int16_t> action);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  /// One thread's scratch memory, on cache lines of its own.
  struct alignas(64) Scratch {
    std::vector<std::int32_t> place;        // (row, column) of a window, or of one for each action
    std::int32_t place_width = 0;           // columns of a window
    std::vector<std::int32_t> first_place;  // (action)
    std::vector<float> count;               // (landing)
    std::vector<std::int32_t> landing_place;
    std::vector<std::int32_t> row_end;
    std::vector<std::int32_t> action_end;
    std::vector<const LaneDisc*> near;  // discs that some way from the cell may meet
    // Of the ways that meet one: LaneEnds.
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
  LaneWorth worth_;
  std::vector<LaneRun> runs_;
  std::vector<LaneDisc> discs_;
  const ObstacleIndex& obstacles_;
  std::vector<Scratch> scratch_;  // (thread)
  View<float> value_;
  View<std::int16_t> action_;
};

}  // namespace tidewise
