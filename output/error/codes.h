#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage board_actions_too_many{
    "board_actions_too_many",
    "{}: has {} actions, and a policy on board at most 65000; plan with fewer headings"};
inline constexpr ErrorMessage board_hold_too_long{
    "board_hold_too_long",
    "{}: decides every {} steps, and a policy on board holds an action for {} at most; plan with "
    "another mission.decide_every"};
inline constexpr ErrorMessage board_profile_ranges{
    "board_profile_ranges",
    "{}: profile {} dives {}, and a policy on board holds one range of depths for each action; "
    "export a route as csv or geojson, which hold all ranges, or import the ranges as profiles of "
    "their own"};
inline constexpr ErrorMessage board_profile_depths{
    "board_profile_depths",
    "{}: profile {} has the depths \"{}\", and a policy on board holds depths FROM:TO or at:DEPTH; "
    "import the profile with such depths"};
inline constexpr ErrorMessage board_file_too_large{
    "board_file_too_large",
    "{}: would be {:.1f} GB on board, and a file has room for 4.2 GB; cut a part of it (--levels, "
    "--x, --y, --bbox)"};
inline constexpr ErrorMessage degrees_uneven{
    "degrees_uneven",
    "the variables lon and lat: place cells so unevenly that a vehicle could not find its own to a "
    "hundredth of a cell; plan on a plane of 'tidewise env import'"};
inline constexpr ErrorMessage degrees_nowhere{
    "degrees_nowhere",
    "the variables lon and lat: place a cell at {}, {} degrees, which is nowhere or more than a "
    "third of the globe from the middle; plan on a smaller environment ('tidewise env import "
    "--bbox')"};
inline constexpr ErrorMessage degrees_not_finite{
    "degrees_not_finite",
    "the variables lon and lat: hold NaN or infinity; give every cell centre its degrees, on land "
    "too, and plan anew"};
inline constexpr ErrorMessage model_variable_size{
    "model_variable_size", "{}: variable {}: has {} values where {} belong; build the model anew"};
inline constexpr ErrorMessage not_a_model{
    "not_a_model", "{}: is not an explicit model; make one with 'tidewise research build'"};
inline constexpr ErrorMessage model_incomplete{"model_incomplete", "lacks axes or actions"};
inline constexpr ErrorMessage model_count_total_invalid{
    "model_count_total_invalid",
    "has the attribute count_total {}, which is no number of realizations"};
inline constexpr ErrorMessage model_offset_shape{
    "model_offset_shape",
    "{}: variable offset: has {} dimensions and not one; build the model anew"};
inline constexpr ErrorMessage model_landing_invalid{
    "model_landing_invalid", "has attributes landing \"{}\" and bin_bits {}, which no model has"};
inline constexpr ErrorMessage model_offsets_missing{"model_offsets_missing", "lacks offsets"};
inline constexpr ErrorMessage model_offsets_damaged{"model_offsets_damaged", "has damaged offsets"};
inline constexpr ErrorMessage model_rows_damaged{"model_rows_damaged",
                                                 "has damaged rows at time level {}"};
inline constexpr ErrorMessage model_offset_outside{
    "model_offset_outside", "has an offset outside its sub-grid at time level {}"};
inline constexpr ErrorMessage model_level_damaged{"model_level_damaged",
                                                  "is damaged at time level {}: {}"};
inline constexpr ErrorMessage model_column_misplaced{
    "model_column_misplaced",
    "is damaged at time level {}: column {} stands in row {} where its offset leads to {}"};
inline constexpr ErrorMessage model_of_other_mission{
    "model_of_other_mission",
    "{}: was built from another {} than {} and the mission have; build it anew with 'tidewise "
    "build'"};
inline constexpr ErrorMessage model_profile_unknown{
    "model_profile_unknown", "has actions of profile {}, and the mission dives {}"};
inline constexpr ErrorMessage model_of_other_forecast{
    "model_of_other_forecast",
    "{}: was built from another forecast (time level {} differs); build it anew with 'tidewise "
    "build'"};
inline constexpr ErrorMessage model_step_too_long{
    "model_step_too_long",
    "one step may reach {} × {} cells, and a model stores {} offsets at most; use a smaller time "
    "step or larger cells"};
inline constexpr ErrorMessage process_states_too_many{
    "process_states_too_many",
    "a mission of {} states is more than a process holds, which is 2147483647; shorten its "
    "horizon, or let 'tidewise plan' solve it"};
inline constexpr ErrorMessage process_model_damaged{
    "process_model_damaged",
    "the model is damaged: at time level {}, cell {}, action {}: {}; build it anew with 'tidewise "
    "build'"};
inline constexpr ErrorMessage slocum_list_invalid{
    "slocum_list_invalid",
    "slocum: list {} does not fit into a name of eight characters; give one from 0 to {}"};
inline constexpr ErrorMessage route_without_degrees{
    "route_without_degrees",
    "{}: the route has no longitudes and latitudes, as its environment has none; {}"};
inline constexpr ErrorMessage route_format_unknown{"route_format_unknown",
                                                   "unknown format {}; there are {}, and policy"};
inline constexpr ErrorMessage route_plane_not_held{
    "route_plane_not_held",
    "{}: has longitudes and latitudes alone; leave --plane out, or write csv or geojson"};
inline constexpr ErrorMessage route_without_units{
    "route_without_units",
    "{}: the environment has no units, and speeds and radii of this format are in metres and "
    "seconds; write csv or geojson"};
inline constexpr ErrorMessage route_without_leg{
    "route_without_leg", "{}: the route has no leg; it starts in its target"};
inline constexpr ErrorMessage route_waypoints_too_many{
    "route_waypoints_too_many",
    "{}: {} waypoints to go to, where the vehicle's list takes {} at most; give --waypoints {} or "
    "less, or --force"};
inline constexpr ErrorMessage moos_profile_ranges{
    "moos_profile_ranges",
    "moos: profile {} dives {}, and TIDEWISE_DIVE_FROM and TIDEWISE_DIVE_TO hold one range; export "
    "csv or geojson, which hold all ranges, or import the ranges as profiles of their own"};
inline constexpr ErrorMessage moos_origin_outside_utm{
    "moos_origin_outside_utm",
    "moos: the origin {}, {} (latitude, longitude) lies outside of UTM, which ends at 80 S and 84 "
    "N; give --moos-geodesy grid for a MOOS-IvP built without UTM"};
inline constexpr ErrorMessage moos_far_from_meridian{
    "moos_far_from_meridian",
    "moos: {} is {} degrees from the central meridian of UTM zone {}, the zone of the origin {}, "
    "{}, where UTM ends at 30; give an origin near the route"};
inline constexpr ErrorMessage moos_far_from_origin{
    "moos_far_from_origin",
    "moos: {} is a quarter of the globe or more from the origin {}, {}, where MOOS has no plane; "
    "give an origin near the route"};
inline constexpr ErrorMessage rtz_too_large{
    "rtz_too_large",
    "rtz: {} waypoints make {} kB, where a file may have 400; give --waypoints {} or less"};
inline constexpr ErrorMessage policy_axis_not_growing{
    "policy_axis_not_growing", "variable {}: runs from {} to {} and must grow"};
inline constexpr ErrorMessage policy_axis_not_uniform{
    "policy_axis_not_uniform", "variable {}: holds {} where equal steps lead to {}"};
inline constexpr ErrorMessage not_a_run{
    "not_a_run",
    "{}: is no run, nor the policy.h5 of one; name the folder that 'tidewise plan' made"};
inline constexpr ErrorMessage not_a_policy{
    "not_a_policy",
    "{}: is not a policy (the attribute tidewise_policy is missing); give the policy.h5 that "
    "'tidewise plan' leaves"};
inline constexpr ErrorMessage policy_legs_invalid{
    "policy_legs_invalid", "attribute legs: is {}, which is no number of legs"};
inline constexpr ErrorMessage policy_degrees_incomplete{
    "policy_degrees_incomplete", "has one of the variables {} and {} without the other"};
inline constexpr ErrorMessage policy_degrees_disagree{
    "policy_degrees_disagree",
    "variables {} and {}: one of them is NaN at ({}, {}) of (y, x), the other is not"};
inline constexpr ErrorMessage policy_degrees_missing{"policy_degrees_missing",
                                                     "variables {} and {}: are NaN throughout"};
inline constexpr ErrorMessage policy_profile_unnamed{
    "policy_profile_unnamed",
    "variable profile: flag_meanings names {} profiles, and an action dives {}"};
inline constexpr ErrorMessage policy_hold_invalid{
    "policy_hold_invalid", "attributes {} and {}: are {} and {}, which name no levels that decide"};
inline constexpr ErrorMessage policy_without_mission{"policy_without_mission",
                                                     "does not say what mission it was made for"};
inline constexpr ErrorMessage policy_value_missing{
    "policy_value_missing", "variable {}: holds NaN at level {} in a state that has an action"};
inline constexpr ErrorMessage policy_without_actions{"policy_without_actions",
                                                     "variable {}: takes none in any state"};
inline constexpr ErrorMessage policy_actions_differ{
    "policy_actions_differ",
    "variables heading and speed: are not those of its mission's vehicle, which has {} actions"};
inline constexpr ErrorMessage policy_of_other_environment{
    "policy_of_other_environment",
    "{}: was not made on the environment {} ({}); name that environment, or plan anew"};
inline constexpr ErrorMessage policy_leg_missing{
    "policy_leg_missing",
    "{}: its mission has {} leg(s), and leg {} is asked for; choose one of those"};
inline constexpr ErrorMessage policy_level_missing{
    "policy_level_missing",
    "{}: holds levels 0 to {} and level {} is asked for; choose one of those, or plan with a "
    "longer horizon"};
inline constexpr ErrorMessage not_trajectories{"not_trajectories",
                                               "is no file of trajectories that a run left"};
inline constexpr ErrorMessage trajectory_shape{
    "trajectory_shape",
    "variable x: has the shape ({}) and needs (trajectory, obs), a flight at least and 1 to {} "
    "points, as its environment has levels"};
inline constexpr ErrorMessage trajectory_variable_shape{
    "trajectory_variable_shape", "variable {}: is none of a flight's points"};
inline constexpr ErrorMessage trajectory_coordinates_disagree{
    "trajectory_coordinates_disagree",
    "variables x, y and time: are NaN in part at point {} of trajectory {}, or before it, and end "
    "together"};
inline constexpr ErrorMessage trajectory_empty{"trajectory_empty", "trajectory {} has no point"};
inline constexpr ErrorMessage trajectory_value_missing{
    "trajectory_value_missing", "variable {}: is NaN at point {} of trajectory {}, which has {}"};
inline constexpr ErrorMessage trajectory_profile_unnamed{
    "trajectory_profile_unnamed",
    "variable profile: holds {}, and its flag_meanings name {} profiles"};

}  // namespace tidewise::errors
