#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/parallel/communicator.h"

namespace tidewise::test {

/// Runs `work` on `count` ranks, which are threads of this process. Returns the error of each rank
/// as "input: …", "run: …", "halo: …", or an empty text.
std::vector<std::string> run_ranks(int count, const std::function<void(Communicator&)>& work);

}  // namespace tidewise::test
