#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "env/level_fields.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"
#include "solver/missions/backup.h"
#include "solver/missions/lanes.h"
#include "solver/missions/legs.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// CpuLevelSolver for all members of a group: level after level, from the largest last level down
/// to 0.
class CpuGroupSolver {
 public:
  /// Receives the level of one member. `overflowed`: true if a cell has no finite value.
  using TakeLevel = std::function<void(std::size_t member, View<const std::int16_t> action,
                                       View<const float> value, bool overflowed)>;

  /// `info` and the cells of `taken`, which are taken over in its order, must outlive the solver.
  /// `threads`: number of threads from which `engine` calls back.
  CpuGroupSolver(const EnvironmentInfo& info, const PositionRule& rule,
                 const std::vector<Action>& actions, std::vector<const Mission*> missions,
                 std::int32_t threads, std::vector<TakenPlace> taken = {});

  /// Lanes of the members.
  const GroupLanes& lanes() const { return lanes_; }
  /// Solves level k, the one before the last solved, for the members that have begun. Errors: those
  /// of counting.
  void step(TimeLevel k, const LevelFields<>& fields, CountingEngine& engine);
  /// Begins the members whose last level is k. Call it after step(k), if there is one.
  void begin(TimeLevel k);
  /// Passes level k of every present member that has begun to `take`, one at a time. Afterwards,
  /// the fields and values of k are those of the next level for the following step. `take` may
  /// drop() its member.
  void hand_over(TimeLevel k, const LevelFields<>& fields, const TakeLevel& take);
  /// Excludes the member from the rest of the pass.
  void drop(std::size_t member);

  /// Number of cells in which the member has decided, in all levels so far.
  std::int64_t decided(std::size_t member) const { return decided_[member]; }

 private:
  // Levels of one block's lanes, as sinks expect them.
  struct Planes {
    Array<float> value;          // (lane, y, x)
    Array<std::int16_t> action;  // (lane, y, x)
  };

  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }
  void count_targets(std::size_t member, std::int32_t change);
  void find_non_terminal(const LevelFields<>& fields);
  // Adds the proximity penalties of members' plans.
  void add_nearness(TimeLevel k, const LevelFields<>& fields);
  void take_over(const TakenPlace& taken);
  std::uint32_t fill_planes(TimeLevel k, const LevelFields<>& fields, std::size_t block);

  const EnvironmentInfo& info_;
  PositionRule rule_;
  std::vector<std::uint32_t> weights_;
  std::int32_t threads_;
  GroupLanes lanes_;
  std::vector<TakenPlace> taken_;
  std::vector<std::vector<std::int32_t>> target_cells_;  // (member)
  Array<float> value_;                                   // (cell, lane); see LaneValues::next
  Array<float> value_next_;                              // (cell, lane)
  Array<float> late_;                                    // (cell, lane): LaneValues::late
  Array<std::int16_t> action_;                           // (cell, lane)
  Array<std::uint8_t> masked_next_;                      // (y, x)
  Array<float> scalar_next_;                             // (y, x)
  std::optional<ObstacleIndex> obstacles_;
  std::vector<std::int32_t> targets_;    // (y, x): number of members whose target contains the cell
  std::int32_t begun_ = 0;               // members that have begun and are present
  std::vector<CellIndex> non_terminal_;  // for some member
  Planes planes_;
  std::vector<std::int64_t> decided_;  // (member)
};

}  // namespace tidewise
