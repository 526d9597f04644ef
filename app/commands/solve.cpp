#include "app/report/solve.h"

#include <fmt/core.h>

#include "app/cli/backend_options.h"
#include "app/cli/common_options.h"
#include "app/cli/terminal.h"
#include "app/commands/commands.h"
#include "app/report/environment.h"
#include "app/solve/arguments.h"
#include "app/solve/model.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "mdp/file/solution.h"
#include "mdp/process/exact_comparison.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/shortfall.h"
#include "mdp/solve/solve_process.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

/// Refuses to put a solution in the place of a file that is none: a model, somebody's notes.
void validate_output(const fs::path& out) {
  if (out.extension() != ".h5" && out.extension() != ".txt") {
    throw InputError(fmt::format(
        "--out {}: its ending must say the form: .h5, or .txt for the two lines of text",
        out.string()));
  }
  const AtomicFile writable(out);
  if (!fs::exists(out)) return;
  try {
    (void)mdp::read_solution(out);
  } catch (const InputError&) {
    throw InputError(fmt::format(
        "--out {}: is there already and is no solution; name another file, or remove it",
        out.string()));
  }
}

/// With `auto`, what the method or its evaluator can run on.
BackendRequest suitable_backend(const SolveArguments& arguments) {
  BackendRequest request = arguments.backend;
  if (request.backend != BackendChoice::automatic) return request;
  const mdp::SolveMethod method = arguments.options.method;
  if (mdp::is_for_host_alone(method)) request.backend = BackendChoice::cpu;
  if (method != mdp::SolveMethod::policy_iteration) return request;
  switch (arguments.evaluator.value_or(mdp::Evaluator::automatic)) {
    case mdp::Evaluator::serial:
      request.backend = BackendChoice::cpu;
      break;
    case mdp::Evaluator::cuda:
    case mdp::Evaluator::cusparse:
      request.backend = BackendChoice::cuda;
      break;
    default:  // of either, or refused later
      break;
  }
  return request;
}

/// What learning missed, by the method that knows the model.
template <class Real>
std::string compare_learnt(const mdp::DecisionProcess<Real>& process,
                           const mdp::ProcessSolution<Real>& learnt, mdp::SolveOptions options,
                           Progress& progress) {
  options.method = mdp::SolveMethod::fused;
  const mdp::ProcessSolution<Real> exact = mdp::solve_process(process, options, progress);
  const mdp::ExactComparison comparison = mdp::compare_with_exact(learnt, exact.value);
  const auto first = static_cast<std::size_t>(process.initial_state);
  return report_line("exact",
                     fmt::format("{:.10g} there; over {} states visited {:.3g} off on average, "
                                 "{:.3g} at most",
                                 static_cast<double>(exact.value[first]), comparison.states,
                                 comparison.mean_difference, comparison.greatest_difference)) +
         report_line("learnt",
                     fmt::format("by {} steps, {:.1f} % of them at random, {} episodes; "
                                 "{} actions of states were never tried",
                                 learnt.learning.steps,
                                 100 * static_cast<double>(learnt.learning.explored_steps) /
                                     static_cast<double>(learnt.learning.steps),
                                 learnt.learning.episodes, learnt.learning.unvisited_rows));
}

/// "sure" or "free" where that makes a difference.
std::string compared_policies(double discount, const mdp::SolveOptions& options) {
  const bool counts = discount == 1 && options.method != mdp::SolveMethod::backward &&
                      options.method != mdp::SolveMethod::q_learning;
  return !counts ? "" : options.endings == mdp::Endings::sure ? "sure" : "free";
}

/// Puts a method in the place of `auto`, and says in a line which and why; nothing where the user
/// has chosen.
template <class Real>
std::string settle_by_model(const mdp::DecisionProcess<Real>& process, mdp::SolveOptions& options) {
  if (options.method != mdp::SolveMethod::automatic) return {};
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
  const mdp::DecisionProcess<Real> process = read_model<Real>(arguments, *progress);
  const std::string chosen = settle_by_model(process, options);
  mdp::ProcessSolution<Real> solution = mdp::solve_process(process, options, *progress);
  options.method = solution.method;
  const std::string shortfall = mdp::describe_shortfall(solution, options);
  if (!shortfall.empty()) throw RunError(shortfall);
  std::string learnt;
  if (options.method == mdp::SolveMethod::q_learning) {
    learnt = compare_learnt(process, solution, options, *progress);
  }
  if (arguments.direction == mdp::Direction::least) mdp::turn(solution);
  mdp::write_solution(
      arguments.out, solution,
      {arguments.model, std::string(mdp::name_of(options.method)), backend.name, process.discount,
       options.tolerance, context.command_line, compared_policies(process.discount, options)});
  print("{}{}{}{}", describe_solution(process, solution, options, backend), chosen, learnt,
        report_line("written to", arguments.out));
}

void run(const SolveArguments& arguments, const CommandContext& context) {
  validate_output(arguments.out);
  if (arguments.precision == Precision::single) {
    solve<float>(arguments, context);
  } else {
    solve<double>(arguments, context);
  }
}

void add_model_options(Command command, SolveArguments& arguments) {
  command
      .add_option("model", arguments.model,
                  "The model: .json, .mdp or .txt, .xml, .tra (PRISM) or .h5; docs/mdp/formats.md")
      .required();
  command.add_option("--out", arguments.out, "The solution to write: .h5, or .txt (two lines)")
      .required();
  command.add_option("--gamma", arguments.gamma, "Discount, in place of the model's own");
  add_precision_option(command, arguments.precision);
  command.add_flag(
      "--minimize", [&arguments] { arguments.direction = mdp::Direction::least; },
      "Rewards are costs: find the least");
  command
      .add_option("--target", arguments.target,
                  "End in states with these labels, such as 'finished & !agree'")
      .type_name("LABELS");
  command.add_choice<SolveGoal>(
      "--goal", arguments.goal,
      {{"reward", SolveGoal::reward}, {"probability", SolveGoal::probability}},
      "Total reward, or the probability of --target");
  command
      .add_option("--mission", arguments.mission,
                  "For a model that 'tidewise build' wrote: the mission that says what is wanted")
      .type_name("FILE");
  add_settings_option(command, arguments.settings);
}

}  // namespace

void add_solve(Command program, const Context& context) {
  Command command = program.add_command(
      "solve", "Solve any finite Markov decision process, by any of nine methods",
      "Examples:\n  tidewise solve world.h5 --out solution.h5\n"
      "  tidewise solve model.json --method policy-iteration --gamma 0.95 --out solution.txt\n"
      "  tidewise solve consensus.tra --target finished --minimize --out least.txt\n"
      "  tidewise solve model.h5 --mission mission.toml --out solution.h5");
  const auto arguments = std::make_shared<SolveArguments>();
  add_model_options(command, *arguments);
  add_method_options(command, *arguments);
  add_backend_options(command, arguments->backend);
  command.callback([command, arguments, context] {
    mdp::SolveMethod& method = arguments->options.method;
    method = settle_method(command, method);
    require_own_options(command, method);
    run(*arguments, *context);
  });
}

}  // namespace tidewise
