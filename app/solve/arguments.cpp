#include "app/solve/arguments.h"

#include <fmt/format.h>

#include <map>

#include "app/cli/common_options.h"
#include "base/error.h"

namespace tidewise {
namespace {

/// An option that takes one of a few words.
template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::map<std::string, Value>& choices, const std::string& listed,
                        const std::string& description) {
  return command.add_option(name, value, description)
      ->transform(CLI::CheckedTransformer(choices).description(listed));
}

void add_choices(CLI::App& command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  std::map<std::string, mdp::SolveMethod> methods;
  std::string listed;
  for (const mdp::SolveMethod method :
       {mdp::SolveMethod::automatic, mdp::SolveMethod::fused, mdp::SolveMethod::value_iteration,
        mdp::SolveMethod::gauss_seidel, mdp::SolveMethod::block_divided,
        mdp::SolveMethod::result_divided, mdp::SolveMethod::policy_iteration,
        mdp::SolveMethod::inexact_policy_iteration, mdp::SolveMethod::backward,
        mdp::SolveMethod::q_learning}) {
    methods.emplace(mdp::name_of(method), method);
    listed += (listed.empty() ? "" : "|") + std::string(mdp::name_of(method));
  }
  add_choice(command, "--method", options.method, methods, listed, "How to solve it")
      ->default_str("auto");
  const std::map<std::string, mdp::Evaluator> evaluators{{"serial", mdp::Evaluator::serial},
                                                         {"cuda", mdp::Evaluator::cuda},
                                                         {"cusparse", mdp::Evaluator::cusparse}};
  command
      .add_option("--evaluator", arguments.evaluator,
                  "policy-iteration: who evaluates a policy (default: serial on the CPU, cuda on a "
                  "GPU)")
      ->transform(CLI::CheckedTransformer(evaluators).description("serial|cuda|cusparse"));
  add_choice<mdp::BlockVariant>(command, "--variant", options.block_variant,
                                {{"plain", mdp::BlockVariant::plain},
                                 {"buffering", mdp::BlockVariant::buffering},
                                 {"prioritising", mdp::BlockVariant::prioritising}},
                                "plain|buffering|prioritising",
                                "block-divided: what is done within a block")
      ->default_str("plain");
  add_choice<mdp::FusedLayout>(command, "--layout", options.layout,
                               {{"auto", mdp::FusedLayout::automatic},
                                {"rows", mdp::FusedLayout::rows},
                                {"sliced", mdp::FusedLayout::sell},
                                {"packed", mdp::FusedLayout::packed}},
                               "auto|rows|sliced|packed",
                               "fused, backward: how the model lies in memory")
      ->default_str("auto");
  add_choice<mdp::FusedLaunch>(
      command, "--launch", options.launch,
      {{"auto", mdp::FusedLaunch::automatic},
       {"graph", mdp::FusedLaunch::graph},
       {"persistent", mdp::FusedLaunch::persistent}},
      "auto|graph|persistent",
      "fused on a GPU: sweeps in a CUDA graph, or by one kernel that stays")
      ->default_str("auto");
  add_choice<mdp::StoppingRule>(
      command, "--stop", options.stop,
      {{"error", mdp::StoppingRule::error}, {"change", mdp::StoppingRule::change}}, "error|change",
      "When to end: the value is known to be within --tolerance of the optimum, or a sweep changes "
      "none by as much")
      ->default_str("error");
}

/// What the tolerance is of, and what counts as an end without a discount.
void add_error_options(CLI::App& command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  CLI::Option* const relative = command.add_flag_callback(
      "--relative", [&options] { options.error_measure = mdp::ErrorMeasure::relative; },
      "The tolerance is a share of each state's value (with a discount of 1: by default the "
      "finer)");
  command
      .add_flag_callback(
          "--absolute", [&options] { options.error_measure = mdp::ErrorMeasure::absolute; },
          "The tolerance is a difference, with a discount of 1 too")
      ->excludes(relative);
  const std::map<std::string, mdp::Endings> endings{{"sure", mdp::Endings::sure},
                                                    {"free", mdp::Endings::free}};
  command
      .add_option(
          "--endings", arguments.endings,
          "With a discount of 1, policies that count: those that surely come to an end, or "
          "also those that go round for ever where nothing is gained or lost (default: sure "
          "with --target, else free, but refused where none surely ends)")
      ->transform(CLI::CheckedTransformer(endings).description("sure|free"));
}

}  // namespace

void add_method_options(CLI::App& command, SolveArguments& arguments) {
  mdp::SolveOptions& options = arguments.options;
  add_choices(command, arguments);
  add_error_options(command, arguments);
  command.add_option("--tolerance", options.tolerance, "How exact the value is to be")
      ->capture_default_str();
  command.add_option("--max-sweeps", options.most_sweeps, "Give up after so many")
      ->capture_default_str();
  command
      .add_option("--evaluation-sweeps", options.evaluation_sweeps,
                  "policy-iteration: sweeps between improvements")
      ->capture_default_str();
  command
      .add_option("--block-states", options.block_states,
                  "block-divided: states of a block; 0: as many as suit the backend")
      ->capture_default_str();
  command
      .add_option("--block-sweeps", options.block_sweeps,
                  "block-divided: sweeps within a block at a time")
      ->capture_default_str();
  command.add_option("--horizon", options.horizon, "backward: steps")->type_name("STEPS");
  mdp::QLearningOptions& learning = options.q_learning;
  command.add_option("--agents", learning.agents, "q-learning: agents")->capture_default_str();
  command.add_option("--steps", learning.steps, "q-learning: steps of each agent")
      ->capture_default_str();
  command
      .add_option("--learning-rate", learning.learning_rate, "q-learning: at a pair's first visit")
      ->capture_default_str();
  command
      .add_option("--learning-decay", learning.learning_decay,
                  "q-learning: the rate is divided by 1 + this times the pair's visits")
      ->capture_default_str();
  command
      .add_option("--exploration-end", learning.exploration_end,
                  "q-learning: share of random actions at last; all are at first")
      ->capture_default_str();
  command
      .add_option("--episode-steps", learning.episode_steps,
                  "q-learning: steps to begin anew after")
      ->capture_default_str();
  add_choice<mdp::EpisodeStart>(
      command, "--begin", learning.begins,
      {{"random", mdp::EpisodeStart::random}, {"initial", mdp::EpisodeStart::initial}},
      "random|initial", "q-learning: where agents begin")
      ->default_str("random");
  add_seed_option(command, learning.seed, "q-learning: seed");
}

mdp::SolveMethod settle_method(const CLI::App& command, mdp::SolveMethod method) {
  if (method != mdp::SolveMethod::automatic) return method;
  const bool lays_out = command.count("--layout") > 0 || command.count("--launch") > 0;
  return lays_out ? mdp::SolveMethod::fused : method;
}

void require_own_options(const CLI::App& command, mdp::SolveMethod method) {
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
    if (owner == method || command.count(option) == 0) continue;
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
  options.endings = arguments.endings.value_or(arguments.target.empty() ? mdp::Endings::automatic
                                                                        : mdp::Endings::sure);
  const bool on_device = backend.kind == BackendKind::cuda;
  options.compute_on = on_device ? mdp::ComputeOn::device : mdp::ComputeOn::host;
  options.evaluator =
      arguments.evaluator.value_or(on_device ? mdp::Evaluator::cuda : mdp::Evaluator::serial);
  return options;
}

}  // namespace tidewise
