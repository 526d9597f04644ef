#include "app/solve/goal.h"

#include <fmt/core.h>

#include "base/error.h"

namespace tidewise {

namespace {

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
  if (arguments.goal == SolveGoal::probability && arguments.target.empty()) {
    throw InputError(
        "--goal probability: of reaching what is not said; give --target LIST, such as --target "
        "finished");
  }
}

}  // namespace tidewise
