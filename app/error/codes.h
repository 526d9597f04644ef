#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(devices_all_unusable, "{}: {}; {}, or leave it out");
TIDEWISE_ERROR(devices_unusable, "{}: {}; {}");
TIDEWISE_ERROR(key_not_variable, "{}: {} cannot differ from mission to mission; {}");
TIDEWISE_ERROR(batch_key_misplaced,
               "{}: {} is no key of a batch; begin each mission of a list with [[mission]], or put "
               "what all share into the base mission");
TIDEWISE_ERROR(batch_key_misspelled, "{}: unknown key {}; did you mean {}?");
TIDEWISE_ERROR(batch_key_unknown,
               "{}: unknown key {}; a batch holds [batch] with mission, directory, combine, "
               "policies, memory, then [vary] and [[mission]]");
TIDEWISE_ERROR(varied_twice, "{}: {} is varied, and also in {}; keep one of them");
TIDEWISE_ERROR(
    zip_lengths_differ,
    "{}: {} has {} value(s), where {} has {}; combine = \"zip\" takes lists of one length");
TIDEWISE_ERROR(batch_varies_nothing,
               "{}: varies nothing; give lists under [vary], e.g. mission.objective = [\"time\", "
               "\"energy\"], or missions under [[mission]]");
TIDEWISE_ERROR(too_many_missions,
               "{}: makes more than {} missions; vary less, or divide the batch");
TIDEWISE_ERROR(key_varied_and_fixed, "{}: {} is varied by {}; take it out of one of the two");
TIDEWISE_ERROR(missions_equal,
               "{}: missions {} and {} ({}, {}) are the same; take one of them out");
TIDEWISE_ERROR(pattern_matches_nothing,
               "{}: {} has the pattern \"{}\", and no file in {} matches it; check the path");
TIDEWISE_ERROR(batch_file_name_not_utf8,
               "{}: {} is not UTF-8, which the files of a batch require; rename it");
TIDEWISE_ERROR(
    not_slurm_array,
    "--array slurm: this is no task of a Slurm array (there is no SLURM_ARRAY_TASK_ID or "
    "SLURM_ARRAY_TASK_COUNT); start it by sbatch --array=1-8, or give the part with --array 3/8");
TIDEWISE_ERROR(slurm_array_uneven,
               "--array slurm: the tasks of this array are not numbered evenly, which hides "
               "the part of each task; give it with --array 3/8");
TIDEWISE_ERROR(
    slurm_array_single_task,
    "--array slurm: this array has only task {}, which hides the number of parts; give it "
    "with --array {}/N");
TIDEWISE_ERROR(array_part_invalid,
               "--array is \"{}\"; it must be one of the parts of a batch, 1/8 to 8/8, or slurm");
TIDEWISE_ERROR(
    mission_folder_foreign,
    "{}: exists already and belongs to no batch in this folder; choose another folder with "
    "--out, or replace it by --overwrite");
TIDEWISE_ERROR(environment_file_missing,
               "{}: environment.file is {}, and there is no such file; check the path");
TIDEWISE_ERROR(memory_size_invalid,
               "--memory is \"{}\"; it must be a size, such as 16GB or 512MiB");
TIDEWISE_ERROR(devices_with_cpu_backend,
               "{}: names GPUs, and {} asks for the CPU; take one of them out");
TIDEWISE_ERROR(
    batch_folder_exists,
    "{}: holds a batch already; continue it by --resume, or choose another folder with --out");
TIDEWISE_ERROR(
    batch_folder_in_use,
    "{}: {} is working on {}; wait until it has ended, or choose another folder with --out");
TIDEWISE_ERROR(batch_folder_not_lockable,
               "{}: cannot be locked ({}); choose a folder on a file system with locks");
TIDEWISE_ERROR(batch_folder_not_created,
               "{}: cannot be made ({}); choose another folder with --out");
TIDEWISE_ERROR(
    lookup_time_is_level,
    "--time {}: a number counts the seconds since 1970; level {} is at {}: give that date");
TIDEWISE_ERROR(declination_invalid,
               "--declination {}: is no angle from true to magnetic north; give degrees from -180 "
               "to 180, east positive, such as 15.3");
TIDEWISE_ERROR(declination_without_north,
               "--declination: {} has no longitudes and latitudes, and so no true north; leave it "
               "out");
TIDEWISE_ERROR(lookup_time_not_finite,
               "--time {}: is no time; give a number that is finite, or a date");
TIDEWISE_ERROR(
    lookup_time_without_dates,
    "--time {}: {} has no dates, its times are numbers; give one in the environment's units");
TIDEWISE_ERROR(lookup_time_invalid, "--time {}; a number counts the seconds since 1970");
TIDEWISE_ERROR(lookup_place_in_degrees,
               "--at-xy {},{}: is a longitude and latitude in the domain of {}, whose x and y are "
               "lengths on its plane; give --at {},{}");
TIDEWISE_ERROR(
    lookup_without_degrees,
    "--at: {} has no longitudes and latitudes, because its environment has none; give --at-xy X,Y");
TIDEWISE_ERROR(board_policy_damaged,
               "{}: is damaged ({}); make it again with 'tidewise export RUN --format policy'");
TIDEWISE_ERROR(board_policy_version,
               "{}: is of another version of the format than {}, which this program reads; make it "
               "again with this program, or use a newer one");
TIDEWISE_ERROR(action_without_value,
               "{}: has an action and no value at level {}, row {}, column {}; make the policy "
               "again with 'tidewise plan'");
TIDEWISE_ERROR(
    lookup_leg_flights,
    "flights begin with the first leg; use 'tidewise replan --leg' to continue from here");
TIDEWISE_ERROR(option_value_split, "{} {} {}: a value is one word; write {} {}");
TIDEWISE_ERROR(device_number_negative, "--devices is {}; GPUs count from 0");
TIDEWISE_ERROR(option_renamed, "{} is called {} now");
TIDEWISE_ERROR(list_word_empty,
               "{} {}: a word of its list is empty; give it, or take its comma out");
TIDEWISE_ERROR(output_ending_unknown, "--out {}: must end in {}, which sets its format");
TIDEWISE_ERROR(output_ending_twice,
               "--out {}: {} is named too, and one file ends in {}; leave one of them out");
TIDEWISE_ERROR(
    option_without_unit,
    "{} {}: is {:.3g} s, of a forecast whose levels are {} s apart; give its unit, e.g. {}");
TIDEWISE_ERROR(environment_name_invalid, "--name {}: is not ROLE=VARIABLE; roles are {}");
TIDEWISE_ERROR(number_list_invalid,
               "{} is \"{}\"; it must be {} numbers with commas between them, e.g. {} {}");
TIDEWISE_ERROR(place_not_two_numbers,
               "--at {}: a place is two numbers, LON,LAT; give a time with --time {}");
TIDEWISE_ERROR(place_degrees_invalid,
               "--at {}: there is no longitude {} with latitude {}; give degrees east, then north");
TIDEWISE_ERROR(bench_method_unknown, "--method names {}; it may name {}");
TIDEWISE_ERROR(bench_tolerance_invalid, "--tolerance is {:g}; it must be above 0");
TIDEWISE_ERROR(harvest_overflows,
               "{}: mission.harvest.c_r is {}, which can harvest {:.3g} over {} steps, and rewards "
               "must stay below {:.3g} to be counted in single precision; reduce it, or give the "
               "scalar field in a larger unit");
TIDEWISE_ERROR(compare_run_count,
               "compare: {} run(s) named; name from 2 to {}, the first being the one that the "
               "others are compared with");
TIDEWISE_ERROR(compare_solutions_states,
               "compare: {} has {} states and {} has {}; compare solutions of one model");
TIDEWISE_ERROR(compare_option_of_runs,
               "{}: is for runs, and {} is a solution of a decision process; leave it out");
TIDEWISE_ERROR(
    compare_out_needs_pair,
    "--out {}: holds the differences of one pair, and {} runs are named; compare two at a time");
TIDEWISE_ERROR(departure_level_outside,
               "{} {}: the environment has levels 0 to {}; name one of them");
TIDEWISE_ERROR(departure_without_dates,
               "{} {}: the environment has no dates; name a level from 0 to {}");
TIDEWISE_ERROR(departure_date_outside,
               "{} {}: the forecast begins at {} and ends at {}; choose a date between");
TIDEWISE_ERROR(departure_range_reversed,
               "--to {}: lies before --from {}; give the earlier one to --from");
TIDEWISE_ERROR(dive_limits_without_profile,
               "--bottom-margin and --shallowest go with --profile; name one");
TIDEWISE_ERROR(
    made_by_line_unreadable,
    "the environment was made by \"{}\", which this version cannot read: {}; import it again");
TIDEWISE_ERROR(example_unknown, "no example {}; there are {}");
TIDEWISE_ERROR(example_exists, "{}: is there already; name another folder by --out");
TIDEWISE_ERROR(example_name_missing,
               "--out: sets the folder of an example; name an example, or leave --out out");
TIDEWISE_ERROR(route_invalid,
               "--route is \"{}\"; it must be median, nominal, or a realization's number, e.g. 17");
TIDEWISE_ERROR(export_length_invalid,
               "{} is {}; it must be a length {}, in the environment's unit");
TIDEWISE_ERROR(
    moos_geodesy_invalid,
    "--moos-geodesy is \"{}\"; it must be utm, or grid for a MOOS-IvP built without UTM");
TIDEWISE_ERROR(moos_origin_invalid,
               "--moos-origin is {}; it must be LON,LAT in degrees east and north");
TIDEWISE_ERROR(
    policy_options_without_policy,
    "--value, --bbox, --from and --to belong to --format policy; add it, or leave them out");
TIDEWISE_ERROR(
    route_options_without_route,
    "--route, --ensemble, --waypoints, --tolerance, --capture-radius, --plane (without --bbox), "
    "--force, --moos-origin and --moos-geodesy belong to routes; add a route format, or leave them "
    "out");
TIDEWISE_ERROR(policy_format_twice, "--format: policy is named twice; name each once");
TIDEWISE_ERROR(init_argument_unknown, "init: {} is not known; give {}");
TIDEWISE_ERROR(init_profile_needed,
               "init: {} holds the profiles {}; name one that the vehicle dives with --profile, or "
               "several, among which a plan chooses");
TIDEWISE_ERROR(
    preset_unknown,
    "--vehicle {}: there is no such vehicle; give a speed, such as 0.5m/s, or one of {}");
TIDEWISE_ERROR(
    place_outside_forecast,
    "{} is \"{}\", {}, which lies outside the forecast; give longitude,latitude within {}");
TIDEWISE_ERROR(
    position_invalid,
    "{} is \"{}\"; it must be a longitude and a latitude, such as -45.1,12.3, 45.1W,12.3N "
    "or \"12 18.0N 45 06.0W\"");
TIDEWISE_ERROR(
    position_not_on_earth,
    "{} is \"{}\": there is no longitude {:.6g} with latitude {:.6g}; longitude goes from "
    "-360 to 360 and latitude from -90 to 90");
TIDEWISE_ERROR(place_on_land,
               "{} is \"{}\", {}, where the forecast's nearest point is land; give a place in the "
               "water");
TIDEWISE_ERROR(departure_invalid,
               "{} is \"{}\"; it must be now, or a time in UTC such as \"2025-03-01 06:00\"");
TIDEWISE_ERROR(departure_outside_forecast,
               "{} is {}, {}, which lies outside the forecast; give a time within {}");
TIDEWISE_ERROR(deadline_outside_forecast,
               "{} is {}; it must be after the departure and within the forecast: {}");
TIDEWISE_ERROR(dive_without_depths,
               "{} is {}, and the forecast has one depth; leave it out, or give files with depths");
TIDEWISE_ERROR(forecast_option_missing,
               "{} is missing; with a forecast give --from, --to, --vehicle and --depart");
TIDEWISE_ERROR(forecast_option_with_mission,
               "{} goes with a forecast, and {} is a mission file; change its keys by --set");
TIDEWISE_ERROR(plan_files_mixed,
               "{} is no forecast; give one mission file (TOML), or files with currents");
TIDEWISE_ERROR(forecast_with_processes,
               "{}: a forecast is converted by one process; plan it without mpirun, or convert it "
               "first with 'tidewise env import' and plan a mission file");
TIDEWISE_ERROR(init_output_exists, "--out {}: exists already; name another file");
TIDEWISE_ERROR(lookup_place_missing,
               "lookup: no place is given; give --at LON,LAT, or --at-xy X,Y");
TIDEWISE_ERROR(lookup_regions_missing, "--out {}: there are no regions ({})");
TIDEWISE_ERROR(leg_invalid, "--leg {}: legs are counted from 1");
TIDEWISE_ERROR(lookup_single_leg, "--leg: {} holds one leg; use the file of that leg");
TIDEWISE_ERROR(grid_place_invalid, "{} is {}; give whole numbers, e.g. 3,4");
TIDEWISE_ERROR(world_with_grid_options,
               "--world has its own size and moves; leave out --nx, --ny, --slip and --successors");
TIDEWISE_ERROR(slip_with_successors,
               "--slip and --successors are two kinds of moves; give one of them");
TIDEWISE_ERROR(
    savings_asset_count,
    "--assets {}: give 4 to 100000000 assets, and after a comma the states of the productivity");
TIDEWISE_ERROR(savings_output_not_hdf5,
               "--out {}: is written as HDF5; name a file that ends in .h5");
TIDEWISE_ERROR(names_with_run,
               "--name {}: applies to an environment file, and {} is a run, whose mission sets the "
               "names; leave it out");
TIDEWISE_ERROR(posterior_exists,
               "{}: is there already; name another file by --out, or replace it by --overwrite");
TIDEWISE_ERROR(observations_missing,
               "observe: no observations are given; give --track FILE of a vehicle, --drifter "
               "FILE or --radar FILE");
TIDEWISE_ERROR(errors_without_observations,
               "errors: no observations are given; give --drifter FILE, --track FILE or --radar "
               "FILE");
TIDEWISE_ERROR(error_model_incomplete,
               "--out {}: is not written, because the data do not give all figures: {}");
TIDEWISE_ERROR(method_without_model, "--method requires --model; add it, or leave --method out");
TIDEWISE_ERROR(cusparse_needs_gpu,
               "--method cusparse: solves on a GPU; take --backend cuda, or leave it out");
TIDEWISE_ERROR(cusparse_not_built,
               "--method cusparse: this build does not hold cuSPARSE; leave it out");
TIDEWISE_ERROR(
    model_with_processes,
    "--model {}: several processes cannot solve from a model; start one process, or leave it out");
TIDEWISE_ERROR(arrival_constraint_with_processes,
               "--arrival-at-least: needs one process; start one, or set the lateness penalty "
               "(mission.failure.late)");
TIDEWISE_ERROR(
    arrival_constraint_with_model,
    "--arrival-at-least: does not work with --model; leave --model out, or set the lateness "
    "penalty (mission.failure.late)");
TIDEWISE_ERROR(rehearsal_step_invalid,
               "--step is {}; a rehearsal has steps from 1s to 1h, e.g. 10min");
TIDEWISE_ERROR(vertical_speed_invalid,
               "--vertical-speed is {} m/s; a vehicle dives at 0.001 to 5 m/s, e.g. 0.1");
TIDEWISE_ERROR(
    replan_place_missing,
    "replan: the vehicle's place and time are missing; give --track FILE, whose last fix "
    "they are, or --at LON,LAT (--at-xy X,Y) and --time TIME");
TIDEWISE_ERROR(replan_time_twice,
               "--time: the track holds the time; give --at with it, or leave it out");
TIDEWISE_ERROR(
    forecast_without_track,
    "--forecast {}: needs observations to correct it; give --track FILE, or --environment "
    "{} to plan in it unchanged");
TIDEWISE_ERROR(
    track_option_without_track,
    "{}: applies to observations, and none are given; give --track FILE, or leave it out");
TIDEWISE_ERROR(
    correction_with_environment,
    "{}: applies to the correction of a forecast, and --environment is used unchanged; name "
    "the file by --forecast, or leave this out");
TIDEWISE_ERROR(
    forecast_and_environment,
    "--forecast (corrected by the track) and --environment (used unchanged) exclude each other; "
    "name one");
TIDEWISE_ERROR(names_without_environment, "--name {}: applies to the file of {}; give that, too");
TIDEWISE_ERROR(
    last_fix_implausible,
    "--track {}: its last fix, row {}, is implausible: {}; remove the row, or give the place "
    "and time by --at (or --at-xy) and --time");
TIDEWISE_ERROR(replan_output_is_input,
               "--out {}: is the run to replan, which is kept; name another folder");
TIDEWISE_ERROR(replan_output_exists,
               "--out {}: {} is there already, and another run may have been planned on it; name "
               "another folder");
TIDEWISE_ERROR(adaptive_option_without_mode,
               "{}: applies to flights that learn; give --mode adaptive, or leave it out");
TIDEWISE_ERROR(adaptive_error_missing,
               "--mode adaptive: needs {}: the standard deviation of each component of the flow "
               "that is observed in a step, in the environment's units");
TIDEWISE_ERROR(adaptive_error_not_positive, "{} {}: must be a number above 0");
TIDEWISE_ERROR(adaptive_option_outside_range, "{} {}: must lie between {} and {}");
TIDEWISE_ERROR(
    adaptive_flights_per_realization,
    "{}: in adaptive mode each realization is flown through once; choose them by --realizations");
TIDEWISE_ERROR(command_unknown, "unknown command {}{}; {} has {}");
TIDEWISE_ERROR(option_unknown, "{} is no option of {}{}");
TIDEWISE_ERROR(command_missing, "no command is given; {} has {}");
TIDEWISE_ERROR(command_not_parallel,
               "{} processes were started together, and tidewise {} needs one (only {} can be "
               "shared); start it without mpirun or srun{}");
TIDEWISE_ERROR(
    regions_without_degrees,
    "regions as GeoJSON need longitudes and latitudes, and the environment has none; give "
    "--json");
TIDEWISE_ERROR(
    summary_missing,
    "{}: is no summary of a run, or is not there; name a folder that 'tidewise plan' made");
TIDEWISE_ERROR(rollout_output_is_run,
               "--out {}: holds a run, whose trajectories would be overwritten; choose a folder "
               "without a policy.h5");
TIDEWISE_ERROR(rollout_departure_outside,
               "--time {}: the policy in {} ends at level {}; depart at one from 0 to {}");
TIDEWISE_ERROR(count_too_small, "{} is {}; it must be {} or more{}");
TIDEWISE_ERROR(
    initial_solution_size,
    "--initial {}: has values of {} states, and the model has {}; name a solution of this model");
TIDEWISE_ERROR(process_with_via,
               "{}: mission.via is given, and a decision process has one leg; leave it out, or "
               "solve the mission with 'tidewise plan'");
TIDEWISE_ERROR(
    process_with_held_actions,
    "{}: mission.decide_every is {} steps, and a decision process decides at each; leave "
    "it out, or solve the mission with 'tidewise plan'");
TIDEWISE_ERROR(
    refine_with_via,
    "{}: mission.via is given, and legs are not refined; refine a mission without via points");
TIDEWISE_ERROR(initial_with_q_learning,
               "--initial: q-learning begins with nothing learned; leave it out");
TIDEWISE_ERROR(goal_without_target,
               "--goal probability: needs a target; give --target LIST, such as "
               "--target finished");
TIDEWISE_ERROR(gamma_outside_range, "--gamma is {}; give a discount from 0 to 1");
TIDEWISE_ERROR(q_without_hdf5, "--value: {} cannot hold it; name a .h5 file by --out");
TIDEWISE_ERROR(q_of_method_unknown,
               "--value: needs the expected return of each action, and {} yields {}; leave it out");
TIDEWISE_ERROR(solution_ending_unknown,
               "--out {}: must end in .h5, or in .txt for two lines of text");
TIDEWISE_ERROR(
    checkpoint_exists,
    "--out {}: unconverged work would be kept as {}, which exists and is another file; name "
    "another output, or replace it by --overwrite");
TIDEWISE_ERROR(option_value_invalid, "{} is {}; it must {}");
TIDEWISE_ERROR(run_of_another_batch,
               "{}: {} is a run of another batch, or of this one before it or its environment "
               "changed; choose another folder with --out, or continue with --resume");
TIDEWISE_ERROR(command_word_extra, "{} is one word more than {} takes");
TIDEWISE_ERROR(option_value_missing, "{} needs a value, {}");
TIDEWISE_ERROR(option_value_count, "{} is given more, or fewer, values than it takes");
TIDEWISE_ERROR(option_value_not_number, "{}: '{}' is not a number; it takes one without a unit");
TIDEWISE_ERROR(options_exclude_each_other, "{} and {} cannot be given together; keep one of them");
TIDEWISE_ERROR(option_needs_other, "{} needs {}, too");
TIDEWISE_ERROR(command_line_invalid, "{}");
TIDEWISE_ERROR(
    log_without_dates,
    "--log {}: predictions are compared by dates, longitudes and latitudes, and {} lacks "
    "some; leave --log out");
TIDEWISE_ERROR(log_without_flights, "--log {}: there is no prediction ({}); leave --log out");
TIDEWISE_ERROR(calibration_without_probability,
               "--calibrate {}: the forecast gives no probabilities (uncertainty: {}); leave it "
               "out, or import the forecast with its error");
TIDEWISE_ERROR(score_nothing,
               "{}: none of its {} predictions has an outcome ({}); give --track FILE of the "
               "vehicle, from the departure to the arrival or the deadline");
TIDEWISE_ERROR(serve_packages_missing,
               "serve: python3 lacks tidewise, Starlette or uvicorn; install them with: pip "
               "install 'tidewise[serve]'");
TIDEWISE_ERROR(serve_with_processes,
               "--serve: a page is served by one process; plan without mpirun, or run 'tidewise "
               "serve' afterwards");

}  // namespace tidewise::errors
