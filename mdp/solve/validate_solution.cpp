#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/parallel/team.h"
#include "mdp/backup/exact_backup.h"
#include "mdp/backup/row_gain.h"
#include "mdp/process/state_blocks.h"
#include "mdp/solve/solve_process.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings

struct Validation {
  ValueChange change;        // T V − V
  ValueChange proven;        // bounds of it, rounded away from 0
  double largest = 0;        // max |Q|
  std::int64_t longest = 0;  // entries of the longest row

  void include(const Validation& other) {
    change.include(other.change);
    proven.include(other.proven);
    largest = std::max(largest, other.largest);
    longest = std::max(longest, other.longest);
  }
};

/// Includes a state in `validation`. Returns the lowest action whose value is within tie(V(state))
/// of the best, −1 in a terminal state.
template <class Real, class Tie>
std::int32_t validate_state(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                            std::int32_t state, const Tie& tie, Validation& validation) {
  thread_local std::vector<std::pair<double, std::int32_t>> gains;
  gains.clear();
  constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
  double best = minus_infinity;
  double best_above = minus_infinity;
  double best_below = minus_infinity;
  const auto state_value = static_cast<double>(value[state]);
  process.for_actions(state, [&](std::int32_t action, std::int64_t row) {
    const std::int64_t length = process.row_begin[row + 1] - process.row_begin[row];
    const RowGain row_gain = gain_of_row(process, value, state, row);
    gains.emplace_back(row_gain.gain, action);
    best = std::max(best, row_gain.gain);
    best_above = std::max(best_above, row_gain.gain + row_gain.error);
    best_below = std::max(best_below, row_gain.gain - row_gain.error);
    validation.largest = std::max(validation.largest, std::abs(state_value + row_gain.gain));
    validation.longest = std::max(validation.longest, length);
  });
  const bool is_terminal = best == minus_infinity;
  validation.change.include(is_terminal ? 0 : best);
  validation.proven.include({is_terminal ? 0 : best_below, is_terminal ? 0 : best_above});
  const double min = best - tie(state_value);
  const auto lowest = std::find_if(gains.begin(), gains.end(),
                                   [&](const auto& entry) { return entry.first >= min; });
  return lowest == gains.end() ? -1 : lowest->second;
}

/// Bounds of V itself, while bounds_after() gives those of T V: V* − V is between the minimum and
/// the maximum of T V − V, divided by 1 − γ, including all rounding. With γ = 1 they are unknown,
/// even for a sweep that changes nothing. Source: that of bounds_after().
ErrorBounds bounds_before(const Validation& validation, double discount) {
  if (validation.longest == 0) return {0, 0};
  if (!(discount < 1)) return {};
  const auto outward = [&](double gain) {
    return gain / (1 - discount) * (gain < 0 ? 1 - 4 * unit : 1 + 4 * unit);
  };
  return {-outward(-validation.proven.min), outward(validation.proven.max)};
}

/// Validates all states. `action`: (state), set to the lowest of equal actions; or null.
template <class Real, class Tie>
Validation validate_states(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                           std::int32_t threads, const Tie& tie, std::int32_t* action) {
  return gather_over_blocks<Validation>(
      process.state_count, threads, [&](std::int64_t begin, std::int64_t end) {
        Validation part;
        for (std::int64_t state = begin; state < end; ++state) {
          const std::int32_t lowest =
              validate_state(process, value, static_cast<std::int32_t>(state), tie, part);
          if (action != nullptr) action[state] = lowest;
        }
        return part;
      });
}

/// Bound of the rounding within one sweep.
template <class Real>
double rounding_of(const Validation& validation) {
  return static_cast<double>(validation.longest + 2) *
         static_cast<double>(std::numeric_limits<Real>::epsilon()) * validation.largest;
}

/// Bounds for processes with terminal states, whose values are known. With the weight 1 in all
/// other states, of which a row keeps `kept`, the factor is 1 − γ · kept, which near an end is much
/// more than 1 − γ: Q(V) − V ≤ δ (1 − γ · kept) for all actions proves V* ≤ V + δ, and V − Q(V) ≤ δ
/// (1 − γ · kept) for one action of each state proves V* ≥ V − δ (interval_iteration.h). Values
/// moved to the middle of their bounds are inaccurate near ends, and only there.
template <class Real>
class WeightedBounds {
 public:
  WeightedBounds(const DecisionProcess<Real>& process, const std::vector<Real>& value)
      : process_(process), value_(value), is_nonterminal_(value.size()) {
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      const auto s = static_cast<std::size_t>(state);
      is_nonterminal_[s] = process.is_terminal(state) ? 0 : 1;
      has_ends_ = has_ends_ || is_nonterminal_[s] == 0;
    }
  }
  bool has_ends() const { return has_ends_; }

  void include(std::int32_t state, ErrorBounds& bounds) const {
    if (is_nonterminal_[state] == 0) return;
    double below = std::numeric_limits<double>::infinity();
    process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
      const RowGain row_gain = gain_of_row(process_, value_, state, row, is_nonterminal_.data());
      const double fall = min_fall(row, row_gain.ending);
      bounds.upper = std::max(bounds.upper, min_weight(row_gain.gain + row_gain.error, fall));
      below = std::min(below, min_weight(row_gain.error - row_gain.gain, fall));
    });
    bounds.lower = std::min(bounds.lower, -below);
  }

 private:
  /// 1 − γ · kept, computed as (1 − γ) + γ · the share that ends.
  double min_fall(std::int64_t row, double ending) const {
    const auto at = static_cast<std::size_t>(row);
    const auto length = static_cast<double>(process_.row_begin[at + 1] - process_.row_begin[at]);
    return ((1 - process_.discount) + process_.discount * ending) * (1 - (length + 4) * unit);
  }
  /// Smallest δ ≥ 0 with gain ≤ δ · fall.
  static double min_weight(double gain, double fall) {
    if (!(gain > 0)) return 0;
    return fall > 0 ? gain / fall * (1 + 4 * unit) : std::numeric_limits<double>::infinity();
  }

  const DecisionProcess<Real>& process_;
  const std::vector<Real>& value_;
  std::vector<std::uint8_t> is_nonterminal_;  // (state)
  bool has_ends_ = false;
};

}  // namespace

// Rounding. A row of n entries has n fused multiply-adds and one more, each with an error of half
// an ε of its result; the discount, rounded to Real, adds half an ε of the rest. With rewards of
// one sign partial sums are at most about max |Q|; (n + 2) ε max |Q| leaves a factor of two for
// others. A sweep's error passes through all later sweeps, each of which shrinks it by γ: 1/(1−γ)
// of it in all. With γ = 1 it does not shrink, and that of one sweep is reported.
template <class Real>
void validate_solution(const DecisionProcess<Real>& process, std::int32_t threads,
                       ProcessSolution<Real>& solution, const SolveOptions* choose) {
  const auto tie = [&](double state_value) {
    return choose != nullptr ? tie_within(process.discount, *choose, state_value) : 0;
  };
  const Validation validation = validate_states(
      process, solution.value, threads, tie, choose != nullptr ? solution.action.data() : nullptr);
  solution.residual = validation.change.residual();
  solution.bounds = bounds_before(validation, process.discount);
  const double sweep_rounding = rounding_of<Real>(validation);
  solution.rounding =
      process.discount < 1 ? sweep_rounding / (1 - process.discount) : sweep_rounding;
}

// Rounding accumulates over steps as over sweeps. Values are assumed to be nowhere greater than at
// the first step or after the last, as for rewards of one sign.
template <class Real>
void validate_steps(const DecisionProcess<Real>& process, std::int64_t steps, std::int32_t threads,
                    ProcessSolution<Real>& solution) {
  Validation validation = validate_states(
      process, solution.value, threads, [](double) { return 0.0; }, nullptr);
  for (const Real value : process.initial_value) {
    validation.largest = std::max(validation.largest, std::abs(static_cast<double>(value)));
  }
  solution.residual = 0;
  solution.bounds = {0, 0};
  const double discount = static_cast<double>(process.discount);
  const auto count = static_cast<double>(steps);
  const double sweeps = discount < 1 ? (1 - std::pow(discount, count)) / (1 - discount) : count;
  solution.rounding = sweeps * rounding_of<Real>(validation);
}

#define TIDEWISE_INSTANTIATE(Real)                                                       \
  template void validate_solution(const DecisionProcess<Real>&, std::int32_t,            \
                                  ProcessSolution<Real>&, const SolveOptions*);          \
  template void validate_steps(const DecisionProcess<Real>&, std::int64_t, std::int32_t, \
                               ProcessSolution<Real>&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

template <class Real>
void narrow_bounds(const DecisionProcess<Real>& process, std::int32_t threads,
                   ProcessSolution<Real>& solution) {
  const WeightedBounds<Real> weighted(process, solution.value);
  if (!weighted.has_ends() || !(process.discount < 1)) return;
  struct Widest : ErrorBounds {
    Widest() : ErrorBounds{0, 0} {}
    void include(const Widest& other) {
      lower = std::min(lower, other.lower);
      upper = std::max(upper, other.upper);
    }
  };
  const auto result = gather_over_blocks<Widest>(
      process.state_count, threads, [&](std::int64_t begin, std::int64_t end) {
        Widest part;
        for (std::int64_t s = begin; s < end; ++s) {
          weighted.include(static_cast<std::int32_t>(s), part);
        }
        return part;
      });
  solution.bounds = {std::max(solution.bounds.lower, result.lower),
                     std::min(solution.bounds.upper, result.upper)};
}

template void narrow_bounds(const DecisionProcess<float>&, std::int32_t, ProcessSolution<float>&);
template void narrow_bounds(const DecisionProcess<double>&, std::int32_t, ProcessSolution<double>&);

template <class Real>
std::vector<double> find_action_values(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, std::int32_t threads) {
  std::vector<double> row_values(static_cast<std::size_t>(process.row_count()));
  constexpr std::int64_t rows_per_piece = 1024;
  for_each_shared(process.row_count(), rows_per_piece, threads, [&](std::int64_t row) {
    row_values[row] = process.is_allowed(row) ? exact_row_value(process, value, row)
                                              : std::numeric_limits<double>::quiet_NaN();
  });
  return row_values;
}

template std::vector<double> find_action_values(const DecisionProcess<float>&,
                                                const std::vector<float>&, std::int32_t);
template std::vector<double> find_action_values(const DecisionProcess<double>&,
                                                const std::vector<double>&, std::int32_t);

}  // namespace tidewise::mdp
