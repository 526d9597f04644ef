#include "mdp/solve/outcome.h"

#include <cmath>

namespace tidewise::mdp {
namespace {

/// Whether a sweep changes no more than the rounding of a sweep can be, so that another one would
/// only move values about.
template <class Real>
bool is_rounding(double discount, const ProcessSolution<Real>& solution) {
  constexpr double sweeps = 4;  // what a few sweeps round, in some order, stays in the last one
  const double once = solution.rounding * (discount < 1 ? 1 - discount : 1);
  return solution.residual <= sweeps * once;
}

template <class Real>
Outcome outcome_of(double discount, const SolveOptions& options,
                   const ProcessSolution<Real>& solution) {
  if (!solution.endless.empty()) return Outcome::endless;
  const bool has_bounds = options.stop == StoppingRule::error && has_fixed_point(options.method);
  if (!has_bounds) return solution.converged ? Outcome::within_tolerance : Outcome::gave_up;
  const bool is_interval = !solution.lower.empty();
  const bool is_near =
      is_interval ? solution.is_as_near_as_asked : solution.bounds.error() <= options.tolerance;
  if (is_near) return Outcome::within_tolerance;
  if (!std::isfinite(solution.bounds.error())) return Outcome::gave_up;
  // A method's rule is a theorem but for rounding.
  const bool is_done = solution.converged || (!is_interval && is_rounding(discount, solution));
  return is_done ? Outcome::limited_by_rounding : Outcome::gave_up;
}

}  // namespace

template <class Real>
void settle_outcome(const DecisionProcess<Real>& process, const SolveOptions& options,
                    ProcessSolution<Real>& solution) {
  solution.outcome = outcome_of(process.discount, options, solution);
  solution.converged = solution.outcome == Outcome::within_tolerance;
}

template void settle_outcome(const DecisionProcess<float>&, const SolveOptions&,
                             ProcessSolution<float>&);
template void settle_outcome(const DecisionProcess<double>&, const SolveOptions&,
                             ProcessSolution<double>&);

}  // namespace tidewise::mdp
