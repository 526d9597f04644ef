#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/stopwatch.h"
#include "mdp/backup/bellman.h"
#include "mdp/methods/functions.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/run_until_verdict.h"
#include "mdp/sweeps/jacobi_sweep.h"

namespace tidewise::mdp {
namespace {

/// Backs up states in order, each with the new values of those before it.
template <class Real>
ValueChange sweep_in_place(const ProcessView<Real>& process, Real* value, std::int32_t* action) {
  ValueChange change;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const BestAction<Real> best = best_action(process, value, state);
    change.include(static_cast<double>(best.value) - static_cast<double>(value[state]));
    value[state] = best.value;
    action[state] = best.action;
  }
  return change;
}

/// True if all values are finite. Changes do not show a value that left the range of its precision,
/// because it stays infinite.
template <class Real>
bool are_finite(const std::vector<Real>& value) {
  return std::all_of(value.begin(), value.end(), [](Real v) { return std::isfinite(v); });
}

/// Decides when Jacobi sweeps follow those in place, because their bounds allow centring of values:
/// the remaining error is nearly equal in all states, and sweeps alone need about 1/(1 − γ) of them
/// to remove it. The first Jacobi sweep only evens out the differences left by sweeps in place;
/// more follow while each brings bounds much closer, which shows that actions mix states well. Near
/// ends, whose values are fixed, centring may be harmful, so values are moved only if bounds are
/// clearly closer than any before. All sweeps shrink the error by γ, so that they converge whether
/// or not values are moved.
class Centring {
 public:
  /// True if the next sweep must be a Jacobi sweep.
  bool is_due() { return jacobi_sweeps_ > 0 || --sweeps_until_due_ == 0; }
  /// Call it after a Jacobi sweep with its bounds. True if values must be moved, before sweeps in
  /// place.
  bool must_move_values(const ErrorBounds& bounds) {
    const double previous = error_;
    error_ = bounds.centred_error();
    if (++jacobi_sweeps_ == 1 || error_ <= good_rate * previous) return false;
    jacobi_sweeps_ = 0;
    const bool is_nearer = error_ < min_gain * min_error_;
    if (is_nearer) min_error_ = error_;
    gap_ = is_nearer ? 1 : std::min(2 * gap_, max_gap);
    sweeps_until_due_ = gap_ + 1;
    return is_nearer;
  }

 private:
  static constexpr double good_rate = 0.8;  // per sweep
  static constexpr double min_gain = 0.9;
  static constexpr std::int64_t max_gap = 64;

  double error_ = 0;  // after the last Jacobi sweep
  double min_error_ = std::numeric_limits<double>::infinity();
  std::int64_t jacobi_sweeps_ = 0;     // consecutive
  std::int64_t gap_ = 1;               // [sweeps in place]
  std::int64_t sweeps_until_due_ = 2;  // [sweeps]
};

}  // namespace

// MacQueen's bounds need Jacobi sweeps: in place a state's change already includes the changes of
// earlier states in the same sweep. But a sweep in place also brings any two sets of values closer
// by γ in their greatest difference, with the fixed point V*, so that |V* − V'| ≤ γ/(1−γ) max |V' −
// V|. may_stop() requires this if values are not centred. If they may be, intermediate Jacobi
// sweeps give the bounds. Source: Puterman, "Markov Decision Processes", 1994, section 6.3.3;
// Bertsekas, "Dynamic Programming and Optimal Control" II, section 2.2.2.
template <class Real>
ProcessSolution<Real> iterate_gauss_seidel(const DecisionProcess<Real>& process,
                                           const SolveOptions& options, Progress& progress) {
  const Stopwatch stopwatch;
  ProcessSolution<Real> solution;
  solution.value = first_values(process);
  solution.action.resize(solution.value.size());
  const ProcessView<Real> view = view_of(process);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::in_place);
  progress.begin("sweeping", 0, "sweeps");
  const auto current = [&]() -> const std::vector<Real>& { return solution.value; };
  const bool may_move = centres(process.discount, options);
  std::vector<Real> next(may_move ? solution.value.size() : 0);
  Centring centring;
  run_until_verdict(monitor, progress, solution, [&] {
    if (!may_move || !centring.is_due()) {
      return monitor.after(sweep_in_place(view, solution.value.data(), solution.action.data()),
                           process, current);
    }
    const ValueChange change =
        sweep_rows(view, 1, solution.value.data(), next.data(), solution.action.data());
    std::swap(solution.value, next);
    const Verdict verdict = monitor.after_centring(change);
    const bool is_move_due = centring.must_move_values(bounds_after(change, process.discount));
    if (is_move_due || verdict == Verdict::converged) {
      centre_values(change, process.discount, options, solution);
      if (!are_finite(solution.value)) throw_not_finite(monitor.sweeps());
    }
    return verdict;
  });
  solution.seconds = stopwatch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(iterate_gauss_seidel)

}  // namespace tidewise::mdp
