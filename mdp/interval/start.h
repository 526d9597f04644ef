#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/interval/component_values.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a value and a weight prove: V* ≤ V + above · weight, V* ≥ V − below · weight.
struct IntervalStart {
  TwoPartValues weight = {};  ///< (state); 0 where nothing more comes
  double above = 0;
  double below = 0;
  double rounding = 0;  ///< of a step by the rows that count, at most
};

/// Finds such a start for a value, by trying rows near the best: fewer rows make a smaller weight,
/// more of them allow a value that is further off.
template <class Real>
class IntervalStarter {
 public:
  /// Borrows the first two. `most_sweeps`: to find a weight. `tolerance`: by how much the value of
  /// an action that is tried first may be below its state's.
  IntervalStarter(const RewardRows<Real>& rows, ComponentValues<Real>& components,
                  std::int64_t most_sweeps, double tolerance)
      : rows_(rows), components_(components), most_sweeps_(most_sweeps), tolerance_(tolerance) {}

  /// Whether there is one. `action`: greedy for `value`, or nearly so.
  bool find(const TwoPartValues& values, const std::vector<std::int32_t>& action,
            IntervalStart& start);

  /// After find(), by a weight that counts the rounding of each step in place of 1: nearer where
  /// loops take many steps that bring little. `start`: with the weight that counts steps.
  bool find_by_rounding(const TwoPartValues& values, const std::vector<std::int32_t>& action,
                        IntervalStart& start);

  /// Whether the weight that was found last proves one for another value, too.
  bool find_again(const TwoPartValues& values, IntervalStart& start) const {
    return !is_near_.empty() && prove(values, start);
  }

  /// max |T V − V|.
  double residual(const TwoPartValues& values) const;

 private:
  enum class Attempt { found, goes_round, too_far };

  Attempt attempt(const TwoPartValues& values, const std::vector<std::int32_t>& action, double near,
                  IntervalStart& start);
  void take_near(const TwoPartValues& values, double near);
  bool weigh(const RowRule& rule, double change, std::vector<std::int32_t> action,
             IntervalStart& start);
  bool prove(const TwoPartValues& values, IntervalStart& start) const;

  const RewardRows<Real>& rows_;
  ComponentValues<Real>& components_;
  std::int64_t most_sweeps_;
  double tolerance_;
  std::vector<std::uint8_t> is_near_;  // (row)
};

}  // namespace tidewise::mdp
