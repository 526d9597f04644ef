#include "mdp/process/options.h"

namespace tidewise::mdp {

std::string_view name_of(SolveMethod method) {
  switch (method) {
    case SolveMethod::automatic:
      return "auto";
    case SolveMethod::value_iteration:
      return "value-iteration";
    case SolveMethod::gauss_seidel:
      return "gauss-seidel";
    case SolveMethod::block_divided:
      return "block-divided";
    case SolveMethod::result_divided:
      return "result-divided";
    case SolveMethod::policy_iteration:
      return "policy-iteration";
    case SolveMethod::inexact_policy_iteration:
      return "inexact-policy-iteration";
    case SolveMethod::fused:
      return "fused";
    case SolveMethod::backward:
      return "backward";
    case SolveMethod::q_learning:
      return "q-learning";
  }
  return "";
}

std::string_view compared_policies(double discount, const SolveOptions& options) {
  const bool counts = discount == 1 && options.method != SolveMethod::backward &&
                      options.method != SolveMethod::q_learning;
  return !counts ? "" : options.endings == Endings::sure ? "sure" : "free";
}

std::string_view name_of(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::automatic:
      return "auto";
    case Evaluator::sweeps:
      return "sweeps";
    case Evaluator::krylov:
      return "krylov";
    case Evaluator::serial:
      return "serial";
    case Evaluator::cuda:
      return "cuda";
    case Evaluator::cusparse:
      return "cusparse";
  }
  return "";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::within_tolerance:
      return "within-tolerance";
    case Outcome::limited_by_rounding:
      return "limited-by-rounding";
    case Outcome::gave_up:
      return "gave-up";
    case Outcome::endless:
      return "endless";
  }
  return "";
}

}  // namespace tidewise::mdp
