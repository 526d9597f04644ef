#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/host_device.h"
#include "base/memory/array.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "mdp/backup/bellman.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/divided/block_launch.h"
#include "mdp/divided/block_neighbours.h"
#include "mdp/divided/result_stages.h"
#include "mdp/process/array_copies.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/run_until_verdict.h"

namespace tidewise::mdp {

/// One state of a Jacobi sweep V' = T V; returns its change.
template <class Real>
struct StateSweep {
  ProcessView<Real> process;
  const Real* before = nullptr;    ///< V, (state)
  Real* after = nullptr;           ///< V', (state); another array
  std::int32_t* action = nullptr;  ///< greedy for V, (state); −1 in terminal states

  TIDEWISE_HOST_DEVICE double operator()(std::size_t state) const {
    const BestAction<Real> best = best_action(process, before, static_cast<std::int32_t>(state));
    after[state] = best.value;
    action[state] = best.action;
    return static_cast<double>(best.value) - static_cast<double>(before[state]);
  }
};

/// Data of Block Divided Iteration in the executor's memory, and its two kinds of steps.
template <class Real, class Executor>
class BlockIteration {
 public:
  BlockIteration(const DecisionProcess<Real>& process, const SolveOptions& options,
                 Executor& executor)
      : executor_(executor),
        options_(options.blocks),
        division_(divide_states(process.state_count, options_)),
        process_(process),
        value_(array_of<Executor::space>(first_values(process))),
        spare_(value_.size()),
        action_(value_.size()) {
    if (options_.changed_states == 0) options_.changed_states = options_.states_per_thread;
    if (prioritises(options_.variant)) set_priorities(process);
    if (buffers(options_.variant)) gather_neighbours(process, options.threads);
  }

  /// Does `times` launches and returns the change of the last one.
  ChangeSlot<double> launch(std::int64_t times) {
    for (std::int64_t n = 0; n < times; ++n) {
      launch_once(n + 1 < times ? Look::away : Look::at_change);
      std::swap(value_, spare_);
    }
    return executor_.change();
  }
  /// Does a Jacobi sweep, which also finds the greedy actions for the values before it.
  ChangeSlot<double> sweep() {
    executor_.sweep(value_.size(),
                    StateSweep<Real>{process_.view(), value_.data(), spare_.data(), action_.data()},
                    Look::at_change);
    std::swap(value_, spare_);
    return executor_.change();
  }
  std::vector<Real> value() const { return vector_of(value_); }
  std::vector<std::int32_t> action() const { return vector_of(action_); }

 private:
  template <class T>
  using DataArray = Array<T, Executor::space>;

  void launch_once(Look look) {
    BlockTask<Real> task{process_.view(), division_, options_.sweeps, value_.data(), spare_.data()};
    if (buffers(options_.variant)) task.process.successor = place_;
    switch (options_.variant) {
      case BlockVariant::plain:
        return executor_.launch(PlainBlocks<Real>{task}, look);
      case BlockVariant::buffering:
        return executor_.launch(BufferingBlocks<Real>{task, buffer()}, look);
      case BlockVariant::prioritising:
        return executor_.launch(prioritising<false>(task), look);
      case BlockVariant::both:
        return executor_.launch(prioritising<true>(task), look);
    }
  }

  BlockBuffer<Real> buffer() {
    return {neighbour_begin_, neighbour_, max_neighbours_, cache_.data()};
  }
  template <bool is_buffered>
  PrioritisingBlocks<Real, is_buffered> prioritising(const BlockTask<Real>& task) {
    return {task,
            options_.states_per_thread,
            options_.changed_states,
            exploration_,
            last_change_.data(),
            update_count_.data(),
            is_buffered ? buffer() : BlockBuffer<Real>{}};
  }

  void gather_neighbours(const DecisionProcess<Real>& process, std::int32_t threads) {
    const BlockNeighbours neighbours = find_neighbours(process, division_, threads);
    place_ = array_of<Executor::space>(neighbours.place);
    neighbour_begin_ = array_of<Executor::space>(neighbours.begin);
    neighbour_ = array_of<Executor::space>(neighbours.state);
    max_neighbours_ = static_cast<std::int32_t>(neighbours.max);
    const std::size_t other_scratch =
        prioritises(options_.variant)
            ? priority_bytes(division_.block_states, options_.states_per_thread, sizeof(Real))
            : PlainBlocks<Real>::block_bytes(division_.block_states);
    if (other_scratch + sizeof(Real) * static_cast<std::size_t>(neighbours.max) >
        max_scratch_bytes) {
      cache_ = DataArray<Real>(neighbours.state.size());
    }
  }

  /// Sets U_c to the greatest absolute reward of a row, so that choices do not depend on the unit
  /// of rewards.
  void set_priorities(const DecisionProcess<Real>& process) {
    exploration_ = 0;
    for (const Real reward : process.reward) {
      exploration_ = std::max(exploration_, std::fabs(reward));
    }
    if (exploration_ == 0) exploration_ = 1;
    const auto states = static_cast<std::size_t>(process.state_count);
    last_change_ = array_of<Executor::space>(std::vector<Real>(states, 0));
    update_count_ = array_of<Executor::space>(std::vector<std::int32_t>(states, 1));
  }

  Executor& executor_;
  BlockOptions options_;
  BlockDivision division_;
  typename Executor::template Held<Real> process_;
  DataArray<Real> value_;  ///< newest, (state)
  DataArray<Real> spare_;
  DataArray<std::int32_t> action_;  ///< (state)
  // For buffering variants (BlockNeighbours):
  DataArray<std::int32_t> place_;
  DataArray<std::int64_t> neighbour_begin_;
  DataArray<std::int32_t> neighbour_;
  std::int32_t max_neighbours_ = 0;
  DataArray<Real> cache_;  ///< empty if it fits scratch memory
  // For prioritising variants:
  Real exploration_ = 1;
  DataArray<Real> last_change_;
  DataArray<std::int32_t> update_count_;
};

/// Block Divided Iteration on any executor; `sweeps` counts launches and confirming sweeps.
template <class Real, class Executor>
ProcessSolution<Real> divide_blocks(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress,
                                    Executor& executor) {
  constexpr const char* name = "block-divided";
  const Stopwatch stopwatch;
  BlockIteration<Real, Executor> iteration(process, options, executor);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::launches);
  ProcessSolution<Real> solution;
  progress.begin("block divided iteration", 0, "launches");
  const auto validated = [&](const ChangeSlot<double>& slot, std::int64_t count) {
    return finite_change(slot, name, monitor.sweeps() + count);
  };
  ValueChange change;
  run_until_verdict(monitor, progress, solution, [&] {
    // The last sweep is a confirming one, because it finds the actions.
    while (!monitor.is_sweep_due() && monitor.sweeps() + 1 < options.max_sweeps) {
      const std::int64_t launches =
          std::min(monitor.sweeps_until_look(), options.max_sweeps - 1 - monitor.sweeps());
      monitor.after_launches(validated(iteration.launch(launches), launches), launches);
      progress.advance_to(monitor.sweeps());
    }
    change = validated(iteration.sweep(), 1);
    return monitor.after(change, process, [&] { return iteration.value(); });
  });
  solution.value = iteration.value();
  solution.action = iteration.action();
  if (solution.converged) centre_values<Real>(change, process.discount, options, solution);
  solution.seconds = stopwatch.seconds();
  return solution;
}

/// Data of Result Divided Iteration in the executor's memory, and its sweep.
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

  /// Does `times` sweeps and returns the change of the last one.
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
  using DataArray = Array<T, Executor::space>;

  Executor& executor_;
  typename Executor::template Held<Real> process_;
  DataArray<Real> value_;           ///< (state)
  DataArray<std::int32_t> action_;  ///< (state)
  DataArray<Real> product_;         ///< (entry)
  DataArray<Real> row_value_;       ///< (row)
};

/// Result Divided Iteration on any executor.
template <class Real, class Executor>
ProcessSolution<Real> divide_results(const DecisionProcess<Real>& process,
                                     const SolveOptions& options, Progress& progress,
                                     Executor& executor) {
  const Stopwatch stopwatch;
  ResultIteration<Real, Executor> iteration(process, executor);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::batches);
  ProcessSolution<Real> solution;
  const std::int64_t max = std::max<std::int64_t>(options.max_sweeps, 1);
  progress.begin("result divided iteration", 0, "sweeps");
  ValueChange change;
  run_until_verdict(monitor, progress, solution, [&] {
    const std::int64_t sweeps = std::min(monitor.sweeps_until_look(), max - monitor.sweeps());
    change = finite_change(iteration.sweep(sweeps), "result-divided", monitor.sweeps() + sweeps);
    return monitor.after(
        change, process, [&] { return iteration.value(); }, sweeps);
  });
  solution.value = iteration.value();
  solution.action = iteration.action();
  if (solution.converged) centre_values<Real>(change, process.discount, options, solution);
  solution.seconds = stopwatch.seconds();
  return solution;
}

}  // namespace tidewise::mdp
