#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// Properties of the process's graph, independent of rewards.
/// Source: de Alfaro, "Formal verification of probabilistic systems", 1997, chapter 3.
struct ProperPolicies {
  /// States from which no policy surely terminates (in a terminal state, or one whose every action
  /// stays without reward), ascending. Empty: there is a proper policy.
  std::vector<std::int32_t> improper;
};

/// Finds these states. Each pass is linear in the transitions; further passes are needed only if a
/// cycle loses its exit.
template <class Real>
ProperPolicies find_proper_policies(const DecisionProcess<Real>& process);

/// A quantifier over policies.
enum class Quantifier { some_policy, every_policy };
/// 1 for each state that reaches one of `targets` with a probability above 0 by some or by every
/// policy, else 0, (state).
template <class Real>
std::vector<std::uint8_t> may_reach(const DecisionProcess<Real>& process,
                                    const std::vector<std::int32_t>& targets,
                                    Quantifier quantifier);

/// Prepares a process for the probability of reaching a target (ReadObjective::probability): makes
/// states terminal with value 0 from which the targets (terminal states of value 1) cannot be
/// reached, or can be avoided if the probability is minimized. Iteration itself would not find the
/// latter.
template <class Real>
DecisionProcess<Real> end_out_of_reach(DecisionProcess<Real> process, Direction direction);

}  // namespace tidewise::mdp
