#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/memory/array.h"
#include "env/environment_info.h"
#include "env/level_fields.h"
#include "env/row_window.h"
#include "solver/backup/level_backup.h"
#include "solver/induction/level_solver.h"
#include "solver/step/action_rewards.h"
#include "solver/step/boundary.h"
#include "solver/step/mission.h"
#include "solver/step/obstacle_index.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// One of the problems that a pass solves together. They share counts and differ in the values of
/// landings.
struct PassMember {
  /// Value of `next` if no values are replaced.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  Mission mission;                       ///< without via points, of one phase
  std::size_t leg = 0;                   ///< index of the leg whose policy this is
  std::size_t next = none;               ///< index of the member whose values replace this one's in
                                         ///< `place`
  bool is_phase = false;                 ///< true for one of several phases
  std::vector<std::int32_t> place = {};  ///< cells in which values are replaced, ascending
};

/// The legs of a mission from `first` on, each as a member (docs/model.md, 3.7). A mission that
/// holds actions and is for all departures has a member for each phase.
std::vector<PassMember> members_of_legs(const Mission& mission, std::size_t first = 0);

/// Backward induction on the CPU, level by level, for a few members that share counts: a cell is
/// counted once and backed up for every member that decides in it. Order of work for each member of
/// a level: backup, proximity penalty, check for overflow. Then the members take over the values of
/// the next leg in the cells where their leg ends, the last leg first.
class CpuLevelSolver final : public LevelSolver {
 public:
  /// `window`: the rows to solve; `info` and the cells of members are those of its known rows.
  /// `count` calls back from `threads` threads. `rows`: receives the policy's rows of a single
  /// member that decides at every step; null: they are not kept. `info`, actions and `rows` must
  /// outlive the solver.
  CpuLevelSolver(const EnvironmentInfo& info, const RowWindow& window,
                 const std::vector<Action>& actions, const PositionRule& rule,
                 std::vector<PassMember> members, std::int32_t threads, CountLevel count,
                 PolicyRows* rows = nullptr);

  void start(const LevelFields<>& fields) override;
  void step(TimeLevel k, const LevelFields<>& fields) override;
  std::int64_t decided() const override;
  void hand_over(TimeLevel k, PolicySink& sink) const override;

  // The functions below solve only some cells of each level. Other cells keep finite values of
  // earlier levels, which do no harm: their landings have count 0, and 0 · W adds nothing
  // (solver/backup/expectation.h).

  /// Restarts: no cell has a value.
  void clear();
  /// Sets the values of level L in these cells, in which time is up.
  void start(std::size_t member, View<const CellIndex> cells);
  /// Moves to the level before the current one.
  void advance();
  /// Decides in these cells, (member), each ascending. Cells in which values are replaced are
  /// skipped. Errors: see step().
  void decide(TimeLevel k, const LevelView& level, const std::vector<View<const CellIndex>>& cells);
  /// Stores the fields that the next step needs. Must be called last for each level.
  void keep(const LevelView& level);

  /// Number of members.
  std::size_t member_count() const { return members_.size(); }
  /// True if this member has the policy of level k. Of several phases, only the one that decides at
  /// level k has it.
  bool hands_over(std::size_t member, TimeLevel k) const {
    const PassMember& problem = members_[member].problem;
    return !problem.is_phase || problem.mission.decisions.since(k) == 0;
  }
  /// Index of the leg whose policy the member finds.
  std::size_t leg_of(std::size_t member) const { return members_[member].problem.leg; }
  /// Values of the current level, (y, x).
  View<const float> value(std::size_t member) const { return members_[member].value.view(); }
  /// Actions of the current level, (y, x).
  View<const std::int16_t> action(std::size_t member) const {
    return members_[member].action.view();
  }
  /// The planes of level k, (known row, x), that the step from level k − 1 reads. Their halo rows
  /// must be filled with the neighbours' values before that step. At level L they are already
  /// correct.
  std::vector<View<float>> planes_to_exchange(TimeLevel k);

 private:
  // A member's values of the current level and of the one after it.
  struct Member {
    PassMember problem;
    ActionRewards rewards;
    Array<float> value;       // (y, x)
    Array<float> value_next;  // (y, x)
    Array<std::int16_t> action;
    // Value of each held action: (action, y, x); empty if no action is ever held. Cells that were
    // never written hold 0, which adds nothing to a sum that counts them 0 times.
    Array<float> held;
    Array<float> held_next;
    std::vector<CellIndex> decided;  // in the current level
    // (y, x): 1 in the cells of `decided`; empty if there is one member
    std::vector<std::uint8_t> decides;
  };
  class Backups;

  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }
  HeldActions held_of(Member& member, TimeLevel k) const;
  void set_boundary(Member& member, const LevelView& level, BeyondTarget water);
  void solve(TimeLevel k, const LevelView& level);
  void add_margin(Member& member, TimeLevel k, const LevelView& level);
  void require_finite(const Member& member, TimeLevel k) const;
  void take_over(TimeLevel k);
  View<const CellIndex> all_decided();

  const EnvironmentInfo& info_;
  std::int32_t threads_;
  CountLevel count_;
  float inverse_count_;
  std::size_t band_begin_;  // first cell of the rows to solve; the halo belongs to other bands
  std::size_t band_end_;
  std::vector<Member> members_;
  PolicyRows* rows_;
  Array<std::uint8_t> masked_next_;  // (y, x)
  Array<float> scalar_next_;         // (y, x)
  std::optional<ObstacleIndex> obstacles_;
  std::vector<CellIndex> counted_;  // union of the cells in which some member decides
  std::vector<CellIndex> united_;   // work memory of all_decided()
};

}  // namespace tidewise
