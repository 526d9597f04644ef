#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// The greedy policy after a number of rounds of Q-learning.
struct LearnedPolicy {
  std::int64_t rounds = 0;
  std::vector<std::int32_t> action;  ///< as ProcessSolution::action
};

/// How Q-learning occupied a device.
struct LearningLaunch {
  std::int32_t lanes = 0;  ///< threads per agent
  std::int32_t blocks = 0;
  std::int32_t block_threads = 0;
  std::int32_t blocks_per_processor = 0;  ///< that can be resident
  double occupancy = 0;                   ///< resident threads over those a multiprocessor holds
};

/// What Q-learning went through; other methods leave it as it is.
struct LearningRecord {
  std::vector<std::int64_t> visits = {};  ///< by all agents, (row)
  std::int64_t unvisited_rows = 0;        ///< actions that no agent ever took
  std::int64_t steps = 0;                 ///< of all agents
  std::int64_t explored_steps = 0;        ///< of them at random
  std::int64_t episodes = 0;              ///< that have ended
  std::vector<LearnedPolicy> curve = {};  ///< QLearningOptions::curve_points, evenly spaced
  LearningLaunch launch = {};
};

/// A part of a method's work, for who wants to know where its time went.
struct SolvePhase {
  const char* name;
  double seconds;
};

/// What a method found and what it took.
template <class Real>
struct ProcessSolution : SolveFigures {
  std::vector<Real> value;           ///< (state); of backward induction at the first step
  std::vector<std::int32_t> action;  ///< greedy for a value at most one sweep older, (state);
                                     ///< −1 in terminal states
  // A method says of `converged`: by its stopping rule, within most_sweeps; settle_outcome() sets
  // it and `outcome`. validate_solution() finds residual, bounds and rounding by one more sweep on
  // the host, whoever found `value`. Proofs of endless gain: loop_gains.h, endless_gain.h.
  ErrorBounds bounds;                 ///< of `value`; rounding is in them
  Method method = Method::automatic;  ///< that found it, as solve_process() says
  std::int64_t turned_at = 0;         ///< sweeps after which it took over from the fused one, or 0
  std::int64_t policy_changes = 0;    ///< states that took another action, over all improvements
  std::int64_t model_bytes = 0;       ///< read of the model by one sweep; 0: not known
  /// What interval_iteration.h knows of the optimum, (state), whatever rounding did: with γ = 1, or
  /// where a relative error was asked for. Empty: nothing, or the same `bounds` for all states.
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  std::int64_t interval_sweeps = 0;  ///< that brought these together
  bool is_as_near_as_asked = true;   ///< false: rounding, or loops that bring nothing over a turn,
                                     ///< keep them from the tolerance
  /// The states of the largest loop where policy iteration with direct solves found the values
  /// without any sweep of a method (SolveOptions::is_left_to_choose); 0: a method found them.
  std::int32_t direct_states = 0;
  LearningRecord learning = {};
  std::vector<SolvePhase> phases = {};  ///< of the fused method on a device: what made up `seconds`
  /// γ = 1: states from which no policy is that counts (SolveOptions::may_be_infinite), ascending:
  /// value, lower and upper are −∞ there, action is −1. What holds of all states does of the
  /// others.
  std::vector<std::int32_t> infinite = {};
  /// Where γ = 1 and there are no bounds: states in loops of which rounding hides whether they gain
  /// or lose (loop_gains.h), ascending.
  std::vector<std::int32_t> undecided = {};

  double seconds_per_sweep() const {
    return sweeps > 0 ? sweep_seconds / static_cast<double>(sweeps) : 0;
  }
};

}  // namespace tidewise::mdp
