#include "app/solve/arguments.h"

#include <fmt/core.h>

#include <map>

#include "app/cli/common_options.h"
#include "base/error.h"

namespace tidewise {
namespace {

void add_choices(Command command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  Words<mdp::SolveMethod> methods;
  for (const mdp::SolveMethod method :
       {mdp::SolveMethod::automatic, mdp::SolveMethod::fused, mdp::SolveMethod::value_iteration,
        mdp::SolveMethod::gauss_seidel, mdp::SolveMethod::block_divided,
        mdp::SolveMethod::result_divided, mdp::SolveMethod::policy_iteration,
        mdp::SolveMethod::inexact_policy_iteration, mdp::SolveMethod::backward,
        mdp::SolveMethod::q_learning}) {
    methods.emplace_back(mdp::name_of(method), method);
  }
  command.add_choice("--method", options.method, methods, "How to solve it");
  command.add_choice<mdp::Evaluator>(
      "--evaluator", arguments.evaluator,
      {{"auto", mdp::Evaluator::automatic},
       {"serial", mdp::Evaluator::serial},
       {"cuda", mdp::Evaluator::cuda},
       {"cusparse", mdp::Evaluator::cusparse},
       {"sweeps", mdp::Evaluator::sweeps},
       {"krylov", mdp::Evaluator::krylov}},
      "Who evaluates a policy: policy-iteration's serial (on the CPU), cuda or cusparse (on a "
      "GPU); inexact-policy-iteration's sweeps, or krylov (BiCGSTAB), where auto takes the second "
      "when the first are slow");
  command.add_choice<mdp::BlockVariant>("--variant", options.block_variant,
                                        {{"plain", mdp::BlockVariant::plain},
                                         {"buffering", mdp::BlockVariant::buffering},
                                         {"prioritising", mdp::BlockVariant::prioritising}},
                                        "block-divided: what is done within a block");
  command.add_choice<mdp::FusedLayout>("--layout", options.layout,
                                       {{"auto", mdp::FusedLayout::automatic},
                                        {"rows", mdp::FusedLayout::rows},
                                        {"sliced", mdp::FusedLayout::sell},
                                        {"packed", mdp::FusedLayout::packed}},
                                       "fused, backward: how the model lies in memory");
  command.add_choice<mdp::FusedLaunch>(
      "--launch", options.launch,
      {{"auto", mdp::FusedLaunch::automatic},
       {"graph", mdp::FusedLaunch::graph},
       {"persistent", mdp::FusedLaunch::persistent}},
      "fused on a GPU: sweeps in a CUDA graph, or by one kernel that stays");
  command.add_choice<mdp::StoppingRule>(
      "--stop", options.stop,
      {{"error", mdp::StoppingRule::error}, {"change", mdp::StoppingRule::change}},
      "When to end: the value is known to be within --tolerance of the optimum, or a sweep changes "
      "none by as much");
}

/// What the tolerance is of, and what counts as an end without a discount.
void add_error_options(Command command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  const Option relative = command.add_flag(
      "--relative", [&options] { options.error_measure = mdp::ErrorMeasure::relative; },
      "The tolerance is a share of each state's value (with a discount of 1: by default the "
      "finer)");
  command
      .add_flag(
          "--absolute", [&options] { options.error_measure = mdp::ErrorMeasure::absolute; },
          "The tolerance is a difference, with a discount of 1 too")
      .excludes(relative);
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
  add_error_options(command, arguments);
  command.add_option("--tolerance", options.tolerance, "How exact the value is to be")
      .show_default();
  command.add_option("--max-sweeps", options.most_sweeps, "Give up after so many").show_default();
  command
      .add_option("--evaluation-sweeps", options.evaluation_sweeps,
                  "policy-iteration: sweeps between improvements")
      .show_default();
  command
      .add_option("--block-states", options.block_states,
                  "block-divided: states of a block; 0: as many as suit the backend")
      .show_default();
  command
      .add_option("--block-sweeps", options.block_sweeps,
                  "block-divided: sweeps within a block at a time")
      .show_default();
  command.add_option("--horizon", options.horizon, "backward: steps").type_name("STEPS");
  mdp::QLearningOptions& learning = options.q_learning;
  command.add_option("--agents", learning.agents, "q-learning: agents").show_default();
  command.add_option("--steps", learning.steps, "q-learning: steps of each agent").show_default();
  command
      .add_option("--learning-rate", learning.learning_rate, "q-learning: at a pair's first visit")
      .show_default();
  command
      .add_option("--learning-decay", learning.learning_decay,
                  "q-learning: the rate is divided by 1 + this times the pair's visits")
      .show_default();
  command
      .add_option("--exploration-end", learning.exploration_end,
                  "q-learning: share of random actions at last; all are at first")
      .show_default();
  command
      .add_option("--episode-steps", learning.episode_steps,
                  "q-learning: steps to begin anew after")
      .show_default();
  command.add_choice<mdp::EpisodeStart>(
      "--begin", learning.begins,
      {{"random", mdp::EpisodeStart::random}, {"initial", mdp::EpisodeStart::initial}},
      "q-learning: where agents begin");
  add_seed_option(command, learning.seed, "q-learning: seed");
}

mdp::SolveMethod settle_method(Command command, mdp::SolveMethod method) {
  if (method != mdp::SolveMethod::automatic) return method;
  const bool lays_out = command.option("--layout").given() || command.option("--launch").given();
  return lays_out ? mdp::SolveMethod::fused : method;
}

void require_own_options(Command command, mdp::SolveMethod method) {
  const std::map<std::string, mdp::SolveMethod> owners{
      {"--evaluator", mdp::SolveMethod::policy_iteration},
      {"--evaluation-sweeps", mdp::SolveMethod::policy_iteration},
      {"--variant", mdp::SolveMethod::block_divided},
      {"--block-states", mdp::SolveMethod::block_divided},
      {"--block-sweeps", mdp::SolveMethod::block_divided},
      {"--layout", mdp::SolveMethod::fused},
      {"--launch", mdp::SolveMethod::fused},
      {"--horizon", mdp::SolveMethod::backward},
      {"--agents", mdp::SolveMethod::q_learning},
      {"--steps", mdp::SolveMethod::q_learning},
      {"--learning-rate", mdp::SolveMethod::q_learning},
      {"--learning-decay", mdp::SolveMethod::q_learning},
      {"--exploration-end", mdp::SolveMethod::q_learning},
      {"--episode-steps", mdp::SolveMethod::q_learning},
      {"--begin", mdp::SolveMethod::q_learning},
      {"--seed", mdp::SolveMethod::q_learning}};
  for (const auto& [option, owner] : owners) {
    if (owner == method || !command.option(option).given()) continue;
    if (option == "--evaluator" && mdp::is_policy_iteration(method)) continue;
    throw InputError(fmt::format("{}: belongs to --method {}, and the method is {}; leave it out",
                                 option, mdp::name_of(owner), mdp::name_of(method)));
  }
}

mdp::SolveOptions validate_method_options(const SolveArguments& arguments, const Backend& backend) {
  mdp::SolveOptions options = arguments.options;
  const auto require_at_least = [](const char* option, std::int64_t value, std::int64_t least) {
    if (value >= least) return;
    throw InputError(fmt::format("{} is {}; it must be {} or more", option, value, least));
  };
  require_at_least("--max-sweeps", options.most_sweeps, 1);
  require_at_least("--evaluation-sweeps", options.evaluation_sweeps, 0);
  require_at_least("--block-states", options.block_states, 0);
  require_at_least("--block-sweeps", options.block_sweeps, 1);
  require_at_least("--horizon", options.horizon, 0);
  require_at_least("--agents", options.q_learning.agents, 1);
  require_at_least("--steps", options.q_learning.steps, 1);
  options.threads = backend.threads;
  mdp::settle_endings(options, arguments.endings.value_or(mdp::Endings::automatic),
                      !arguments.target.empty(), arguments.direction);
  const bool on_device = backend.kind == BackendKind::cuda;
  options.compute_on = on_device ? mdp::ComputeOn::device : mdp::ComputeOn::host;
  options.evaluator = arguments.evaluator.value_or(mdp::Evaluator::automatic);
  return options;
}

}  // namespace tidewise
