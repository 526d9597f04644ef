#pragma once

#include <string>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Ends where the path formula `options.target` (mdp/formula/path_formula.h) is decided. For a
/// reward it names target states alone, which become terminal and worth 0. For a probability they
/// are worth 1; those where neither side of U holds, other terminal states and all rewards 0; and
/// the discount is 1. With a bound on rewards these are kept: the caller holds them against it, as
/// it does steps against a bound on these; with a bound of 0 steps all is decided. Without a target
/// nothing changes. `place` is what errors begin with. Errors: InputError for a formula that is
/// none, a label that there is not, and for a probability of reaching nothing.
template <class Real>
void end_in_target(const ReadOptions& options, const std::string& place,
                   DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
