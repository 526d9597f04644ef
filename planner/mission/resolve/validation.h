#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {

/// A step should move the vehicle about this far at its greatest speed [cells]. By cell a landing
/// is rounded by up to half a cell, and a slower vehicle sticks; by area it is blurred by as much
/// as a sixth of a cell squared a step, which a slower vehicle takes more steps to pay for.
constexpr double min_cells_per_step(LandingBy landing) {
  return landing == LandingBy::cell ? 1.5 : 1;
}

/// Distance that the greatest speed through the water covers in a step [cells of the larger
/// spacing].
double cells_per_step(const RunRequest& request, const EnvironmentInfo& info);

/// The greatest of vehicle.speeds [m s-1 or 1].
double greatest_speed(const RunRequest& request);

/// Warnings about valid missions that will probably disappoint, each with figures and a remedy:
/// - the step is too short for the cells;
/// - failing is cheaper than arriving late;
/// - dives take longer than the time between two decisions.
std::vector<std::string> validate_mission(const RunRequest& request, const EnvironmentInfo& info,
                                          const ResolvedMission& resolved);

/// Default vertical speed of a vehicle that dives [m s-1]: about that of gliders.
inline constexpr double usual_vertical_speed = 0.1;

/// Dives that take longer, down and up at the request's vertical speed, than the vehicle has from
/// one decision to the next: a line each with what helps.
std::vector<std::string> validate_dives(const RunRequest& request, const EnvironmentInfo& info,
                                        const Mission& mission);

/// A vehicle with so few headings takes visibly longer than it must: in a certain flow 16 cost
/// 0.96 % of the time, 32 0.26 %, 72 0.08 %.
inline constexpr std::int32_t min_headings = 32;

/// Maximum distance between the ends of a step with neighbouring headings [cells]. In a flow of 0.3
/// times a cell a step, and without a target of many cells, plans of 32 headings lost 0.3 % of the
/// time to the straight line at five cells a step, 0.8 % at ten, and won at two; of 128 headings, a
/// quarter as far apart, they lost 0.06 % at ten.
inline constexpr double max_cells_between_headings = 0.9;
inline constexpr double enough_cells_between_headings = 0.5;

/// A warning for a vehicle whose headings are too few: the plan may lose to the straight line
/// between two of them; else empty.
std::string validate_headings(const RunRequest& request, const EnvironmentInfo& info);

/// A warning that needs the fields: no flight can reach the target, by FlightBound::short_of(); or
/// one would need currents that help all along by more than `mean_flow`, the average speed of the
/// mean flow [m s-1 or 1]; else empty.
std::string validate_reach(const RunRequest& request, const EnvironmentInfo& info,
                           const ResolvedMission& resolved, double short_of, double mean_flow);

/// A warning for a vehicle that starts in its target; else empty.
std::string validate_at_target(const RunRequest& request, const EnvironmentInfo& info,
                               const ResolvedMission& resolved);

/// And for what needs the masks: every cell of the target is closed at the last level, so that no
/// vehicle arrives there in the last step.
std::string validate_last_level(const RunRequest& request, const EnvironmentReader& environment,
                                const ResolvedMission& resolved);

}  // namespace tidewise
