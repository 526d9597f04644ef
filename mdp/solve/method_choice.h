#pragma once

#include <string>

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"

namespace tidewise::mdp {

/// Result of Method::automatic and its reason for users: "rows do not repeat".
struct MethodChoice {
  Method method;
  std::string reason;
  bool may_switch_method = false;  ///< SolveOptions::may_switch_method

  /// Applies the choice to options.
  void settle(SolveOptions& options) const {
    options.method = method;
    options.may_switch_method = may_switch_method;
    options.may_choose_method = true;
  }
};

/// The method with the shortest expected time for this process, from its discount, a sample of its
/// rows (model_sample.h) and the backend; backward induction for a finite horizon. Deterministic.
template <class Real>
MethodChoice choose_method(const DecisionProcess<Real>& process, const SolveOptions& options);

/// The backend of the options; if that is automatic, the one that the method or its evaluator
/// requires, if any.
BackendChoice suitable_backend(const SolverOptions& options);

}  // namespace tidewise::mdp
