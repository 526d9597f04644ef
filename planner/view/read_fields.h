#pragma once

#include <optional>

#include "base/progress.h"
#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "output/view/run_view.h"
#include "planner/view/read_flights.h"
#include "planner/view/run_facts.h"

namespace tidewise {

// Fields of a page's maps, read level by level and thinned at once, so that memory does not grow
// with the files. Errors: those of the readers.

PolicyView read_policy_view(const PolicyFile& policy, const FlightLevels& levels);

/// nullopt if 'tidewise reach' left no file next to the policy, or one of an earlier policy or
/// earlier flights.
std::optional<ReachView> read_reach_view(const PolicyFile& policy, const FlightLevels& levels);

CorridorView read_corridor_view(const PolicyFile& policy, const FlightsView& flights,
                                const FlightLevels& levels);

/// nullopt if the policy has no longitudes and latitudes.
std::optional<GlobeView> read_globe_view(const PolicyFile& policy);

struct EnvironmentFields {
  FlowView flow;
  ObstacleView obstacles;
};
EnvironmentFields read_environment_fields(const EnvironmentReader& environment,
                                          const FlightLevels& levels, Progress& progress);

/// The closed cells as a policy shows them: those outside the target in which it takes no action.
ObstacleView obstacles_of_policy(const PolicyFile& policy, const FlightLevels& levels,
                                 const MissionPlaces& places);

/// Takes the values of closed cells, the price of an obstacle, out of a policy.
void blank_closed_cells(const ObstacleView& obstacles, PolicyView& policy);

}  // namespace tidewise
