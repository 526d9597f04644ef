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

/// A problem that is solved in the pass of others, which differ in what landings are worth.
struct PassMember {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  Mission mission;                       ///< without places to pass, of one phase
  std::size_t leg = 0;                   ///< that the policy is of
  std::size_t next = none;               ///< the member that takes over in `place`
  bool is_phase = false;                 ///< of several
  std::vector<std::int32_t> place = {};  ///< cells, ascending; those of `next` where there is one
};

/// The legs of a mission from `first` on, each as a member (docs/model.md, 3.7). Where it holds
/// actions and is for all departures, of each level at which a departure may begin to decide.
std::vector<PassMember> members_of_legs(const Mission& mission, std::size_t first = 0);

/// Backward induction on the CPU, one level after the other, for a few members that share counts:
/// a cell is counted once and backed up for every member that decides on it. A level of a member
/// goes these steps: backup, proximity penalty, check for overflow; then the members take over what
/// the next leg has found in the place where their leg ends, the last leg first.
class CpuLevelSolver final : public LevelSolver {
 public:
  /// `window`: the rows to decide on; `info` and the members' cells are those of its known rows.
  /// `count` calls back from `threads` threads. `rows`: where those of the policy of a single
  /// member that decides at every step are kept; null: nowhere. `info`, actions and `rows` must
  /// outlive the solver.
  CpuLevelSolver(const EnvironmentInfo& info, const RowWindow& window,
                 const std::vector<Action>& actions, const PositionRule& rule,
                 std::vector<PassMember> members, std::int32_t threads, CountLevel count,
                 PolicyRows* rows = nullptr);

  void start(const LevelFields<>& fields) override;
  void step(TimeLevel k, const LevelFields<>& fields) override;
  std::int64_t decided() const override;
  void hand_over(TimeLevel k, PolicySink& sink) const override;

  // The same for some cells of each level. Others keep what is left there of other levels: any
  // finite number, for what is not landed on is counted 0 times and 0 · W adds nothing
  // (solver/backup/expectation.h).
  /// Begins anew: no cell has a value.
  void clear();
  /// Level L for cells in which time is up.
  void start(std::size_t member, View<const CellIndex> cells);
  /// Moves to the level before.
  void advance();
  /// Decides on these cells, (member), each ascending; a cell of the place that another takes over
  /// is left to it. Errors: as step().
  void decide(TimeLevel k, const LevelView& level, const std::vector<View<const CellIndex>>& cells);
  /// The last thing that is done at a level.
  void keep(const LevelView& level);

  std::size_t member_count() const { return members_.size(); }
  /// Whether level k of the policy is this member's. Of several phases, the one that decides at
  /// level k gives it.
  bool hands_over(std::size_t member, TimeLevel k) const {
    const PassMember& of = members_[member].problem;
    return !of.is_phase || of.mission.decisions.since(k) == 0;
  }
  std::size_t leg_of(std::size_t member) const { return members_[member].problem.leg; }
  View<const float> value(std::size_t member) const { return members_[member].value.view(); }
  View<const std::int16_t> action(std::size_t member) const {
    return members_[member].action.view();
  }
  /// What the step from level k − 1 reads of level k, a plane of values (known row, x) each: before
  /// it, halo rows are to be set to what the neighbours hold. Of level L they are right as is.
  std::vector<View<float>> planes_to_exchange(TimeLevel k);

 private:
  /// What a member holds of the level at hand and of the one after it.
  struct Member {
    PassMember problem;
    ActionRewards rewards;
    Array<float> value;       // (y, x)
    Array<float> value_next;  // (y, x)
    Array<std::int16_t> action;
    // What each action is worth that is held on: (action, y, x), and empty where none ever is.
    // Cells that were never written hold 0, which adds nothing to a sum that counts them 0 times.
    Array<float> held;
    Array<float> held_next;
    std::vector<CellIndex> decided;     // at the level at hand
    std::vector<std::uint8_t> decides;  // (y, x): the same; empty where there is one member
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
  std::size_t own_begin_;  ///< cells of the rows to decide on; those of the halo are others'
  std::size_t own_end_;
  std::vector<Member> members_;
  PolicyRows* rows_;
  Array<std::uint8_t> masked_next_;  // (y, x)
  Array<float> scalar_next_;         // (y, x)
  std::optional<ObstacleIndex> obstacles_;
  std::vector<CellIndex> counted_;  // that some of several members decides on
  std::vector<CellIndex> united_;   // memory of all_decided()
};

}  // namespace tidewise
