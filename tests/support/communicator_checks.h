#pragma once

#include "base/parallel/communicator.h"

namespace tidewise::test {

/// Checks a group of any size against the contract of communicator.h; called by each of its ranks.
void check_communicator(Communicator& communicator);

}  // namespace tidewise::test
