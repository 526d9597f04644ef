#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/mission/file.h"
#include "output/run/policy_file.h"

namespace tidewise {

/// A run as it lies on disk: what 'tidewise plan' left.
struct ComparedRun {
  /// `name`: as the user typed it, the folder or its policy.h5. `settings` change the mission (its
  /// backend, say). Errors: InputError where a file is missing or is not what it should be.
  ComparedRun(const std::string& name, const std::vector<Setting>& settings);

  std::string name;
  PolicyFile policy;
  MissionFile mission;
  nlohmann::ordered_json summary;
};

/// A key of two missions that differs, and what each says.
struct MissionDifference {
  std::string key;               ///< "mission.objective"
  nlohmann::ordered_json first;  ///< null where it has no such key
  nlohmann::ordered_json second;
};

/// Keys in which the resolved missions of two runs differ, in the order of the first.
std::vector<MissionDifference> mission_differences(const ComparedRun& first,
                                                   const ComparedRun& second);

}  // namespace tidewise
