#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Solves a process by the method of `options`, on host or device, and validates the result.
/// Requires a valid process (require_sound). With γ = 1 states from which no policy terminates are
/// refused (InputError with their number and one of them), or infinite if the options allow it.
/// Errors: InputError for a method that does not support the backend or the options; RunError when
/// the device fails.
template <class Real>
ProcessSolution<Real> solve_process(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress);

/// Refuses invalid options and combinations, independent of the process: InputError. Called by
/// solve_process(), and before a large model is read.
void validate_options(const SolveOptions& options);

/// Number of threads, up to options.threads, that are worthwhile for this number of entries,
/// because small models are done before a second thread has woken up. The bits do not depend on it.
std::int32_t worthwhile_threads(std::int64_t entries, const SolveOptions& options);

/// Fills residual, bounds and rounding of `solution` by one sweep over its values. `choose`: if not
/// null and γ < 1, also sets its actions, to the lowest whose value is within tie_within() of the
/// state's best, so that equal values give equal policies for all methods.
template <class Real>
void validate_solution(const DecisionProcess<Real>& process, std::int32_t threads,
                       ProcessSolution<Real>& solution, const SolveOptions* choose = nullptr);

/// Narrows the bounds of a validated solution by another sweep, if γ < 1 and there are terminal
/// states.
template <class Real>
void narrow_bounds(const DecisionProcess<Real>& process, std::int32_t threads,
                   ProcessSolution<Real>& solution);

/// As validate_solution(), for backward induction of `steps`, whose value is not a fixed point:
/// there is no residual, and the only error is rounding.
template <class Real>
void validate_steps(const DecisionProcess<Real>& process, std::int64_t steps, std::int32_t threads,
                    ProcessSolution<Real>& solution);

/// Q(s, a) of values in double, with the code that validates solutions, (state, action); NaN for
/// actions that the state does not have. `value`: (state).
template <class Real>
std::vector<double> find_action_values(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, std::int32_t threads);

}  // namespace tidewise::mdp
