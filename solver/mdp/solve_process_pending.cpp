// Stands in for solve_process.cpp until that is merged; delete this file and its line in
// solver/CMakeLists.txt then. It knows value iteration by one thread alone.

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "solver/mdp/bellman.h"
#include "solver/mdp/first_values.h"
#include "solver/mdp/solve_process.h"
#include "solver/mdp/sweep_judge.h"

namespace tidewise {

template <class Real>
ProcessSolution<Real> solve_process(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress) {
  if (options.method != SolveMethod::value_iteration || options.compute_on != ComputeOn::host) {
    throw RunError("this branch holds value iteration on the host alone");
  }
  const Stopwatch watch;
  ProcessSolution<Real> solution;
  const ProcessView<Real> view = view_of(process);
  std::vector<Real> value = first_values(process);
  std::vector<Real> next(value.size());
  solution.action.resize(value.size());
  while (!solution.converged && solution.sweeps < options.most_sweeps) {
    ValueChange change;
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      const BestAction<Real> best = best_action(view, value.data(), s);
      next[std::size_t(s)] = best.value;
      solution.action[std::size_t(s)] = best.action;
      change.include(double(best.value) - double(value[std::size_t(s)]));
    }
    std::swap(value, next);
    progress.advance_to(++solution.sweeps);
    solution.bounds = bounds_after(change, process.discount);
    solution.converged = may_stop(change, process.discount, options, false);
  }
  solution.value = std::move(value);
  solution.seconds = solution.sweep_seconds = watch.seconds();
  return solution;
}

template ProcessSolution<float> solve_process(const DecisionProcess<float>&, const SolveOptions&,
                                              Progress&);
template ProcessSolution<double> solve_process(const DecisionProcess<double>&, const SolveOptions&,
                                               Progress&);

}  // namespace tidewise
