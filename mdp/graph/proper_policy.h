#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// What the graph of a process says about ends, whatever the rewards.
/// Source: de Alfaro, "Formal verification of probabilistic systems", 1997, chapter 3.
struct ProperPolicies {
  /// States from which no policy surely comes to an end (a terminal state, or one whose every
  /// action stays there and brings nothing), ascending. Empty: there is a proper policy.
  std::vector<std::int32_t> improper;
};

/// Linear in the transitions for each pass; a further pass only where a cycle loses its way out.
template <class Real>
ProperPolicies find_proper_policies(const DecisionProcess<Real>& process);

/// Whether each state can reach one of `targets` by some policy, or by every one, with a
/// probability above 0, (state).
enum class Quantifier { some_policy, every_policy };
template <class Real>
std::vector<std::uint8_t> may_reach(const DecisionProcess<Real>& process,
                                    const std::vector<std::int32_t>& targets,
                                    Quantifier quantifier);

/// For the probability of reaching a target (ReadObjective::probability): makes states terminal and
/// worth 0 from which the targets, terminal states worth 1, are out of reach, or can be kept out of
/// reach where the least probability is asked for. Iteration alone would not find that out for the
/// least.
template <class Real>
DecisionProcess<Real> end_out_of_reach(DecisionProcess<Real> process, Direction direction);

}  // namespace tidewise::mdp
