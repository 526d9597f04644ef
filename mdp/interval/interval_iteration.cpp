#include "mdp/interval/interval_iteration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stopwatch.h"
#include "mdp/interval/component_values.h"
#include "mdp/interval/start.h"
#include "mdp/process/first_values.h"
#include "mdp/process/value_range.h"

namespace tidewise::mdp {
namespace {

double above(double number) { return std::nextafter(number, infinity); }
double below(double number) { return std::nextafter(number, -infinity); }

/// Properties of the optimum that follow from the signs of rewards, without arithmetic.
struct RewardSigns {
  bool none_is_negative = false;  // true if no reward and no terminal value is negative
  bool none_is_positive = false;
  std::vector<std::uint8_t> is_zero = {};  // (state): the optimum is 0
  ValueRange range = {};

  bool has_one_sign() const { return none_is_negative || none_is_positive; }
  void clip(std::size_t state, double& lower, double& upper) const {
    range.clip(lower);
    range.clip(upper);
    if (!is_zero.empty() && is_zero[state] != 0) lower = upper = 0;
  }
};

/// A state's optimum is 0 if no reward is negative and none above 0 can be reached; or if none is
/// positive and some sequence of actions without reward leads to an end with value 0, since a
/// collapsed process has no free loops.
template <class Real>
RewardSigns signs_of(const RewardRows<Real>& rows, const StateGroups& order) {
  if (rows.is_shifted()) return {};
  const DecisionProcess<Real>& process = rows.solved();
  RewardSigns signs{.range = value_range(process, false)};
  signs.none_is_negative = signs.range.min == 0;
  signs.none_is_positive = signs.range.max == 0;
  if (!signs.has_one_sign()) return signs;
  std::vector<std::uint8_t>& zero = signs.is_zero;
  zero.assign(static_cast<std::size_t>(process.state_count), 1);
  const auto may_be_zero = [&](std::int32_t state) {
    if (process.is_terminal(state)) {
      return process.initial_value.empty() || process.initial_value[state] == 0;
    }
    bool all_are_zero = true;
    bool any_is_zero = false;
    process.for_actions(state, [&](std::int32_t, std::int64_t row) {
      bool is_zero_row = rows.reward(row) == 0;
      rows.for_entries(row, [&](std::int32_t to, double probability) {
        is_zero_row = is_zero_row && (!(probability > 0) || zero[to] != 0);
      });
      all_are_zero = all_are_zero && is_zero_row;
      any_is_zero = any_is_zero || is_zero_row;
    });
    return signs.none_is_negative ? all_are_zero : any_is_zero;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::int32_t state : order.states) {
      if (zero[state] == 0 || may_be_zero(state)) continue;
      zero[state] = 0;
      changed = true;
    }
  }
  return signs;
}

template <class Real>
class IntervalIteration {
 public:
  IntervalIteration(const RewardRows<Real>& rows, const SolveOptions& options, Progress& progress,
                    ProcessSolution<Real>& solution)
      : rows_(rows),
        process_(rows_.solved()),
        progress_(progress),
        order_(in_sweep_order(process_)),
        components_(rows_, order_, [this] { progress_.advance_to(++sweeps_); }),
        signs_(signs_of(rows_, order_)),
        options_(options),
        stops_by_error_(options.stop == StoppingRule::error),
        has_direct_start_(solution.direct_states > 0),
        solution_(solution),
        values_{{solution.value.begin(), solution.value.end()}},
        action_(solution.action) {}

  void run() {
    progress_.begin("sweeping from both ends", 0, "sweeps");
    bring_together();
    progress_.end();
  }

 private:
  void bring_together() {
    const bool may_improve = stops_by_error_ && (!(process_.discount < 1) || has_direct_start_);
    if (may_improve) improve(options_.tolerance);
    IntervalStarter<Real> starter(rows_, components_, options_.max_sweeps, options_.tolerance);
    if (!find_start(starter, may_improve)) {
      solution_.is_within_tolerance = false;
      solution_.converged = solution_.converged && !stops_by_error_;
      return;
    }
    begin();
    if (may_improve) {
      refine(starter);
      IntervalStart start = start_;
      // The distance of the bounds may be rounding only, added over many steps.
      if (!is_near_enough() && starter.find_by_rounding(values_, action_, start)) {
        start_ = std::move(start);
        begin();
      }
    }
    while (!is_near_enough() && stops_by_error_ && may_progress()) sweep_all();
    // In a process without cycles this one sweep finds the exact value.
    if (stops_by_error_ && solution_.is_within_tolerance) sweep_all();
    finish();
  }

  /// Improves components until a sweep changes them by at most `change`.
  void improve(double change) {
    if (process_.entry_count() == 0) return;
    components_.solve({}, change, options_.max_sweeps, values_, action_);
  }

  /// Finds a start from the present value, or after more and more precise sweeps.
  bool find_start(IntervalStarter<Real>& starter, bool may_improve) {
    double change = options_.tolerance;
    double residual = starter.residual(values_);
    while (!starter.find(values_, action_, start_)) {
      if (!may_improve) return false;
      change *= 1e-3;
      improve(change);
      const double previous = std::exchange(residual, starter.residual(values_));
      if (!(residual < previous / 2)) return false;
    }
    return true;
  }

  /// Improves a start by a better value, which takes fewer sweeps than both bounds would, and needs
  /// no outward rounding.
  void refine(const IntervalStarter<Real>& starter) {
    double change = options_.tolerance;
    while (!is_near_enough()) {
      constexpr double min_fall = 1e-4;
      const double previous = excess_;
      change *= std::max(1 / (4 * excess_), min_fall);
      improve(change);
      if (!starter.find_again(values_, start_)) return;
      begin();
      if (is_near_enough() || !(excess_ < previous / 2)) return;
    }
  }

  /// Initializes the bounds from the start.
  void begin() {
    lower_.resize(values_.value.size(), -infinity);
    upper_.resize(values_.value.size(), infinity);
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const double value = values_.value[s];
      const double rest = values_.rest.empty() ? 0 : values_.rest[s];
      const bool is_sure = start_.weight.value[s] == 0;
      const double weight = above(start_.weight.value[s]);
      double low = is_sure ? value : below(value + below(std::fma(-start_.below, weight, rest)));
      double high = is_sure ? value : above(value + above(std::fma(start_.above, weight, rest)));
      signs_.clip(s, low, high);
      lower_[s] = std::max(low, lower_[s]);
      upper_[s] = std::min(high, upper_[s]);
    }
  }

  /// Allowed distance of the bounds.
  double allowed(std::size_t s) const {
    const double min = lower_[s] > 0 ? lower_[s] : upper_[s] < 0 ? -upper_[s] : 0;
    const double relative = std::max(options_.tolerance * min, min_positive);
    if (options_.error_measure == ErrorMeasure::absolute) return options_.tolerance;
    if (options_.error_measure == ErrorMeasure::relative) return relative;
    // If rewards of both signs cancel, a relative error near 0 is impossible.
    const bool may_be_relative = process_.discount == 1 && (signs_.has_one_sign() || min > 0);
    return may_be_relative ? std::min(relative, options_.tolerance) : options_.tolerance;
  }

  bool is_near_enough() {
    excess_ = 0;
    is_rounding_ = true;
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const double gap = upper_[s] - lower_[s];
      const double allowed_gap = allowed(s);
      if (gap <= allowed_gap) continue;
      excess_ = std::max(excess_, gap / allowed_gap);
      is_rounding_ = is_rounding_ && (gap <= 4 * start_.rounding * start_.weight.value[s]);
    }
    solution_.is_within_tolerance = excess_ == 0;
    return excess_ == 0;
  }

  /// Checks the stored values, because one rounded to single precision may be farther from its
  /// bounds than the tolerance.
  void validate_stored_values() {
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const auto stored = static_cast<double>(solution_.value[s]);
      if (stored == values_.value[s]) continue;
      const double distance = std::max(upper_[s] - stored, stored - lower_[s]);
      if (distance > allowed(s)) solution_.is_within_tolerance = false;
    }
  }

  /// False if sweeps hardly help, because rounding separates the bounds in each step by as much as
  /// a sweep brings them together.
  bool may_progress() {
    if (!has_changed_ || solution_.interval_sweeps >= options_.max_sweeps) return false;
    if (solution_.interval_sweeps % sweeps_per_check != 0) return true;
    const double previous = std::exchange(checked_excess_, excess_);
    return !is_rounding_ || excess_ < .9 * previous;
  }

  void sweep_all() {
    has_changed_ = false;
    for (const std::int32_t state : order_.states) sweep(state);
    ++solution_.interval_sweeps;
    progress_.advance_to(++sweeps_);
  }

  /// V* = T V* is between T of the bounds. If an action may stay in its own state, its equation is
  /// solved for the state's value.
  void sweep(std::int32_t state) {
    double highest = -infinity;
    double best_below = -infinity;
    double& low = lower_[state];
    double& high = upper_[state];
    if (low == high) return;
    process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
      const double reward = rows_.reward(row);
      const auto [from_below, from_above] =
          rows_.template sums<2>(state, row, reward, {lower_.data(), upper_.data()});
      if (from_above.leaves()) {
        highest = std::max(highest, from_above.solved_above());
        best_below = std::max(best_below, from_below.solved_below());
      } else if (reward > 0) {
        highest = infinity;  // without reward or with a loss, staying for ever is not optimal
      }
    });
    if (highest < high && highest > -infinity) {
      high = highest;
      has_changed_ = true;
    }
    if (best_below > low) {
      low = best_below;
      has_changed_ = true;
    }
  }

  void finish() {
    if (stops_by_error_) {
      for (std::size_t s = 0; s < lower_.size(); ++s) {
        const double value = values_.value[s];
        if (value >= lower_[s] && value <= upper_[s]) continue;
        values_.set(static_cast<std::int32_t>(s), lower_[s] + (upper_[s] - lower_[s]) / 2);
      }
      improve_policy();
      solution_.value.assign(values_.value.begin(), values_.value.end());
      solution_.action = action_;
      validate_stored_values();
      // More sweeps could help if their limit was reached, but not against rounding.
      solution_.converged =
          solution_.is_within_tolerance || solution_.interval_sweeps < options_.max_sweeps;
    }
    ErrorBounds bounds{0, 0};
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const auto stored = static_cast<double>(solution_.value[s]);
      bounds.lower = std::min(bounds.lower, lower_[s] == stored ? 0 : below(lower_[s] - stored));
      bounds.upper = std::max(bounds.upper, upper_[s] == stored ? 0 : above(upper_[s] - stored));
    }
    solution_.bounds = bounds;
    solution_.lower = std::move(lower_);
    solution_.upper = std::move(upper_);
  }

  /// Takes the lowest of the best actions if the present one is worse by more than rounding.
  void improve_policy() {
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      std::int32_t& current = action_[state];
      double best = -infinity;
      std::int32_t best_action = -1;
      double current_value = -infinity;
      process_.for_actions(state, [&](std::int32_t action, std::int64_t row) {
        const RowSum sum = rows_.sum(state, row, values_);
        if (action == current) current_value = sum.change_above();
        if (!(sum.change_below() > best)) return;
        best = sum.change_below();
        best_action = action;
      });
      if (current_value < best) current = best_action;
    }
  }

  static constexpr double min_positive = 1e-290;
  static constexpr std::int64_t sweeps_per_check = 50;  // [sweeps]

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  Progress& progress_;
  StateGroups order_;
  std::int64_t sweeps_ = 0;  // number of sweeps of both bounds and of their start
  ComponentValues<Real> components_;
  RewardSigns signs_;
  const SolveOptions& options_;
  bool stops_by_error_;
  bool has_direct_start_;
  ProcessSolution<Real>& solution_;
  TwoPartValues values_;
  std::vector<std::int32_t> action_;
  IntervalStart start_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  bool has_changed_ = true;
  bool is_rounding_ = false;
  double excess_ = 0;  // largest relative excess of the allowed distance of the bounds
  double checked_excess_ = infinity;
};

}  // namespace

template <class Real>
void bring_bounds_together(const RewardRows<Real>& rows, const SolveOptions& options,
                           Progress& progress, ProcessSolution<Real>& solution) {
  const Stopwatch watch;
  IntervalIteration<Real>(rows, options, progress, solution).run();
  solution.seconds += watch.seconds();
}

template <class Real>
ProcessSolution<Real> unsolved(const DecisionProcess<Real>& process) {
  ProcessSolution<Real> solution;
  solution.value = first_values(process);
  solution.action.assign(solution.value.size(), -1);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    std::int32_t& first = solution.action[state];
    if (process.is_terminal(state)) continue;
    for (first = 0; !process.is_allowed(process.row(state, first));) ++first;
  }
  return solution;
}

template <class Real>
std::optional<ProcessSolution<Real>> start_by_direct_solves(const RewardRows<Real>& rows) {
  const Stopwatch watch;
  const StateGroups order = in_topological_order(rows.solved());
  const std::int32_t largest = ComponentValues<Real>(rows, order).largest_direct();
  if (largest == 0) return std::nullopt;
  ProcessSolution<Real> solution = unsolved(rows.solved());
  solution.direct_states = largest;
  solution.converged = true;
  solution.seconds = watch.seconds();
  return solution;
}

#define TIDEWISE_INSTANTIATE(Real)                                                             \
  template void bring_bounds_together(const RewardRows<Real>&, const SolveOptions&, Progress&, \
                                      ProcessSolution<Real>&);                                 \
  template ProcessSolution<Real> unsolved(const DecisionProcess<Real>&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE
template std::optional<ProcessSolution<float>> start_by_direct_solves(const RewardRows<float>&);
template std::optional<ProcessSolution<double>> start_by_direct_solves(const RewardRows<double>&);

}  // namespace tidewise::mdp
