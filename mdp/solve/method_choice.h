#pragma once

#include <string>

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"

namespace tidewise::mdp {

/// What Method::automatic comes to, and why, for people: "rows do not repeat".
struct MethodChoice {
  Method method;
  std::string reason;
  bool may_switch_method = false;  ///< SolveOptions::may_switch_method

  /// Puts it into options.
  void settle(SolveOptions& options) const {
    options.method = method;
    options.may_switch_method = may_switch_method;
    options.is_left_to_choose = true;
  }
};

/// The method that should be fastest for this process, by its discount, a sample of its rows
/// (model_sample.h) and what computes; of a finite horizon backward induction. Always the same for
/// the same process and options.
template <class Real>
MethodChoice choose_method(const DecisionProcess<Real>& process, const SolveOptions& options);

/// The backend, where it is automatic and the method or its evaluator leave no choice.
BackendChoice suitable_backend(const SolverOptions& options);

}  // namespace tidewise::mdp
