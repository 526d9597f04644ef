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

/// Moves the probability mass of one mission forward from level to level. A step from k to k+1 is
/// begin_step(), then land() for all of cells() part by part in ascending order, then end_step().
/// The bits do not depend on the number of threads or the parts.
class ForwardPropagation {
 public:
  /// `info` and the problem must outlive the object.
  ForwardPropagation(const EnvironmentInfo& info, const PlanningProblem& problem);

  /// Maximum memory of an object [B], without the temporary memory of several threads in land().
  static std::size_t memory(const Grid& grid);

  /// Starts at departure. `masked`: the mask of that level, (y, x).
  void start(View<const std::uint8_t> masked);
  /// Cells that hold mass, ascending.
  View<const CellIndex> cells() const { return active_; }
  /// True if mass is under way, or departs only at the next level.
  bool under_way() const { return !active_.empty() || to_depart_ > 0; }

  /// Begins the step from k, with fields `now`, to k+1, with fields `next`. `policy`: of level k,
  /// (y, x). The views must stay valid during the step.
  void begin_step(TimeLevel k, const LevelView& now, const LevelView& next,
                  View<const std::int16_t> policy);
  /// Computes the landings of cells() first … end−1. `landings`: must expect at least those cells.
  void land(std::size_t first, std::size_t end, const PolicyTransitions& landings,
            std::int32_t threads);
  /// Ends the step and moves the mass that is under way.
  void end_step();

  /// Moves the mass in the cells for which is_moved() is true to `next`.
  void move_mass(const std::function<bool(CellIndex)>& is_moved, ForwardPropagation& next);

  /// Totals of the mass that has ended so far.
  const ExpectationAccumulator& ended() const { return accumulator_; }
  /// The expected outcome of all steps.
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
  // One bit for each cell that holds mass in probability_next_.
  std::vector<std::uint64_t> reached_;
  std::vector<CellIndex> active_;          // cells that hold mass at k, ascending
  std::vector<CellTotals> totals_;         // (active cell): totals of its landings
  std::vector<std::vector<Moved>> moved_;  // (cell of a shared part): mass under way
  std::optional<PropagationStep> step_;
  double elapsed_ = 0;    // from departure to the end of the step [s or 1]
  double to_depart_ = 0;  // probability of departing one level after the departure level
  ExpectationAccumulator accumulator_;
};

}  // namespace tidewise
