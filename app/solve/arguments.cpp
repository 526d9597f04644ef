#include "app/solve/arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "app/cli/common_options.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "mdp/methods/table.h"

namespace tidewise {
namespace {

void add_choices(Command command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  Words<mdp::Method> methods;
  for (const mdp::MethodRow& row : mdp::method_rows()) methods.emplace_back(row.name, row.method);
  command.add_choice("--method", options.method, methods, "How to solve it");
  Words<mdp::Evaluator> evaluators;
  for (const auto evaluator :
       {mdp::Evaluator::automatic, mdp::Evaluator::serial, mdp::Evaluator::cuda,
        mdp::Evaluator::cusparse, mdp::Evaluator::sweeps, mdp::Evaluator::krylov}) {
    evaluators.emplace_back(mdp::name_of(evaluator), evaluator);
  }
  command.add_choice(
      "--evaluator", options.evaluator, evaluators,
      "Who evaluates a policy: policy-iteration's serial (on the CPU), cuda or cusparse (on a "
      "GPU); inexact-policy-iteration's sweeps, or krylov (BiCGSTAB), where auto takes the second "
      "when the first are slow");
  command.add_choice<mdp::FusedLayout>(
      "--layout", options.layout,
      {{"auto", mdp::FusedLayout::automatic},
       {"rows", mdp::FusedLayout::rows},
       {"sliced", mdp::FusedLayout::sell},
       {"packed", mdp::FusedLayout::packed}},
      "fused, backward: how the model lies in memory (sliced: on a GPU)");
  command.add_choice<SolveStop>(
      "--stop", arguments.stop,
      {{"error", SolveStop::error},
       {"relative", SolveStop::relative},
       {"change", SolveStop::change}},
      "When to end: the value is known to be within --tolerance of the optimum (with a discount of "
      "1: or within that share of it, if finer), or within that share of each state's value, or a "
      "sweep changes none by as much");
  command.add_choice<mdp::Endings>(
      "--endings", arguments.endings, {{"sure", mdp::Endings::sure}, {"free", mdp::Endings::free}},
      "With a discount of 1, policies that count: those that surely come to an end, or "
      "also those that go round for ever where nothing is gained or lost (default: sure "
      "with --target, else free). States from which none is are worth -inf, costs inf; by default "
      "they are refused, but not with --target and --minimize");
}

}  // namespace

void add_method_options(Command command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  add_choices(command, arguments);
  command.add_option("--tolerance", options.tolerance, "How exact the value is to be")
      .show_default();
  command.add_option("--max-sweeps", options.most_sweeps, "Give up after so many").show_default();
  command.add_option("--horizon", options.horizon, "backward: steps").type_name("STEPS");
  command.add_option("--agents", options.q_learning.agents, "q-learning: agents").show_default();
  command.add_option("--steps", options.q_learning.steps, "q-learning: steps of each agent")
      .show_default();
  command
      .add_option("--epsilon", arguments.exploration,
                  "q-learning: share of random steps, first and last; it falls geometrically, or "
                  "linearly by a decrement per step (default: 0.3,0.3)")
      .comma_separated()
      .type_name("FIRST,LAST[,DECREMENT]");
  add_seed_option(command, options.q_learning.seed, "q-learning: seed");
}

mdp::Method settle_method(Command command, mdp::Method method) {
  if (method != mdp::Method::automatic) return method;
  return command.option("--layout").given() ? mdp::Method::fused : method;
}

void require_own_options(Command command, mdp::Method method) {
  const auto& own = mdp::row_of(method).options;
  for (const mdp::MethodRow& row : mdp::method_rows()) {
    for (const std::string_view name : row.options) {
      const std::string option = fmt::format("--{}", name);
      const bool is_own = std::find(own.begin(), own.end(), name) != own.end();
      if (is_own || !command.option(option).given()) continue;
      throw input_error(errors::option_of_other_method, option, row.name, mdp::name_of(method));
    }
  }
}

mdp::SolveOptions validate_method_options(const SolveArguments& arguments, const Backend& backend) {
  mdp::SolveOptions options = arguments.options;
  const auto require_at_least = [](const char* option, std::int64_t value, std::int64_t least) {
    if (value >= least) return;
    throw input_error(errors::count_too_small, option, value, least, "");
  };
  require_at_least("--max-sweeps", options.most_sweeps, 1);
  require_at_least("--horizon", options.horizon, 0);
  require_at_least("--agents", options.q_learning.agents, 1);
  require_at_least("--steps", options.q_learning.steps, 1);
  const std::vector<double>& exploration = arguments.exploration;
  if (!exploration.empty()) {
    if (exploration.size() != 2 && exploration.size() != 3) {
      throw input_error(errors::epsilon_incomplete, exploration.size());
    }
    options.q_learning.exploration = exploration[0];
    options.q_learning.exploration_end = exploration[1];
    if (exploration.size() == 3) options.q_learning.exploration_decrement = exploration[2];
  }
  if (arguments.stop == SolveStop::change) options.stop = mdp::StoppingRule::change;
  if (arguments.stop == SolveStop::relative) {
    options.error_measure = mdp::ErrorMeasure::relative;
  }
  options.threads = backend.threads;
  mdp::settle_endings(options, arguments.endings.value_or(mdp::Endings::automatic),
                      !arguments.target.empty(), arguments.direction);
  options.backend = backend.kind == BackendKind::cuda ? BackendChoice::cuda : BackendChoice::cpu;
  return options;
}

}  // namespace tidewise
