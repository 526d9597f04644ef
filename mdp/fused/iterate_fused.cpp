#include <cmath>
#include <cstdint>
#include <utility>

#include "base/stopwatch.h"
#include "mdp/fused/sweeps.h"
#include "mdp/methods/functions.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {
namespace {

/// Predicts the number of remaining sweeps, after 96 sweeps and each time that their number has
/// doubled, from the reduction of the error in the second half. If many remain, a method that
/// examines few actions is faster, and an attempt with it costs about an eighth of these sweeps.
class SweepPrediction {
 public:
  /// Call it with each sweep's change. True if more than twice as many sweeps remain as were done.
  bool are_many_left(std::int64_t sweeps, const ValueChange& change, double discount,
                     const SolveOptions& options) {
    if (sweeps != next_ && sweeps != next_ / 2) return false;
    const double error = centres(discount, options) ? bounds_after(change, discount).centred_error()
                                                    : change.residual();
    if (sweeps != next_) {
      earlier_error_ = error;
      return false;
    }
    const double log_reduction =
        std::log(earlier_error_ / error);  // over the second half of all sweeps
    const double log_remaining = std::log(error / options.tolerance);
    earlier_error_ = error;
    next_ *= 2;
    return !(log_remaining <= 4 * log_reduction);
  }

 private:
  std::int64_t next_ = 96;    // [sweeps]
  double earlier_error_ = 0;  // error after half of that number
};

}  // namespace

template <class Real>
ProcessSolution<Real> iterate_fused(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress) {
  const Stopwatch stopwatch;
  ProcessSolution<Real> solution;
  // With γ = 1 the process must stay loaded, because the convergence monitor reads it.
  const FusedSweeps<Real> sweeps(process, options.layout, options.threads,
                                 process.discount < 1 ? options.unloadable : UnloadableProcess{});
  solution.model_bytes = sweeps.model_bytes();
  SliceValues<Real> previous(process.state_count);
  SliceValues<Real> value(first_values(process));
  const auto criterion = StopCriterion<Real>::of(process.discount, options);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::jacobi);
  progress.begin("sweeping", 0, "sweeps");
  const Stopwatch sweeping;
  SweepPrediction prediction;
  // If max_sweeps is 0, no sweep runs.
  Verdict verdict = options.max_sweeps > 0 ? Verdict::go_on : Verdict::given_up;
  while (verdict == Verdict::go_on) {
    std::swap(previous, value);
    ValueChange change = sweeps.sweep(previous, value);
    // The difference of finite values may exceed the range of single precision.
    if (criterion.may_be_last(change.min, change.max) || !std::isfinite(change.residual())) {
      change = sweeps.exact_change(previous, value);
    }
    verdict = monitor.after(change, process, [&] { return value.to_vector(); });
    progress.advance_to(monitor.sweeps());
    if (verdict == Verdict::go_on && options.may_switch_method &&
        prediction.are_many_left(monitor.sweeps(), change, process.discount, options)) {
      solution.turned_at = monitor.sweeps();
      break;
    }
  }
  solution.converged = verdict == Verdict::converged;
  solution.sweeps = monitor.sweeps();
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  if (solution.turned_at > 0) {  // the next method only needs the values
    solution.value = value.to_vector();
    solution.seconds = stopwatch.seconds();
    return solution;
  }
  // Repeats the last sweep for its actions, because sweeps without actions write less. It writes
  // the same values; if there was no sweep, the result is not used.
  const bool has_swept = solution.sweeps > 0;
  const bool is_centred = has_swept && centres(process.discount, options);
  const ValueChange last = is_centred ? sweeps.exact_change(previous, value) : ValueChange{};
  sweeps.sweep_with_actions(has_swept ? previous : value, has_swept ? value : previous,
                            solution.action);
  previous = SliceValues<Real>(0);  // saves memory
  solution.value = value.to_vector();
  if (is_centred) centre_values(last, process.discount, options, solution);
  solution.seconds = stopwatch.seconds();
  return solution;
}

template <class Real>
ProcessSolution<Real> iterate_values(const DecisionProcess<Real>& process,
                                     const SolveOptions& options, Progress& progress) {
  return iterate_fused(process, with_rows_layout(options), progress);
}

TIDEWISE_INSTANTIATE_METHOD(iterate_fused)
TIDEWISE_INSTANTIATE_METHOD(iterate_values)

}  // namespace tidewise::mdp
