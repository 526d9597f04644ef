#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/parallel/communicator.h"

namespace tidewise::test {

/// Runs `work` as each of `count` ranks, threads of this process; returns the error of each rank as
/// "input: …", "run: …", "halo: …", or an empty text.
std::vector<std::string> run_ranks(int count, const std::function<void(Communicator&)>& work);

}  // namespace tidewise::test
