#include "mdp/solve/outcome.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

namespace tidewise::mdp {
namespace {

/// True if a sweep changes values by no more than its rounding, so that further sweeps are useless.
template <class Real>
bool is_rounding(double discount, const ProcessSolution<Real>& solution) {
  constexpr double sweeps = 4;  // the last sweep may contain the rounding of a few sweeps
  const double sweep_rounding = solution.rounding * (discount < 1 ? 1 - discount : 1);
  return solution.residual <= sweeps * sweep_rounding;
}

template <class Real>
Outcome outcome_of(double discount, const SolveOptions& options,
                   const ProcessSolution<Real>& solution) {
  if (!solution.endless.empty()) return Outcome::endless;
  const bool has_bounds = options.stop == StoppingRule::error && has_fixed_point(options.method);
  if (!has_bounds) return solution.converged ? Outcome::within_tolerance : Outcome::gave_up;
  const bool is_interval = !solution.lower.empty();
  const bool is_near =
      is_interval ? solution.is_within_tolerance : solution.bounds.error() <= options.tolerance;
  if (is_near) return Outcome::within_tolerance;
  if (!std::isfinite(solution.bounds.error())) return Outcome::gave_up;
  // A method's stopping rule proves the tolerance, except for rounding.
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

template <class Real>
std::string describe_shortfall(const ProcessSolution<Real>& solution, const SolveOptions& options) {
  if (solution.outcome == Outcome::within_tolerance) return {};
  if (solution.outcome == Outcome::limited_by_rounding) {
    return fmt::format(
        "rounding keeps the error at {:.3g}, but the tolerance is {:g}: more sweeps do not "
        "help; {}give a larger --tolerance",
        solution.bounds.error(), options.tolerance,
        std::is_same_v<Real, float> ? "use double precision, or " : "");
  }
  if (!solution.endless.empty()) {
    const std::size_t others = solution.endless.size() - 1;
    return fmt::format(
        "from state {}{} rewards are gained without end, so that it has no value; give --gamma "
        "below 1, or make states terminal with --target",
        solution.endless.front(), others > 0 ? fmt::format(" (and {} more)", others) : "");
  }
  if (!solution.undecided.empty()) {
    const std::size_t others = solution.undecided.size() - 1;
    return fmt::format(
        "there is no bound on the error: near state {}{} gains and losses of a loop cancel "
        "except for rounding, so that the loop may gain without end; write its "
        "rewards and probabilities with more digits, give --gamma below 1, or make states terminal "
        "with --target",
        solution.undecided.front(), others > 0 ? fmt::format(" (and {} more)", others) : "");
  }
  if (solution.direct_states > 0 && solution.lower.empty()) {
    return "there is no bound on the error: policies were solved directly, but some loop is left "
           "too rarely for double precision; give --gamma below 1, or make states terminal with "
           "--target";
  }
  if (solution.interval_sweeps > 0) {
    return fmt::format(
        "bounds did not converge: after {} sweeps from both ends the error is "
        "{:.3g}, but the tolerance is {:g}; increase --max-sweeps or --tolerance",
        solution.interval_sweeps, solution.bounds.error(), options.tolerance);
  }
  return fmt::format(
      "{} did not converge: after {} sweeps the Bellman residual is {:.3g}, but the tolerance is "
      "{:g}; increase --max-sweeps or --tolerance, or check if the model gains without end",
      name_of(options.method), solution.sweeps, solution.residual, options.tolerance);
}

template std::string describe_shortfall(const ProcessSolution<float>&, const SolveOptions&);
template std::string describe_shortfall(const ProcessSolution<double>&, const SolveOptions&);

}  // namespace tidewise::mdp
