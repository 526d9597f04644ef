#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "env/points.h"
#include "output/run/policy_file.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Places and times of a run's mission.
struct MissionPlaces {
  PlanePoint start;
  PlanePoint target;
  double target_radius = 0;  ///< [m or 1]; 0: the cell that holds it
  double departure = 0;      ///< [levels]
};

/// Returns places and times from the summary, or from the mission if the summary is of an earlier
/// version. Errors: InputError for a place outside the policy's cells.
MissionPlaces find_places(const PolicyFile& policy, const RunRequest& request,
                          const nlohmann::ordered_json& summary);

/// Returns facts of a run for the page: name, units, times, actions, places, and the expected and
/// simulated outcomes of its summary.
nlohmann::ordered_json describe_run_to_view(const std::string& name, const PolicyFile& policy,
                                            const RunRequest& request, const MissionPlaces& places,
                                            const nlohmann::ordered_json& summary);

}  // namespace tidewise
