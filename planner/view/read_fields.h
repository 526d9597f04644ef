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

/// Reads actions and values.
PolicyView read_policy_view(const PolicyFile& policy, const FlightLevels& levels);

/// Reads the file of 'tidewise reach' next to the policy; nullopt if there is none, or if it is
/// older than the policy or the flights.
std::optional<ReachView> read_reach_view(const PolicyFile& policy, const FlightLevels& levels);

/// Computes the corridor of the flights.
CorridorView read_corridor_view(const PolicyFile& policy, const FlightsView& flights,
                                const FlightLevels& levels);

/// Returns the cells' positions on the globe; nullopt if the policy has no longitudes and
/// latitudes.
std::optional<GlobeView> read_globe_view(const PolicyFile& policy);

/// Fields of an environment.
struct EnvironmentFields {
  FlowView flow;
  ObstacleView obstacles;
};
/// Reads the flow and the obstacles of the levels.
EnvironmentFields read_environment_fields(const EnvironmentReader& environment,
                                          const FlightLevels& levels, Progress& progress);

/// Returns as closed the cells outside the target in which a policy has no action.
ObstacleView obstacles_of_policy(const PolicyFile& policy, const FlightLevels& levels,
                                 const MissionPlaces& places);

/// Sets the policy's values in closed cells, which are penalties, to NaN.
void blank_closed_cells(const ObstacleView& obstacles, PolicyView& policy);

}  // namespace tidewise
