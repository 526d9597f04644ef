#include <filesystem>

#include "app/commands/commands.h"
#include "app/commands/mdp/model_output.h"
#include "app/terminal/terminal.h"
#include "mdp/file/reader.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string model;
  std::string out;
  std::optional<double> gamma;
  Overwrite overwrite = Overwrite::refused;
};

void run(const Arguments& arguments, const CommandContext& context) {
  validate_model_output(arguments.out, arguments.overwrite, arguments.model);
  const auto progress = context.make_progress();
  mdp::ReadOptions options;
  options.discount = arguments.gamma;
  const auto process = read_process<double>(arguments.model, options, *progress);
  write_model(arguments.out, process, context, *progress);
  print("{}: {} states, {} actions, {} entries\n", arguments.out, process.state_count,
        process.action_count, process.entry_count());
}

}  // namespace

void add_mdp_convert(Command mdp, const Context& context) {
  Command command =
      mdp.add_command("convert", "Convert a model to another format",
                      "Examples:\n  tidewise research mdp convert model.json --out model.h5\n"
                      "  tidewise research mdp convert model.xml --out again.json --gamma 0.99");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("model", arguments.model, "The model: .json, .xml or .h5; docs/mdp/formats.md")
      .required();
  command.add_option("--out", arguments.out, "The model file to write; its ending names the form")
      .required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_option("--gamma", arguments.gamma, "Discount factor instead of the model's");
}

}  // namespace tidewise
