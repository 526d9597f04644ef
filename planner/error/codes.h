#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(environment_array_size,
               "environment: {} holds {} values, and its axes make {}; give each axis its length "
               "and each array all its values");
TIDEWISE_ERROR(environment_shape_invalid,
               "environment: has {} × {} cells, {} levels, {} modes and {} realizations; give one "
               "of each or more, and cells that 32 bits count");
TIDEWISE_ERROR(policy_level_outside,
               "level {}: the policy holds levels 0 to {}; choose one of them");
TIDEWISE_ERROR(policy_leg_outside, "leg {}: the policy has legs 1 to {}; choose one of them");
TIDEWISE_ERROR(departure_range_invalid,
               "departures start at level 0 or later, with an interval of 1 or more; change them");
TIDEWISE_ERROR(device_memory_unavailable,
               "{} is {}, and {} of {} are free on GPU {}; give less, end other programs there, or "
               "leave it out");
TIDEWISE_ERROR(nccl_not_built,
               "{}: planner.devices names {} GPUs, and this build lacks NCCL, which several "
               "GPUs need; build with it (docs/reference/cuda.md), or name one GPU");
TIDEWISE_ERROR(paper_engine_on_several_gpus,
               "{}: planner.devices names {} GPUs, and the engine paper takes one; take another "
               "engine, or name one GPU");
TIDEWISE_ERROR(device_unusable, "{} is {}, and {}; {}");
TIDEWISE_ERROR(cuda_unusable, "{} is cuda, and {}; {}, or take auto or cpu");
TIDEWISE_ERROR(
    device_memory_too_small,
    "{}: the run may take {} of the GPU's memory, and this environment needs {} (four levels of {} "
    "and {} to work in); give --device-memory {}MiB or more, or take --backend cpu");
TIDEWISE_ERROR(engine_not_parallel,
               "{}: {} processes share a mission on GPUs by the engines lattice and direct; take "
               "one of them, or --backend cpu");
TIDEWISE_ERROR(held_actions_from_model,
               "{}: mission.decide_every is {} steps, and a GPU solves from a model for missions "
               "that decide at each step; leave --model out, or take --backend cpu");
TIDEWISE_ERROR(flights_exceed_memory,
               "{}: {} asks for {} flights of up to {} steps, which can take {} of memory (at most "
               "{}); fly {} or fewer, or take rollout.mode = \"none\"");
TIDEWISE_ERROR(
    held_actions_exceed_memory,
    "{}: mission.decide_every holds {} actions in {} cells, which can take {} of memory, and {} "
    "are free; take fewer vehicle.headings or speeds, or a smaller environment");
TIDEWISE_ERROR(board_dates_unknown,
               "--from, --to: are dates, and the times of {} count from none; give levels");
TIDEWISE_ERROR(
    board_levels_outside,
    "the levels {} to {} are asked for, and the plan in {} ends at {}; choose earlier ones");
TIDEWISE_ERROR(
    no_departure_in_range,
    "{}: cannot start at any of the levels {} … {} (every {}): it ends at level {}{}; name "
    "others by --from, --to and --every");
TIDEWISE_ERROR(knowledge_exceeds_memory,
               "{}: simultaneous solves need {:.1f} GB of memory, and {:.1f} GB are free; take "
               "fewer --threads, or plan on an environment of a smaller box and fewer times");
TIDEWISE_ERROR(
    knowledge_realizations_too_few,
    "{}: holds {} realization(s), and learning needs at least {}{}; plan on an ensemble");
TIDEWISE_ERROR(replan_step_not_multiple,
               "--every {}: the mission decides every {} steps (mission.decide_every), and "
               "can change its plan only then; give a multiple of {}");
TIDEWISE_ERROR(
    path_not_utf8,
    "{}: the path {} is not UTF-8, which the files of a run need; rename it, or choose another");
TIDEWISE_ERROR(format_needs_degrees,
               "{}: output.formats: {}: the environment has no longitudes and latitudes (lon, "
               "lat), which it needs; name csv or geojson, which take x and y, or plan on an "
               "environment that 'tidewise env import' made");
TIDEWISE_ERROR(format_not_possible, "{}: output.formats: {}: {}");
TIDEWISE_ERROR(key_missing, "{}: {} is missing; give it, e.g. {}");
TIDEWISE_ERROR(key_value_invalid, "{}: {} is {}; it must be {}");
TIDEWISE_ERROR(deadline_with_horizon,
               "{}: mission.deadline and mission.horizon are both given, and each sets the end; "
               "leave one of the two out");
TIDEWISE_ERROR(held_actions_not_possible, "{}: mission.decide_every is {} steps, and {}");
TIDEWISE_ERROR(vehicle_error_not_possible,
               "{}: the vehicle's speed_error is {} and its heading_error {} degrees, and {}");
TIDEWISE_ERROR(keeping_not_possible, "{}: mission.objective is {}, and {}");
TIDEWISE_ERROR(flights_start_outside,
               "{}: its flights start at ({:.6g}, {:.6g}), which is in no cell; plan again");
TIDEWISE_ERROR(key_not_of_objective,
               "{}: {} is given, and the objective {}; leave it out, or choose another objective");
TIDEWISE_ERROR(
    failure_penalty_twice,
    "{}: mission.failure_penalty (one price for all failures) and mission.failure (one for "
    "each) are both given; leave one of the two out");
TIDEWISE_ERROR(failure_pays,
               "{}: {} is {} and mission.arrival_reward {}; the penalty must be the lower, or "
               "failing would pay");
TIDEWISE_ERROR(polygon_ring_not_closed,
               "{}: {} has a ring that is not closed, or jumps by a turn; let its last vertex be "
               "the first, and longitudes go on beyond 180 degrees");
TIDEWISE_ERROR(key_misspelled, "{}: unknown {} {}; did you mean {}?");
TIDEWISE_ERROR(key_unknown, "{}: unknown {} {}; {} holds {}");
TIDEWISE_ERROR(
    key_is_table_list,
    "{}: {} is one table, and there may be several; begin each by [[{}]], in two brackets");
TIDEWISE_ERROR(key_is_table, "{}: {} is a table, where it must be a value; see docs/missions.md");
TIDEWISE_ERROR(key_is_not_table, "{}: {} is {}, where it must be a table of {}");
TIDEWISE_ERROR(polygon_vertices_too_many,
               "{}: {} has {} vertices, and a mission keeps {} at most; simplify the polygons, to "
               "about a tenth of a cell");
TIDEWISE_ERROR(polygon_invalid, "{}: {} has {}");
TIDEWISE_ERROR(mission_file_key_missing, "{}: {} is {}, and there is no such file; check the path");
TIDEWISE_ERROR(zone_given_twice, "{}: {} is given, and so is {}; give them as two zones");
TIDEWISE_ERROR(zone_place_missing,
               "{}: a zone of {} has no place; give it file = \"zones.geojson\", polygon = "
               "[[x, y], ...] or polygon_lonlat = [[lon, lat], ...]");
TIDEWISE_ERROR(place_key_unknown, "{}: unknown key {}; {}");
TIDEWISE_ERROR(place_given_twice, "{}: {} is given, and so is {}; keep one of them");
TIDEWISE_ERROR(via_place_missing,
               "{}: a place of {} has no position; give it point = [x, y], lonlat = [lon, "
               "lat], or a polygon of these");
TIDEWISE_ERROR(
    via_radius_twice,
    "{}: mission.via.radius is {}, and {} is an area with its own size; leave one of the "
    "two out");
TIDEWISE_ERROR(time_option_invalid, "{} {}: must be a level, from 0 on, or {}");
TIDEWISE_ERROR(not_toml, "{}:{}: is not TOML ({}); correct that line");
TIDEWISE_ERROR(mission_file_missing, "{}: there is no such {} file; check the path");
TIDEWISE_ERROR(mission_file_is_folder, "{}: is a folder; name the {} file (*.toml) in it");
TIDEWISE_ERROR(mission_is_hdf5,
               "{}: is no {} (TOML) but HDF5 or NetCDF, as a forecast is; a mission names it as "
               "environment.file");
TIDEWISE_ERROR(mission_name_not_utf8,
               "{}: is not UTF-8, which the files of a run need; choose another name");
TIDEWISE_ERROR(setting_without_value,
               "{}: is not KEY=VALUE; write e.g. --set mission.objective=energy");
TIDEWISE_ERROR(setting_value_not_toml,
               "{}: the value is not TOML; write a number, a word, \"text\" or [a, list]");
TIDEWISE_ERROR(follow_is_netcdf, "{}: {}: {} is a NetCDF file; give {}");
TIDEWISE_ERROR(follow_without_places, "has no columns of places; give it lon and lat, or x and y");
TIDEWISE_ERROR(follow_too_short, "has one place and no time; a line takes two places or more");
TIDEWISE_ERROR(
    follow_outside_mission,
    "lasts from {} to {} by its column {}, and the mission from {} to {}; give a longer track, or "
    "another departure or horizon, or remove that column if it is not the time");
TIDEWISE_ERROR(follow_times_not_ascending,
               "has times that do not ascend ({} after {}); sort it, and leave out all but one of "
               "equal times");
TIDEWISE_ERROR(
    follow_several_vehicles,
    "holds several vehicles: column {} is {} in {} {} and {} in {} {}; give a file of one");
TIDEWISE_ERROR(follow_row_incomplete, "has no {} in {} {}; give it one, or leave that {} out");
TIDEWISE_ERROR(follow_empty, "has no row with a place; give it one at least");
TIDEWISE_ERROR(follow_missing,
               "{}: mission.objective is follow, and mission.follow is missing; give it {}");
TIDEWISE_ERROR(zone_times_reversed,
               "{}: {} holds a zone whose from lies after its until; swap them");
TIDEWISE_ERROR(drift_without_units, "is a time, and the environment is without units");
TIDEWISE_ERROR(
    drift_too_long,
    "is {:.4g} min, and the vehicle surfaces every {:.4g} min; give less, or mission.decide_every");
TIDEWISE_ERROR(mission_profiles_missing,
               "{}: {} is missing, and {} holds the profiles {}; name those that the vehicle "
               "dives, e.g. {} = [\"{}\"]");
TIDEWISE_ERROR(
    profile_list_length,
    "{}: {} holds {} {}, and vehicle.profiles {} names; give one for each, in the same order");
TIDEWISE_ERROR(
    scalar_field_missing,
    "is net_energy, and {} has no scalar field {} to harvest from; bring one in ('tidewise env "
    "import --scalar'), name it ([environment.names] scalar_mean), or use the objective energy");
TIDEWISE_ERROR(margin_too_wide,
               "is {}, and {} is {:.6g} wide: no place is that far from its border; give a few "
               "cells' width, each {:.6g}");
TIDEWISE_ERROR(target_radius_with_area,
               "is {}, and {} is an area with its own size; leave one of the two out");
TIDEWISE_ERROR(
    target_circles_too_many,
    "is {}, and {} gives {} points; at most {} can have discs: leave it out, or give an area");
TIDEWISE_ERROR(
    via_within_target,
    "ends with place {}, part of which lies in the target; leave it out, or make it smaller");
TIDEWISE_ERROR(via_closed,
               "has place {}, and {} closes every cell of it at every level of the mission: {}; "
               "choose open water, or give it a larger radius");
TIDEWISE_ERROR(target_covers_environment, "covers every cell of {}: {}; choose a smaller target");
TIDEWISE_ERROR(start_disc_closed,
               "is {}, all of which {} closes at level {}: {}; start in open water");
TIDEWISE_ERROR(
    start_closed,
    "is {}, in a cell (row {}, column {}) that {} closes at level {}: {}; start in open water");
TIDEWISE_ERROR(target_radius_covers_environment,
               "is {}, and no cell of {} is farther from the target than {:.6g}: {}; reduce it");
TIDEWISE_ERROR(target_closed,
               "is {}, and {} closes every cell of the target at every level of the mission: {}; "
               "choose open water, or {}");
TIDEWISE_ERROR(harvest_too_large, "is {}, too large for single precision: reduce it");
TIDEWISE_ERROR(rewards_too_large,
               "makes up {:.3g} of a mission's penalty, reward and costs over {} steps; together "
               "they must stay below {:.3g} to be counted in single precision: reduce it");
TIDEWISE_ERROR(preset_without_units,
               "{}: vehicle.preset has its speeds in m/s, and {} is without units; give "
               "vehicle.speeds instead, in cells a step");
TIDEWISE_ERROR(realizations_outside, "{}: {} {}; {} has {}, numbered 0 to {}");
TIDEWISE_ERROR(
    degrees_unavailable,
    "needs the variables {} and {}, which {} lacks; give {} in the environment's x and y");
TIDEWISE_ERROR(
    environment_degrees_not_finite,
    "{}: variable {} holds NaN or infinity; give every cell centre its degrees, on land too");
TIDEWISE_ERROR(
    place_looks_like_degrees,
    "holds [{}, {}], which looks like degrees, and {} takes x and y; give degrees by {}");
TIDEWISE_ERROR(
    place_degrees_outside,
    "is [{}, {}], outside the domain of {}, which lies between {:.3f} and {:.3f} degrees east, "
    "{:.3f} and {:.3f} degrees north, and comes nearest at [{:.3f}, {:.3f}]; choose a point in it");
TIDEWISE_ERROR(
    place_outside,
    "is [{}, {}], outside the domain of {}; x must lie from {} to {} and y from {} to {}");
TIDEWISE_ERROR(area_outside,
               "{}: {} lies outside the domain of the environment, with every polygon; choose an "
               "area in it ('tidewise env info' prints its bounds)");
TIDEWISE_ERROR(departure_outside, "is {}; {} holds levels 0 to {}, so it must be from 0 to {}");
TIDEWISE_ERROR(
    hold_not_whole_steps,
    "is {}, no whole number of steps, which are {} in {}: a vehicle decides at levels; give {}{}");
TIDEWISE_ERROR(hold_longer_than_forecast,
               "is {}, longer than the forecast: from level {} on {} holds {}; give that or less");
TIDEWISE_ERROR(hold_longer_than_horizon,
               "is {}, and time is up after {}: no action can be held so long; give that or less, "
               "or a longer mission.horizon");
TIDEWISE_ERROR(
    duration_without_unit,
    "is \"{}\", and the times of {} are numbers without a unit; give steps, a whole number");
TIDEWISE_ERROR(duration_below_step,
               "is {}, less than a step, which is {} in {}; give that or more");
TIDEWISE_ERROR(horizon_outside, "is {}; from level {} on {} holds {}, so it must be {}");
TIDEWISE_ERROR(level_outside, "is level {}; {} holds levels 0 to {}");
TIDEWISE_ERROR(
    deadline_before_departure,
    "is {}, before a step from the departure at level {} is done; it must be {} or later");
TIDEWISE_ERROR(departure_between_levels,
               "lies between two levels, and flights of rollout.mode \"chain\" depart at levels; "
               "give one, or fly \"continuous\"");
TIDEWISE_ERROR(
    deadlines_without_unit,
    "holds \"{}\", and the times of {} are numbers without a unit; give levels, whole numbers");
TIDEWISE_ERROR(flight_deadline_outside,
               "holds one that is {} {} the departure at level {}, outside of {}, which goes to "
               "level {}; leave it out");
TIDEWISE_ERROR(
    date_without_reference,
    "is {}, and the times of {} (\"{}\") count from no date; give a level, a whole number");
TIDEWISE_ERROR(date_outside,
               "is {}, outside of {}, which goes from {} to {}; choose a date between");
TIDEWISE_ERROR(output_in_run, "{} {}: is a file of the run in {}; name another file");
TIDEWISE_ERROR(
    output_kind_differs,
    "{} {}: is there already and is no {}; name another file, or replace it by --overwrite");
TIDEWISE_ERROR(output_named_twice, "{} {}: is the file that {} names; give it another name");
TIDEWISE_ERROR(run_exists,
               "{}: holds a run already ({}); choose another folder with --out, or replace the run "
               "by --overwrite");
TIDEWISE_ERROR(rehearsal_needs_import,
               "{}: has no {}, which identify the forecast's files; a rehearsal is for "
               "environments of 'tidewise env import'");
TIDEWISE_ERROR(
    rehearsal_profile_unsuitable,
    "{}: its profile {} is of {}, and a rehearsal dives from one depth to another or holds one; "
    "plan with such a profile, FROM:TO or at:DEPTH of 'tidewise env import --profile'");
TIDEWISE_ERROR(
    rehearsal_members_differ,
    "--source {}: makes {}, and {} was made of {}; name the files that it was made of{}");
TIDEWISE_ERROR(rehearsal_times_outside,
               "--source {}: holds {} to {}, and the mission goes from {} to {}{}; name all files "
               "that {} was made of{}");
TIDEWISE_ERROR(rehearsal_place_outside,
               "--source {}: has no points around the mission's {} at {:.4f} degrees east, {:.4f} "
               "north; name the files that {} was made of{}");
TIDEWISE_ERROR(rehearsal_not_built,
               "rehearse: this build reads no forecasts (TIDEWISE_IMPORT is OFF); build with "
               "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen");
TIDEWISE_ERROR(
    rehearsal_bathymetry_missing,
    "--source: the bathymetry {} of the environment is neither next to {} nor in this folder; name "
    "it too, after the forecast's files");
TIDEWISE_ERROR(route_format_twice, "--format: {} is named twice; name each once");
TIDEWISE_ERROR(
    format_without_flights,
    "--ensemble: {} holds only the route, without flights; leave it out, or add one of {}");
TIDEWISE_ERROR(route_format_not_possible, "--format {}: {}");
TIDEWISE_ERROR(run_missing, "{}: there is no such run; name the folder that 'tidewise plan' made");
TIDEWISE_ERROR(flights_without_policy_mode,
               "{}: its flights are of mode {}, and there is no policy next to them to fly again; "
               "export the run itself, or fly with 'tidewise rollout --mode continuous'");
TIDEWISE_ERROR(
    flights_without_policy,
    "{}: holds flights but no policy.h5, which this needs; export the run that was planned");
TIDEWISE_ERROR(flights_profile_unknown, "does not name the profile of its flights");
TIDEWISE_ERROR(flights_via_count,
               "variable passed_time: has {} via points, and its mission has {}");
TIDEWISE_ERROR(flights_realization_unknown,
               "trajectory {} is of realization {}, and its environment has 0 to {}");
TIDEWISE_ERROR(flights_point_count, "trajectory {} has {} points, and the mission {} levels");
TIDEWISE_ERROR(flights_profile_invalid,
               "trajectory {} dives profile {} at point {}, and its mission has {}");
TIDEWISE_ERROR(flights_off_levels,
               "trajectory {} does not follow the levels of its environment at point {}");
TIDEWISE_ERROR(
    route_flight_fails,
    "--route: the flight of {} {}, and so would a vehicle that follows it; take --route median, or "
    "another realization");
TIDEWISE_ERROR(waypoints_too_few_for_tolerance,
               "--waypoints {}: to stay within {} of the flight takes {}; give --waypoints {}{}");
TIDEWISE_ERROR(
    waypoints_too_few,
    "--waypoints {}: too few to avoid the closed cells along this flight and keep its via points; "
    "give --waypoints {}, or take another flight (--route)");
TIDEWISE_ERROR(route_realization_not_flown,
               "--route realization {}: the run flew through {} realizations, {} to {}, and not "
               "through that one");
TIDEWISE_ERROR(route_without_arrivals,
               "{}: none of its {} flights arrives, so there is no route to export; give the "
               "mission a longer horizon or another start");
TIDEWISE_ERROR(
    capture_radius_too_large,
    "--capture-radius {:.6g}: vehicles of slocum, qgc-wpl and qgc-plan have one for all waypoints, "
    "the target's too, which is {:.6g} m; give {:.6g} or less, or write other formats");
TIDEWISE_ERROR(route_start_in_target,
               "{}: the start lies in the target, so there is no route to export");
TIDEWISE_ERROR(arrival_probability_invalid,
               "--arrival-at-least {}: must be above 0 and below 1, such as 0.95");
TIDEWISE_ERROR(arrival_constraint_of_arrival,
               "--arrival-at-least: the objective arrival is the greatest probability already; "
               "choose another objective, or leave it out");
TIDEWISE_ERROR(arrival_constraint_without_arrival,
               "--arrival-at-least: the objective {} has no arrival; leave it out, or choose "
               "another objective");
TIDEWISE_ERROR(arrival_probability_not_reached,
               "--arrival-at-least {}: the plans tried arrive with a probability of {:.6g} at "
               "most; ask for less, give a longer mission.horizon or higher vehicle.speeds, or "
               "plan only for arrival (mission.objective = \"arrival\")");
TIDEWISE_ERROR(
    arrival_constraint_without_costs,
    "--arrival-at-least: no step of this mission costs anything, so that no price of failing can "
    "be weighed against it; plan only for arrival (mission.objective = \"arrival\")");
TIDEWISE_ERROR(compared_legs_differ,
               "{} and {}: have {} and {} via points (mission.via), so that neither plan "
               "can be flown on the other's mission; compare them with --cost none");
TIDEWISE_ERROR(compared_levels_disjoint,
               "--out {}: {} and {} have no level in common, so there are no fields to write; "
               "leave --out out");
TIDEWISE_ERROR(run_folder_unusable,
               "{}: cannot hold a run ({}); choose another folder with --out or output.directory");
TIDEWISE_ERROR(run_folder_in_use,
               "{}: {} is writing a run there; wait until it has ended, or choose another folder "
               "with --out or output.directory");
TIDEWISE_ERROR(other_environment_differs,
               "--environment {}: {} cannot be flown in it ({}); name one of the same cells and "
               "times, or plan in it");
TIDEWISE_ERROR(run_without_policy,
               "{}: is no run (it holds no policy.h5); name the folder that 'tidewise plan' made");
TIDEWISE_ERROR(trajectories_of_other_mission,
               "{}: belongs to another mission than {}; make the run again with 'tidewise plan'");
TIDEWISE_ERROR(
    environment_changed,
    "{}: was planned on another {}, which has been replaced or changed since; plan again "
    "('tidewise rollout --environment' flies it in this one all the same)");
TIDEWISE_ERROR(policy_unknown_at_start,
               "{}: does not cover ({:.6g}, {:.6g}) at level {}, which its vehicle could not reach "
               "from the place of the replanning; choose a start and departure within reach, or "
               "plan again with 'tidewise plan'");
TIDEWISE_ERROR(policy_hold_differs,
               "{}: was planned to decide every {} step(s), and its mission decides every {} "
               "(mission.decide_every); make the policy again with 'tidewise plan'");
TIDEWISE_ERROR(policy_departure_phase,
               "{}: mission.departure is level {}, and the policy decides at level {} and every {} "
               "steps before and after it (mission.decide_every); depart at level {}{}, or plan "
               "for all (tidewise plan --all-departures)");
TIDEWISE_ERROR(
    policy_leg_count,
    "{}: holds {} leg(s), and its mission has {}; make the policy again with 'tidewise plan'");
TIDEWISE_ERROR(policy_actions_missing,
               "{}: has no action in {} of {} states of its environment that need one; make the "
               "policy again with 'tidewise plan'");
TIDEWISE_ERROR(leg_outside,
               "--leg {}: the run's mission has {} leg(s), one more than via points "
               "(mission.via); give the one that the vehicle is on");
TIDEWISE_ERROR(
    replan_after_horizon,
    "{}: the vehicle is at level {}, and the run's time is up at {}, so that no step is left to "
    "plan; give an earlier time, or plan a mission of its own with 'tidewise plan'");
TIDEWISE_ERROR(flights_off_policy_levels,
               "{}: trajectory {} is not at the time levels of its policy; fly again with "
               "'tidewise plan' or 'tidewise rollout'");
TIDEWISE_ERROR(view_flights_without_policy,
               "{}: holds flights, and neither it nor its parent folder holds a policy.h5; move it "
               "into the folder of the run that was flown");
TIDEWISE_ERROR(run_summary_missing,
               "{}: is no summary of a run, or is not there; name a folder that 'tidewise plan' or "
               "'tidewise rollout' made");
TIDEWISE_ERROR(view_planes_differ,
               "--with {}: lies in another plane than {} ({}); make a page of each");
TIDEWISE_ERROR(mission_outside_cells,
               "{}: the {} of its mission lies outside its cells; plan again");
TIDEWISE_ERROR(summary_places_unreadable,
               "{}: the places of its summary.json cannot be read ({}); plan again");
TIDEWISE_ERROR(departure_after_last_level,
               "{}: its mission departs after its last level; plan again");
TIDEWISE_ERROR(rehearsal_source_unusable, "--source: {}; name the files that {} was made of{}");
TIDEWISE_ERROR(published_method_combined,
               "--method {}: does not combine with {}; leave one of them out");
TIDEWISE_ERROR(
    score_track_columns,
    "{}: a track that predictions are compared with has dates, longitudes and latitudes; "
    "name a file with columns time, lon and lat");
TIDEWISE_ERROR(score_track_empty,
               "{}: has fewer than two fixes with a time and a place; name "
               "another file");
TIDEWISE_ERROR(score_latitude, "latitude {} is not from -90 to 90; give decimal degrees");

}  // namespace tidewise::errors
