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

/// CpuLevelSolver for every member of a group: one level after the other, from the greatest last
/// level of all down to 0.
class CpuGroupSolver {
 public:
  /// Takes the level of one member. `overflowed`: whether a cell has no finite value.
  using TakeLevel = std::function<void(std::size_t member, View<const std::int16_t> action,
                                       View<const float> value, bool overflowed)>;

  /// `info` and the cells of `taken`, which are taken over in its order, must outlive the solver.
  /// `threads`: that `engine` calls back from.
  CpuGroupSolver(const EnvironmentInfo& info, const PositionRule& rule,
                 const std::vector<Action>& actions, std::vector<const Mission*> missions,
                 std::int32_t threads, std::vector<TakenPlace> taken = {});

  const GroupLanes& lanes() const { return lanes_; }
  /// The level k before the one that was solved last, for the members that have begun.
  /// Errors: those of counting.
  void step(TimeLevel k, const LevelFields<>& fields, CountingEngine& engine);
  /// Members whose last level is k begin. After step(k), if there was one.
  void begin(TimeLevel k);
  /// Level k of every member that is present and has begun, one at a time; then k's fields and
  /// values are those of the level after the next step's. `take` may drop() its member.
  void hand_over(TimeLevel k, const LevelFields<>& fields, const TakeLevel& take);
  /// The member takes no part any more.
  void drop(std::size_t member);

  /// Cells that the member decided on in all levels so far.
  std::int64_t decided(std::size_t member) const { return decided_[member]; }

 private:
  /// Of one block: its lanes' levels, as sinks want them.
  struct Planes {
    Array<float> value;          // (lane, y, x)
    Array<std::int16_t> action;  // (lane, y, x)
  };

  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }
  void count_targets(std::size_t member, std::int32_t change);
  void find_non_terminal(const LevelFields<>& fields);
  /// Adds what places near obstacles cost a member's plan.
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
  Array<float> value_;                                   // (cell, lane); see LaneWorth::next
  Array<float> value_next_;                              // (cell, lane)
  Array<float> late_;                                    // (cell, lane): LaneWorth::late
  Array<std::int16_t> action_;                           // (cell, lane)
  Array<std::uint8_t> masked_next_;                      // (y, x)
  Array<float> scalar_next_;                             // (y, x)
  std::optional<ObstacleIndex> obstacles_;
  std::vector<std::int32_t> targets_;    // (y, x): how many members have theirs here
  std::int32_t begun_ = 0;               // members that have, and are present
  std::vector<CellIndex> non_terminal_;  // by some member
  Planes planes_;
  std::vector<std::int64_t> decided_;  // (member)
};

}  // namespace tidewise
