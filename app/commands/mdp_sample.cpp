#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands/commands.h"
#include "app/commands/model_output.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {
namespace {

struct Arguments {
  mdp::SampleWorld world{"random", {}, 1};
  ModelOutput output;
};

void run(const Arguments& arguments, const CommandContext& context) {
  make_model(
      arguments.output, context,
      [&](auto number) { return mdp::make_sample_world<decltype(number)>(arguments.world); },
      [](const auto& process) { return fmt::format("discount {}", process.discount); });
}

}  // namespace

void add_mdp_sample(CLI::App& mdp, Context context) {
  CLI::App* command = mdp.add_subcommand(
      "sample", "Make a world of another kind: random rows, queues, a car, an inventory");
  command->footer(
      "Examples:\n"
      "  tidewise mdp sample --world queues --gamma 0.999 --out queues.h5\n"
      "  tidewise mdp sample --world random --scale 0.01 --out small.json");
  const auto arguments = std::make_shared<Arguments>();
  add_out_option(*command, arguments->output);
  command
      ->add_option("--world", arguments->world.kind,
                   fmt::format("{}", fmt::join(mdp::sample_world_kinds(), ", ")))
      ->capture_default_str();
  command
      ->add_option("--scale", arguments->world.scale,
                   "Of the number of entries, about; 1: some ten million")
      ->capture_default_str();
  command->add_option("--gamma", arguments->world.discount, "Discount, in place of the kind's own");
  add_precision_option(*command, arguments->output);
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise
