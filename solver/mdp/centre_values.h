#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/mdp/decision_process.h"
#include "solver/mdp/process_solution.h"
#include "solver/mdp/sweep_judge.h"

namespace tidewise {

/// Where the options ask for it (centres()), moves the values of states that are not terminal into
/// the middle of what the last sweep's change says about the optimum.
template <class Real>
void centre_values(const DecisionProcess<Real>& process, const SolveOptions& options,
                   const ValueChange& change, ProcessSolution<Real>& solution) {
  if (!centres(process.discount, options)) return;
  const double middle = bounds_after(change, process.discount).middle();
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (process.is_terminal(state)) continue;
    Real& value = solution.value[static_cast<std::size_t>(state)];
    value = static_cast<Real>(static_cast<double>(value) + middle);
  }
}

}  // namespace tidewise
