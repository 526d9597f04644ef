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
  std::size_t index = 0;  ///< number in the batch, from 0
  std::string name;       ///< "energy_target3_departure6": labels of its values
  std::string directory;  ///< "0007_energy_target3_departure6": its folder
  RunRequest request;     ///< with the path of that folder as output.directory
  /// The keys that the batch varies, with this mission's values. All missions list the same keys;
  /// the value is empty if that of the base mission applies.
  std::vector<std::pair<std::string, std::string>> varied;
};

/// The missions of a batch file, in order; the last axis varies fastest. `settings` override keys
/// of the base mission. Errors: those of read_mission_file(); InputError for a setting of a varied
/// key, for two equal missions, and for more than max_missions.
std::vector<BatchMission> expand_batch(const BatchFile& file, const std::vector<Setting>& settings);

inline constexpr std::size_t max_missions = 100'000;  ///< maximum number in a batch

/// Name of a mission's folder, such as "0007_energy_target3"; unique by the mission's number.
std::string directory_name(std::size_t index, std::size_t count, const std::string& name);

}  // namespace tidewise
