#include "app/solve_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "output/mdp/process_reader.h"
#include "solver/mdp/propriety.h"
#include "solver/mdp/terminal_states.h"

namespace tidewise {
namespace {

/// States from which the target is out of reach, or can be kept out of reach where the least
/// probability is asked for, are worth 0: iteration alone would not find that out for the least.
template <class Real>
DecisionProcess<Real> end_out_of_reach(const DecisionProcess<Real>& process, Direction direction) {
  std::vector<std::int32_t> targets;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (process.is_terminal(s) && process.initial_value[std::size_t(s)] == 1) targets.push_back(s);
  }
  const auto reaches = may_reach(
      process, targets,
      direction == Direction::greatest ? Quantifier::some_policy : Quantifier::every_policy);
  std::vector<std::int32_t> out_of_reach;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (!process.is_terminal(s) && reaches[std::size_t(s)] == 0) out_of_reach.push_back(s);
  }
  return make_terminal(process, out_of_reach, 0);
}

void judge(const SolveArguments& arguments) {
  if (arguments.goal == SolveGoal::probability && arguments.target.empty()) {
    throw InputError(
        "--goal probability: of reaching what is not said; give --target LABELS, such as "
        "--target 'finished & !agree'");
  }
}

}  // namespace

template <class Real>
DecisionProcess<Real> read_model(const SolveArguments& arguments, Progress& progress) {
  judge(arguments);
  const bool simulates = arguments.options.method == SolveMethod::q_learning;
  const bool counts_rewards = arguments.goal == SolveGoal::reward;
  const ReadOptions options{
      arguments.gamma, simulates ? TransitionRewards::keep : TransitionRewards::drop,
      arguments.target, counts_rewards ? PrismObjective::reward : PrismObjective::probability};
  DecisionProcess<Real> process = read_process<Real>(arguments.model, options, progress);
  if (!counts_rewards) process = end_out_of_reach(process, arguments.direction);
  if (arguments.direction == Direction::least) turn(process);
  return process;
}

template DecisionProcess<float> read_model(const SolveArguments&, Progress&);
template DecisionProcess<double> read_model(const SolveArguments&, Progress&);

}  // namespace tidewise
