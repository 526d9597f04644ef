#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// States whose value is proved by `value` to be infinite with γ = 1: the greatest set in which
/// each state's greedy action adds at least `min_gain` to its value and stays in the set. A
/// policy of these actions gains that much in every step, for ever. If there is no such set: the
/// states of loops of greedy actions with one successor each that gain at least `min_gain` per
/// round, which sweeps never level out. Ascending; empty if `value`, (state), proves nothing, as
/// before sweeps have levelled out the gain of such a set, or if they never do because it is
/// periodic. Requires γ = 1. Gains under a millionth of the greatest value are ignored: rounded
/// probabilities may produce them. Source: the lower bound of Odoni, "On finding the maximal gain
/// for Markov decision processes", Operations Research 17, 1969, on a closed set of states.
template <class Real>
std::vector<std::int32_t> endless_gain(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, double min_gain);

}  // namespace tidewise::mdp
