#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/divided/result_stages.h"
#include "mdp/process/array_copies.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/run_until_verdict.h"

namespace tidewise::mdp {

/// What Result Divided Iteration holds in the executor's memory, and its sweep.
template <class Real, class Executor>
class ResultIteration {
 public:
  ResultIteration(const DecisionProcess<Real>& process, Executor& executor)
      : executor_(executor),
        process_(process),
        value_(array_of<Executor::space>(first_values(process))),
        action_(value_.size()),
        product_(process.successor.size()),
        row_value_(process.reward.size()) {}

  /// So many sweeps; the last one's change.
  ChangeSlot<double> sweep(std::int64_t times) {
    const ProcessView<Real>& view = process_.view();
    for (std::int64_t n = 0; n < times; ++n) {
      executor_.for_each(product_.size(),
                         TransitionProducts<Real>{view, value_.data(), product_.data()});
      executor_.for_each(row_value_.size(),
                         RowSums<Real>{view, product_.data(), row_value_.data()});
      executor_.sweep(value_.size(),
                      StateMaxima<Real>{view, row_value_.data(), value_.data(), action_.data()},
                      n + 1 < times ? Look::away : Look::at_change);
    }
    return executor_.change();
  }
  std::vector<Real> value() const { return vector_of(value_); }
  std::vector<std::int32_t> action() const { return vector_of(action_); }

 private:
  template <class T>
  using Held = Array<T, Executor::space>;

  Executor& executor_;
  typename Executor::template Held<Real> process_;
  Held<Real> value_;           ///< (state)
  Held<std::int32_t> action_;  ///< (state)
  Held<Real> product_;         ///< (entry)
  Held<Real> row_value_;       ///< (row)
};

/// Result Divided Iteration by whichever executor.
template <class Real, class Executor>
ProcessSolution<Real> divide_results(const DecisionProcess<Real>& process,
                                     const SolveOptions& options, Progress& progress,
                                     Executor& executor) {
  const Stopwatch whole;
  ResultIteration<Real, Executor> iteration(process, executor);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::batches);
  ProcessSolution<Real> solution;
  const std::int64_t most = std::max<std::int64_t>(options.most_sweeps, 1);
  progress.begin("result divided iteration", 0, "sweeps");
  ValueChange change;
  run_until_verdict(monitor, progress, solution, [&] {
    const std::int64_t sweeps = std::min(monitor.sweeps_until_look(), most - monitor.sweeps());
    change = finite_change(iteration.sweep(sweeps), "result-divided", monitor.sweeps() + sweeps);
    return monitor.after(
        change, process, [&] { return iteration.value(); }, sweeps);
  });
  solution.value = iteration.value();
  solution.action = iteration.action();
  if (solution.converged) centre_values<Real>(change, process.discount, options, solution);
  solution.seconds = whole.seconds();
  return solution;
}

}  // namespace tidewise::mdp
