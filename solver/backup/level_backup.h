#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/cell_transitions.h"
#include "solver/backup/held_actions.h"
#include "solver/policy/rows.h"
#include "solver/step/action_rewards.h"
#include "solver/step/obstacle_index.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// Bellman backup of one level: takes the counts of each cell from an engine and keeps the best
/// action, the lowest index on a tie. If the next level does not decide, an action is continued
/// with its own value there (docs/model.md, 3.9).
class LevelBackup final : public CountSink {
 public:
  /// `obstacles`: index of the rule's masks; must outlive this object. `value`, `action`: (y, x),
  /// filled with −infinity and no_action in every cell that the engine counts. `rows`: receives the
  /// counts of the best actions if not null.
  LevelBackup(const OutcomeRule& rule, const ActionRewards& rewards, float inverse_count,
              std::int32_t threads, const ObstacleIndex& obstacles, View<float> value,
              View<std::int16_t> action, const HeldActions& held = {}, PolicyRows* rows = nullptr);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  // W of one cell over a window of offsets, for each kind of action.
  struct OutcomeTable {
    Offset origin;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<float> outcome;           // (kind, row, column)
    std::vector<std::uint8_t> under_way;  // (row, column), 1: the vehicle is under way and holds
                                          // its action; empty if no action is held

    const float* at(std::int32_t kind, Offset offset) const {
      return outcome.data() + place(kind, offset);
    }
    const std::uint8_t* under_way_at(Offset offset) const {
      return under_way.data() + place(0, offset);
    }

   private:
    std::size_t place(std::int32_t kind, Offset offset) const {
      return static_cast<std::size_t>(kind * height + offset.dy - origin.dy) *
                 static_cast<std::size_t>(width) +
             static_cast<std::size_t>(offset.dx - origin.dx);
    }
  };

  void fill(OutcomeTable& table, CellIndex cell, const CellTransitions& counts) const;
  // Σ n W of action `a`.
  float sum(const OutcomeTable& table, const CellTransitions& counts, std::int32_t a) const;
  // sum() for an action that is held while the vehicle is under way.
  float sum_held(const OutcomeTable& table, CellIndex cell, const CellTransitions& counts,
                 std::int32_t a) const;

  OutcomeRule rule_;
  const ActionRewards& rewards_;
  float inverse_count_;
  const ObstacleIndex& obstacles_;
  std::vector<OutcomeTable> tables_;  // (thread)
  View<float> value_;
  View<std::int16_t> action_;
  HeldActions held_;
  PolicyRows* rows_;
};

}  // namespace tidewise
