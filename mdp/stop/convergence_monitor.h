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

/// What becomes of iteration after a sweep.
enum class Verdict {
  go_on,
  converged,  ///< by the stopping rule
  given_up    ///< most_sweeps are done, or more of them would not help
};

/// Which sweeps a method shows to its monitor.
enum class SweepKind {
  in_place,     ///< each, Gauss-Seidel's: whose change gives no bounds to centre values in
  jacobi,       ///< each; as of all but in_place, centre_values() follows the last one
  batches,      ///< Jacobi's, the last of some
  launches,     ///< Jacobi's, between launches of blocks whose states read values of any age
  improvements  ///< of policies, which evaluation brings on until an improvement may change less
};

/// Told how sweeps changed the values, says whether iteration goes on: the one judge of all
/// methods. Besides may_stop() and most_sweeps it knows two ways in which nothing more is to be
/// won:
///
/// With γ < 1 a sweep's change shrinks by γ at least. Where it has not fallen for 4/(1−γ) sweeps
/// (1000 at least), only rounding is left, which may move values to and fro for ever: the tolerance
/// is finer than the precision. What counts as a fall is the kind's: one of a ten-thousandth where
/// each sweep is seen; any where few are; a tenth of an improvement, which may well change more
/// than the one before, so that a hundred times the patience goes before rounding is reached. Some
/// tens of improvements are waited for in any case, however many sweeps of evaluation each brings.
///
/// With γ = 1 the greatest rise of a value never grows from one sweep to the next. In a process of
/// finite value it falls within as many sweeps as there are states, or, where actions lead back
/// with some probability, geometrically; beside a loop that gains for ever it stays. It is taken to
/// stay after max(1000, 2 · states) sweeps without a fall, and no fewer than there were up to the
/// last one. Values that only sink are waited for: a proper policy holds them in the end, however
/// many sweeps a small loss needs to outweigh a dear way out. Patience with the many states of a
/// large process is long: where looks_closely() says so, endless_gain() is asked for a proof, and
/// iteration given up when there is one.
///
/// A look at a sweep makes the host wait for a device. Changes shrink geometrically, so two looks
/// foretell how many sweeps are still needed: sweeps_until_look().
///
/// A launch's change gives no bounds, so launches go on until their change lets hope, and then one
/// Jacobi sweep confirms. Where that was too early, the next try waits for a change smaller in
/// proportion. Launches whose change does not tell are followed by such a sweep all the same, ever
/// more seldom.
class ConvergenceMonitor {
 public:
  ConvergenceMonitor(std::int32_t state_count, double discount, const SolveOptions& options,
                     SweepKind kind);

  /// After `count` sweeps, of which `change` is the last one's. `rounding`: what values may differ
  /// by that were summed in another order (rounding_of()), for policies. Errors: RunError when a
  /// value is not finite any more.
  Verdict after(const ValueChange& change, std::int64_t count = 1, double rounding = 0);
  /// The same, and the proof where looks_closely() asks for one. `values`: a function that brings
  /// them here, (state), called seldom.
  template <class Real, class Values>
  Verdict after(const ValueChange& change, const DecisionProcess<Real>& process,
                const Values& values, std::int64_t count = 1, double rounding = 0) {
    const Verdict verdict = after(change, count, rounding);
    if (!looks_closely()) return verdict;
    return endless_gain(process, values(), options_.tolerance).empty() ? verdict
                                                                       : Verdict::given_up;
  }
  /// in_place, γ < 1: after a Jacobi sweep in between, after which values may be centred.
  Verdict after_centring(const ValueChange& change);
  /// Whether the last verdict was to go on, and values still rise with γ = 1 after 64, 128, 256, …
  /// sweeps.
  bool looks_closely() const { return looks_closely_; }
  /// Sweeps that were told of.
  std::int64_t sweeps() const { return sweeps_; }
  /// Sweeps without a fall of what is measured after which only rounding is left.
  std::int64_t patience() const { return static_cast<std::int64_t>(std::ceil(patience_)); }

  /// jacobi: sweeps that may be done before any of them is told of, at least 1. Whatever they
  /// change, none but the last is one after which iteration is given up or values are looked at.
  std::int64_t sure_sweeps() const;
  /// batches, launches: sweeps to be done before the next look, at least 1; nearly as many as
  /// should lead to what may_stop() asks.
  std::int64_t sweeps_until_look() const;
  /// launches: after `count` of them, of which `change` is the last one's.
  void after_launches(const ValueChange& change, std::int64_t count);
  /// launches: whether a Jacobi sweep is to follow.
  bool is_sweep_due() const { return is_sweep_due_; }

  /// Policies: whether the last change was no more than rounding.
  bool is_rounding() const { return is_rounding_; }
  /// Policies: whether changes are no more than rounding and over some improvements no
  /// less than before them, so that each puts right what evaluation rounded otherwise, for ever.
  /// Once so, always so.
  bool is_stalled() const { return is_stalled_; }

 private:
  double measure(const ValueChange& change) const;
  double size_of(const ValueChange& change) const;
  bool is_hopeless(const ValueChange& change);
  void write_down(const ValueChange& change, bool may_centre) const;
  bool has_stayed(double measure, double patience);
  void foretell(double measure);
  void expect_less(double measure);
  void watch_rounding(const ValueChange& change, double rounding);

  Stopwatch watch_;
  double discount_;
  SolveOptions options_;
  SweepKind kind_;
  double patience_;    // [sweeps]
  double least_fall_;  // a measure has fallen when it is less than this times the least so far
  double least_ = std::numeric_limits<double>::infinity();
  std::int64_t last_fall_ = 0;       // [sweeps]
  std::int64_t last_fall_look_ = 0;  // [looks]
  std::int64_t sweeps_ = 0;
  std::int64_t looks_ = 0;
  std::int64_t next_close_look_ = 64;  // [sweeps]
  bool looks_closely_ = false;
  // Of the last look:
  std::int64_t seen_at_ = 0;  // [sweeps]
  double measure_ = 0;
  double log_rate_ = 0;  // of the measure, a sweep; 0: not known, or it does not shrink
  // Of launches:
  double goal_ = 1;                // of their measure
  std::int64_t confirmed_at_ = 0;  // [sweeps]
  bool is_sweep_due_ = false;
  bool are_launches_hopeless_ = false;
  // Of policies:
  bool is_rounding_ = false;
  bool is_stalled_ = false;
  std::int64_t rounding_count_ = 0;  // improvements in a row that changed no more than rounding
  double span_before_ = 0;           // a period ago
};

/// Of values up to `greatest`: more than the sums of long rows differ by.
template <class Real>
double rounding_of(double greatest) {
  return 64.0 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * greatest;
}

/// For a value that is not finite any more after so many sweeps: throws RunError.
[[noreturn]] void throw_not_finite(std::int64_t sweeps);

/// What was gathered, of finite numbers. Errors: RunError where a value of a process that is sound
/// left the range of its precision.
ValueChange finite_change(const ChangeSlot<double>& slot, std::string_view method,
                          std::int64_t sweeps);

}  // namespace tidewise::mdp
