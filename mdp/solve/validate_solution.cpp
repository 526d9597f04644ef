#include <algorithm>
#include <cmath>
#include <limits>

#include "mdp/backup/exact_backup.h"
#include "mdp/process/state_blocks.h"
#include "mdp/solve/solve_process.h"

namespace tidewise::mdp {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings

struct Validation {
  ValueChange change;          // T V − V
  double greatest = 0;         // max |Q|
  double greatest_value = 0;   // max |V|
  double greatest_reward = 0;  // max |R|
  double least_sum = 1;        // of a row's probabilities
  double greatest_sum = 1;
  std::int64_t longest = 0;  // entries of a row

  void include_sum(double sum) {
    least_sum = std::min(least_sum, sum);
    greatest_sum = std::max(greatest_sum, sum);
  }
  void include(const Validation& other) {
    change.include(other.change);
    greatest = std::max(greatest, other.greatest);
    greatest_value = std::max(greatest_value, other.greatest_value);
    greatest_reward = std::max(greatest_reward, other.greatest_reward);
    include_sum(other.least_sum);
    include_sum(other.greatest_sum);
    longest = std::max(longest, other.longest);
  }
  /// What rounding adds to a row's worth in double, at most, as RewardRows has it.
  double rounding() const {
    const double magnitude = greatest_reward + greatest_sum * greatest_value;
    return static_cast<double>(longest + 3) * unit * magnitude;
  }
};

template <class Real>
double sum_of(const DecisionProcess<Real>& process, std::size_t row) {
  double sum = 0;
  for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
    sum += static_cast<double>(process.probability[static_cast<std::size_t>(n)]);
  }
  return sum;
}

template <class Real>
void validate_state(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                    std::int32_t state, Validation& validation) {
  BestAction<double> best;
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const auto row = static_cast<std::size_t>(process.row(state, action));
    const std::int64_t length = process.row_begin[row + 1] - process.row_begin[row];
    if (length == 0) continue;
    const double worth = exact_row_value(process, value, std::int64_t(row));
    take_better(best, worth, action);
    validation.greatest = std::max(validation.greatest, std::abs(worth));
    validation.greatest_reward =
        std::max(validation.greatest_reward, std::abs(static_cast<double>(process.reward[row])));
    validation.include_sum(sum_of(process, row));
    validation.longest = std::max(validation.longest, length);
  }
  const double own = std::abs(static_cast<double>(value[std::size_t(state)]));
  validation.greatest_value = std::max(validation.greatest_value, own);
  const bool terminal = best.action < 0;
  validation.change.include(terminal ? 0
                                     : best.value - static_cast<double>(value[std::size_t(state)]));
}

/// The greatest that a difference of values can be which a sweep adds `change` to, at most, and
/// shrinks by γ and the sum of a row, which rounded probabilities do not make 1.
double add_up(const Validation& validation, double change, double discount) {
  const double rounding = static_cast<double>(validation.longest + 4) * unit;
  if (change < 0) {
    return change / (1 - discount * (validation.least_sum - rounding)) * (1 - 4 * unit);
  }
  const double left = discount * (validation.greatest_sum + rounding);
  if (!(left < 1)) return std::numeric_limits<double>::infinity();
  return change / (1 - left) * (1 + 4 * unit);
}

/// Of V itself, where bounds_after() speaks of T V: V* − V lies between the least and the greatest
/// of T V − V, each over 1 − γ, and with all rounding. With γ = 1 this says nothing, not even of a
/// sweep that changes nothing. Source: as there.
ErrorBounds bounds_before(const Validation& validation, double discount) {
  if (validation.longest == 0) return {0, 0};
  if (!(discount < 1)) return {};
  const double rounding = validation.rounding();
  return {-add_up(validation, rounding - validation.change.least, discount),
          add_up(validation, validation.change.most + rounding, discount)};
}

template <class Real>
Validation validate_states(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                           std::int32_t threads) {
  return gather_over_blocks<Validation>(
      process.state_count, threads, [&](std::int64_t begin, std::int64_t end) {
        Validation own;
        for (std::int64_t state = begin; state < end; ++state) {
          validate_state(process, value, static_cast<std::int32_t>(state), own);
        }
        return own;
      });
}

/// What rounding adds within one sweep, at most.
template <class Real>
double rounding_of(const Validation& validation) {
  return static_cast<double>(validation.longest + 2) *
         static_cast<double>(std::numeric_limits<Real>::epsilon()) * validation.greatest;
}

}  // namespace

// Rounding. A row of n entries is n fused multiply-adds and one more, each wrong by half an ε of
// what it makes; the discount, rounded to Real, by half an ε of the rest. With rewards of one sign
// partial sums stay under max |Q| or nearly so; (n + 2) ε max |Q| leaves a factor of two for
// others. A sweep's error goes through all later sweeps, each of which shrinks it by γ: 1/(1−γ) of
// it in all. With γ = 1 nothing shrinks it, and one sweep's is reported.
template <class Real>
void validate_solution(const DecisionProcess<Real>& process, std::int32_t threads,
                       ProcessSolution<Real>& solution) {
  const Validation whole = validate_states(process, solution.value, threads);
  solution.residual = whole.change.residual();
  solution.bounds = bounds_before(whole, process.discount);
  const double once = rounding_of<Real>(whole);
  solution.rounding = process.discount < 1 ? once / (1 - process.discount) : once;
}

// Rounding adds up over the steps as it does over sweeps. Values are taken to be nowhere greater
// than at the first step or beyond the last, as they are where rewards have one sign.
template <class Real>
void validate_steps(const DecisionProcess<Real>& process, std::int64_t steps, std::int32_t threads,
                    ProcessSolution<Real>& solution) {
  Validation whole = validate_states(process, solution.value, threads);
  for (const Real value : process.initial_value) {
    whole.greatest = std::max(whole.greatest, std::abs(static_cast<double>(value)));
  }
  solution.residual = 0;
  solution.bounds = {0, 0};
  const double discount = static_cast<double>(process.discount);
  const auto count = static_cast<double>(steps);
  const double sweeps = discount < 1 ? (1 - std::pow(discount, count)) / (1 - discount) : count;
  solution.rounding = sweeps * rounding_of<Real>(whole);
}

#define TIDEWISE_INSTANTIATE(Real)                                                       \
  template void validate_solution(const DecisionProcess<Real>&, std::int32_t,            \
                                  ProcessSolution<Real>&);                               \
  template void validate_steps(const DecisionProcess<Real>&, std::int64_t, std::int32_t, \
                               ProcessSolution<Real>&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp
