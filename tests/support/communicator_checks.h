#pragma once

#include "base/parallel/communicator.h"

namespace tidewise::test {

/// Holds a group of any size to what communicator.h promises; called by each of its ranks.
void check_communicator(Communicator& communicator);

}  // namespace tidewise::test
