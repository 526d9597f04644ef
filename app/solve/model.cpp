#include "app/solve/model.h"

#include <utility>

#include "app/error/codes.h"
#include "base/error.h"
#include "mdp/file/reader.h"
#include "mdp/graph/proper_policy.h"

namespace tidewise {
namespace {

void validate(const SolveArguments& arguments) {
  if (!arguments.initial.empty() && arguments.options.method == mdp::Method::q_learning) {
    throw input_error(errors::initial_with_q_learning);
  }
  if (arguments.goal == SolveGoal::probability && arguments.target.empty()) {
    throw input_error(errors::goal_without_target);
  }
  if (arguments.gamma && !(*arguments.gamma >= 0 && *arguments.gamma <= 1)) {
    throw input_error(errors::gamma_outside_range, *arguments.gamma);
  }
}

}  // namespace

template <class Real>
mdp::DecisionProcess<Real> read_model(const SolveArguments& arguments, Progress& progress) {
  validate(arguments);
  const bool needs_transition_rewards = arguments.options.method == mdp::Method::q_learning;
  const bool has_rewards = arguments.goal != SolveGoal::probability;
  const mdp::ReadOptions options{
      arguments.gamma,
      needs_transition_rewards ? mdp::TransitionRewards::keep : mdp::TransitionRewards::drop,
      arguments.target, has_rewards ? mdp::ReadObjective::reward : mdp::ReadObjective::probability};
  mdp::DecisionProcess<Real> process = read_process<Real>(arguments.model, options, progress);
  if (!has_rewards) process = mdp::end_out_of_reach(std::move(process), arguments.direction);
  if (arguments.direction == mdp::Direction::minimize) mdp::negate_rewards(process);
  return process;
}

template mdp::DecisionProcess<float> read_model(const SolveArguments&, Progress&);
template mdp::DecisionProcess<double> read_model(const SolveArguments&, Progress&);

}  // namespace tidewise
