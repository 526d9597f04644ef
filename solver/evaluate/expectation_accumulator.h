#pragma once

#include <cstdint>
#include <vector>

#include "solver/evaluate/probability.h"
#include "tidewise/policy.h"

namespace tidewise {

/// How many neighbours each sum over cells takes together.
inline constexpr std::int32_t sum_group = 32;

/// What one cell's mass came to.
struct CellTotals {
  CellIndex cell;
  StepTotals totals;
};

/// The sum over cells in the one order of every backend: each 32 cells with neighbouring indices,
/// aligned to 32, from the lowest on from 0; then the same with those sums, until one is left.
/// Cells that are not given count as 0. `cells`: ascending; its content is lost.
StepTotals sum_over_cells(std::vector<CellTotals>& cells);

/// Enters what each level's step came to and closes with the outcome.
class ExpectationAccumulator {
 public:
  /// A mission whose start is its end, and what that is worth. Requires an outcome other than
  /// under_way.
  void end_at_start(StepOutcome outcome, double worth);
  /// Levels in ascending order. `elapsed`: from departure to the end of the step, and `length` of
  /// the step [s or 1].
  void enter(const StepTotals& step, double elapsed, double length);
  /// Takes in what another leg of the mission came to.
  ExpectationAccumulator& operator+=(const ExpectationAccumulator& other);
  ExpectedOutcome close() const;

 private:
  StepTotals sum_;
  double arrival_time_ = 0;  // Σ probability · time
};

}  // namespace tidewise
