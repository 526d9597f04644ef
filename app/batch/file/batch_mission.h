#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "app/batch/file/batch_file.h"
#include "planner/mission/read/file.h"

namespace tidewise {

/// One mission of a batch.
struct BatchMission {
  std::size_t index = 0;
  std::string name;       ///< "energy_target3_departure6": what sets it apart
  std::string directory;  ///< "0007_energy_target3_departure6": its folder in the batch's
  RunRequest request;     ///< its output.directory is that folder
  /// Keys that the batch varies, and what this mission has there. All missions of a batch list the
  /// same keys; one that a mission leaves to the base mission has no value.
  std::vector<std::pair<std::string, std::string>> varied;
};

/// Every mission of a batch file, in order: the last axis runs fastest. `settings` stand in for
/// keys of the base mission. Errors: InputError as of read_mission_file(), for a setting of a key
/// that is varied, for two missions that are the same, and for more than max_missions.
std::vector<BatchMission> expand_batch(const BatchFile& file, const std::vector<Setting>& settings);

inline constexpr std::size_t max_missions = 100'000;

/// "0007_energy_target3": the folder of a mission, unique by its number.
std::string directory_name(std::size_t index, std::size_t count, const std::string& name);

}  // namespace tidewise
