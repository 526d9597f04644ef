#pragma once

#include <string>

#include "planner/rehearsal/rehearsal.h"

namespace tidewise {

/// Promise, flights and rehearsal in one table, a row a member, and a line that says how far they
/// agree.
std::string describe_rehearsal(const Rehearsal& rehearsal);

/// The same in JSON, for programs; times in seconds.
std::string rehearsal_as_json(const Rehearsal& rehearsal);

}  // namespace tidewise
