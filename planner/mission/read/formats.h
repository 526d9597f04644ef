#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/environment_info.h"
#include "output/route/format.h"
#include "planner/mission/request.h"

namespace tidewise {

/// The format of output.formats that every run is written in: policy.h5, trajectories.nc and
/// summary.json.
inline constexpr std::string_view run_format = "netcdf";
/// Format of the whole policy, for a vehicle that looks up its actions (planner/board/export.h).
inline constexpr std::string_view board_format = "policy";

/// The reason why routes of this environment cannot have this format, and the remedy; empty if they
/// can.
std::string format_obstacle(const RouteFormat& format, const EnvironmentInfo& info,
                            RouteFrame frame);

/// Returns degrees if the environment has them, else its plane.
RouteFrame frame_of_formats(const EnvironmentInfo& info);

/// Refuses output formats that the environment cannot fill. Errors: InputError.
void require_formats(const RunRequest& request, const EnvironmentInfo& info);

}  // namespace tidewise
