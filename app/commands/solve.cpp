#include "app/report/solve.h"

#include <fmt/core.h>

#include <cmath>

#include "app/cli/backend_options.h"
#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/report/environment.h"
#include "app/solve/arguments.h"
#include "app/solve/initial.h"
#include "app/solve/model.h"
#include "app/solve/output.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "mdp/learning/policy_value.h"
#include "mdp/process/exact_comparison.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/outcome.h"
#include "mdp/solve/solve_process.h"

namespace tidewise {
namespace {

BackendRequest suitable_backend(const SolveArguments& arguments) {
  BackendRequest request = arguments.backend;
  mdp::SolverOptions options = arguments.options;
  options.backend = request.backend;
  request.backend = mdp::suitable_backend(options);
  return request;
}

/// Reports the value of a learned policy on the model.
template <class Real>
std::string describe_policy(const mdp::DecisionProcess<Real>& process,
                            const mdp::ProcessSolution<Real>& learnt,
                            const mdp::ProcessSolution<Real>& exact, std::int32_t threads) {
  if (!(process.discount < 1)) return {};
  const auto first = static_cast<std::size_t>(process.initial_state);
  const auto value = static_cast<double>(mdp::policy_value(process, learnt.action, threads)[first]);
  const auto optimum = static_cast<double>(exact.value[first]);
  return report_line("policy",
                     fmt::format("its value at state {} is {:.6g}, {:.3g} % less than "
                                 "the optimum",
                                 first, value, 100 * (optimum - value) / std::abs(optimum)));
}

/// Reports the loss of a learned policy, computed with a method that uses the model.
template <class Real>
std::string compare_learnt(const mdp::DecisionProcess<Real>& process,
                           const mdp::ProcessSolution<Real>& learnt, mdp::SolveOptions options,
                           Progress& progress) {
  options.method = mdp::Method::fused;
  const mdp::ProcessSolution<Real> exact = mdp::solve_process(process, options, progress);
  const mdp::ExactComparison comparison = mdp::compare_with_exact(learnt, exact.value);
  const auto first = static_cast<std::size_t>(process.initial_state);
  return report_line("exact",
                     fmt::format("{:.10g} there; over {} states visited {:.3g} off on average, "
                                 "{:.3g} at most",
                                 static_cast<double>(exact.value[first]), comparison.states,
                                 comparison.mean_difference, comparison.greatest_difference)) +
         describe_policy(process, learnt, exact, options.threads) +
         report_line("learnt",
                     fmt::format("by {} steps, {:.1f} % of them at random, {} episodes; "
                                 "{} actions of states were never tried",
                                 learnt.learning.steps,
                                 100 * static_cast<double>(learnt.learning.explored_steps) /
                                     static_cast<double>(learnt.learning.steps),
                                 learnt.learning.episodes, learnt.learning.unvisited_rows));
}

/// Replaces the method `auto`. Returns a line with the choice and its reason; empty if the user has
/// chosen a method.
template <class Real>
std::string choose_by_model(const mdp::DecisionProcess<Real>& process, mdp::SolveOptions& options) {
  if (options.method != mdp::Method::automatic) return {};
  const mdp::MethodChoice choice = mdp::choose_method(process, options);
  choice.settle(options);
  return report_line("auto",
                     fmt::format("chose {}, since {}", mdp::name_of(choice.method), choice.reason));
}

template <class Real>
void solve(const SolveArguments& arguments, const CommandContext& context) {
  const Backend backend = take_backend(suitable_backend(arguments));
  mdp::SolveOptions options = validate_method_options(arguments, backend);
  mdp::validate_options(options);
  const auto progress = context.make_progress();
  mdp::DecisionProcess<Real> process = read_model<Real>(arguments, *progress);
  begin_with_initial(arguments, context, process);
  options.unloadable = &process;
  std::string choice_line = choose_by_model(process, options);
  mdp::ProcessSolution<Real> solution = mdp::solve_process(process, options, *progress);
  const bool is_direct = solution.direct_states > 0;
  if (!is_direct) options.method = solution.method;
  if (is_direct) {
    choice_line = report_line(
        "auto", fmt::format("chose policy-iteration with direct solves, since no loop has "
                            "more than {} state(s)",
                            solution.direct_states));
  }
  const mdp::SolutionOrigin origin{
      arguments.model,
      std::string(mdp::name_of(is_direct ? mdp::Method::policy_iteration : options.method)),
      backend.name,
      process.discount,
      options.tolerance,
      context.command_line,
      std::string(mdp::compared_policies(process.discount, options))};
  const std::string shortfall = mdp::describe_shortfall(solution, options);
  if (!mdp::is_answer(solution.outcome)) {
    const bool can_continue = solution.endless.empty();
    const std::string unfinished_file =
        can_continue ? write_output(arguments, options, process, origin, solution) : "";
    throw RunError(unfinished_file.empty()
                       ? shortfall
                       : fmt::format("{}; what it found is kept in {}: go on by --initial {}",
                                     shortfall, unfinished_file, unfinished_file));
  }
  if (!shortfall.empty()) context.warn(shortfall);
  std::string learnt;
  if (options.method == mdp::Method::q_learning) {
    learnt = compare_learnt(process, solution, options, *progress);
  }
  const std::string written = write_output(arguments, options, process, origin, solution);
  print("{}{}{}{}", describe_solution(process, solution, options, backend), choice_line, learnt,
        report_line("written to", written));
}

void run(const SolveArguments& arguments, const CommandContext& context) {
  validate_output(arguments);
  if (arguments.precision == Precision::float32) {
    solve<float>(arguments, context);
  } else {
    solve<double>(arguments, context);
  }
}

void add_model_options(Command command, SolveArguments& arguments) {
  command.add_option("model", arguments.model, "The model: .json, .xml or .h5; docs/mdp/formats.md")
      .required();
  command.add_option("--out", arguments.out, "The solution to write: .h5, or .txt (two lines)")
      .required();
  add_overwrite_flag(command, arguments.overwrite);
  command
      .add_option("--initial", arguments.initial,
                  "Start from the values of this solution, such as an unfinished one (backward: "
                  "terminal values)")
      .type_name("SOLUTION");
  command.add_flag(
      "--value", [&arguments] { arguments.writes_q = true; },
      "Also write the value of each action: q, (state, action)");
  command.add_option("--gamma", arguments.gamma, "Discount factor instead of the model's");
  add_precision_option(command, arguments.precision);
  command.add_flag(
      "--minimize", [&arguments] { arguments.direction = mdp::Direction::minimize; },
      "Rewards are costs to minimise");
  command
      .add_option(
          "--target", arguments.target,
          "End in states with these labels and numbers, separated by commas, such as finished,7")
      .type_name("LIST");
  command.add_choice<SolveGoal>(
      "--goal", arguments.goal,
      {{"reward", SolveGoal::reward}, {"probability", SolveGoal::probability}},
      "Total reward, or the probability of --target");
  command
      .add_option("--set", arguments.settings,
                  "METHOD.KEY=VALUE, e.g. block-divided.variant=buffering (docs/mdp/methods.md); "
                  "repeatable")
      .type_name("METHOD.KEY=VALUE")
      .one_at_a_time();
}

}  // namespace

void add_solve(Command program, const Context& context) {
  Command command = program.add_command(
      "solve", "Solve any finite Markov decision process",
      "Examples:\n  tidewise research solve world.h5 --out solution.h5\n"
      "  tidewise research solve model.json --method policy-iteration --gamma 0.95 --out "
      "solution.txt\n"
      "  tidewise research solve consensus.h5 --target finished --minimize --out least.txt\n"
      "  tidewise research solve consensus.h5 --goal probability --target finished --out sure.h5\n"
      "  tidewise research solve process.h5 --out solution.h5");
  const auto arguments = std::make_shared<SolveArguments>();
  add_model_options(command, *arguments);
  add_method_options(command, *arguments);
  add_backend_options(command, arguments->backend);
  command.callback([command, arguments, context] {
    take_method_options(command, *arguments);
    run(*arguments, *context);
  });
}

}  // namespace tidewise
