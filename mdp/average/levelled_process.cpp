#include "mdp/average/levelled_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tidewise::mdp {
namespace {

constexpr double double_unit = std::numeric_limits<double>::epsilon();  // two roundings

double next_above(double number) {
  return std::nextafter(number, std::numeric_limits<double>::infinity());
}
double next_below(double number) {
  return std::nextafter(number, -std::numeric_limits<double>::infinity());
}

/// Allowed distance of the bounds of a state.
double allowed_between(double lower, double upper, const SolveOptions& options) {
  const double min = lower > 0 ? lower : upper < 0 ? -upper : 0;
  if (options.error_measure == ErrorMeasure::absolute) return options.tolerance;
  if (options.error_measure == ErrorMeasure::relative) return options.tolerance * min;
  return min > 0 ? std::min(options.tolerance * min, options.tolerance) : options.tolerance;
}

}  // namespace

template <class Real>
LevelledProcess<Real>::LevelledProcess(const RewardRows<Real>& rows, const LoopGains& loops)
    : loops_(loops), process_(rows.solved()) {
  const auto count = static_cast<std::size_t>(process_.row_count());
  rewards_.reward.assign(count, 0);
  rewards_.error.assign(count, 0);
  double max_shift = 0;
  for (const double shift : loops.shift) max_shift = std::max(max_shift, std::abs(shift));
  for (std::int32_t state = 0; state < process_.state_count; ++state) {
    process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
      if (loops.is_level[row] != 0) {
        process_.reward[row] = 0;
        return;
      }
      const RowSum sum = rows.sum(state, row, loops.shift, rows.reward(row));
      double& reward = rewards_.reward[row];
      reward = sum.change();
      rewards_.error[row] = sum.change_above() - sum.change_below();
      if (loops.is_rounded) rewards_.error[row] += 2 * double_unit * max_shift;
      // Only rows with exactly the level reward may form free loops; all others in a loop are
      // negative.
      const bool is_exactly_zero = rows.reward(row) == 0 && sum.gain == 0;
      if (reward == 0 && !is_exactly_zero) reward = -std::numeric_limits<double>::denorm_min();
      process_.reward[row] = static_cast<Real>(reward);
      if (process_.reward[row] == 0 && reward != 0) {
        process_.reward[row] = std::copysign(std::numeric_limits<Real>::min(), Real(reward));
      }
    });
  }
  // The caller has found at least one free loop, so the result is not empty.
  collapsed_ = std::move(*collapse_free_loops(process_, Endings::sure));
  rows_.emplace(rows, collapsed_, rewards_);
}

template <class Real>
ProcessSolution<Real> LevelledProcess<Real>::expanded(const SolveOptions& options,
                                                      ProcessSolution<Real> solution,
                                                      double& excess) const {
  solution = expand(process_, collapsed_, std::move(solution));
  excess = 0;
  ErrorBounds bounds{0, 0};
  for (std::size_t s = 0; s < solution.value.size(); ++s) {
    const double shift = loops_.shift[s];
    solution.value[s] = static_cast<Real>(static_cast<double>(solution.value[s]) + shift);
    if (solution.lower.empty()) continue;
    double& lower = solution.lower[s];
    double& upper = solution.upper[s];
    if (shift != 0) {
      const double shift_error = loops_.is_rounded ? double_unit * std::abs(shift) : 0;
      lower = next_below(next_below(lower + shift) - shift_error);
      upper = next_above(next_above(upper + shift) + shift_error);
    }
    const auto stored = static_cast<double>(solution.value[s]);
    bounds.lower = std::min(bounds.lower, lower == stored ? 0 : next_below(lower - stored));
    bounds.upper = std::max(bounds.upper, upper == stored ? 0 : next_above(upper - stored));
    const double max_distance = std::max({upper - lower, upper - stored, stored - lower});
    if (max_distance > 0) {
      excess = std::max(excess, max_distance / allowed_between(lower, upper, options));
    }
  }
  if (solution.lower.empty()) return solution;
  solution.bounds = bounds;
  solution.is_within_tolerance = excess <= 1;
  return solution;
}

template class LevelledProcess<float>;
template class LevelledProcess<double>;

}  // namespace tidewise::mdp
