#pragma once

#include <cstdint>

#include "mdp/graph/endless_gain.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/stop/sweep_monitor.h"

namespace tidewise::mdp {

/// With γ = 1, says when a method whose sweeps are not all Jacobi's is to give up: as SweepMonitor
/// does, and where values prove that rewards are gained without end. With γ < 1 never.
template <class Real>
class DivergenceMonitor {
 public:
  /// Borrows `process`.
  DivergenceMonitor(const DecisionProcess<Real>& process, const SolveOptions& options)
      : process_(process),
        least_gain_(options.tolerance),
        monitor_(process.state_count, static_cast<double>(process.discount), options, false) {}

  /// After `count` sweeps, the last one a Jacobi sweep that changed values by `change` and did not
  /// end iteration. `values`: a function that brings them here, called seldom. Errors: RunError
  /// where a value is not finite any more.
  template <class Values>
  bool gives_up(const ValueChange& change, std::int64_t count, const Values& values) {
    if (process_.discount < 1) return false;
    if (monitor_.validate(change, count) == SweepVerdict::given_up) return true;
    return monitor_.look_closely() && !endless_gain(process_, values(), least_gain_).empty();
  }

 private:
  const DecisionProcess<Real>& process_;
  double least_gain_;
  SweepMonitor monitor_;
};

}  // namespace tidewise::mdp
