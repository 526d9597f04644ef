#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/stopwatch.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/graph/endless_gain.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Decision after a sweep.
enum class Verdict {
  go_on,
  converged,  ///< by the stopping rule
  given_up    ///< max_sweeps are done, or more would not help
};

/// Kind of the sweeps that a method reports to its monitor.
enum class SweepKind {
  in_place,     ///< every Gauss-Seidel sweep; its change gives no bounds for centring values
  jacobi,       ///< every Jacobi sweep; as for all kinds except in_place, centre_values() follows
  batches,      ///< the last of several Jacobi sweeps
  launches,     ///< a Jacobi sweep after launches of blocks, whose states read values of any age
  improvements  ///< policy improvements; evaluation reduces the change of the next improvement
};

/// Decides from the changes of values whether iteration goes on, for all methods. Besides
/// may_stop() and max_sweeps it detects two cases in which further sweeps are useless:
///
/// With γ < 1 a sweep's change shrinks at least by γ. If it has not decreased for 4/(1−γ) sweeps
/// (at least 1000), only rounding is left, which may move values for ever: the tolerance is finer
/// than the precision. The required decrease depends on the kind: a ten-thousandth if each sweep is
/// seen; any decrease if few are; a tenth for improvements. The change of an improvement may exceed
/// that of the previous one, so a hundred times as many sweeps are awaited until the change is only
/// rounding. At least some tens of improvements are awaited, however many evaluation sweeps they
/// contain.
///
/// With γ = 1 the greatest rise of a value never grows from one sweep to the next. In a process
/// with finite values it decreases within a number of sweeps equal to the number of states or, if
/// actions lead back with some probability, geometrically; near a loop with a positive gain it
/// stays. It is taken to stay after max(1000, 2 · states) sweeps without a decrease, and at least
/// as many as before the last decrease. Decreasing values are awaited: a proper policy bounds them,
/// however many sweeps a small loss needs to outweigh an expensive exit. For large processes this
/// takes long: if looks_closely(), endless_gain() searches for a proof, with which iteration gives
/// up.
///
/// To look at a sweep the host must wait for a device. Changes shrink geometrically, so two looks
/// predict the number of remaining sweeps: sweeps_until_look().
///
/// The change of a launch gives no bounds, so launches go on until their change is small enough to
/// expect convergence; then a Jacobi sweep confirms. If that was too early, the next attempt waits
/// for a proportionally smaller change. If the change of launches is not informative, such sweeps
/// follow at increasing intervals.
class ConvergenceMonitor {
 public:
  ConvergenceMonitor(std::int32_t state_count, double discount, const SolveOptions& options,
                     SweepKind kind);

  /// Call it after `count` sweeps; `change` is that of the last one. `rounding`: difference of
  /// values summed in another order (rounding_of()), for policies. Errors: RunError if a value is
  /// not finite.
  Verdict after(const ValueChange& change, std::int64_t count = 1, double rounding = 0);
  /// As above, and searches for the proof if looks_closely(). `values`: a function that returns the
  /// values, (state); called rarely.
  template <class Real, class Values>
  Verdict after(const ValueChange& change, const DecisionProcess<Real>& process,
                const Values& values, std::int64_t count = 1, double rounding = 0) {
    const Verdict verdict = after(change, count, rounding);
    if (!looks_closely()) return verdict;
    return endless_gain(process, values(), options_.tolerance).empty() ? verdict
                                                                       : Verdict::given_up;
  }
  /// in_place, γ < 1: call after an intermediate Jacobi sweep, after which values may be centred.
  Verdict after_centring(const ValueChange& change);
  /// True if the last verdict was to go on, and values still rise with γ = 1 after 64, 128, 256, …
  /// sweeps.
  bool looks_closely() const { return looks_closely_; }
  /// Number of reported sweeps.
  std::int64_t sweeps() const { return sweeps_; }
  /// Sweeps without a decrease of the measure after which only rounding is left.
  std::int64_t patience() const { return static_cast<std::int64_t>(std::ceil(patience_)); }

  /// jacobi: number of sweeps, at least 1, that may be done before the next report: whatever they
  /// change, iteration can be given up or values be looked at only after the last of them.
  std::int64_t sure_sweeps() const;
  /// batches, launches: number of sweeps until the next look, at least 1; nearly as many as
  /// may_stop() should need.
  std::int64_t sweeps_until_look() const;
  /// launches: call after `count` of them; `change` is that of the last one.
  void after_launches(const ValueChange& change, std::int64_t count);
  /// launches: true if a Jacobi sweep must follow.
  bool is_sweep_due() const { return is_sweep_due_; }

  /// Policies: true if the last change was not more than rounding.
  bool is_rounding() const { return is_rounding_; }
  /// Policies: true once changes are only rounding and do not decrease over some improvements, so
  /// that each improvement would correct the rounding of the evaluation before it, for ever.
  bool is_stalled() const { return is_stalled_; }

 private:
  double measure(const ValueChange& change) const;
  double size_of(const ValueChange& change) const;
  bool is_beyond_improvement(const ValueChange& change);
  void add_to_history(const ValueChange& change, bool may_centre) const;
  bool is_stagnant(double measure, double patience);
  void predict_rate(double measure);
  void lower_goal(double measure);
  void watch_rounding(const ValueChange& change, double rounding);

  Stopwatch watch_;
  double discount_;
  SolveOptions options_;
  SweepKind kind_;
  double patience_;         // [sweeps]
  double decrease_factor_;  // the measure has decreased if it is less than this times its minimum
  double min_measure_ = std::numeric_limits<double>::infinity();
  std::int64_t last_decrease_ = 0;       // [sweeps]
  std::int64_t last_decrease_look_ = 0;  // [looks]
  std::int64_t sweeps_ = 0;
  std::int64_t looks_ = 0;
  std::int64_t next_close_look_ = 64;  // [sweeps]
  bool looks_closely_ = false;
  // State of the last look:
  std::int64_t last_look_ = 0;  // [sweeps]
  double measure_ = 0;
  double log_rate_ =
      0;  // logarithm of the measure's rate per sweep; 0: unknown, or it does not shrink
  // For launches:
  double goal_ = 1;                     // goal of their measure
  std::int64_t last_confirmation_ = 0;  // [sweeps]
  bool is_sweep_due_ = false;
  bool are_launches_uninformative_ = false;
  // For policies:
  bool is_rounding_ = false;
  bool is_stalled_ = false;
  std::int64_t rounding_count_ = 0;  // consecutive improvements that changed only rounding
  double previous_span_ = 0;         // span of the change one period ago
};

/// Rounding of values up to `max`: more than sums of long rows in different orders differ.
template <class Real>
double rounding_of(double max) {
  return 64.0 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * max;
}

/// Throws RunError for a value that is not finite after this number of sweeps.
[[noreturn]] void throw_not_finite(std::int64_t sweeps);

/// The gathered change, if finite. Errors: RunError if a value left the range of its precision.
ValueChange finite_change(const ChangeSlot<double>& slot, std::string_view method,
                          std::int64_t sweeps);

}  // namespace tidewise::mdp
