#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "output/run/recommendation.h"

namespace tidewise {

// What lies in a run's folder beside its own files and no older than its policy. Nothing, or null,
// where there is none, or what cannot be read.

/// By the map that 'tidewise rehearse' left.
std::optional<Outlook> read_rehearsal(const std::filesystem::path& folder);

/// Waypoints that 'tidewise export' left in export/, a file that a page can read: {"name", "text"}.
nlohmann::ordered_json read_exported(const std::filesystem::path& folder);

}  // namespace tidewise
