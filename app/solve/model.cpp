#include "app/solve/model.h"

#include <utility>

#include "app/error/codes.h"
#include "base/error.h"
#include "mdp/file/reader.h"
#include "mdp/graph/proper_policy.h"
#include "output/model/ocean_process.h"
#include "planner/mission/read/file.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {
namespace {

/// The process of an ocean's explicit model, which a mission says the worth of. Errors: InputError.
template <class Real>
mdp::DecisionProcess<Real> read_ocean(const SolveArguments& arguments, Progress& progress) {
  if (!arguments.target.empty() || arguments.direction == mdp::Direction::least ||
      arguments.gamma) {
    throw input_error(errors::goal_given_with_mission);
  }
  const std::vector<Setting> settings(arguments.settings.begin(), arguments.settings.end());
  const RunRequest request = read_mission_file(arguments.mission, settings);
  const EnvironmentReader environment = open_environment(request);
  const ResolvedMission resolved = resolve_mission(request, environment);
  if (!resolved.mission.via.empty()) {
    throw input_error(errors::solve_with_via, request.place("mission.via"));
  }
  if (resolved.mission.decisions.hold()) {
    throw input_error(errors::solve_with_held_actions, request.place("mission.decide_every"),
                      resolved.mission.decisions.every);
  }
  return make_ocean_process<Real>(ModelFile(arguments.model), environment,
                                  resolved.planning_problem(), progress);
}

void validate(const SolveArguments& arguments) {
  if (!arguments.initial.empty() && arguments.options.method == mdp::Method::q_learning) {
    throw input_error(errors::initial_with_q_learning);
  }
  if (arguments.goal == SolveGoal::probability && arguments.target.empty()) {
    throw input_error(errors::goal_without_target);
  }
  if (arguments.mission.empty() && !arguments.settings.empty()) {
    throw input_error(errors::set_without_mission, arguments.settings.front());
  }
  if (arguments.gamma && !(*arguments.gamma >= 0 && *arguments.gamma <= 1)) {
    throw input_error(errors::gamma_outside_range, *arguments.gamma);
  }
}

}  // namespace

template <class Real>
mdp::DecisionProcess<Real> read_model(const SolveArguments& arguments, Progress& progress) {
  validate(arguments);
  if (!arguments.mission.empty()) return read_ocean<Real>(arguments, progress);
  const bool needs_each = arguments.options.method == mdp::Method::q_learning;
  const bool counts_rewards = arguments.goal != SolveGoal::probability;
  const mdp::ReadOptions options{
      arguments.gamma, needs_each ? mdp::TransitionRewards::keep : mdp::TransitionRewards::drop,
      arguments.target,
      counts_rewards ? mdp::ReadObjective::reward : mdp::ReadObjective::probability};
  mdp::DecisionProcess<Real> process = read_process<Real>(arguments.model, options, progress);
  if (!counts_rewards) process = mdp::end_out_of_reach(std::move(process), arguments.direction);
  if (arguments.direction == mdp::Direction::least) mdp::negate_rewards(process);
  return process;
}

template mdp::DecisionProcess<float> read_model(const SolveArguments&, Progress&);
template mdp::DecisionProcess<double> read_model(const SolveArguments&, Progress&);

}  // namespace tidewise
