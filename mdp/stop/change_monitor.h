#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "mdp/stop/change_record.h"

namespace tidewise::mdp {

/// When it is worth to look how much a sweep has changed: a look makes the host wait for the
/// device. Changes shrink geometrically, so two looks foretell how many sweeps are still needed.
/// Host methods ask it too, to do as many sweeps as their twins.
///
/// SweepMonitor judges every sweep, also for γ = 1, and takes a fall of less than 1e-4 for
/// rounding; this one sees few of them, gives up with γ < 1 alone, and takes any fall for one.
class ChangeMonitor {
 public:
  ChangeMonitor(double discount, const SolveOptions& options)
      : discount_(discount), options_(options) {}

  /// How far a sweep's change is from what may_stop() asks, in units of the tolerance.
  double measure(const ValueChange& change) const;
  /// Sweeps to be done before the next look, at least 1: nearly as many as should lead to a measure
  /// of `goal`.
  std::int64_t sweeps_until(double goal) const;
  /// What was seen after `sweeps` sweeps in all.
  void see(std::int64_t sweeps, double measure);
  /// With γ < 1 a sweep's change shrinks by γ at least. Where it has not fallen for 4/(1−γ) sweeps
  /// (1000 at least), only rounding is left, which may move values to and fro for ever: the
  /// tolerance is finer than the precision.
  bool is_hopeless() const;

 private:
  double discount_;
  SolveOptions options_;
  std::int64_t sweeps_ = 0;
  double measure_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  std::int64_t last_fall_ = 0;
  double log_rate_ = 0;  ///< of the measure, a sweep; 0: not known, or it does not shrink
};

/// What was gathered, of finite numbers. Errors: RunError where a value of a process that is sound
/// left the range of its precision.
ValueChange finite_change(const ChangeRecord& record, std::string_view method, std::int64_t sweeps);

/// Moves the values of states that are not terminal into the middle of their bounds, where the
/// options want that after a last Jacobi sweep that changed values by `change`. Rounds the middle
/// to Real and adds in Real, where centre_values() adds in double: in float that may differ by a
/// bit.
template <class Real>
void move_to_middle(const ValueChange& change, double discount, const SolveOptions& options,
                    ProcessSolution<Real>& solution);

}  // namespace tidewise::mdp
