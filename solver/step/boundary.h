#pragma once

#include "base/host_device.h"

namespace tidewise {

// The boundary values of docs/model.md, 3.2: what a cell is worth in which no action is taken.

/// What open water outside the target gets at a level.
enum class BeyondTarget {
  penalty,      ///< time is up, or the cell is another's to decide on
  non_terminal  ///< an action is to be found for it
};

/// Whether a cell is one that actions are taken in before the last level: open water outside the
/// target.
TIDEWISE_HOST_DEVICE constexpr bool is_non_terminal(bool masked, bool in_target) {
  return !masked && !in_target;
}

/// The value of a cell without an action: 0 in the target, else the failure penalty; a mask over
/// the target wins.
template <class Real>
TIDEWISE_HOST_DEVICE constexpr Real boundary_value(bool masked, bool in_target,
                                                   Real failure_penalty) {
  return !masked && in_target ? Real{0} : failure_penalty;
}

}  // namespace tidewise
