#pragma once

#include <cstdint>
#include <limits>

#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// What becomes of iteration after a sweep.
enum class SweepVerdict {
  go_on,
  converged,  ///< by the stopping rule
  given_up    ///< most_sweeps are done, or more of them would not help
};

/// For a value that is not finite any more after so many sweeps: throws RunError.
[[noreturn]] void throw_not_finite(std::int64_t sweeps);

/// Told how each sweep changed the values, says whether iteration goes on. Besides may_stop() and
/// most_sweeps it knows two ways in which nothing more is to be won:
///
/// With γ < 1 a sweep's residual shrinks by γ at least. Where it has not fallen for 4/(1−γ) sweeps
/// (1000 at least), only rounding is left, which may move values to and fro for ever: the tolerance
/// is finer than the precision.
///
/// With γ = 1 the greatest rise of a value never grows from one sweep to the next. In a process of
/// finite value it falls within as many sweeps as there are states, or, where actions lead back
/// with some probability, geometrically; beside a loop that gains for ever it stays. It is taken to
/// stay after max(1000, 2 · states) sweeps without a fall, and no fewer than there were up to the
/// last one. Values that only sink are waited for: a proper policy holds them in the end, however
/// many sweeps a small loss needs to outweigh a dear way out. Patience with the many states of a
/// large process is long: where look_closely() says so, a method that has its values at hand asks
/// endless_gain() for a proof, and gives up when there is one. Methods that look at few of their
/// sweeps have ChangeMonitor.
class SweepMonitor {
 public:
  /// `may_centre`: as for may_stop().
  SweepMonitor(std::int32_t state_count, double discount, const SolveOptions& options,
               bool may_centre);

  /// After a sweep (or `count` of them, of which `change` is the last one's). Errors: RunError when
  /// a value is not finite any more.
  SweepVerdict validate(const ValueChange& change, std::int64_t count = 1);
  /// Whether the last verdict was to go on, and values still rise with γ = 1 after 64, 128, 256, …
  /// sweeps.
  bool look_closely() const { return look_; }
  /// Sweeps that were judged.
  std::int64_t sweeps() const { return sweeps_; }

 private:
  bool is_hopeless(const ValueChange& change);

  double discount_;
  SolveOptions options_;
  bool may_centre_;
  double patience_;  // [sweeps]
  double least_ = std::numeric_limits<double>::infinity();
  std::int64_t last_fall_ = 0;
  std::int64_t sweeps_ = 0;
  std::int64_t next_look_ = 64;
  bool look_ = false;
};

}  // namespace tidewise::mdp
