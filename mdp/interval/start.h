#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/interval/exact_blocks.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a value and a weight prove: V* ≤ V + above · weight, V* ≥ V − below · weight.
struct IntervalStart {
  std::vector<double> weight = {};  ///< (state); 0 where nothing more comes
  double above = 0;
  double below = 0;
  double rounding = 0;  ///< of a step by the rows that count, at most
};

/// Finds such a start for a value, by trying rows near the best: fewer rows make a smaller weight,
/// more of them allow a value that is further off.
template <class Real>
class IntervalStarter {
 public:
  /// Borrows all. `most_sweeps`: to find a weight.
  IntervalStarter(const RewardRows<Real>& rows, ExactBlocks<Real>& blocks, std::int64_t most_sweeps)
      : rows_(rows), blocks_(blocks), most_sweeps_(most_sweeps) {}

  /// Whether there is one. `near`: what an action may be worth less than its state to be tried
  /// first. `action`: greedy for `value`, or nearly so.
  bool find(const std::vector<double>& value, const std::vector<std::int32_t>& action, double near,
            IntervalStart& start);

  /// Whether the weight that was found last proves one for another value, too.
  bool find_again(const std::vector<double>& value, IntervalStart& start) const {
    return !is_near_.empty() && prove(value, start);
  }

  /// max |T V − V|.
  double residual(const std::vector<double>& value) const;

 private:
  enum class Attempt { found, goes_round, too_far };

  Attempt attempt(const std::vector<double>& value, const std::vector<std::int32_t>& action,
                  double near, IntervalStart& start);
  void take_near(const std::vector<double>& value, double near);
  bool weigh(const std::vector<std::int32_t>& action, IntervalStart& start);
  bool prove(const std::vector<double>& value, IntervalStart& start) const;

  const RewardRows<Real>& rows_;
  ExactBlocks<Real>& blocks_;
  std::int64_t most_sweeps_;
  std::vector<std::uint8_t> is_near_;  // (row)
};

}  // namespace tidewise::mdp
