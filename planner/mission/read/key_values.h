#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// The values of keys that are no plain number or word. Errors: InputError of KeyReader's kind.

/// An absolute path. A path of a file starts from `folder`, one of the command line from the
/// working folder.
std::optional<std::filesystem::path> find_path(const KeyReader& keys, std::string_view key,
                                               const std::filesystem::path& folder);

std::optional<RealizationChoice> find_realizations(const KeyReader& keys, std::string_view key);
std::optional<DeviceChoice> find_devices(const KeyReader& keys, std::string_view key);

/// At least one, each 0 or more: one for each of vehicle.profiles.
std::optional<std::vector<double>> find_for_profiles(const KeyReader& keys, std::string_view key);

/// At least one, and each once. They must be there.
std::optional<std::vector<std::string>> find_profiles(const KeyReader& keys, std::string_view key);
std::optional<std::vector<double>> find_speeds(const KeyReader& keys, std::string_view key);

/// Output formats of a run.
std::optional<std::vector<std::string>> find_formats(const KeyReader& keys, std::string_view key);

}  // namespace tidewise
