#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "base/progress.h"
#include "model_builder/step/actions.h"
#include "solver/policy/alignment.h"
#include "solver/policy/policy.h"
#include "solver/policy/transferred.h"

namespace tidewise {

/// Change of one state from policy A to policy B.
enum class StateChange : std::uint8_t {
  same = 0,
  changed = 1,      ///< both take an action, not the same
  only_first = 2,   ///< A takes one, B none: a cell that closed, or B's target
  only_second = 3,  ///< B takes one, A none: a cell that opened, or A's target
  neither = 4
};

/// Differences over some states; angles in [0, π].
struct DifferenceSums {
  std::int64_t states =
      0;  ///< number of states in which both take an action; the other members refer to these
  std::int64_t changed = 0;
  std::int64_t only_first = 0;  ///< number of states in which only A takes an action
  std::int64_t only_second = 0;
  std::int64_t turned = 0;  ///< changed, and moving in both
  double heading_sum = 0;   ///< Σ angle between the headings, over `turned` [rad]
  double heading_greatest = 0;
  double value_sum = 0;  ///< Σ (value of B − value of A)
  double value_magnitude_sum = 0;
  float value_greatest = 0;  ///< the change of greatest magnitude, with its sign
  TimeLevel level;           ///< its level in B
  CellIndex cell;

  double changed_share() const { return ratio(static_cast<double>(changed), states); }
  double mean_heading() const { return ratio(heading_sum, turned); }
  double mean_value() const { return ratio(value_sum, states); }
  double mean_value_magnitude() const { return ratio(value_magnitude_sum, states); }
  void add(const DifferenceSums& other);

 private:
  static double ratio(double sum, std::int64_t count) {
    return count > 0 ? sum / static_cast<double>(count) : 0;
  }
};

/// Two policies over the cells and levels that both have.
struct PolicyDifference {
  DifferenceSums all;
  float value_p95 = 0;                 ///< the magnitude that 95 % of the changes do not exceed
  std::vector<DifferenceSums> levels;  ///< (common level)
};

/// States at which B acts from its departure on, and those of them at which A has no action.
struct PolicyCoverage {
  std::int64_t states = 0;
  std::int64_t out_of_time = 0;  ///< before A's first level, or from its last on
  std::int64_t outside = 0;      ///< outside A's grid
  /// In A's grid and time, in a cell that A holds closed, a target, or out of reach.
  std::int64_t closed = 0;

  std::int64_t missing() const { return out_of_time + outside + closed; }
};

/// Receives differences level by level, over the common cells.
class DifferenceSink {
 public:
  virtual ~DifferenceSink() = default;
  /// `n`: index of the common level. state: StateChange. heading: of B minus A, in (−π, π] [rad],
  /// NaN unless both move. value: of B minus A, NaN unless both have an action. All (y, x) of the
  /// common cells.
  virtual void accept(std::int32_t n, View<const std::uint8_t> state, View<const float> heading,
                      View<const float> value) = 0;
};

/// The two policies that are compared, on B's cells and levels and in its actions.
struct PolicyPair {
  const TransferredPolicy& a;
  const PolicySource& b;
  const PolicyAlignment& alignment;
  const std::vector<Action>& actions;  ///< actions of B
  Grid grid;                           ///< grid of B
};

/// Compares two policies level by level, so that memory does not grow with the levels. `sink` may
/// be null. Errors: those of reading.
PolicyDifference compare_policies(const PolicyPair& pair, DifferenceSink* sink, Progress& progress);

/// Counts states of B at levels departure … last − 1, and those in which A has no action.
PolicyCoverage measure_coverage(const PolicyPair& pair, TimeLevel departure, TimeLevel last);

}  // namespace tidewise
