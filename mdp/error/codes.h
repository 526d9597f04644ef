#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage arrays_without_owner{
    "arrays_without_owner", "the arrays have no owner; name what keeps them"};
inline constexpr ErrorMessage probability_without_target{
    "probability_without_target",
    "the goal is the probability of reaching a target, and none is given; give its labels or "
    "states, such as target 'finished, 7'"};
inline constexpr ErrorMessage action_values_of_first_step{
    "action_values_of_first_step",
    "action values: the value of backward induction is that of the first step, not of the next "
    "one; keep the steps, and take action_values() of the second one's value"};
inline constexpr ErrorMessage values_too_few{"values_too_few", "of {} states there are {}"};
inline constexpr ErrorMessage action_values_without_hdf5{
    "action_values_without_hdf5", "{}: .txt has no place for action values; name a file .h5"};
inline constexpr ErrorMessage solve_cuda_unusable{
    "solve_cuda_unusable", "the backend is cuda, and {}; {}, or take automatic or cpu"};
inline constexpr ErrorMessage method_of_command_line{
    "method_of_command_line", "the method {} is the command line's alone; take another one"};
inline constexpr ErrorMessage sweep_limit_invalid{"sweep_limit_invalid",
                                                  "most_sweeps is {}; it must be 1 or more"};
inline constexpr ErrorMessage horizon_not_taken{
    "horizon_not_taken", "the horizon is {}; only the method backward has one"};
inline constexpr ErrorMessage steps_not_kept{
    "steps_not_kept", "every step is to be kept; only the method backward has steps"};
inline constexpr ErrorMessage steps_kept_on_processor{
    "steps_kept_on_processor", "every step is kept by the processor alone; take the backend cpu"};
inline constexpr ErrorMessage method_unknown{"method_unknown",
                                             "the method is '{}'; take one of {}"};
inline constexpr ErrorMessage block_states_invalid{
    "block_states_invalid",
    "block-divided: a block of {} states; give one of 1 to {}, what a GPU keeps in shared memory, "
    "or 0 for the method's own choice"};
inline constexpr ErrorMessage block_sweeps_invalid{
    "block_sweeps_invalid", "block-divided: {} sweeps within a block; give one at least"};
inline constexpr ErrorMessage model_of_ocean{"model_of_ocean",
                                             "is an explicit model of an ocean, which a mission "
                                             "makes a decision process of: tidewise research solve "
                                             "{} --mission M.toml"};
inline constexpr ErrorMessage not_a_process{
    "not_a_process",
    "is no decision process (it lacks the attribute tidewise_mdp); name one, or make one with "
    "'tidewise research mdp' or 'tidewise research build'"};
inline constexpr ErrorMessage process_attribute_missing{"process_attribute_missing",
                                                        "lacks the attribute {}"};
inline constexpr ErrorMessage process_attribute_invalid{
    "process_attribute_invalid", "the attribute {} is {}; it must be an integer from {} to {}"};
inline constexpr ErrorMessage label_range_invalid{"label_range_invalid",
                                                  "label {} leads from {} to {} of {}"};
inline constexpr ErrorMessage label_state_invalid{
    "label_state_invalid", "label {} has state {}; states must ascend, and there are {}"};
inline constexpr ErrorMessage vector_missing{"vector_missing", "is not in the file; make it anew"};
inline constexpr ErrorMessage vector_shape{"vector_shape", "has {} dimensions, and must have 1"};
inline constexpr ErrorMessage array_length{"array_length", "has {} elements, and must have {}"};
inline constexpr ErrorMessage vector_size_claimed{
    "vector_size_claimed", "claims {} elements, more than the file can hold; make it anew"};
inline constexpr ErrorMessage json_form_unknown{"json_form_unknown",
                                                "{} is unknown; the form is \"CSR\""};
inline constexpr ErrorMessage json_member_missing{"json_member_missing", "lacks \"{}\""};
inline constexpr ErrorMessage json_member_twice{"json_member_twice", "is there twice"};
inline constexpr ErrorMessage json_number_too_large_for_any{"json_number_too_large_for_any",
                                                            "holds a number too large for any"};
inline constexpr ErrorMessage json_not_parsed{"json_not_parsed", "{}: {}"};
inline constexpr ErrorMessage json_kind_differs{"json_kind_differs", "is {}, and must be {}"};
inline constexpr ErrorMessage json_key_unknown{"json_key_unknown", "is no known key; there are {}"};
inline constexpr ErrorMessage json_integer_outside_range{"json_integer_outside_range",
                                                         "is {}; give an integer from {} to {}"};
inline constexpr ErrorMessage json_not_integer{"json_not_integer", "is {}; give an integer"};
inline constexpr ErrorMessage json_number_too_large{"json_number_too_large",
                                                    "is {}, which is too large"};
inline constexpr ErrorMessage json_discount_invalid{"json_discount_invalid",
                                                    "is {}; give one from 0 to 1"};
inline constexpr ErrorMessage probability_invalid{"probability_invalid",
                                                  "{} is no probability; give one from 0 to 1"};
inline constexpr ErrorMessage json_row_starts_first{"json_row_starts_first",
                                                    "is {}; row starts begin with 0"};
inline constexpr ErrorMessage json_row_starts_descend{
    "json_row_starts_descend", "is {} after {}; row starts must not descend"};
inline constexpr ErrorMessage json_initial_state_outside{"json_initial_state_outside",
                                                         "is {}, and there are {}"};
inline constexpr ErrorMessage json_model_key_missing{
    "json_model_key_missing", "{}: the model lacks the key \"{}\"; it needs S, A and P"};
inline constexpr ErrorMessage json_row_starts_length{
    "json_row_starts_length", "has {} elements, and {} states × {} actions need {}"};
inline constexpr ErrorMessage json_row_starts_last{"json_row_starts_last",
                                                   "ends with {}, and there are {} indices"};
inline constexpr ErrorMessage json_data_length{"json_data_length",
                                               "has {} elements, and there are {} indices"};
inline constexpr ErrorMessage json_state_outside{"json_state_outside",
                                                 "is {}, and there are {} states"};
inline constexpr ErrorMessage row_invalid{"row_invalid", "state {}, action {}: {}"};
inline constexpr ErrorMessage json_second_reward{
    "json_second_reward", "gives state {} a second, other reward in its row"};
inline constexpr ErrorMessage listed_action_declared_twice{"listed_action_declared_twice",
                                                           "action {} is declared a second time"};
inline constexpr ErrorMessage listed_action_leads_nowhere{
    "listed_action_leads_nowhere", "action {} leads nowhere; list its successors or leave it out"};
inline constexpr ErrorMessage listed_state_twice{"listed_state_twice",
                                                 "state {} is listed a second time, after line {}"};
inline constexpr ErrorMessage listed_action_undeclared{
    "listed_action_undeclared", "action {} is none of the {} that are declared"};
inline constexpr ErrorMessage listed_action_twice{"listed_action_twice",
                                                  "action {} is listed a second time in state {}"};
inline constexpr ErrorMessage listed_reward_too_large{"listed_reward_too_large",
                                                      "the reward {} is too large"};
inline constexpr ErrorMessage listing_without_state{"listing_without_state",
                                                    "{}: it lists no state; is it whole?"};
inline constexpr ErrorMessage listed_successor_missing{
    "listed_successor_missing", "it leads to state {}, which the file does not list"};
inline constexpr ErrorMessage process_ending_unknown{
    "process_ending_unknown", "{}: its ending names no form of decision processes; there are {}"};
inline constexpr ErrorMessage process_form_unknown{
    "process_form_unknown",
    "{}: is of no known form of decision processes; there are {}, and Python takes SciPy's and "
    "NumPy's arrays"};
inline constexpr ErrorMessage discount_invalid{"discount_invalid",
                                               "the discount is {}; give one from 0 to 1"};
inline constexpr ErrorMessage not_a_solution{
    "not_a_solution",
    "{}: is no solution (it lacks the attribute tidewise_mdp_solution); make one with 'tidewise "
    "solve'"};
inline constexpr ErrorMessage solution_first_line_differs{"solution_first_line_differs",
                                                          "it does not begin with '{}'"};
inline constexpr ErrorMessage solution_number_invalid{"solution_number_invalid", "{} is no number"};
inline constexpr ErrorMessage solution_too_long{"solution_too_long",
                                                "something follows the two lines of a solution"};
inline constexpr ErrorMessage solution_action_invalid{"solution_action_invalid",
                                                      "{} is no action, an integer from -1 on"};
inline constexpr ErrorMessage solution_lines_differ{"solution_lines_differ",
                                                    "{} values stand beside {} actions"};
inline constexpr ErrorMessage solution_empty{"solution_empty", "there is no state in it"};
inline constexpr ErrorMessage solution_form_unknown{
    "solution_form_unknown", "{}: its ending names no form of solutions; there are .txt and .h5"};
inline constexpr ErrorMessage target_unknown{
    "target_unknown",
    "{}: the target has {}, which is no label and no state; list labels ({}) and numbers of states "
    "(0 to {}), separated by commas"};
inline constexpr ErrorMessage goal_target_missing{
    "goal_target_missing",
    "{}: the goal is a probability, and there is no target; list its labels or states"};
inline constexpr ErrorMessage xml_not_built{
    "xml_not_built",
    "{}: this build reads no XML (TIDEWISE_XML is OFF); build with -DTIDEWISE_XML=ON, which needs "
    "expat (libexpat1-dev), or bring the model as .json"};
inline constexpr ErrorMessage xml_not_parsed{"xml_not_parsed", "is no XML ({})"};
inline constexpr ErrorMessage xml_initial_state_outside{
    "xml_initial_state_outside", "{}: initialState is {}, and there are {} states"};
inline constexpr ErrorMessage xml_text_outside_element{"xml_text_outside_element",
                                                       "the text {} belongs to no element"};
inline constexpr ErrorMessage xml_document_type{
    "xml_document_type", "document types and entities are not accepted; leave <!DOCTYPE …> out"};
inline constexpr ErrorMessage xml_element_unknown{"xml_element_unknown",
                                                  "the element {} is not known here"};
inline constexpr ErrorMessage xml_attribute_unknown{"xml_attribute_unknown",
                                                    "the attribute {} of {} is not known"};
inline constexpr ErrorMessage xml_order_invalid{"xml_order_invalid",
                                                "Actions must come before States"};
inline constexpr ErrorMessage xml_value_too_large{"xml_value_too_large", "the value is too large"};
inline constexpr ErrorMessage xml_gamma_invalid{"xml_gamma_invalid", "gamma is not from 0 to 1"};
inline constexpr ErrorMessage xml_initial_state_invalid{"xml_initial_state_invalid",
                                                        "initialState {} is no state"};
inline constexpr ErrorMessage xml_attribute_missing{"xml_attribute_missing",
                                                    "{} lacks the attribute {}"};
inline constexpr ErrorMessage xml_attribute_empty{"xml_attribute_empty",
                                                  "the attribute {} of {} is empty"};
inline constexpr ErrorMessage xml_number_invalid{"xml_number_invalid",
                                                 "the {} {} of {} is no number"};
inline constexpr ErrorMessage horizon_invalid{
    "horizon_invalid",
    "the horizon of backward induction is {}; give the number of steps, 1 or more"};
inline constexpr ErrorMessage q_learning_option_invalid{"q_learning_option_invalid",
                                                        "q-learning: {} {}; give {}"};
inline constexpr ErrorMessage q_learning_starts_terminal{
    "q_learning_starts_terminal",
    "q-learning: episodes are to begin in state {}, which is terminal; begin at random"};
inline constexpr ErrorMessage q_learning_overflows{
    "q_learning_overflows",
    "q-learning: values may come to {:.3g}, which its sums do not hold; scale the rewards"};
inline constexpr ErrorMessage inexact_iteration_without_discount{
    "inexact_iteration_without_discount",
    "inexact policy iteration is for a discount below 1, and it is 1; take --method fused or "
    "policy-iteration, or give --gamma"};
inline constexpr ErrorMessage evaluation_sweeps_negative{
    "evaluation_sweeps_negative",
    "evaluation sweeps between improvements cannot be negative; give 0 or more"};
inline constexpr ErrorMessage evaluator_cusparse_not_built{
    "evaluator_cusparse_not_built",
    "the evaluator cusparse was asked for, but this build does not hold cuSPARSE; take --evaluator "
    "cuda or serial"};
inline constexpr ErrorMessage process_without_state{"process_without_state",
                                                    "it has no state; give one at least"};
inline constexpr ErrorMessage process_without_action{"process_without_action",
                                                     "it has no action; give one at least"};
inline constexpr ErrorMessage process_row_starts_length{
    "process_row_starts_length", "row starts are {}, and {} states × {} actions need {}"};
inline constexpr ErrorMessage process_row_starts_range{
    "process_row_starts_range", "row starts lead from {} to {}, and must from 0 to the {} entries"};
inline constexpr ErrorMessage process_array_length{"process_array_length",
                                                   "{} are {}, and must be {}"};
inline constexpr ErrorMessage process_initial_state_outside{
    "process_initial_state_outside", "the initial state is {}, and there are {}"};
inline constexpr ErrorMessage process_row_invalid{"process_row_invalid",
                                                  "{}: state {}, action {}: {}"};
inline constexpr ErrorMessage process_value_not_finite{
    "process_value_not_finite", "{}: state {}: its value is {}; give a number"};
inline constexpr ErrorMessage first_values_count{"first_values_count",
                                                 "{} are {}, and must be one a state, {}"};
inline constexpr ErrorMessage first_value_not_finite{
    "first_value_not_finite", "the first value of state {} is {}; give a number"};
inline constexpr ErrorMessage terminal_state_outside{
    "terminal_state_outside", "state {} is to be terminal, and there are {} states"};
inline constexpr ErrorMessage productivity_count_invalid{"productivity_count_invalid",
                                                         "productivity: {} states; take 1 to 1000"};
inline constexpr ErrorMessage persistence_invalid{
    "persistence_invalid",
    "persistence: {} is not that of a process that stays; take one from 0 up to 1"};
inline constexpr ErrorMessage volatility_invalid{"volatility_invalid",
                                                 "volatility: {} is no spread; take 0 or more"};
inline constexpr ErrorMessage assets_too_few{"assets_too_few",
                                             "assets: {} of them; take 4 or more"};
inline constexpr ErrorMessage assets_not_rising{
    "assets_not_rising", "assets: {} is not above the one before it; let them rise"};
inline constexpr ErrorMessage savings_states_too_many{
    "savings_states_too_many", "assets: {} by {} productivities are more than 2^31 states"};
inline constexpr ErrorMessage savings_discount_invalid{
    "savings_discount_invalid", "beta: {} is no discount; take one between 0 and 1"};
inline constexpr ErrorMessage interest_invalid{
    "interest_invalid", "interest: {} takes all that is saved; take one above -1"};
inline constexpr ErrorMessage wage_invalid{"wage_invalid", "wage: {} is none; take 0 or more"};
inline constexpr ErrorMessage borrowing_limit_invalid{
    "borrowing_limit_invalid",
    "borrowing limit: at {} the lowest income leaves {} to live on; raise the limit or the wage"};
inline constexpr ErrorMessage savings_tolerance_invalid{
    "savings_tolerance_invalid", "tolerance: {} can never be reached; take more than 0"};
inline constexpr ErrorMessage savings_options_invalid{
    "savings_options_invalid",
    "savings: {} steps of golden section, {} times a policy is followed and {} improvements; take "
    "0 or more, 0 or more, and 1 or more"};
inline constexpr ErrorMessage tolerance_invalid{
    "tolerance_invalid", "the tolerance is {}; give a finite one above 0, such as 1e-4"};
inline constexpr ErrorMessage layout_sliced_without_gpu{
    "layout_sliced_without_gpu",
    "the layout sliced is for a GPU; take packed or rows, or leave --layout out"};
inline constexpr ErrorMessage evaluator_of_other_method{
    "evaluator_of_other_method",
    "the evaluator {} is inexact-policy-iteration's; take that method, or leave it out"};
inline constexpr ErrorMessage evaluator_serial_on_gpu{
    "evaluator_serial_on_gpu",
    "the evaluator serial is for the processor; take cuda or cusparse, or --backend cpu"};
inline constexpr ErrorMessage evaluator_without_gpu{
    "evaluator_without_gpu", "the evaluator {} is for a GPU; take serial, or --backend cuda"};
inline constexpr ErrorMessage evaluator_of_policy_iteration{
    "evaluator_of_policy_iteration",
    "the evaluator {} is policy-iteration's; take sweeps, krylov or auto"};
inline constexpr ErrorMessage horizon_missing{
    "horizon_missing",
    "backward induction takes a number of steps, and the horizon is {}; give --horizon N"};
inline constexpr ErrorMessage states_without_end{
    "states_without_end",
    "the discount is 1, and from {} of {} states, such as state {}, no policy surely comes to an "
    "end, so that they have no value; give --gamma below 1, make ends of states by --target, or "
    "take --method backward; with --endings sure their value is infinite, and the others are "
    "solved"};
inline constexpr ErrorMessage stream_unreadable{"stream_unreadable", "{}: cannot be read ({})"};
inline constexpr ErrorMessage rows_too_many{
    "rows_too_many", "{}: {} states × {} actions are more than {} of either"};
inline constexpr ErrorMessage rows_more_than_listed{
    "rows_more_than_listed",
    "{}: {} states × {} actions are claimed, and {} actions of states listed; correct the counts, "
    "or number the actions from 0 in every state"};
inline constexpr ErrorMessage share_invalid{"share_invalid", "{} is {}; give a share from 0 to 1"};
inline constexpr ErrorMessage grid_cell_outside{
    "grid_cell_outside", "the {} {},{} lies outside the grid of {} × {} cells"};
inline constexpr ErrorMessage successor_count_invalid{
    "successor_count_invalid", "a wet floor has 1, 2 or 4 successors an action, not {}"};
inline constexpr ErrorMessage grid_size_invalid{
    "grid_size_invalid",
    "a grid of {} × {} cells cannot be; give 1 or more, and at most {} in all"};
inline constexpr ErrorMessage move_probabilities_sum{
    "move_probabilities_sum", "the probabilities of moves sum to {:.9g}; they must to 1"};
inline constexpr ErrorMessage world_number_invalid{"world_number_invalid", "{} is {}"};
inline constexpr ErrorMessage reward_range_reversed{
    "reward_range_reversed", "the least reward, {}, is greater than the greatest, {}"};
inline constexpr ErrorMessage inventory_invalid{
    "inventory_invalid",
    "a store of {} places with a demand of {} and {} more cannot be; give 5000 places at most, a "
    "demand above 0 and no less on display"};
inline constexpr ErrorMessage literature_world_unknown{"literature_world_unknown",
                                                       "there is no world {}; give one of {}, {}"};
inline constexpr ErrorMessage mine_field_invalid{"mine_field_invalid",
                                                 "mine field: {} is {}; give {}"};
inline constexpr ErrorMessage mine_field_too_dense{
    "mine_field_too_dense",
    "mine field: with a share of {} mines none of {} fields had a way to the goal; give fewer"};
inline constexpr ErrorMessage mine_field_row_invalid{"mine_field_row_invalid", "mine field: {}"};
inline constexpr ErrorMessage mountain_car_grid_invalid{
    "mountain_car_grid_invalid", "a grid of {} × {} makes no car; give 2 or more of each"};
inline constexpr ErrorMessage queue_rates_invalid{
    "queue_rates_invalid",
    "arrivals at {} and service at {} or {} make no network; give rates from 0, slow service above "
    "0 and fast service no slower"};
inline constexpr ErrorMessage queue_states_too_many{
    "queue_states_too_many", "{} queues of {} customers are more states than {}"};
inline constexpr ErrorMessage queue_count_invalid{"queue_count_invalid",
                                                  "there are {} queues; give 9 at most"};
inline constexpr ErrorMessage world_discount_missing{
    "world_discount_missing",
    "the world {} has no discount from 0 to 1 behind its @; give one, such as {}@0.99"};
inline constexpr ErrorMessage world_scale_invalid{
    "world_scale_invalid", "the scale of a world is {}; give one above 0, at most 100"};
inline constexpr ErrorMessage world_unknown{"world_unknown",
                                            "there is no world {}; give one of {}"};
inline constexpr ErrorMessage world_size_invalid{"world_size_invalid",
                                                 "a world with {} {} cannot be; give 1 or more"};
inline constexpr ErrorMessage method_not_on_gpu{"method_not_on_gpu", "{}"};

}  // namespace tidewise::errors
