#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(speed_too_fast_for_cells,
               "vehicle.speeds holds {}, which carries the vehicle {:.0f} cells in one step; {} is "
               "the limit: use a smaller speed or time step, or larger cells");
TIDEWISE_ERROR(speeds_empty, "vehicle.speeds is empty; give one speed at least");
TIDEWISE_ERROR(heading_count_invalid, "vehicle.headings is {}; it must be 1 or more");
TIDEWISE_ERROR(actions_too_many,
               "vehicle: {} speeds × {} headings make more than {} actions; use fewer");
TIDEWISE_ERROR(speed_negative, "vehicle.speeds holds {}; speeds are 0 or more");
TIDEWISE_ERROR(speed_twice, "vehicle.speeds holds {} twice; name each speed once");
TIDEWISE_ERROR(profile_actions_too_many,
               "vehicle: speeds × headings of {} profiles make more than {} actions; use fewer");
TIDEWISE_ERROR(block_size_invalid,
               "a block of {} threads cannot be had on this device; give 1 to {}");
TIDEWISE_ERROR(flow_not_finite,
               "the flow is not a finite number in a cell that a vehicle may sail; give the fields "
               "and coefficients a number there, or close the cell");
TIDEWISE_ERROR(
    flow_too_fast_for_cells,
    "the flow may carry the vehicle {:.0f} cells in one step, its own speed included; {} is the "
    "limit: check the units of the velocity, or use a smaller time step or larger cells");
TIDEWISE_ERROR(
    realizations_too_many_by_area,
    "{} realizations are more than landing by area can count ({}, each with 65536 shares in 31 "
    "bits): give planner.landing = \"cell\", or an environment of fewer realizations");

}  // namespace tidewise::errors
