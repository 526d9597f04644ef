#include "app/solve/goal.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "mdp/formula/path_formula.h"

namespace tidewise {

namespace {

/// What is left of a budget is no part of a state, so that values and actions are those of the
/// whole budget alone.
void require_for_budget(Command command, SolveArguments& arguments) {
  const auto refuse = [&](const char* option, const char* why) {
    throw InputError(fmt::format("{}: --target {} has a bound on rewards, {}; leave {} out", option,
                                 arguments.target, why, option));
  };
  const mdp::Method method = arguments.options.method;
  if (!mdp::has_fixed_point(method)) {
    refuse("--method", "whose levels have no end of steps");
  }
  for (const char* option : {"--horizon", "--initial", "--q"}) {
    if (command.option(option).given())
      refuse(option, "and is found level by level of what is left");
  }
  if (arguments.backend.backend == BackendChoice::cuda) {
    refuse("--backend", "which is found by the processor");
  }
  arguments.backend.backend = BackendChoice::cpu;
}

/// A long run has no end, no discount, and no steps to count.
void require_for_average(Command command, SolveArguments& arguments) {
  const mdp::Method method = arguments.options.method;
  if (!mdp::has_fixed_point(method)) {
    throw InputError(fmt::format(
        "--method {}: --goal average is of steps without end; leave it out", mdp::name_of(method)));
  }
  for (const char* option : {"--target", "--gamma", "--endings", "--horizon", "--initial", "--q",
                             "--stop", "--mission"}) {
    if (!command.option(option).given()) continue;
    throw InputError(fmt::format(
        "{}: does not go with --goal average, which is of rewards a step in the long run; leave it "
        "out",
        option));
  }
  if (arguments.backend.backend == BackendChoice::cuda) {
    throw InputError("--backend cuda: --goal average is found by the processor; leave it out");
  }
  arguments.backend.backend = BackendChoice::cpu;
}

}  // namespace

void settle_goal(Command command, SolveArguments& arguments) {
  if (!arguments.initial.empty() && arguments.options.method == mdp::Method::q_learning) {
    throw InputError("--initial: q-learning begins with nothing learned; leave it out");
  }
  if (arguments.goal == SolveGoal::average) {
    require_for_average(command, arguments);
    return;
  }
  const bool is_probability = arguments.goal == SolveGoal::probability;
  if (arguments.target.empty()) {
    if (!is_probability) return;
    throw InputError(
        "--goal probability: of reaching what is not said; give --target LABELS, such as "
        "--target 'finished & !agree'");
  }
  const mdp::PathFormula formula = mdp::parse_path_formula(arguments.target, "--target");
  if (!is_probability) mdp::require_for_reward(formula, "--target");
  arguments.most_reward = formula.most_reward;
  if (arguments.most_reward) require_for_budget(command, arguments);
  if (!formula.most_steps) return;
  mdp::Method& method = arguments.options.method;
  const bool is_other = method != mdp::Method::automatic && method != mdp::Method::backward;
  if (is_other || command.option("--horizon").given()) {
    throw InputError(
        fmt::format("--target {}: its bound of steps is what --method backward finds; leave out {}",
                    arguments.target, is_other ? "--method" : "--horizon"));
  }
  method = mdp::Method::backward;
  // By 0 steps all is decided, and one more changes nothing.
  arguments.options.horizon = std::max<std::int64_t>(1, *formula.most_steps);
}

}  // namespace tidewise
