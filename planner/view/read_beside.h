#pragma once

#include <filesystem>
#include <optional>

#include "output/run/recommendation.h"

namespace tidewise {

/// Returns the outlook from the map of 'tidewise rehearse' in a run's folder; nullopt if there is
/// none, if it cannot be read, or if it is older than the policy.
std::optional<Outlook> read_rehearsal(const std::filesystem::path& folder);

}  // namespace tidewise
