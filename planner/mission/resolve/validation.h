#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {

/// Distance that a step at the greatest speed should reach [cells]. With nearest cells, landings
/// are rounded by up to half a cell, and a slower vehicle does not leave its cell. With bilinear
/// weights, each step adds a variance of up to a sixth of a squared cell, and a slower vehicle
/// takes more steps.
constexpr double min_cells_per_step(LandingBy landing) {
  return landing == LandingBy::cell ? 1.5 : 1;
}

/// Distance that the greatest speed through the water covers in a step [cells of the larger
/// spacing].
double cells_per_step(const RunRequest& request, const EnvironmentInfo& info);

/// The greatest of vehicle.speeds [m s-1 or 1].
double greatest_speed(const RunRequest& request);

/// Returns warnings about valid missions with probably poor plans, each with figures and a remedy:
/// - the step is too short for the cells;
/// - failing is cheaper than arriving late;
/// - dives take longer than the time between two decisions.
std::vector<std::string> validate_mission(const RunRequest& request, const EnvironmentInfo& info,
                                          const ResolvedMission& resolved);

/// Default vertical speed of a vehicle that dives [m s-1]: about that of gliders.
inline constexpr double usual_vertical_speed = 0.1;

/// Returns a line with a remedy for each profile whose dives, down and up at the request's vertical
/// speed, take longer than the time between two decisions.
std::vector<std::string> validate_dives(const RunRequest& request, const EnvironmentInfo& info,
                                        const Mission& mission);

/// Minimum number of headings without a warning. In a flow without uncertainty 16 headings cost
/// 0.96 % of the time, 32 cost 0.26 % and 72 cost 0.08 %.
inline constexpr std::int32_t min_headings = 32;

/// Maximum distance between the ends of a step with neighbouring headings [cells]. In a flow of 0.3
/// times a cell per step, and without a target of many cells, plans of 32 headings took 0.3 %
/// longer than the straight line at five cells per step, 0.8 % at ten, and less time at two. Plans
/// of 128 headings, a quarter as far apart, took 0.06 % longer at ten.
inline constexpr double max_cells_between_headings = 0.9;
/// Distance that warnings recommend [cells].
inline constexpr double enough_cells_between_headings = 0.5;

/// Returns a warning if the headings are too few, so that the straight line may be faster than the
/// plan; else empty.
std::string validate_headings(const RunRequest& request, const EnvironmentInfo& info);

/// Returns a warning if no flight can reach the target, by FlightBound::short_of(), or if a flight
/// needs currents that always help by more than `mean_flow`, the average speed of the mean flow [m
/// s-1 or 1]; else empty.
std::string validate_reach(const RunRequest& request, const EnvironmentInfo& info,
                           const ResolvedMission& resolved, double short_of, double mean_flow);

/// Returns a warning if the vehicle starts in its target; else empty.
std::string validate_at_target(const RunRequest& request, const EnvironmentInfo& info,
                               const ResolvedMission& resolved);

/// Returns a warning if every cell of the target is closed at the last level, so that no vehicle
/// arrives in the last step; else empty.
std::string validate_last_level(const RunRequest& request, const EnvironmentReader& environment,
                                const ResolvedMission& resolved);

}  // namespace tidewise
