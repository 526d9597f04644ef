#pragma once

#include <string>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Makes the states that `options.target` lists terminal: labels of the model and numbers of
/// states, separated by commas; of a number that is a label too the label counts. For a reward they
/// are worth 0. For a probability they are worth 1, other terminal states and all rewards 0, and
/// the discount is 1. Without a target nothing changes. `place`: the beginning of errors. Errors:
/// InputError for an unknown label or state, and for a probability without a target.
template <class Real>
void end_in_target(const ReadOptions& options, const std::string& place,
                   DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
