#pragma once

#include <string>

#include "planner/rehearsal/rehearsal.h"

namespace tidewise {

/// A table of prediction, flights and rehearsal with a row for each member, and a line on their
/// agreement.
std::string describe_rehearsal(const Rehearsal& rehearsal);

/// The figures as JSON; times in seconds.
std::string rehearsal_as_json(const Rehearsal& rehearsal);

}  // namespace tidewise
