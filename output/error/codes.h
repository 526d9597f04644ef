#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(board_actions_too_many,
               "{}: has {} actions, and a policy on board at most 65000; plan with fewer headings");
TIDEWISE_ERROR(board_hold_too_long,
               "{}: decides every {} steps, and a policy on board holds an action for {} at most; "
               "plan with another mission.decide_every");
TIDEWISE_ERROR(board_profile_ranges,
               "{}: profile {} dives {}, and a policy on board holds one range of depths for each "
               "action; export a route as csv or geojson, which hold all ranges, or import the "
               "ranges as profiles of their own");
TIDEWISE_ERROR(board_profile_depths,
               "{}: profile {} has the depths \"{}\", and a policy on board holds depths FROM:TO "
               "or at:DEPTH; import the profile with such depths");
TIDEWISE_ERROR(board_file_too_large,
               "{}: would be {:.1f} GB on board, and a file has room for 4.2 GB; cut a part of it "
               "(--from, --to, --bbox)");
TIDEWISE_ERROR(degrees_uneven,
               "the variables lon and lat: place cells so unevenly that a vehicle could not find "
               "its own to a hundredth of a cell; plan on a plane of 'tidewise env import'");
TIDEWISE_ERROR(degrees_nowhere,
               "the variables lon and lat: place a cell at {}, {} degrees, which is nowhere or "
               "more than a third of the globe from the middle; plan on a smaller environment "
               "('tidewise env import --bbox')");
TIDEWISE_ERROR(degrees_not_finite,
               "the variables lon and lat: hold NaN or infinity; give every cell centre its "
               "degrees, on land too, and plan again");
TIDEWISE_ERROR(model_variable_size,
               "{}: variable {}: has {} values where {} belong; build the model again");
TIDEWISE_ERROR(not_a_model,
               "{}: is not an explicit model; make one with 'tidewise research build'");
TIDEWISE_ERROR(model_incomplete, "lacks axes or actions");
TIDEWISE_ERROR(model_count_total_invalid,
               "has the attribute count_total {}, which is no number of realizations");
TIDEWISE_ERROR(model_offset_shape,
               "{}: variable offset: has {} dimensions and not one; build the model again");
TIDEWISE_ERROR(model_landing_invalid,
               "has attributes landing \"{}\" and bin_bits {}, which no model has");
TIDEWISE_ERROR(model_offsets_missing, "lacks offsets");
TIDEWISE_ERROR(model_offsets_damaged, "has damaged offsets");
TIDEWISE_ERROR(model_rows_damaged, "has damaged rows at time level {}");
TIDEWISE_ERROR(model_offset_outside, "has an offset outside its sub-grid at time level {}");
TIDEWISE_ERROR(model_level_damaged, "is damaged at time level {}: {}");
TIDEWISE_ERROR(
    model_column_misplaced,
    "is damaged at time level {}: column {} stands in row {} where its offset leads to {}");
TIDEWISE_ERROR(model_of_other_mission,
               "{}: was built from another {} than {} and the mission have; build it again with "
               "'tidewise research build'");
TIDEWISE_ERROR(model_profile_unknown, "has actions of profile {}, and the mission dives {}");
TIDEWISE_ERROR(model_of_other_forecast,
               "{}: was built from another forecast (time level {} differs); build it again with "
               "'tidewise research build'");
TIDEWISE_ERROR(model_step_too_long,
               "one step may reach {} × {} cells, and a model stores {} offsets at most; use a "
               "smaller time step or larger cells");
TIDEWISE_ERROR(process_states_too_many,
               "a mission of {} states is more than a process holds, which is 2147483647; shorten "
               "its horizon, or solve it with 'tidewise plan'");
TIDEWISE_ERROR(
    process_row_invalid,
    "the process at time level {}, cell {}, action {}: {}; correct the mission's rewards "
    "or the environment's scalar field");
TIDEWISE_ERROR(
    slocum_list_invalid,
    "slocum: list {} does not fit into a name of eight characters; give one from 0 to {}");
TIDEWISE_ERROR(route_without_degrees,
               "{}: the route has no longitudes and latitudes, as its environment has none; {}");
TIDEWISE_ERROR(route_format_unknown, "unknown format {}; there are {}, and policy");
TIDEWISE_ERROR(route_plane_not_held,
               "{}: has only longitudes and latitudes; leave --plane out, or write csv or geojson");
TIDEWISE_ERROR(route_without_units,
               "{}: the environment has no units, and speeds and radii of this format are in "
               "metres and seconds; write csv or geojson");
TIDEWISE_ERROR(route_without_leg, "{}: the route has no leg; it starts in its target");
TIDEWISE_ERROR(route_waypoints_too_many,
               "{}: {} waypoints, and the vehicle's list holds at most {}; give "
               "--waypoints {} or less, or --force");
TIDEWISE_ERROR(
    moos_profile_ranges,
    "moos: profile {} dives {}, and TIDEWISE_DIVE_FROM and TIDEWISE_DIVE_TO hold one range; export "
    "csv or geojson, which hold all ranges, or import the ranges as profiles of their own");
TIDEWISE_ERROR(moos_origin_outside_utm,
               "moos: the origin {}, {} (latitude, longitude) lies outside of UTM, which ends at "
               "80 S and 84 N; give --moos-geodesy grid for a MOOS-IvP built without UTM");
TIDEWISE_ERROR(moos_far_from_meridian,
               "moos: {} is {} degrees from the central meridian of UTM zone {}, the zone of the "
               "origin {}, {}, where UTM ends at 30; give an origin near the route");
TIDEWISE_ERROR(moos_far_from_origin,
               "moos: {} is a quarter of the globe or more from the origin {}, {}, where MOOS has "
               "no plane; give an origin near the route");
TIDEWISE_ERROR(
    rtz_too_large,
    "rtz: {} waypoints make {} kB, and a file may have 400; give --waypoints {} or less");
TIDEWISE_ERROR(policy_axis_not_growing, "variable {}: runs from {} to {} and must grow");
TIDEWISE_ERROR(policy_axis_not_uniform, "variable {}: holds {} where equal steps lead to {}");
TIDEWISE_ERROR(
    not_a_run,
    "{}: is no run, nor the policy.h5 of one; name the folder that 'tidewise plan' made");
TIDEWISE_ERROR(not_a_policy,
               "{}: is not a policy (the attribute tidewise_policy is missing); give the policy.h5 "
               "that 'tidewise plan' leaves");
TIDEWISE_ERROR(policy_legs_invalid, "attribute legs: is {}, which is no number of legs");
TIDEWISE_ERROR(policy_degrees_incomplete, "has one of the variables {} and {} without the other");
TIDEWISE_ERROR(policy_degrees_disagree,
               "variables {} and {}: one of them is NaN at ({}, {}) of (y, x), the other is not");
TIDEWISE_ERROR(policy_degrees_missing, "variables {} and {}: are NaN throughout");
TIDEWISE_ERROR(policy_profile_unnamed,
               "variable profile: flag_meanings names {} profiles, and an action dives {}");
TIDEWISE_ERROR(policy_hold_invalid,
               "attributes {} and {}: are {} and {}, which name no levels that decide");
TIDEWISE_ERROR(policy_without_mission, "does not record its mission");
TIDEWISE_ERROR(policy_value_missing,
               "variable {}: holds NaN at level {} in a state that has an action");
TIDEWISE_ERROR(policy_without_actions, "variable {}: has no action in any state");
TIDEWISE_ERROR(
    policy_actions_differ,
    "variables heading and speed: are not those of its mission's vehicle, which has {} actions");
TIDEWISE_ERROR(policy_of_other_environment,
               "{}: was not made on the environment {} ({}); name that environment, or plan again");
TIDEWISE_ERROR(policy_leg_missing,
               "{}: its mission has {} leg(s), and leg {} is asked for; choose one of those");
TIDEWISE_ERROR(policy_level_missing,
               "{}: holds levels 0 to {} and level {} is asked for; choose one of those, or plan "
               "with a longer horizon");
TIDEWISE_ERROR(not_trajectories, "is no file of trajectories that a run left");
TIDEWISE_ERROR(trajectory_shape,
               "variable x: has the shape ({}) and needs (trajectory, obs), a flight at least and "
               "1 to {} points, as its environment has levels");
TIDEWISE_ERROR(trajectory_variable_shape, "variable {}: is none of a flight's points");
TIDEWISE_ERROR(trajectory_coordinates_disagree,
               "variables x, y and time: are NaN in part at point {} of trajectory {}, or before "
               "it, and end together");
TIDEWISE_ERROR(trajectory_number_outside,
               "variable trajectory: has the flight {}, and end_time has {} flights");
TIDEWISE_ERROR(trajectory_empty, "trajectory {} has no point");
TIDEWISE_ERROR(trajectory_value_missing,
               "variable {}: is NaN at point {} of trajectory {}, which has {}");
TIDEWISE_ERROR(trajectory_profile_unnamed,
               "variable profile: holds {}, and its flag_meanings name {} profiles");
TIDEWISE_ERROR(prediction_log_foreign,
               "{}: {}, and is no log of predictions to add to; name another file");
TIDEWISE_ERROR(prediction_log_not_opened, "{}: cannot be opened or locked ({}); name another file");
TIDEWISE_ERROR(prediction_not_json,
               "is no JSON object; each line of a log is one of 'tidewise plan --log'");
TIDEWISE_ERROR(prediction_version_unknown,
               "is of version {} of the format, and this program reads {}; use a newer program");
TIDEWISE_ERROR(prediction_value_invalid, "{} is no value of a log; it must be {}");
TIDEWISE_ERROR(calibration_missions_too_few,
               "{}: holds {} scored missions that arrived, and windows are calibrated on {} or "
               "more; leave --calibrate out until there are as many");

}  // namespace tidewise::errors
