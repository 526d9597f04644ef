#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace tidewise {

// What lies in a run's folder beside its own files and no older than its policy. null where there
// is none, or what cannot be read.

/// Of the map that 'tidewise rehearse' left: {"trajectories", "arrival_rate", "hours"}, the hours
/// of those that arrived, ascending; of those that keep to a place "within" or "distance", a mean.
nlohmann::ordered_json read_rehearsal(const std::filesystem::path& folder);

/// Waypoints that 'tidewise export' left in export/, a file that a page can read: {"name", "text"}.
nlohmann::ordered_json read_exported(const std::filesystem::path& folder);

}  // namespace tidewise
