#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(speed_too_fast_for_cells,
               "vehicle.speeds holds {}, which carries the vehicle {:.0f} cells in one step; {} is "
               "the limit: use a smaller speed or time step, or larger cells");
TIDEWISE_ERROR(speeds_empty, "vehicle.speeds is empty; give at least one speed");
TIDEWISE_ERROR(heading_count_invalid, "vehicle.headings is {}; it must be 1 or more");
TIDEWISE_ERROR(actions_too_many,
               "vehicle: {} speeds × {} headings are more than {} actions; use fewer");
TIDEWISE_ERROR(speed_negative, "vehicle.speeds holds {}; speeds must be 0 or more");
TIDEWISE_ERROR(speed_twice, "vehicle.speeds holds {} twice; remove one");
TIDEWISE_ERROR(profile_actions_too_many,
               "vehicle: speeds × headings of {} profiles are more than {} actions; use fewer");
TIDEWISE_ERROR(block_size_invalid,
               "a block size of {} threads exceeds the limits of this GPU; give 1 to {}");
TIDEWISE_ERROR(flow_not_finite,
               "the flow is not finite in an open cell; give the fields and coefficients a number "
               "there, or close the cell");
TIDEWISE_ERROR(
    flow_too_fast_for_cells,
    "the flow may carry the vehicle {:.0f} cells in one step, including its own speed; the limit "
    "is {}: check the units of the velocity, or use a smaller time step or larger cells");
TIDEWISE_ERROR(realizations_too_many_by_area,
               "{} realizations are too many for bilinear weights (planner.landing = \"area\"); "
               "the limit is {}, because each has 65536 shares in 31 bits: give planner.landing = "
               "\"cell\", or an environment with fewer realizations");

}  // namespace tidewise::errors
