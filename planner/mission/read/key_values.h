#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// Values of keys with special formats. Errors: InputError, as of KeyReader.

/// An absolute path. A path of a file starts from `folder`, and one of the command line from the
/// working folder.
std::optional<std::filesystem::path> find_path(const KeyReader& keys, std::string_view key,
                                               const std::filesystem::path& folder);

/// "all", the number of realizations, or their indices, each once.
std::optional<RealizationChoice> find_realizations(const KeyReader& keys, std::string_view key);
/// "all", or the numbers of GPUs, each once.
std::optional<DeviceChoice> find_devices(const KeyReader& keys, std::string_view key);

/// Numbers of 0 or more, one for each entry of vehicle.profiles.
std::optional<std::vector<double>> find_for_profiles(const KeyReader& keys, std::string_view key);

/// Names of profiles, at least one, each once.
std::optional<std::vector<std::string>> find_profiles(const KeyReader& keys, std::string_view key);
/// Speeds, at least one, each once.
std::optional<std::vector<double>> find_speeds(const KeyReader& keys, std::string_view key);

/// Output formats of a run.
std::optional<std::vector<std::string>> find_formats(const KeyReader& keys, std::string_view key);

}  // namespace tidewise
