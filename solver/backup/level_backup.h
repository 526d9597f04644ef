#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/cell_transitions.h"
#include "solver/step/action_rewards.h"
#include "solver/step/obstacle_index.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// Bellman's backup of one level: takes the counts of each cell as an engine finds them and keeps
/// the best action, the lowest index on a tie.
class LevelBackup final : public CountSink {
 public:
  /// `obstacles`: of the rule's masks; it must outlive this object. `value` and `action` (y, x):
  /// for every cell that will come, −infinity and no_action.
  LevelBackup(const OutcomeRule& rule, const ActionRewards& rewards, float inverse_count,
              std::int32_t threads, const ObstacleIndex& obstacles, View<float> value,
              View<std::int16_t> action);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  /// W of one cell over a window of offsets, for every kind of action in turn.
  struct OutcomeTable {
    Offset origin;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<float> outcome;  // (kind, row, column)

    const float* at(std::int32_t kind, Offset offset) const {
      return outcome.data() +
             (static_cast<std::size_t>(kind * height + offset.dy - origin.dy)) *
                 static_cast<std::size_t>(width) +
             (offset.dx - origin.dx);
    }
  };

  void fill(OutcomeTable& table, CellIndex cell, const CellTransitions& counts) const;

  OutcomeRule rule_;
  const ActionRewards& rewards_;
  float inverse_count_;
  const ObstacleIndex& obstacles_;
  std::vector<OutcomeTable> tables_;  // (thread)
  View<float> value_;
  View<std::int16_t> action_;
};

}  // namespace tidewise
