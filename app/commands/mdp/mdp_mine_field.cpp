#include <fmt/core.h>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/commands/mdp/model_output.h"
#include "mdp/worlds/mine_field.h"

namespace tidewise {
namespace {

struct Arguments {
  mdp::MineFieldOptions field;
  std::string out;
  Precision precision = Precision::float64;
  Overwrite overwrite = Overwrite::refused;
};

void run(const Arguments& arguments, const CommandContext& context) {
  make_model(
      arguments.out, arguments.overwrite, arguments.precision, context,
      [&]<class Real>(Real) { return mdp::make_mine_field<Real>(arguments.field); },
      [](const auto& process) {
        return fmt::format("{} mines", process.labels.front().states.size());
      });
}

}  // namespace

void add_mdp_mine_field(Command mdp, const Context& context) {
  Command command = mdp.add_command(
      "mine-field", "Make a mine field for a vehicle to cross",
      "Example:\n  tidewise research mdp mine-field --out mines.h5 --nx 60 --seed 7");
  Arguments& arguments = add_arguments(command, context, run);
  mdp::MineFieldOptions& field = arguments.field;
  command.add_option("--out", arguments.out, "The model file to write; its ending names the form")
      .required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_option("--nx", field.width, "Columns").show_default();
  command.add_option("--ny", field.height, "Rows").show_default();
  command.add_option("--headings", field.moves, "Moves of the vehicle: 8, or 4 (N, E, S, W)")
      .show_default();
  add_seed_option(command, field.seed, "Seed of the mines' places");
  add_precision_option(command, arguments.precision);
}

}  // namespace tidewise
