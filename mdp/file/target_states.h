#pragma once

#include <string>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Makes the states of `options.target` terminal: labels of the model and numbers of states,
/// separated by commas; a number that is also a label is read as the label. For a reward their
/// value is 0. For a probability their value is 1, that of other terminal states and all rewards
/// are 0, and the discount is 1. Does nothing without a target. `place`: the beginning of errors.
/// Errors: InputError for an unknown label or state, and for a probability without a target.
template <class Real>
void end_in_target(const ReadOptions& options, const std::string& place,
                   DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
