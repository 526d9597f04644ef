#pragma once

#include "mdp/backup/ordered_code.h"

namespace tidewise::mdp {

/// The change of a launch or a sweep of Block and Result Divided Iteration, while it is gathered.
using ChangeRecord = ChangeSlot<double>;

/// Whether the change that a launch makes is gathered.
enum class Look { away, at_change };

}  // namespace tidewise::mdp
