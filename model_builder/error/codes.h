#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage speed_too_fast_for_cells{
    "speed_too_fast_for_cells",
    "vehicle.speeds holds {}, which carries the vehicle {:.0f} cells in one step; {} is the limit: "
    "use a smaller speed or time step, or larger cells"};
inline constexpr ErrorMessage speeds_empty{"speeds_empty",
                                           "vehicle.speeds is empty; give one speed at least"};
inline constexpr ErrorMessage heading_count_invalid{"heading_count_invalid",
                                                    "vehicle.headings is {}; it must be 1 or more"};
inline constexpr ErrorMessage actions_too_many{
    "actions_too_many", "vehicle: {} speeds × {} headings make more than {} actions; use fewer"};
inline constexpr ErrorMessage speed_negative{"speed_negative",
                                             "vehicle.speeds holds {}; speeds are 0 or more"};
inline constexpr ErrorMessage speed_twice{"speed_twice",
                                          "vehicle.speeds holds {} twice; name each speed once"};
inline constexpr ErrorMessage profile_actions_too_many{
    "profile_actions_too_many",
    "vehicle: speeds × headings of {} profiles make more than {} actions; use fewer"};
inline constexpr ErrorMessage flow_not_finite{
    "flow_not_finite",
    "the flow is not a finite number in a cell that a vehicle may sail; give the fields and "
    "coefficients a number there, or close the cell"};
inline constexpr ErrorMessage flow_too_fast_for_cells{
    "flow_too_fast_for_cells",
    "the flow may carry the vehicle {:.0f} cells in one step, its own speed included; {} is the "
    "limit: check the units of the velocity, or use a smaller time step or larger cells"};
inline constexpr ErrorMessage realizations_too_many_by_area{
    "realizations_too_many_by_area",
    "{} realizations are more than landing by area can count ({}, each with 65536 shares in 31 "
    "bits): give planner.landing = \"cell\", or an environment of fewer realizations"};

}  // namespace tidewise::errors
