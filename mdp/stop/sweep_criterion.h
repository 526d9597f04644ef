#pragma once

#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Whether iteration may end after a Jacobi sweep that changed values as `change` says.
/// `may_centre`: whether the method adds the bounds' middle() to its values at the end, as value
/// iteration and the fused method do under StoppingRule::error.
inline bool may_stop(const ValueChange& change, double discount, const SolveOptions& options,
                     bool may_centre) {
  if (options.stop == StoppingRule::change || !(discount < 1)) {
    return change.residual() < options.tolerance;
  }
  const ErrorBounds bounds = bounds_after(change, discount);
  return (may_centre ? bounds.centred_error() : bounds.error()) <= options.tolerance;
}

/// Whether values are to be moved by the bounds' middle at the end: under StoppingRule::error with
/// γ < 1, where that is what makes them as good as was asked.
inline bool centres(double discount, const SolveOptions& options) {
  return options.stop == StoppingRule::error && discount < 1;
}

}  // namespace tidewise::mdp
