#include <fmt/core.h>
#include <fmt/ranges.h>

#include "app/cli/terminal.h"
#include "app/commands/commands.h"
#include "app/commands/model_output.h"
#include "base/error.h"
#include "mdp/file/reader.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {
namespace {

struct Arguments {
  mdp::SampleWorld world{"random", {}, 1};
  std::string out;
  std::string precision = "double";
};

template <class Real>
void make(const Arguments& arguments, const CommandContext& context) {
  mdp::require_writable(arguments.out);
  const auto progress = context.make_progress();
  const auto process = make_sample_world<Real>(arguments.world);
  write_model(arguments.out, process, context, *progress);
  print("{}: {} states, {} actions, {} entries, discount {}\n", arguments.out, process.state_count,
        process.action_count, process.entry_count(), process.discount);
}

void run(const Arguments& arguments, const CommandContext& context) {
  if (arguments.precision == "float") return make<float>(arguments, context);
  if (arguments.precision == "double") return make<double>(arguments, context);
  throw InputError(
      fmt::format("--precision is {}; it must be float or double", arguments.precision));
}

}  // namespace

void add_mdp_sample(Command mdp, Context context) {
  Command command = mdp.add_command(
      "sample", "Make a world of another kind: random rows, queues, a car, an inventory",
      "Examples:\n"
      "  tidewise mdp sample --world queues --gamma 0.999 --out queues.h5\n"
      "  tidewise mdp sample --world random --scale 0.01 --out small.json");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("--out", arguments->out, "The model file to write; its ending names the form")
      .required();
  command
      .add_option("--world", arguments->world.kind,
                  fmt::format("{}", fmt::join(mdp::sample_world_kinds(), ", ")))
      .show_default();
  command
      .add_option("--scale", arguments->world.scale,
                  "Of the number of entries, about; 1: some ten million")
      .show_default();
  command.add_option("--gamma", arguments->world.discount, "Discount, in place of the kind's own");
  command.add_option("--precision", arguments->precision, "float or double").show_default();
  command.callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise
