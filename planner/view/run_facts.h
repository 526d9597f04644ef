#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "env/points.h"
#include "output/run/policy_file.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Where and when a run's mission goes.
struct MissionPlaces {
  PlanePoint start;
  PlanePoint target;
  double target_radius = 0;  ///< [m or 1]; 0: the cell that holds it
  double departure = 0;      ///< [levels]
};

/// As the summary says, or the mission where a summary of an earlier version does not. Errors:
/// InputError for a place outside the policy's cells.
MissionPlaces find_places(const PolicyFile& policy, const RunRequest& request,
                          const nlohmann::ordered_json& summary);

/// What a page prints of a run: name, units, times, actions, places, and of its summary what was
/// expected and what came of it.
nlohmann::ordered_json describe_run_to_view(const std::string& name, const PolicyFile& policy,
                                            const RunRequest& request, const MissionPlaces& places,
                                            const nlohmann::ordered_json& summary);

}  // namespace tidewise
