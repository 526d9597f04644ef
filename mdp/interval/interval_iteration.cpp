#include "mdp/interval/interval_iteration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stopwatch.h"
#include "mdp/interval/component_values.h"
#include "mdp/interval/one_sign.h"
#include "mdp/interval/start.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {
namespace {

double above(double number) { return std::nextafter(number, infinity); }
double below(double number) { return std::nextafter(number, -infinity); }

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
        finishes_(options.stop == StoppingRule::error),
        is_left_to_direct_(solution.direct_states > 0),
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
    const bool may_improve = finishes_ && (!(process_.discount < 1) || is_left_to_direct_);
    if (may_improve) improve(options_.tolerance);
    IntervalStarter<Real> starter(rows_, components_, options_.most_sweeps, options_.tolerance);
    if (!find_start(starter, may_improve)) {
      solution_.is_as_near_as_asked = false;
      // Under StoppingRule::error nothing has converged of which nothing is known.
      solution_.converged = solution_.converged && !finishes_;
      return;
    }
    begin();
    if (may_improve) {
      refine(starter);
      weigh_rounding(starter);
    }
    while (!is_near_enough() && finishes_ && may_come_nearer()) sweep_all();
    // The last sweep makes the most of what is known: alone it ends what leads nowhere back.
    if (finishes_ && solution_.is_as_near_as_asked) sweep_all();
    finish();
  }

  /// Components that are swept are improved to this change of a sweep.
  void improve(double change) {
    if (!has_actions_that_leave()) return;
    components_.solve({}, change, options_.most_sweeps, values_, action_);
  }
  bool has_actions_that_leave() const { return process_.entry_count() > 0; }

  /// A start by the value as it is, or after more and more exact sweeps.
  bool find_start(IntervalStarter<Real>& starter, bool may_improve) {
    double change = options_.tolerance;
    double residual = starter.residual(values_);
    while (!starter.find(values_, action_, start_)) {
      if (!may_improve) return false;
      change *= 1e-3;
      improve(change);
      const double before = std::exchange(residual, starter.residual(values_));
      if (!(residual < before / 2)) return false;
    }
    return true;
  }

  /// Brings a start nearer by a better value, which takes fewer sweeps than both ends would, and
  /// these need no rounding outward.
  void refine(const IntervalStarter<Real>& starter) {
    double change = options_.tolerance;
    while (!is_near_enough()) {
      constexpr double least_fall = 1e-4;  // what is left is foretold by what a weight makes of it
      const double before = excess_;
      change *= std::max(1 / (4 * excess_), least_fall);
      improve(change);
      if (!starter.find_again(values_, start_)) return;
      begin();
      if (is_near_enough() || !(excess_ < before / 2)) return;
    }
  }

  /// Where what is left between the bounds is rounding, added up over many steps.
  void weigh_rounding(IntervalStarter<Real>& starter) {
    if (is_near_enough()) return;
    IntervalStart start = start_;
    if (!starter.find_by_rounding(values_, action_, start)) return;
    start_ = std::move(start);
    begin();
  }

  /// From the start that was found.
  void begin() {
    const std::vector<double> least = std::exchange(lower_, {});
    const std::vector<double> most = std::exchange(upper_, {});
    lower_.resize(values_.value.size());
    upper_.resize(values_.value.size());
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const double value = values_.value[s];
      const double rest = values_.rest.empty() ? 0 : values_.rest[s];
      const bool is_sure = start_.weight.value[s] == 0;
      const double weight = above(start_.weight.value[s]);
      lower_[s] = is_sure ? value : below(value + below(std::fma(-start_.below, weight, rest)));
      upper_[s] = is_sure ? value : above(value + above(std::fma(start_.above, weight, rest)));
      signs_.clip(s, lower_[s], upper_[s]);
      if (least.empty()) continue;
      lower_[s] = std::max(lower_[s], least[s]);
      upper_[s] = std::min(upper_[s], most[s]);
    }
  }

  /// How far from each other the bounds may be.
  double allowed(std::size_t s) const {
    const double least = lower_[s] > 0 ? lower_[s] : upper_[s] < 0 ? -upper_[s] : 0;
    const double relative = std::max(options_.tolerance * least, least_positive);
    switch (options_.error_measure) {
      case ErrorMeasure::absolute:
        return options_.tolerance;
      case ErrorMeasure::relative:
        return relative;
      case ErrorMeasure::automatic:
        break;
    }
    // Where rewards of both signs cancel, nothing is near 0 by a share of it.
    const bool may_be_relative = process_.discount == 1 && (signs_.is_one() || least > 0);
    return may_be_relative ? std::min(relative, options_.tolerance) : options_.tolerance;
  }

  bool is_near_enough() {
    excess_ = 0;
    is_rounding_ = true;
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const double gap = upper_[s] - lower_[s];
      const double asked = allowed(s);
      if (gap <= asked) continue;
      excess_ = std::max(excess_, gap / asked);
      is_rounding_ = is_rounding_ && (gap <= 4 * start_.rounding * start_.weight.value[s]);
    }
    solution_.is_as_near_as_asked = excess_ == 0;
    return excess_ == 0;
  }

  /// A value that single precision rounds may be further from its bounds than these are apart.
  void require_stored_near() {
    for (std::size_t s = 0; s < lower_.size(); ++s) {
      const auto stored = static_cast<double>(solution_.value[s]);
      if (stored == values_.value[s]) continue;
      const double off = std::max(upper_[s] - stored, stored - lower_[s]);
      if (off > allowed(s)) solution_.is_as_near_as_asked = false;
    }
  }

  /// Rounding, too, keeps bounds from each other: by as much as it does in a step, in each step.
  /// There sweeps that hardly help are the last.
  bool may_come_nearer() {
    if (!has_changed_ || solution_.interval_sweeps >= options_.most_sweeps) return false;
    if (solution_.interval_sweeps % patience != 0) return true;
    const double before = std::exchange(seen_excess_, excess_);
    return !is_rounding_ || excess_ < .9 * before;
  }

  void sweep_all() {
    has_changed_ = false;
    for (const std::int32_t state : order_.states) sweep(state);
    ++solution_.interval_sweeps;
    progress_.advance_to(++sweeps_);
  }

  /// V* = T V* lies between T of the bounds; an action that leads back to its own state is solved
  /// for the rest of what it leads to.
  void sweep(std::int32_t state) {
    double highest = -infinity;
    double best_below = -infinity;
    double& low = lower_[static_cast<std::size_t>(state)];
    double& high = upper_[static_cast<std::size_t>(state)];
    if (low == high) return;
    for (std::int32_t action = 0; action < process_.action_count; ++action) {
      const std::int64_t row = process_.row(state, action);
      if (!process_.is_allowed(row)) continue;
      const double reward = rows_.reward(row);
      const auto [from_below, from_above] = rows_.sums(state, row, lower_, upper_, reward);
      if (!from_above.leaves()) {
        // To stay for ever for nothing, or a loss, attains nothing.
        if (reward > 0) highest = infinity;
        continue;
      }
      highest = std::max(highest, from_above.solved_above());
      best_below = std::max(best_below, from_below.solved_below());
    }
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
    if (finishes_) {
      for (std::size_t s = 0; s < lower_.size(); ++s) {
        const double value = values_.value[s];
        if (value >= lower_[s] && value <= upper_[s]) continue;
        values_.set(static_cast<std::int32_t>(s), lower_[s] + (upper_[s] - lower_[s]) / 2);
      }
      improve_policy();
      solution_.value.assign(values_.value.begin(), values_.value.end());
      solution_.action = action_;
      require_stored_near();
      // More sweeps would help, but not against rounding.
      solution_.converged =
          solution_.is_as_near_as_asked || solution_.interval_sweeps < options_.most_sweeps;
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

  /// Takes the lowest of the best actions where the one at hand is worse by more than rounding.
  void improve_policy() {
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      std::int32_t& taken = action_[static_cast<std::size_t>(state)];
      double best = -infinity;
      std::int32_t best_one = -1;
      double best_of_taken = -infinity;
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        if (!process_.is_allowed(row)) continue;
        const RowSum sum = rows_.sum(state, row, values_, rows_.reward(row));
        if (action == taken) best_of_taken = sum.change_above();
        if (sum.change_below() > best) {
          best = sum.change_below();
          best_one = action;
        }
      }
      if (best_of_taken < best) taken = best_one;
    }
  }

  static constexpr double least_positive = 1e-290;
  static constexpr std::int64_t patience = 50;  // [sweeps]

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  Progress& progress_;
  StateGroups order_;
  std::int64_t sweeps_ = 0;  // of both ends, and of what they begin with
  ComponentValues<Real> components_;
  RewardSigns signs_;
  const SolveOptions& options_;
  bool finishes_;
  bool is_left_to_direct_;
  ProcessSolution<Real>& solution_;
  TwoPartValues values_;
  std::vector<std::int32_t> action_;
  IntervalStart start_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  bool has_changed_ = true;
  bool is_rounding_ = false;
  double excess_ = 0;  // the greatest share of what is allowed by which bounds are too far apart
  double seen_excess_ = infinity;
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
    std::int32_t& first = solution.action[static_cast<std::size_t>(state)];
    if (process.is_terminal(state)) continue;
    for (first = 0; !process.is_allowed(process.row(state, first));) ++first;
  }
  return solution;
}

template <class Real>
std::optional<ProcessSolution<Real>> leave_to_direct_solves(const RewardRows<Real>& rows) {
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
template std::optional<ProcessSolution<float>> leave_to_direct_solves(const RewardRows<float>&);
template std::optional<ProcessSolution<double>> leave_to_direct_solves(const RewardRows<double>&);

}  // namespace tidewise::mdp
