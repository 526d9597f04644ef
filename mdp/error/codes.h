#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(arrays_without_owner, "the arrays have no owner; give the object that owns them");
TIDEWISE_ERROR(probability_without_target,
               "the goal is the probability of reaching a target, but there is no target; give its "
               "labels or states, such as target 'finished, 7'");
TIDEWISE_ERROR(
    action_values_of_first_step,
    "action values cannot be computed from the value of backward induction, which belongs to the "
    "first step; keep the steps, and call action_values() with the value of the second step");
TIDEWISE_ERROR(values_too_few, "state_count is {}; it must be from 0 to {}");
TIDEWISE_ERROR(action_values_without_hdf5, "{}: .txt cannot store action values; name a file .h5");
TIDEWISE_ERROR(solve_cuda_unusable, "the backend is cuda, but {}; {}, or use automatic or cpu");
TIDEWISE_ERROR(sweep_limit_invalid, "max_sweeps is {}; it must be 1 or more");
TIDEWISE_ERROR(horizon_not_taken,
               "the horizon is {}, but only the method backward has one; choose that method or "
               "omit the horizon");
TIDEWISE_ERROR(
    steps_not_kept,
    "every step is to be kept, but only the method backward has steps; choose that method");
TIDEWISE_ERROR(steps_kept_on_processor, "only the CPU can keep every step; use the backend cpu");
TIDEWISE_ERROR(choice_unknown, "the {} is '{}'; it must be one of {}");
TIDEWISE_ERROR(null_pointer, "the argument {} is a null pointer; give an object");
TIDEWISE_ERROR(solve_option_invalid, "{}: {}");
TIDEWISE_ERROR(solve_option_unknown, "there is no option {}; it must be one of {}");
TIDEWISE_ERROR(option_of_other_method,
               "the option {} belongs to the method {}, but the method is {}; omit the option");
TIDEWISE_ERROR(steps_kept_in_double, "steps can only be kept in double precision; omit float");
TIDEWISE_ERROR(block_states_invalid,
               "block-divided: a block has {} states; give 1 to {}, the limit of a GPU's shared "
               "memory, or 0 for the default");
TIDEWISE_ERROR(counts_without_rewards,
               "holds transition counts, which have no rewards; build the mission's process with "
               "'tidewise research build MISSION.toml --format process'");
TIDEWISE_ERROR(block_option_too_small, "block-divided.{} is {}; it must be {} or more");
TIDEWISE_ERROR(block_scratch_exceeded,
               "block-divided: a prioritising block of {} states with {} per thread needs more "
               "than {} bytes of a GPU's shared memory; give fewer block-divided.states, or more "
               "block-divided.states-per-thread");
TIDEWISE_ERROR(not_a_process,
               "is not a decision process (it lacks the attribute tidewise_mdp); name one, or make "
               "one with 'tidewise research mdp' or 'tidewise research build'");
TIDEWISE_ERROR(process_attribute_missing, "lacks the attribute {}; make the file again");
TIDEWISE_ERROR(process_attribute_invalid,
               "the attribute {} is {}; it must be an integer from {} to {}");
TIDEWISE_ERROR(label_range_invalid,
               "label {} has the range {} to {}, but there are {} entries; make the file again");
TIDEWISE_ERROR(label_state_invalid,
               "label {} has state {}; states must ascend, and there are {} states");
TIDEWISE_ERROR(vector_missing, "is not in the file; make it again");
TIDEWISE_ERROR(vector_shape, "has {} dimensions; it must have 1");
TIDEWISE_ERROR(array_length, "has {} elements; it must have {}");
TIDEWISE_ERROR(vector_size_claimed,
               "declares {} elements, more than the file can hold; make it again");
TIDEWISE_ERROR(json_form_unknown, "{} is unknown; the format must be \"CSR\"");
TIDEWISE_ERROR(json_member_missing, "lacks \"{}\"; add it");
TIDEWISE_ERROR(json_member_twice, "occurs twice; remove one");
TIDEWISE_ERROR(json_number_too_large_for_any, "holds a number that is out of the range of doubles");
TIDEWISE_ERROR(json_not_parsed, "{}: {}");
TIDEWISE_ERROR(json_kind_differs, "is {}; it must be {}");
TIDEWISE_ERROR(json_key_unknown, "is an unknown key; there are {}");
TIDEWISE_ERROR(json_integer_outside_range, "is {}; it must be an integer from {} to {}");
TIDEWISE_ERROR(json_not_integer, "is {}; it must be an integer");
TIDEWISE_ERROR(json_number_too_large, "is {}, which is too large; scale the numbers");
TIDEWISE_ERROR(json_discount_invalid, "is {}; a discount must be from 0 to 1");
TIDEWISE_ERROR(probability_invalid, "{} is not a probability; it must be from 0 to 1");
TIDEWISE_ERROR(json_row_starts_first, "is {}; row starts must begin with 0");
TIDEWISE_ERROR(json_row_starts_descend, "is {} after {}; row starts must not descend");
TIDEWISE_ERROR(json_initial_state_outside, "is {}, but there are {} states");
TIDEWISE_ERROR(json_model_key_missing, "{}: the model lacks the key \"{}\"; it needs S, A and P");
TIDEWISE_ERROR(json_row_starts_length, "has {} elements, but {} states × {} actions need {}");
TIDEWISE_ERROR(json_row_starts_last, "ends with {}, but there are {} indices");
TIDEWISE_ERROR(json_data_length, "has {} elements, but there are {} indices");
TIDEWISE_ERROR(json_state_outside, "is {}, but there are {} states");
TIDEWISE_ERROR(json_second_reward,
               "has a second, different reward for state {} in its row; remove one");
TIDEWISE_ERROR(listed_action_declared_twice, "action {} is declared a second time; remove one");
TIDEWISE_ERROR(listed_action_leads_nowhere,
               "action {} has no successor; list its successors or remove it");
TIDEWISE_ERROR(listed_state_twice, "state {} is listed a second time, after line {}; remove one");
TIDEWISE_ERROR(listed_action_undeclared,
               "action {} is not one of the {} declared actions; declare it");
TIDEWISE_ERROR(listed_action_twice, "action {} is listed a second time in state {}; remove one");
TIDEWISE_ERROR(listed_reward_too_large, "the reward {} is too large; scale the rewards");
TIDEWISE_ERROR(listing_without_state, "{}: lists no state; check that the file is complete");
TIDEWISE_ERROR(listed_successor_missing,
               "a successor is state {}, which the file does not list; list it");
TIDEWISE_ERROR(process_ending_unknown, "{}: this ending is not one of a decision process; use {}");
TIDEWISE_ERROR(process_form_unknown,
               "{}: has an unknown format; decision processes are {}, and Python also takes arrays "
               "of SciPy and NumPy");
TIDEWISE_ERROR(discount_invalid, "the discount is {}; it must be from 0 to 1");
TIDEWISE_ERROR(not_a_solution,
               "{}: is not a solution (it lacks the attribute tidewise_mdp_solution); make one "
               "with 'tidewise research solve'");
TIDEWISE_ERROR(solution_first_line_differs,
               "it does not begin with '{}'; name a solution of 'tidewise research solve'");
TIDEWISE_ERROR(solution_number_invalid, "{} is not a number");
TIDEWISE_ERROR(solution_too_long, "there is text after the two lines of a solution; remove it");
TIDEWISE_ERROR(solution_action_invalid, "{} is not an action; it must be an integer of -1 or more");
TIDEWISE_ERROR(solution_lines_differ,
               "there are {} values but {} actions; make the solution again");
TIDEWISE_ERROR(solution_empty, "it has no state; make the solution again");
TIDEWISE_ERROR(solution_form_unknown, "{}: this ending is not one of a solution; use .txt or .h5");
TIDEWISE_ERROR(target_unknown,
               "{}: the target has {}, which is neither a label nor a state; list labels ({}) and "
               "numbers of states (0 to {}), separated by commas");
TIDEWISE_ERROR(goal_target_missing,
               "{}: the goal is a probability, but there is no target; list its labels or states");
TIDEWISE_ERROR(
    xml_not_built,
    "{}: this build cannot read XML (TIDEWISE_XML is OFF); build with -DTIDEWISE_XML=ON, which "
    "needs expat (libexpat1-dev), or convert the model to .json");
TIDEWISE_ERROR(xml_not_parsed, "is not valid XML ({})");
TIDEWISE_ERROR(xml_initial_state_outside, "{}: initialState is {}, but there are {} states");
TIDEWISE_ERROR(xml_text_outside_element, "the text {} is outside of an element; remove it");
TIDEWISE_ERROR(xml_document_type,
               "document types and entities are not accepted; remove <!DOCTYPE …>");
TIDEWISE_ERROR(xml_element_unknown, "the element {} is not allowed here; remove it");
TIDEWISE_ERROR(xml_attribute_unknown, "the attribute {} of {} is unknown; remove it");
TIDEWISE_ERROR(xml_order_invalid, "Actions must come before States");
TIDEWISE_ERROR(xml_value_too_large, "the value is too large; scale the values");
TIDEWISE_ERROR(xml_gamma_invalid, "gamma must be from 0 to 1");
TIDEWISE_ERROR(xml_initial_state_invalid, "initialState {} is not a state");
TIDEWISE_ERROR(xml_attribute_missing, "{} lacks the attribute {}; add it");
TIDEWISE_ERROR(xml_attribute_empty, "the attribute {} of {} is empty; give a value");
TIDEWISE_ERROR(xml_number_invalid, "the {} {} of {} is not a number");
TIDEWISE_ERROR(horizon_invalid,
               "the horizon of backward induction is {}; it must be 1 or more steps");
TIDEWISE_ERROR(q_learning_option_invalid, "q-learning: {} {}; give {}");
TIDEWISE_ERROR(q_learning_starts_terminal,
               "q-learning: episodes begin in state {}, which is terminal; begin at random");
TIDEWISE_ERROR(
    q_learning_overflows,
    "q-learning: values may reach {:.3g}, which is too large for its sums; scale the rewards");
TIDEWISE_ERROR(inexact_iteration_without_discount,
               "inexact policy iteration needs a discount below 1, but it is 1; use --method fused "
               "or policy-iteration, or give --gamma");
TIDEWISE_ERROR(stop_policy_of_other_method,
               "a stable policy can only end policy-iteration, but the method is {}; use --method "
               "policy-iteration, or --stop change");
TIDEWISE_ERROR(stop_policy_without_discount,
               "a stable policy can only end iteration with a discount below 1, but it is 1; give "
               "--gamma, or --stop error");
TIDEWISE_ERROR(evaluation_sweeps_negative,
               "the number of evaluation sweeps is negative; it must be 0 or more");
TIDEWISE_ERROR(
    evaluator_cusparse_not_built,
    "the evaluator is cusparse, but this build has no cuSPARSE; use --evaluator cuda or serial");
TIDEWISE_ERROR(process_without_state, "it has no state; give at least one");
TIDEWISE_ERROR(process_without_action, "it has no action; give at least one");
TIDEWISE_ERROR(process_row_starts_length,
               "there are {} row starts, but {} states × {} actions need {}");
TIDEWISE_ERROR(process_row_starts_range,
               "row starts go from {} to {}; they must go from 0 to the number of entries, {}");
TIDEWISE_ERROR(sparse_rows_invalid,
               "{}: indptr must ascend from 0 over {} rows to the number of entries, {}; make it "
               "with scipy.sparse");
TIDEWISE_ERROR(process_array_length, "the number of {} is {}; it must be {}");
TIDEWISE_ERROR(process_initial_state_outside, "the initial state is {}, but there are {} states");
TIDEWISE_ERROR(row_invalid, "state {}, action {}: {}");
TIDEWISE_ERROR(process_value_not_finite, "{}: state {}: its value is {}; it must be finite");
TIDEWISE_ERROR(first_values_count, "the number of {} is {}; it must be one per state, {}");
TIDEWISE_ERROR(first_value_not_finite, "the first value of state {} is {}; it must be finite");
TIDEWISE_ERROR(terminal_state_outside, "state {} is to be terminal, but there are {} states");
TIDEWISE_ERROR(productivity_count_invalid, "productivity: there are {} states; give 1 to 1000");
TIDEWISE_ERROR(persistence_invalid, "persistence: it is {}; it must be at least 0 and below 1");
TIDEWISE_ERROR(volatility_invalid, "volatility: it is {}; it must be 0 or more");
TIDEWISE_ERROR(assets_too_few, "assets: there are {}; give 4 or more");
TIDEWISE_ERROR(assets_not_rising,
               "assets: {} is not above the previous one; list them in ascending order");
TIDEWISE_ERROR(savings_states_too_many,
               "assets: {} times {} productivities are more than 2^31 states; give fewer");
TIDEWISE_ERROR(savings_discount_invalid, "beta: it is {}; a discount must be between 0 and 1");
TIDEWISE_ERROR(interest_invalid, "interest: it is {}; it must be above -1");
TIDEWISE_ERROR(wage_invalid, "wage: it is {}; it must be 0 or more");
TIDEWISE_ERROR(borrowing_limit_invalid,
               "borrowing limit: at {} the lowest income leaves {} for consumption; raise the "
               "limit or the wage");
TIDEWISE_ERROR(savings_transition_shape,
               "transition: there are {} probabilities for {} productivities; give a square matrix "
               "with a row for each productivity");
TIDEWISE_ERROR(savings_level_invalid,
               "productivity: a level is {}; levels must be finite and above 0");
TIDEWISE_ERROR(savings_transition_negative,
               "transition: from {} to {} it is {}; probabilities must be 0 or more");
TIDEWISE_ERROR(savings_transition_sum,
               "transition: row {} sums to {:.9g}; each row must sum to 1 within 1e-9");
TIDEWISE_ERROR(
    savings_variable_missing,
    "{}: has no variable {}; give a file of 'tidewise research mdp savings', or one with "
    "its variables assets, productivity and transition");
TIDEWISE_ERROR(utility_shape,
               "utility: there are {} consumptions and {} utilities; give 4 or more of each");
TIDEWISE_ERROR(utility_not_concave,
               "utility: between the consumptions {:g} and {:g} it does not rise, or rises faster "
               "than before; give a rising, concave utility with ascending consumptions");
TIDEWISE_ERROR(
    utility_range,
    "utility: consumptions go from {:g} to {:g}; they must cover all that can occur, {:g} to {:g}");
TIDEWISE_ERROR(savings_tolerance_invalid, "tolerance: it is {}; it must be above 0");
TIDEWISE_ERROR(savings_options_invalid,
               "savings: {} golden-section steps, {} evaluation sweeps and {} improvements; give 0 "
               "or more, 0 or more, and 1 or more");
TIDEWISE_ERROR(tolerance_invalid,
               "the tolerance is {}; it must be finite and above 0, such as 1e-4");
TIDEWISE_ERROR(layout_sliced_without_gpu,
               "the layout sliced needs a GPU; use packed or rows, or omit --layout");
TIDEWISE_ERROR(
    evaluator_of_other_method,
    "the evaluator {} belongs to inexact-policy-iteration; use that method, or omit the evaluator");
TIDEWISE_ERROR(evaluator_serial_on_gpu,
               "the evaluator serial needs the CPU; use cuda or cusparse, or --backend cpu");
TIDEWISE_ERROR(evaluator_without_gpu,
               "the evaluator {} needs a GPU; use serial, or --backend cuda");
TIDEWISE_ERROR(evaluator_of_policy_iteration,
               "the evaluator {} belongs to policy-iteration; use sweeps, krylov or auto");
TIDEWISE_ERROR(
    horizon_missing,
    "backward induction needs a number of steps, but the horizon is {}; give --horizon N");
TIDEWISE_ERROR(
    states_without_end,
    "the discount is 1, and from {} of {} states, such as state {}, no policy surely terminates, "
    "so that they have no value; give --gamma below 1, make states terminal with --target, or use "
    "--method backward; with --endings sure their value is infinite, and the others are solved");
TIDEWISE_ERROR(stream_unreadable, "{}: cannot be read ({})");
TIDEWISE_ERROR(rows_too_many,
               "{}: {} states × {} actions are more than {} of either; make the model smaller");
TIDEWISE_ERROR(rows_more_than_listed,
               "{}: {} states × {} actions are declared, but only {} actions of states are listed; "
               "correct the counts, or number the actions from 0 in every state");
TIDEWISE_ERROR(share_invalid, "{} is {}; it must be from 0 to 1");
TIDEWISE_ERROR(grid_cell_outside,
               "the {} {},{} is outside the grid of {} × {} cells; choose a cell in it");
TIDEWISE_ERROR(successor_count_invalid,
               "a wet floor needs 1, 2 or 4 successors per action, not {}");
TIDEWISE_ERROR(grid_size_invalid,
               "a grid of {} × {} cells is not possible; give 1 or more, and at most {} in all");
TIDEWISE_ERROR(move_probabilities_sum,
               "the probabilities of moves sum to {:.9g}; they must sum to 1");
TIDEWISE_ERROR(world_number_invalid, "{} is {}");
TIDEWISE_ERROR(reward_range_reversed,
               "the smallest reward, {}, is above the largest, {}; exchange them");
TIDEWISE_ERROR(inventory_invalid,
               "a store of {} places with a demand of {} and {} more is not possible; give at most "
               "5000 places, a demand above 0 and not less on display");
TIDEWISE_ERROR(mine_field_invalid, "mine field: {} is {}; give {}");
TIDEWISE_ERROR(mine_field_too_dense,
               "mine field: with a share of {} mines none of {} fields had a path to the goal; "
               "give fewer mines");
TIDEWISE_ERROR(mine_field_row_invalid, "mine field: {}");
TIDEWISE_ERROR(mountain_car_grid_invalid,
               "the mountain car needs a grid of 2 × 2 or more, not {} × {}");
TIDEWISE_ERROR(queue_rates_invalid,
               "arrivals at {} and service at {} or {} are not possible; give rates of 0 or more, "
               "slow service above 0 and fast service not slower");
TIDEWISE_ERROR(queue_states_too_many,
               "{} queues of {} customers have more states than {}; give fewer");
TIDEWISE_ERROR(queue_count_invalid, "there are {} queues; give at most 9");
TIDEWISE_ERROR(world_discount_missing,
               "the world {} has no discount from 0 to 1 after its @; give one, such as {}@0.99");
TIDEWISE_ERROR(world_scale_invalid,
               "the scale of a world is {}; it must be above 0, and at most 100");
TIDEWISE_ERROR(world_unknown, "there is no world {}; it must be one of {}");
TIDEWISE_ERROR(world_size_invalid, "a world with {} {} is not possible; give 1 or more");
TIDEWISE_ERROR(method_not_on_gpu, "{}");

}  // namespace tidewise::errors
