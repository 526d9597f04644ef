#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage devices_all_unusable{"devices_all_unusable",
                                                   "{}: {}; {}, or leave it out"};
inline constexpr ErrorMessage devices_unusable{"devices_unusable", "{}: {}; {}"};
inline constexpr ErrorMessage key_not_variable{"key_not_variable",
                                               "{}: {} cannot differ from mission to mission; {}"};
inline constexpr ErrorMessage batch_key_misplaced{
    "batch_key_misplaced",
    "{}: {} is no key of a batch; begin each mission of a list with [[mission]], or put what all "
    "share into the base mission"};
inline constexpr ErrorMessage batch_key_misspelled{"batch_key_misspelled",
                                                   "{}: unknown key {}; did you mean {}?"};
inline constexpr ErrorMessage batch_key_unknown{
    "batch_key_unknown",
    "{}: unknown key {}; a batch holds [batch] with mission, directory, combine, policies, memory, "
    "then [vary] and [[mission]]"};
inline constexpr ErrorMessage varied_twice{
    "varied_twice", "{}: {} is varied, and so it is in {}; keep one of them"};
inline constexpr ErrorMessage zip_lengths_differ{
    "zip_lengths_differ",
    "{}: {} has {} value(s), where {} has {}; combine = \"zip\" takes lists of one length"};
inline constexpr ErrorMessage batch_varies_nothing{
    "batch_varies_nothing",
    "{}: varies nothing; give lists under [vary], e.g. mission.objective = [\"time\", \"energy\"], "
    "or missions under [[mission]]"};
inline constexpr ErrorMessage too_many_missions{
    "too_many_missions", "{}: makes more than {} missions; vary less, or divide the batch"};
inline constexpr ErrorMessage key_varied_and_fixed{
    "key_varied_and_fixed", "{}: {} is varied by {}; take it out of one of the two"};
inline constexpr ErrorMessage missions_equal{
    "missions_equal", "{}: missions {} and {} ({}, {}) are the same; take one of them out"};
inline constexpr ErrorMessage pattern_matches_nothing{
    "pattern_matches_nothing",
    "{}: {} has the pattern \"{}\", and no file in {} matches it; check the path"};
inline constexpr ErrorMessage batch_file_name_not_utf8{
    "batch_file_name_not_utf8", "{}: {} is not UTF-8, which the files of a batch are; rename it"};
inline constexpr ErrorMessage not_slurm_array{
    "not_slurm_array",
    "--array slurm: this is no task of a Slurm array (there is no SLURM_ARRAY_TASK_ID or "
    "SLURM_ARRAY_TASK_COUNT); start it by sbatch --array=1-8, or say which part with --array 3/8"};
inline constexpr ErrorMessage slurm_array_uneven{
    "slurm_array_uneven",
    "--array slurm: the tasks of this array are not numbered evenly, so that which part each one "
    "is cannot be told; say it with --array 3/8"};
inline constexpr ErrorMessage slurm_array_single_task{
    "slurm_array_single_task",
    "--array slurm: this array is of task {} alone, and of how many parts that is one cannot be "
    "told; say it with --array {}/N"};
inline constexpr ErrorMessage array_part_invalid{
    "array_part_invalid",
    "--array is \"{}\"; it must be one of the parts of a batch, 1/8 to 8/8, or slurm"};
inline constexpr ErrorMessage mission_folder_foreign{
    "mission_folder_foreign",
    "{}: is there already, and of no batch in this folder; choose another folder with --out, or "
    "replace it by --overwrite"};
inline constexpr ErrorMessage environment_file_missing{
    "environment_file_missing",
    "{}: environment.file is {}, and there is no such file; check the path"};
inline constexpr ErrorMessage memory_size_invalid{
    "memory_size_invalid", "--memory is \"{}\"; it must be a size, such as 16GB or 512MiB"};
inline constexpr ErrorMessage devices_with_cpu_backend{
    "devices_with_cpu_backend", "{}: names GPUs, and {} asks for the CPU; take one of them out"};
inline constexpr ErrorMessage batch_folder_exists{
    "batch_folder_exists",
    "{}: holds a batch already; go on with it by --resume, or choose another folder with --out"};
inline constexpr ErrorMessage batch_folder_in_use{
    "batch_folder_in_use",
    "{}: {} is working on {}; wait until it has ended, or choose another folder with --out"};
inline constexpr ErrorMessage batch_folder_not_lockable{
    "batch_folder_not_lockable",
    "{}: cannot be locked ({}); choose a folder on a file system with locks"};
inline constexpr ErrorMessage batch_folder_not_created{
    "batch_folder_not_created", "{}: cannot be made ({}); choose another folder with --out"};
inline constexpr ErrorMessage lookup_time_is_level{
    "lookup_time_is_level",
    "--time {}: a number counts the seconds since 1970; level {} is at {}: give that date"};
inline constexpr ErrorMessage lookup_time_not_finite{
    "lookup_time_not_finite", "--time {}: is no time; give a number that is finite, or a date"};
inline constexpr ErrorMessage lookup_time_without_dates{
    "lookup_time_without_dates",
    "--time {}: {} has no dates, its times are numbers; give one in the environment's units"};
inline constexpr ErrorMessage lookup_time_invalid{
    "lookup_time_invalid", "--time {}; a number counts the seconds since 1970"};
inline constexpr ErrorMessage lookup_place_in_degrees{
    "lookup_place_in_degrees",
    "--at-xy {},{}: is a longitude and latitude in the domain of {}, whose x and y are lengths on "
    "its plane; ask by --at {},{}"};
inline constexpr ErrorMessage lookup_without_degrees{
    "lookup_without_degrees",
    "--at: {} knows no longitude and latitude, as its environment had none; ask by --at-xy X,Y"};
inline constexpr ErrorMessage board_policy_damaged{
    "board_policy_damaged",
    "{}: is damaged ({}); make it anew with 'tidewise export RUN --format policy'"};
inline constexpr ErrorMessage board_policy_version{
    "board_policy_version",
    "{}: is of another version of the format than {}, which this program reads; make it anew with "
    "this program, or ask a newer one"};
inline constexpr ErrorMessage action_without_value{
    "action_without_value",
    "{}: has an action and no value at level {}, row {}, column {}; make the policy again with "
    "'tidewise plan'"};
inline constexpr ErrorMessage lookup_leg_flights{
    "lookup_leg_flights",
    "flights begin with the first leg; 'tidewise replan --passed' goes on from here"};
inline constexpr ErrorMessage option_value_split{"option_value_split",
                                                 "{} {} {}: a value is one word; write {} {}"};
inline constexpr ErrorMessage threads_negative{
    "threads_negative", "--threads is {}; it must be 1 or more, or 0 for all cores"};
inline constexpr ErrorMessage device_number_negative{"device_number_negative",
                                                     "--device is {}; GPUs count from 0"};
inline constexpr ErrorMessage option_value_renamed{"option_value_renamed",
                                                   "{} {}: is called {} now"};
inline constexpr ErrorMessage list_word_empty{
    "list_word_empty", "{} {}: a word of its list is empty; give it, or take its comma out"};
inline constexpr ErrorMessage surfacing_without_unit{
    "surfacing_without_unit",
    "--surfacing {}: is {:.3g} s, of a forecast whose levels are {} s apart; give its unit, e.g. "
    "6h"};
inline constexpr ErrorMessage environment_name_invalid{
    "environment_name_invalid", "--name {}: is not ROLE=VARIABLE; roles are {}"};
inline constexpr ErrorMessage number_list_invalid{
    "number_list_invalid",
    "{} is \"{}\"; it must be {} numbers with commas between them, e.g. {} {}"};
inline constexpr ErrorMessage place_not_two_numbers{
    "place_not_two_numbers", "--at {}: a place is two numbers, LON,LAT; a time goes by --time {}"};
inline constexpr ErrorMessage place_degrees_invalid{
    "place_degrees_invalid",
    "--at {}: there is no longitude {} with latitude {}; give degrees east, then north"};
inline constexpr ErrorMessage bench_method_unknown{"bench_method_unknown",
                                                   "--method names {}; it may name {}"};
inline constexpr ErrorMessage bench_tolerance_invalid{"bench_tolerance_invalid",
                                                      "--tolerance is {:g}; it must be above 0"};
inline constexpr ErrorMessage harvest_overflows{
    "harvest_overflows",
    "{}: mission.harvest.c_r is {}, which can harvest {:.3g} over {} steps, and rewards must stay "
    "below {:.3g} to be counted in single precision; reduce it, or give the scalar field in a "
    "larger unit"};
inline constexpr ErrorMessage compare_run_count{
    "compare_run_count",
    "compare: {} run(s) named; name from 2 to {}, the first being the one that the others are "
    "compared with"};
inline constexpr ErrorMessage compare_out_needs_pair{
    "compare_out_needs_pair",
    "--out {}: holds the differences of one pair, and {} runs are named; compare two at a time"};
inline constexpr ErrorMessage departure_level_outside{
    "departure_level_outside", "{} {}: the environment has levels 0 to {}; name one of them"};
inline constexpr ErrorMessage departure_without_dates{
    "departure_without_dates", "{} {}: the environment has no dates; name a level from 0 to {}"};
inline constexpr ErrorMessage departure_date_outside{
    "departure_date_outside",
    "{} {}: the forecast begins at {} and ends at {}; choose a date between"};
inline constexpr ErrorMessage departure_step_invalid{"departure_step_invalid",
                                                     "--every {}: must be 1 level or more"};
inline constexpr ErrorMessage departure_range_reversed{
    "departure_range_reversed", "--to {}: lies before --from {}; give the earlier one to --from"};
inline constexpr ErrorMessage import_word_invalid{"import_word_invalid",
                                                  "{} is \"{}\"; it must be {}"};
inline constexpr ErrorMessage dive_limits_without_profile{
    "dive_limits_without_profile", "--bottom-margin and --shallowest go with --profile; name one"};
inline constexpr ErrorMessage made_by_line_unreadable{
    "made_by_line_unreadable",
    "the environment was made by \"{}\", which this version cannot read: {}; import it anew"};
inline constexpr ErrorMessage example_unknown{"example_unknown", "no example {}; there are {}"};
inline constexpr ErrorMessage example_exists{"example_exists",
                                             "{}: is there already; name another folder by --out"};
inline constexpr ErrorMessage example_name_missing{
    "example_name_missing", "--out: is where an example goes; name one, or leave it out"};
inline constexpr ErrorMessage route_invalid{
    "route_invalid",
    "--route is \"{}\"; it must be median, nominal, or a realization's number, e.g. 17"};
inline constexpr ErrorMessage export_count_too_small{"export_count_too_small",
                                                     "{} is {}; it must be {} or more: {}"};
inline constexpr ErrorMessage export_length_invalid{
    "export_length_invalid", "{} is {}; it must be a length {}, in the environment's unit"};
inline constexpr ErrorMessage moos_geodesy_invalid{
    "moos_geodesy_invalid",
    "--moos-geodesy is \"{}\"; it must be utm, or grid for a MOOS-IvP built without UTM"};
inline constexpr ErrorMessage most_without_ensemble{
    "most_without_ensemble",
    "--most: says how many flights of an ensemble; add --ensemble, or leave it out"};
inline constexpr ErrorMessage moos_origin_invalid{
    "moos_origin_invalid", "--moos-origin is {}; it must be LON,LAT in degrees east and north"};
inline constexpr ErrorMessage export_levels_invalid{
    "export_levels_invalid", "--levels {}: levels are whole numbers; write FIRST,LAST, e.g. 0,40"};
inline constexpr ErrorMessage policy_options_without_policy{
    "policy_options_without_policy",
    "--value, --x, --y, --bbox, --levels, --from and --to are of --format policy; add it, or leave "
    "them out"};
inline constexpr ErrorMessage route_options_without_route{
    "route_options_without_route",
    "--route, --ensemble, --waypoints, --tolerance, --capture-radius, --plane, --list, --force, "
    "--moos-origin and --moos-geodesy are of routes; add a format of one, or leave them out"};
inline constexpr ErrorMessage policy_format_twice{
    "policy_format_twice", "--format: policy is named twice; name each once"};
inline constexpr ErrorMessage init_argument_unknown{"init_argument_unknown",
                                                    "init: {} is not known; give {}"};
inline constexpr ErrorMessage init_profile_needed{
    "init_profile_needed",
    "init: {} holds the profiles {}; name one that the vehicle dives with --profile, or several, "
    "among which a plan chooses"};
inline constexpr ErrorMessage preset_unknown{"preset_unknown",
                                             "--preset {}: there is none; there are {}"};
inline constexpr ErrorMessage init_output_exists{"init_output_exists",
                                                 "--out {}: is there already; name another file"};
inline constexpr ErrorMessage lookup_place_missing{
    "lookup_place_missing", "lookup: nothing says where; give --at LON,LAT, or --at-xy X,Y"};
inline constexpr ErrorMessage lookup_regions_missing{"lookup_regions_missing",
                                                     "--regions {}: there is none ({})"};
inline constexpr ErrorMessage lookup_leg_invalid{"lookup_leg_invalid",
                                                 "--leg {}: legs are counted from 1"};
inline constexpr ErrorMessage lookup_single_leg{
    "lookup_single_leg", "--leg: {} holds one leg; ask the file of that leg"};
inline constexpr ErrorMessage grid_place_invalid{"grid_place_invalid",
                                                 "{} is {}; give whole numbers, e.g. 3,4"};
inline constexpr ErrorMessage world_with_grid_options{
    "world_with_grid_options",
    "--world has its own size and moves; leave out --nx, --ny, --slip and --successors"};
inline constexpr ErrorMessage slip_with_successors{
    "slip_with_successors", "--slip and --successors are two kinds of moves; give one of them"};
inline constexpr ErrorMessage threads_not_positive{"threads_not_positive",
                                                   "--threads is {}; it must be 1 or more"};
inline constexpr ErrorMessage savings_asset_count{"savings_asset_count",
                                                  "--assets {}: take from 4 to 100000000 of them"};
inline constexpr ErrorMessage savings_output_not_hdf5{
    "savings_output_not_hdf5", "--out {}: is written as HDF5; name a file that ends in .h5"};
inline constexpr ErrorMessage names_with_run{"names_with_run",
                                             "--name {}: is of an environment's file, and {} is a "
                                             "run, whose mission says its names; leave it out"};
inline constexpr ErrorMessage posterior_exists{
    "posterior_exists",
    "{}: is there already; name another file by --out, or replace it by --overwrite"};
inline constexpr ErrorMessage observations_missing{
    "observations_missing",
    "observe: nothing is given to learn from; give --track FILE of a vehicle, --drifter FILE or "
    "--radar FILE"};
inline constexpr ErrorMessage method_without_model{
    "method_without_model",
    "--method: says how to solve from a model; name one by --model, or leave it out"};
inline constexpr ErrorMessage cusparse_needs_gpu{
    "cusparse_needs_gpu",
    "--method cusparse: solves on a GPU; take --backend cuda, or leave it out"};
inline constexpr ErrorMessage cusparse_not_built{
    "cusparse_not_built", "--method cusparse: this build does not hold cuSPARSE; leave it out"};
inline constexpr ErrorMessage model_with_processes{
    "model_with_processes",
    "--model {}: several processes solve by counting alone; start one process, or leave it out"};
inline constexpr ErrorMessage arrival_constraint_with_processes{
    "arrival_constraint_with_processes",
    "--arrival-at-least: one process tries the prices; start one, or name the price yourself "
    "(mission.failure.late)"};
inline constexpr ErrorMessage arrival_constraint_with_model{
    "arrival_constraint_with_model",
    "--arrival-at-least: prices are tried by counting; leave --model out, or name the price "
    "yourself (mission.failure.late)"};
inline constexpr ErrorMessage rehearsal_step_invalid{
    "rehearsal_step_invalid",
    "--step is {}; a rehearsal goes by steps of minutes, from 1s to 1h, e.g. 10min"};
inline constexpr ErrorMessage vertical_speed_invalid{
    "vertical_speed_invalid",
    "--vertical-speed is {} m/s; a vehicle dives at 0.001 to 5 m/s, e.g. 0.1"};
inline constexpr ErrorMessage replan_place_missing{
    "replan_place_missing",
    "replan: where the vehicle is, and when, is not given; give --track FILE, whose last fix that "
    "is, or --at LON,LAT (--at-xy X,Y) and --time TIME"};
inline constexpr ErrorMessage replan_time_twice{
    "replan_time_twice", "--time: the track says when; give --at with it, or leave it out"};
inline constexpr ErrorMessage forecast_without_track{
    "forecast_without_track",
    "--forecast {}: is corrected by what a track has observed, and none is given; give --track "
    "FILE, or --environment {} to plan in it as it is"};
inline constexpr ErrorMessage forecast_and_environment{
    "forecast_and_environment",
    "--forecast: is corrected by the track, and --environment is taken as it is; name one"};
inline constexpr ErrorMessage names_without_environment{
    "names_without_environment",
    "--name {}: is of the file that --environment or --forecast names; give that"};
inline constexpr ErrorMessage last_fix_implausible{
    "last_fix_implausible",
    "--track {}: its last fix, row {}, is not where the vehicle is: {}; take the row out, or say "
    "where and when it is by --at (or --at-xy) and --time"};
inline constexpr ErrorMessage replan_output_is_input{
    "replan_output_is_input",
    "--out {}: is the run that is replanned, which is kept; name another folder"};
inline constexpr ErrorMessage replan_output_exists{
    "replan_output_exists",
    "--out {}: {} is there already, and another run may have been planned on it; name another "
    "folder"};
inline constexpr ErrorMessage passed_negative{"passed_negative",
                                              "--passed is {}; it must be 0 or more"};
inline constexpr ErrorMessage adaptive_option_without_mode{
    "adaptive_option_without_mode",
    "{}: is of flights that learn on the way; give --mode adaptive, or leave it out"};
inline constexpr ErrorMessage adaptive_error_missing{
    "adaptive_error_missing",
    "--mode adaptive: needs {}: the standard deviation of each component of the flow that is "
    "observed in a step, in the environment's units"};
inline constexpr ErrorMessage adaptive_error_not_positive{"adaptive_error_not_positive",
                                                          "{} {}: must be a number above 0"};
inline constexpr ErrorMessage adaptive_replan_step_invalid{
    "adaptive_replan_step_invalid", "--replan-every {}: must be 1 step or more"};
inline constexpr ErrorMessage adaptive_option_outside_range{"adaptive_option_outside_range",
                                                            "{} {}: must lie between {} and {}"};
inline constexpr ErrorMessage adaptive_flights_per_realization{
    "adaptive_flights_per_realization",
    "{}: in adaptive mode each realization is flown through once; choose them by --realizations"};
inline constexpr ErrorMessage localisation_without_unit{
    "localisation_without_unit",
    "--localisation {}: is {:.3g} s, of a forecast whose levels are {} s apart; give its unit, "
    "e.g. 24h"};
inline constexpr ErrorMessage mode_length_without_mode{
    "mode_length_without_mode",
    "--mode-length: is of the mode that --add-mode makes; give that too"};
inline constexpr ErrorMessage command_unknown{"command_unknown", "unknown command {}{}; {} has {}"};
inline constexpr ErrorMessage option_unknown{"option_unknown", "{} is no option of {}{}"};
inline constexpr ErrorMessage command_missing{"command_missing", "no command is given; {} has {}"};
inline constexpr ErrorMessage command_not_parallel{
    "command_not_parallel",
    "{} processes were started together, and tidewise {} is work for one ({} can be shared); start "
    "it without mpirun or srun{}"};
inline constexpr ErrorMessage regions_without_degrees{
    "regions_without_degrees",
    "regions as GeoJSON are of longitudes and latitudes, and the environment has none; ask for "
    "--json"};
inline constexpr ErrorMessage summary_missing{
    "summary_missing",
    "{}: is no summary of a run, or is not there; name a folder that 'tidewise plan' made"};
inline constexpr ErrorMessage rollout_output_is_run{
    "rollout_output_is_run",
    "--out {}: holds a run, whose trajectories would be overwritten; choose a folder without a "
    "policy.h5"};
inline constexpr ErrorMessage rollout_departure_outside{
    "rollout_departure_outside",
    "--time {}: the policy in {} ends at level {}; depart at one from 0 to {}"};
inline constexpr ErrorMessage names_without_rollout_environment{
    "names_without_rollout_environment",
    "--name {}: is of the file that --environment names; give that too"};
inline constexpr ErrorMessage option_of_other_method{
    "option_of_other_method", "{}: belongs to --method {}, and the method is {}; leave it out"};
inline constexpr ErrorMessage solve_count_too_small{"solve_count_too_small",
                                                    "{} is {}; it must be {} or more"};
inline constexpr ErrorMessage initial_solution_size{
    "initial_solution_size",
    "--initial {}: has values of {} states, and the model has {}; name a solution of this model"};
inline constexpr ErrorMessage goal_given_with_mission{
    "goal_given_with_mission",
    "--mission: says itself what is wanted and where it ends; leave out --target, --minimize and "
    "--gamma"};
inline constexpr ErrorMessage solve_with_via{"solve_with_via",
                                             "{}: mission.via is given, and 'tidewise research "
                                             "solve' solves missions of one leg; plan it by "
                                             "'tidewise plan --model'"};
inline constexpr ErrorMessage solve_with_held_actions{
    "solve_with_held_actions",
    "{}: mission.decide_every is {} steps, and 'tidewise research solve' solves processes that "
    "decide at "
    "each; plan it by 'tidewise plan --model', or leave it out"};
inline constexpr ErrorMessage initial_with_q_learning{
    "initial_with_q_learning", "--initial: q-learning begins with nothing learned; leave it out"};
inline constexpr ErrorMessage goal_without_target{
    "goal_without_target",
    "--goal probability: of reaching what is not said; give --target LIST, such as --target "
    "finished"};
inline constexpr ErrorMessage set_without_mission{
    "set_without_mission", "--set {}: changes a mission; give one by --mission FILE"};
inline constexpr ErrorMessage gamma_outside_range{"gamma_outside_range",
                                                  "--gamma is {}; give a discount from 0 to 1"};
inline constexpr ErrorMessage q_without_hdf5{
    "q_without_hdf5", "--value: {} has no place for it; name a .h5 by --out"};
inline constexpr ErrorMessage q_of_method_unknown{
    "q_of_method_unknown",
    "--value: is what actions are worth before the values that are found, and those of {} are {}; "
    "leave it out"};
inline constexpr ErrorMessage solution_ending_unknown{
    "solution_ending_unknown",
    "--out {}: its ending must say the form: .h5, or .txt for the two lines of text"};
inline constexpr ErrorMessage checkpoint_exists{
    "checkpoint_exists",
    "--out {}: work that does not converge would be kept as {}, which is there and is something "
    "else; name another file, or replace it by --overwrite"};
inline constexpr ErrorMessage count_outside_range{"count_outside_range", "{} is {}; it must {}"};
inline constexpr ErrorMessage run_of_another_batch{
    "run_of_another_batch",
    "{}: {} is a run of another batch, or of this one before it or its environment changed; choose "
    "another folder with --out, or go on all the same with --resume"};
inline constexpr ErrorMessage command_word_extra{"command_word_extra",
                                                 "{} is one word more than {} takes"};
inline constexpr ErrorMessage option_value_missing{"option_value_missing", "{} needs a value, {}"};
inline constexpr ErrorMessage option_value_count{
    "option_value_count", "{} is given more, or fewer, values than it takes"};
inline constexpr ErrorMessage option_value_not_number{
    "option_value_not_number", "{}: '{}' is not a number; it takes one without a unit"};
inline constexpr ErrorMessage options_exclude_each_other{
    "options_exclude_each_other", "{} and {} cannot be given together; keep one of them"};
inline constexpr ErrorMessage option_needs_other{"option_needs_other", "{} needs {} beside it"};
inline constexpr ErrorMessage command_line_invalid{"command_line_invalid", "{}"};

}  // namespace tidewise::errors
