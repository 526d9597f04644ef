#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(arrays_without_owner, "the arrays have no owner; name what keeps them");
TIDEWISE_ERROR(probability_without_target,
               "the goal is the probability of reaching a target, and none is given; give its "
               "labels or states, such as target 'finished, 7'");
TIDEWISE_ERROR(action_values_of_first_step,
               "action values: the value of backward induction is that of the first step, not of "
               "the next one; keep the steps, and take action_values() of the second one's value");
TIDEWISE_ERROR(values_too_few, "of {} states there are {}");
TIDEWISE_ERROR(action_values_without_hdf5,
               "{}: .txt has no place for action values; name a file .h5");
TIDEWISE_ERROR(solve_cuda_unusable, "the backend is cuda, and {}; {}, or take automatic or cpu");
TIDEWISE_ERROR(sweep_limit_invalid, "most_sweeps is {}; it must be 1 or more");
TIDEWISE_ERROR(horizon_not_taken, "the horizon is {}; only the method backward has one");
TIDEWISE_ERROR(steps_not_kept, "every step is to be kept; only the method backward has steps");
TIDEWISE_ERROR(steps_kept_on_processor,
               "every step is kept by the processor alone; take the backend cpu");
TIDEWISE_ERROR(choice_unknown, "the {} is '{}'; take one of {}");
TIDEWISE_ERROR(null_pointer, "the argument {} is a null pointer; give an object");
TIDEWISE_ERROR(solve_option_invalid, "{}: {}");
TIDEWISE_ERROR(solve_option_unknown, "there is no option {}; take one of {}");
TIDEWISE_ERROR(option_of_other_method,
               "the option {} belongs to the method {}, and the method is {}; leave it out");
TIDEWISE_ERROR(steps_kept_in_double, "every step is kept in double precision; leave out float");
TIDEWISE_ERROR(block_states_invalid,
               "block-divided: a block of {} states; give one of 1 to {}, what a GPU keeps in "
               "shared memory, or 0 for the method's own choice");
TIDEWISE_ERROR(counts_without_rewards,
               "holds transition counts, which have no rewards; build the mission's process with "
               "'tidewise research build MISSION.toml --format process'");
TIDEWISE_ERROR(block_option_too_small, "block-divided.{} is {}; give {} or more");
TIDEWISE_ERROR(
    block_scratch_exceeded,
    "block-divided: a prioritising block of {} states with {} a thread needs more than {} "
    "bytes of a GPU's shared memory; give fewer block-divided.states, or more "
    "block-divided.states-per-thread");
TIDEWISE_ERROR(not_a_process,
               "is no decision process (it lacks the attribute tidewise_mdp); name one, or make "
               "one with 'tidewise research mdp' or 'tidewise research build'");
TIDEWISE_ERROR(process_attribute_missing, "lacks the attribute {}");
TIDEWISE_ERROR(process_attribute_invalid,
               "the attribute {} is {}; it must be an integer from {} to {}");
TIDEWISE_ERROR(label_range_invalid, "label {} leads from {} to {} of {}");
TIDEWISE_ERROR(label_state_invalid, "label {} has state {}; states must ascend, and there are {}");
TIDEWISE_ERROR(vector_missing, "is not in the file; make it anew");
TIDEWISE_ERROR(vector_shape, "has {} dimensions, and must have 1");
TIDEWISE_ERROR(array_length, "has {} elements, and must have {}");
TIDEWISE_ERROR(vector_size_claimed,
               "claims {} elements, more than the file can hold; make it anew");
TIDEWISE_ERROR(json_form_unknown, "{} is unknown; the form is \"CSR\"");
TIDEWISE_ERROR(json_member_missing, "lacks \"{}\"");
TIDEWISE_ERROR(json_member_twice, "is there twice");
TIDEWISE_ERROR(json_number_too_large_for_any, "holds a number too large for any");
TIDEWISE_ERROR(json_not_parsed, "{}: {}");
TIDEWISE_ERROR(json_kind_differs, "is {}, and must be {}");
TIDEWISE_ERROR(json_key_unknown, "is no known key; there are {}");
TIDEWISE_ERROR(json_integer_outside_range, "is {}; give an integer from {} to {}");
TIDEWISE_ERROR(json_not_integer, "is {}; give an integer");
TIDEWISE_ERROR(json_number_too_large, "is {}, which is too large");
TIDEWISE_ERROR(json_discount_invalid, "is {}; give one from 0 to 1");
TIDEWISE_ERROR(probability_invalid, "{} is no probability; give one from 0 to 1");
TIDEWISE_ERROR(json_row_starts_first, "is {}; row starts begin with 0");
TIDEWISE_ERROR(json_row_starts_descend, "is {} after {}; row starts must not descend");
TIDEWISE_ERROR(json_initial_state_outside, "is {}, and there are {}");
TIDEWISE_ERROR(json_model_key_missing, "{}: the model lacks the key \"{}\"; it needs S, A and P");
TIDEWISE_ERROR(json_row_starts_length, "has {} elements, and {} states × {} actions need {}");
TIDEWISE_ERROR(json_row_starts_last, "ends with {}, and there are {} indices");
TIDEWISE_ERROR(json_data_length, "has {} elements, and there are {} indices");
TIDEWISE_ERROR(json_state_outside, "is {}, and there are {} states");
TIDEWISE_ERROR(json_second_reward, "gives state {} a second, other reward in its row");
TIDEWISE_ERROR(listed_action_declared_twice, "action {} is declared a second time");
TIDEWISE_ERROR(listed_action_leads_nowhere,
               "action {} leads nowhere; list its successors or leave it out");
TIDEWISE_ERROR(listed_state_twice, "state {} is listed a second time, after line {}");
TIDEWISE_ERROR(listed_action_undeclared, "action {} is none of the {} that are declared");
TIDEWISE_ERROR(listed_action_twice, "action {} is listed a second time in state {}");
TIDEWISE_ERROR(listed_reward_too_large, "the reward {} is too large");
TIDEWISE_ERROR(listing_without_state, "{}: it lists no state; is it whole?");
TIDEWISE_ERROR(listed_successor_missing, "it leads to state {}, which the file does not list");
TIDEWISE_ERROR(process_ending_unknown,
               "{}: its ending names no form of decision processes; there are {}");
TIDEWISE_ERROR(process_form_unknown,
               "{}: is of no known form of decision processes; there are {}, and Python takes "
               "SciPy's and NumPy's arrays");
TIDEWISE_ERROR(discount_invalid, "the discount is {}; give one from 0 to 1");
TIDEWISE_ERROR(not_a_solution,
               "{}: is no solution (it lacks the attribute tidewise_mdp_solution); make one with "
               "'tidewise research solve'");
TIDEWISE_ERROR(solution_first_line_differs, "it does not begin with '{}'");
TIDEWISE_ERROR(solution_number_invalid, "{} is no number");
TIDEWISE_ERROR(solution_too_long, "something follows the two lines of a solution");
TIDEWISE_ERROR(solution_action_invalid, "{} is no action, an integer from -1 on");
TIDEWISE_ERROR(solution_lines_differ, "{} values stand beside {} actions");
TIDEWISE_ERROR(solution_empty, "there is no state in it");
TIDEWISE_ERROR(solution_form_unknown,
               "{}: its ending names no form of solutions; there are .txt and .h5");
TIDEWISE_ERROR(target_unknown,
               "{}: the target has {}, which is no label and no state; list labels ({}) and "
               "numbers of states (0 to {}), separated by commas");
TIDEWISE_ERROR(goal_target_missing,
               "{}: the goal is a probability, and there is no target; list its labels or states");
TIDEWISE_ERROR(xml_not_built,
               "{}: this build reads no XML (TIDEWISE_XML is OFF); build with -DTIDEWISE_XML=ON, "
               "which needs expat (libexpat1-dev), or bring the model as .json");
TIDEWISE_ERROR(xml_not_parsed, "is no XML ({})");
TIDEWISE_ERROR(xml_initial_state_outside, "{}: initialState is {}, and there are {} states");
TIDEWISE_ERROR(xml_text_outside_element, "the text {} belongs to no element");
TIDEWISE_ERROR(xml_document_type,
               "document types and entities are not accepted; leave <!DOCTYPE …> out");
TIDEWISE_ERROR(xml_element_unknown, "the element {} is not known here");
TIDEWISE_ERROR(xml_attribute_unknown, "the attribute {} of {} is not known");
TIDEWISE_ERROR(xml_order_invalid, "Actions must come before States");
TIDEWISE_ERROR(xml_value_too_large, "the value is too large");
TIDEWISE_ERROR(xml_gamma_invalid, "gamma is not from 0 to 1");
TIDEWISE_ERROR(xml_initial_state_invalid, "initialState {} is no state");
TIDEWISE_ERROR(xml_attribute_missing, "{} lacks the attribute {}");
TIDEWISE_ERROR(xml_attribute_empty, "the attribute {} of {} is empty");
TIDEWISE_ERROR(xml_number_invalid, "the {} {} of {} is no number");
TIDEWISE_ERROR(horizon_invalid,
               "the horizon of backward induction is {}; give the number of steps, 1 or more");
TIDEWISE_ERROR(q_learning_option_invalid, "q-learning: {} {}; give {}");
TIDEWISE_ERROR(q_learning_starts_terminal,
               "q-learning: episodes are to begin in state {}, which is terminal; begin at random");
TIDEWISE_ERROR(
    q_learning_overflows,
    "q-learning: values may come to {:.3g}, which its sums do not hold; scale the rewards");
TIDEWISE_ERROR(inexact_iteration_without_discount,
               "inexact policy iteration is for a discount below 1, and it is 1; take --method "
               "fused or policy-iteration, or give --gamma");
TIDEWISE_ERROR(stop_policy_of_other_method,
               "a stable policy ends policy-iteration only, and the method is {}; take --method "
               "policy-iteration, or --stop change");
TIDEWISE_ERROR(stop_policy_without_discount,
               "a stable policy ends the iteration with a discount below 1, and it is 1; give "
               "--gamma, or --stop error");
TIDEWISE_ERROR(evaluation_sweeps_negative,
               "evaluation sweeps between improvements cannot be negative; give 0 or more");
TIDEWISE_ERROR(evaluator_cusparse_not_built,
               "the evaluator cusparse was asked for, but this build does not hold cuSPARSE; take "
               "--evaluator cuda or serial");
TIDEWISE_ERROR(process_without_state, "it has no state; give one at least");
TIDEWISE_ERROR(process_without_action, "it has no action; give one at least");
TIDEWISE_ERROR(process_row_starts_length, "row starts are {}, and {} states × {} actions need {}");
TIDEWISE_ERROR(process_row_starts_range,
               "row starts lead from {} to {}, and must from 0 to the {} entries");
TIDEWISE_ERROR(
    sparse_rows_invalid,
    "{}: its indptr does not lead through {} rows to its {} entries; make it by scipy.sparse");
TIDEWISE_ERROR(process_array_length, "{} are {}, and must be {}");
TIDEWISE_ERROR(process_initial_state_outside, "the initial state is {}, and there are {}");
TIDEWISE_ERROR(row_invalid, "state {}, action {}: {}");
TIDEWISE_ERROR(process_value_not_finite, "{}: state {}: its value is {}; give a number");
TIDEWISE_ERROR(first_values_count, "{} are {}, and must be one a state, {}");
TIDEWISE_ERROR(first_value_not_finite, "the first value of state {} is {}; give a number");
TIDEWISE_ERROR(terminal_state_outside, "state {} is to be terminal, and there are {} states");
TIDEWISE_ERROR(productivity_count_invalid, "productivity: {} states; take 1 to 1000");
TIDEWISE_ERROR(persistence_invalid,
               "persistence: {} is not that of a process that stays; take one from 0 up to 1");
TIDEWISE_ERROR(volatility_invalid, "volatility: {} is no spread; take 0 or more");
TIDEWISE_ERROR(assets_too_few, "assets: {} of them; take 4 or more");
TIDEWISE_ERROR(assets_not_rising, "assets: {} is not above the one before it; let them rise");
TIDEWISE_ERROR(savings_states_too_many,
               "assets: {} by {} productivities are more than 2^31 states");
TIDEWISE_ERROR(savings_discount_invalid, "beta: {} is no discount; take one between 0 and 1");
TIDEWISE_ERROR(interest_invalid, "interest: {} takes all that is saved; take one above -1");
TIDEWISE_ERROR(wage_invalid, "wage: {} is none; take 0 or more");
TIDEWISE_ERROR(
    borrowing_limit_invalid,
    "borrowing limit: at {} the lowest income leaves {} to live on; raise the limit or the wage");
TIDEWISE_ERROR(
    savings_transition_shape,
    "transition: {} probabilities for {} productivities; give a square matrix with a row "
    "for each productivity");
TIDEWISE_ERROR(savings_level_invalid, "productivity: {} is none; give finite levels above 0");
TIDEWISE_ERROR(savings_transition_negative,
               "transition: from {} to {} is {}; give probabilities of 0 or more");
TIDEWISE_ERROR(savings_transition_sum,
               "transition: row {} sums to {:.9g}; let each row sum to 1 within 1e-9");
TIDEWISE_ERROR(
    savings_variable_missing,
    "{}: has no variable {}; give a file of 'tidewise research mdp savings', or one with "
    "its variables assets, productivity and transition");
TIDEWISE_ERROR(utility_shape, "utility: {} consumptions with {} utilities; give 4 or more of each");
TIDEWISE_ERROR(utility_not_concave,
               "utility: between the consumptions {:g} and {:g} it does not rise, or rises faster "
               "than before; give a rising, concave utility of ascending consumptions");
TIDEWISE_ERROR(
    utility_range,
    "utility: consumptions from {:g} to {:g}; they must cover those that can occur, {:g} "
    "to {:g}");
TIDEWISE_ERROR(savings_tolerance_invalid, "tolerance: {} can never be reached; take more than 0");
TIDEWISE_ERROR(savings_options_invalid,
               "savings: {} steps of golden section, {} times a policy is followed and {} "
               "improvements; take 0 or more, 0 or more, and 1 or more");
TIDEWISE_ERROR(tolerance_invalid, "the tolerance is {}; give a finite one above 0, such as 1e-4");
TIDEWISE_ERROR(layout_sliced_without_gpu,
               "the layout sliced is for a GPU; take packed or rows, or leave --layout out");
TIDEWISE_ERROR(evaluator_of_other_method,
               "the evaluator {} is inexact-policy-iteration's; take that method, or leave it out");
TIDEWISE_ERROR(
    evaluator_serial_on_gpu,
    "the evaluator serial is for the processor; take cuda or cusparse, or --backend cpu");
TIDEWISE_ERROR(evaluator_without_gpu,
               "the evaluator {} is for a GPU; take serial, or --backend cuda");
TIDEWISE_ERROR(evaluator_of_policy_iteration,
               "the evaluator {} is policy-iteration's; take sweeps, krylov or auto");
TIDEWISE_ERROR(
    horizon_missing,
    "backward induction takes a number of steps, and the horizon is {}; give --horizon N");
TIDEWISE_ERROR(states_without_end,
               "the discount is 1, and from {} of {} states, such as state {}, no policy surely "
               "comes to an end, so that they have no value; give --gamma below 1, make ends of "
               "states by --target, or take --method backward; with --endings sure their value is "
               "infinite, and the others are solved");
TIDEWISE_ERROR(stream_unreadable, "{}: cannot be read ({})");
TIDEWISE_ERROR(rows_too_many, "{}: {} states × {} actions are more than {} of either");
TIDEWISE_ERROR(rows_more_than_listed,
               "{}: {} states × {} actions are claimed, and {} actions of states listed; correct "
               "the counts, or number the actions from 0 in every state");
TIDEWISE_ERROR(share_invalid, "{} is {}; give a share from 0 to 1");
TIDEWISE_ERROR(grid_cell_outside, "the {} {},{} lies outside the grid of {} × {} cells");
TIDEWISE_ERROR(successor_count_invalid, "a wet floor has 1, 2 or 4 successors an action, not {}");
TIDEWISE_ERROR(grid_size_invalid,
               "a grid of {} × {} cells cannot be; give 1 or more, and at most {} in all");
TIDEWISE_ERROR(move_probabilities_sum, "the probabilities of moves sum to {:.9g}; they must to 1");
TIDEWISE_ERROR(world_number_invalid, "{} is {}");
TIDEWISE_ERROR(reward_range_reversed, "the least reward, {}, is greater than the greatest, {}");
TIDEWISE_ERROR(inventory_invalid,
               "a store of {} places with a demand of {} and {} more cannot be; give 5000 places "
               "at most, a demand above 0 and no less on display");
TIDEWISE_ERROR(mine_field_invalid, "mine field: {} is {}; give {}");
TIDEWISE_ERROR(
    mine_field_too_dense,
    "mine field: with a share of {} mines none of {} fields had a way to the goal; give fewer");
TIDEWISE_ERROR(mine_field_row_invalid, "mine field: {}");
TIDEWISE_ERROR(mountain_car_grid_invalid, "a grid of {} × {} makes no car; give 2 or more of each");
TIDEWISE_ERROR(queue_rates_invalid,
               "arrivals at {} and service at {} or {} make no network; give rates from 0, slow "
               "service above 0 and fast service no slower");
TIDEWISE_ERROR(queue_states_too_many, "{} queues of {} customers are more states than {}");
TIDEWISE_ERROR(queue_count_invalid, "there are {} queues; give 9 at most");
TIDEWISE_ERROR(world_discount_missing,
               "the world {} has no discount from 0 to 1 behind its @; give one, such as {}@0.99");
TIDEWISE_ERROR(world_scale_invalid, "the scale of a world is {}; give one above 0, at most 100");
TIDEWISE_ERROR(world_unknown, "there is no world {}; give one of {}");
TIDEWISE_ERROR(world_size_invalid, "a world with {} {} cannot be; give 1 or more");
TIDEWISE_ERROR(method_not_on_gpu, "{}");

}  // namespace tidewise::errors
