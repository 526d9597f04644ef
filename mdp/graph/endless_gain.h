#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// States whose value is infinite with γ = 1, as `value` proves: the greatest set in which each
/// state's greedy action adds `least_gain` at least to its value and leads into the set alone. A
/// policy that keeps to these actions gains that much in every step, for ever. Where there is none,
/// the states of the loops that greedy actions of one successor go round and that bring
/// `least_gain` at least in a turn: sweeps never level these out. Ascending; empty where `value`,
/// (state), proves nothing, as it does before sweeps have levelled out what a lucrative set gains,
/// or where they never do, since it is periodic by chance.
/// Requires γ = 1. Gains under a millionth of the greatest value do not count: rows of rounded
/// probabilities may seem to make as much.
/// Source: the lower bound of Odoni, "On finding the maximal gain for Markov decision processes",
/// Operations Research 17, 1969, on a closed set of states.
template <class Real>
std::vector<std::int32_t> endless_gain(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, double least_gain);

}  // namespace tidewise::mdp
