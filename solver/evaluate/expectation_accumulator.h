#pragma once

#include <cstdint>
#include <vector>

#include "solver/evaluate/probability.h"
#include "tidewise/policy.h"

namespace tidewise {

/// Number of neighbours in each partial sum over cells.
inline constexpr std::int32_t sum_group = 32;

/// Totals of the mass of one cell in a step.
struct CellTotals {
  CellIndex cell;
  StepTotals totals;
};

/// Sum over cells, in the same order on every backend: sums of groups of 32 cells with consecutive
/// indices, beginning at multiples of 32; then sums of groups of those sums, until one sum remains.
/// Missing cells count as 0. `cells`: ascending; their contents are lost.
StepTotals sum_over_cells(std::vector<CellTotals>& cells);

/// Adds up the totals of each step and returns the expected outcome.
class ExpectationAccumulator {
 public:
  /// For a mission that ends before its first step: the outcome and its value. Requires an outcome
  /// other than under_way.
  void end_at_start(StepOutcome outcome, double value);
  /// Adds a step; levels ascend. `elapsed`: time from departure to the end of the step; `length`:
  /// duration of the step [s or 1].
  void enter(const StepTotals& step, double elapsed, double length);
  /// Adds the totals of another leg of the mission.
  ExpectationAccumulator& operator+=(const ExpectationAccumulator& other);
  /// The expected outcome of all steps.
  ExpectedOutcome close() const;

 private:
  StepTotals sum_;
  double arrival_time_ = 0;  // Σ probability · time [s or 1]
};

}  // namespace tidewise
