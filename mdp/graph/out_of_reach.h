#pragma once

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// For the probability of reaching a target (ReadObjective::probability): makes states terminal and
/// worth 0 from which the targets, terminal states worth 1, are out of reach, or can be kept out of
/// reach where the least probability is asked for. Iteration alone would not find that out for the
/// least.
template <class Real>
DecisionProcess<Real> end_out_of_reach(DecisionProcess<Real> process, Direction direction);

}  // namespace tidewise::mdp
