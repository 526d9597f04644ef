#include "app/solve/model.h"

#include <fmt/core.h>

#include <utility>

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
    throw InputError(
        "--mission: says itself what is wanted and where it ends; leave out --target, --minimize "
        "and --gamma");
  }
  const std::vector<Setting> settings(arguments.settings.begin(), arguments.settings.end());
  const RunRequest request = read_mission_file(arguments.mission, settings);
  const EnvironmentReader environment = open_environment(request);
  const ResolvedMission resolved = resolve_mission(request, environment);
  if (!resolved.mission.via.empty()) {
    throw InputError(fmt::format(
        "{}: mission.via is given, and 'tidewise solve' solves missions of one leg; plan "
        "it by 'tidewise plan --model'",
        request.place("mission.via")));
  }
  if (resolved.mission.decisions.hold()) {
    throw InputError(
        fmt::format("{}: mission.decide_every is {} steps, and 'tidewise solve' solves processes "
                    "that decide at each; plan it by 'tidewise plan --model', or leave it out",
                    request.place("mission.decide_every"), resolved.mission.decisions.every));
  }
  return make_ocean_process<Real>(ModelFile(arguments.model), environment, resolved.problem(),
                                  progress);
}

void validate(const SolveArguments& arguments) {
  if (!arguments.initial.empty() && arguments.options.method == mdp::Method::q_learning) {
    throw InputError("--initial: q-learning begins with nothing learned; leave it out");
  }
  if (arguments.goal == SolveGoal::probability && arguments.target.empty()) {
    throw InputError(
        "--goal probability: of reaching what is not said; give --target LIST, such as --target "
        "finished");
  }
  if (arguments.mission.empty() && !arguments.settings.empty()) {
    throw InputError(fmt::format("--set {}: changes a mission; give one by --mission FILE",
                                 arguments.settings.front()));
  }
  if (arguments.gamma && !(*arguments.gamma >= 0 && *arguments.gamma <= 1)) {
    throw InputError(fmt::format("--gamma is {}; give a discount from 0 to 1", *arguments.gamma));
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
