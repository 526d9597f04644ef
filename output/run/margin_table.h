#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "tidewise/rollout.h"

namespace tidewise {

/// The margins that a summary's run was chosen from (`margins`), with what its file keeps of them;
/// none where it holds no such table, or a damaged one.
std::vector<MarginOutcome> margins_of(const nlohmann::ordered_json& summary);

}  // namespace tidewise
