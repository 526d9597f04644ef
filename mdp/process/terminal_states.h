#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The same process with `states` terminal and worth `value` each: their rows are emptied. Its
/// other states keep what they have, to the last bit. Errors: InputError for a state that there is
/// not.
template <class Real>
DecisionProcess<Real> make_terminal(DecisionProcess<Real> process,
                                    const std::vector<std::int32_t>& states, Real value);

/// The same with `states` terminal, worth 0, and without the actions of others that may lead there.
template <class Real>
DecisionProcess<Real> take_out(DecisionProcess<Real> process,
                               const std::vector<std::int32_t>& states);

}  // namespace tidewise::mdp
