#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Solves a process by the method that `options` names, on host or device, and judges the answer.
/// The process is sound (require_sound). With γ = 1 states from which no policy ends are refused
/// (InputError that says how many and names one), or infinite where the options allow that. Errors:
/// InputError for a method that does not go with the backend or the options; RunError when the
/// device fails.
template <class Real>
ProcessSolution<Real> solve_process(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress);

/// Refuses options that cannot be, or do not go together, whatever the process: InputError. Asked
/// for by solve_process(), and before a large model is read.
void validate_options(const SolveOptions& options);

/// Of options.threads those that solve_process() takes for so many entries: a few of them are gone
/// through before a second thread has woken up. The bits are the same by any number.
std::int32_t worthwhile_threads(std::int64_t entries, const SolveOptions& options);

/// Fills residual, bounds and rounding of `solution` by one sweep over its values. `choose`: not
/// null with γ < 1, also its actions, the lowest that falls short of a state's best by no more than
/// tie_within() of these options: equal values give equal policies, whatever method found them.
template <class Real>
void validate_solution(const DecisionProcess<Real>& process, std::int32_t threads,
                       ProcessSolution<Real>& solution, const SolveOptions* choose = nullptr);

/// Brings the bounds of a validated solution nearer, where γ < 1 and there are terminal states, by
/// another sweep.
template <class Real>
void narrow_bounds(const DecisionProcess<Real>& process, std::int32_t threads,
                   ProcessSolution<Real>& solution);

/// What validate_solution() does, for backward induction of `steps`, whose value is that of so many
/// steps and no fixed point: there is no residual, and the error is nothing but rounding.
template <class Real>
void validate_steps(const DecisionProcess<Real>& process, std::int64_t steps, std::int32_t threads,
                    ProcessSolution<Real>& solution);

/// Q(s, a) of values in double, by the code that judges solutions, (state, action); NaN where a
/// state does not have the action. `value`: (state).
template <class Real>
std::vector<double> find_action_values(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, std::int32_t threads);

}  // namespace tidewise::mdp
