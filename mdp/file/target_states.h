#pragma once

#include <string>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Makes the states that `options.target` names terminal. For a reward they are then worth 0; for a
/// probability they are worth 1, other terminal states and all rewards 0, and the discount is 1.
/// Without a target nothing changes. `place` is what errors begin with. Errors: InputError for a
/// label that there is not, and for a probability of reaching nothing.
template <class Real>
void end_in_target(const ReadOptions& options, const std::string& place,
                   DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
