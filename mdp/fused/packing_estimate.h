#pragma once

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Whether a device's sweeps over the packed layout should be faster than those over the sliced
/// one. Looks at some of the slices alone, always the same ones. Errors: RunError for a row of 2^26
/// entries among them.
template <class Real>
bool is_packing_faster(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
