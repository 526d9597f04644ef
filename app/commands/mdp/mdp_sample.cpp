#include <fmt/core.h>
#include <fmt/ranges.h>

#include "app/commands/commands.h"
#include "app/commands/mdp/model_output.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {
namespace {

struct Arguments {
  mdp::SampleWorld world{"random", {}, 1};
  std::string out;
  Precision precision = Precision::float64;
  Overwrite overwrite = Overwrite::refused;
};

void run(const Arguments& arguments, const CommandContext& context) {
  make_model(
      arguments.out, arguments.overwrite, arguments.precision, context,
      [&]<class Real>(Real) { return mdp::make_sample_world<Real>(arguments.world); },
      [](const auto& process) { return fmt::format("discount {}", process.discount); });
}

}  // namespace

void add_mdp_sample(Command mdp, const Context& context) {
  Command command = mdp.add_command(
      "sample", "Make a world of another kind: random rows, queues, a car, an inventory",
      "Examples:\n"
      "  tidewise research mdp sample --world queues --gamma 0.999 --out queues.h5\n"
      "  tidewise research mdp sample --world random --scale 0.01 --out small.json");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("--out", arguments.out, "The model file to write; its ending names the form")
      .required();
  add_overwrite_flag(command, arguments.overwrite);
  command
      .add_option("--world", arguments.world.kind,
                  fmt::format("{}", fmt::join(mdp::sample_world_kinds(), ", ")))
      .show_default();
  command
      .add_option("--scale", arguments.world.scale,
                  "Of the number of entries, about; 1: some ten million")
      .show_default();
  command.add_option("--gamma", arguments.world.discount, "Discount, in place of the kind's own");
  add_precision_option(command, arguments.precision);
}

}  // namespace tidewise
