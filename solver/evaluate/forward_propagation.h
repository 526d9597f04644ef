#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/policy_transitions.h"
#include "solver/evaluate/propagation_step.h"
#include "solver/induction/level_solver.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "tidewise/policy.h"

namespace tidewise {

/// The probability mass of one mission on its way forward from level to level. A step from k to
/// k+1 is begin_step(), land() for all of cells() part by part in ascending order, end_step(). The
/// same bits for any number of threads and any parts.
class ForwardPropagation {
 public:
  /// `info` and the problem must outlive it.
  ForwardPropagation(const EnvironmentInfo& info, const PlanningProblem& problem);

  /// What it comes to hold at most [B], but for what several threads of one land() keep meanwhile.
  static std::size_t memory(const Grid& grid);

  /// At departure. `closed`: the mask of that level, (y, x).
  void start(View<const std::uint8_t> masked);
  /// Cells that hold mass, ascending.
  View<const CellIndex> cells() const { return active_; }
  /// Who departs at the next level alone is under way, too.
  bool under_way() const { return !active_.empty() || to_depart_ > 0; }

  /// The step from k, whose fields are `now`. `policy`: of level k, (y, x). Both views and `next`
  /// must outlive the step.
  void begin_step(TimeLevel k, const LevelView& now, const LevelView& next,
                  View<const std::int16_t> policy);
  /// What each landing of cells() first … end−1 comes to. `landings`: expects those at least.
  void land(std::size_t first, std::size_t end, const PolicyTransitions& landings,
            std::int32_t threads);
  /// Moves on what is under way.
  void end_step();

  /// Gives what is in such cells to `next`.
  void hand_over(const std::function<bool(CellIndex)>& is_given, ForwardPropagation& next);

  /// What has ended so far.
  const ExpectationAccumulator& ended() const { return accumulator_; }
  ExpectedOutcome close() const { return accumulator_.close(); }

 private:
  struct Moved {
    std::int32_t to;  // cell
    Probability probability;
  };

  template <class Move>
  CellTotals land_cell(CellIndex cell, const PolicyTransitions& landings,
                       const Move& move_on) const;
  void land_shared(std::size_t first, std::size_t end, const PolicyTransitions& landings,
                   std::int32_t threads);
  void move(const Moved& moved);

  const EnvironmentInfo& info_;
  const Mission& mission_;
  double row_total_;
  std::vector<ActionEffect> effects_;
  std::vector<Probability> probability_;       // (y, x), at k
  std::vector<Probability> probability_next_;  // (y, x), at k+1
  std::vector<std::uint64_t> reached_;         // a bit for each cell that mass_next_ has met
  std::vector<CellIndex> active_;              // cells that hold mass at k, ascending
  std::vector<CellTotals> totals_;             // (active cell that has landed)
  std::vector<std::vector<Moved>> moved_;      // (cell of a shared part), what is under way
  std::optional<PropagationStep> step_;
  double elapsed_ = 0;    // from departure to the end of the step [s or 1]
  double to_depart_ = 0;  // probability, at the level after the departure's
  ExpectationAccumulator accumulator_;
};

}  // namespace tidewise
