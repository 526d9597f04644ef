#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// The greedy policy after some rounds of Q-learning.
struct LearnedPolicy {
  std::int64_t rounds = 0;
  std::vector<std::int32_t> action;  ///< as ProcessSolution::action
};

/// Use of a device by Q-learning.
struct LearningLaunch {
  std::int32_t lanes = 0;  ///< threads per agent
  std::int32_t blocks = 0;
  std::int32_t block_threads = 0;
  std::int32_t blocks_per_processor = 0;  ///< limit of resident blocks
  double occupancy = 0;                   ///< resident threads per capacity of a multiprocessor
};

/// Statistics of Q-learning; unused by other methods.
struct LearningRecord {
  std::vector<std::int64_t> visits = {};  ///< by all agents, (row)
  std::int64_t unvisited_rows = 0;        ///< actions that no agent took
  std::int64_t steps = 0;                 ///< number of steps of all agents
  std::int64_t explored_steps = 0;        ///< number of these with a random action
  std::int64_t episodes = 0;              ///< completed episodes
  std::vector<LearnedPolicy> curve = {};  ///< QLearningOptions::curve_points, evenly spaced
  LearningLaunch launch = {};
};

/// A part of a method's time.
struct SolvePhase {
  const char* name;
  double seconds;
};

/// Result of a method and its cost.
template <class Real>
struct ProcessSolution : SolveFigures {
  std::vector<Real> value;  ///< (state); for backward induction, of the first step
  /// Greedy for a value at most one sweep older, (state); −1 in terminal states.
  std::vector<std::int32_t> action;
  // A method sets `converged` by its stopping rule, within max_sweeps; settle_outcome() updates it
  // and sets `outcome`. validate_solution() finds residual, bounds and rounding by another sweep on
  // the host, for all methods. For proofs of unbounded gain see loop_gains.h and endless_gain.h.
  ErrorBounds bounds;                 ///< bounds of the error of `value`, rounding included
  Method method = Method::automatic;  ///< the method used, set by solve_process()
  std::int64_t turned_at = 0;       ///< sweeps of the fused method before `method` took over, or 0
  std::int64_t policy_changes = 0;  ///< changed actions, over all improvements
  std::int64_t model_bytes = 0;     ///< bytes of the model read per sweep; 0: unknown
  /// Bounds of the optimum from interval_iteration.h, (state), valid despite rounding: with γ = 1,
  /// or if a relative error was requested. Empty: none, or the same `bounds` for all states.
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  std::int64_t interval_sweeps = 0;  ///< sweeps for these bounds
  /// False if rounding, or loops of gain 0, prevent these bounds from meeting the tolerance.
  bool is_within_tolerance = true;
  /// Number of states of the largest loop if policy iteration with direct solves found the values
  /// without sweeps (SolveOptions::may_choose_method); 0: a method found them.
  std::int32_t direct_states = 0;
  LearningRecord learning = {};
  std::vector<SolvePhase> phases = {};  ///< parts of `seconds`, for the fused method on a device
  /// γ = 1: states without an admissible policy (SolveOptions::may_be_infinite), ascending: value,
  /// lower and upper are −∞ there, action is −1. The other members describe the other states.
  std::vector<std::int32_t> infinite = {};
  /// γ = 1 without bounds: states in loops whose gain or loss is hidden by rounding (loop_gains.h),
  /// ascending.
  std::vector<std::int32_t> undecided = {};

  double seconds_per_sweep() const {
    return sweeps > 0 ? sweep_seconds / static_cast<double>(sweeps) : 0;
  }
};

}  // namespace tidewise::mdp
