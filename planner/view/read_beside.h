#pragma once

#include <filesystem>
#include <optional>

#include "output/run/recommendation.h"

namespace tidewise {

/// By the map that 'tidewise rehearse' left in a run's folder; nothing if there is none, it
/// cannot be read, or it is older than the policy.
std::optional<Outlook> read_rehearsal(const std::filesystem::path& folder);

}  // namespace tidewise
