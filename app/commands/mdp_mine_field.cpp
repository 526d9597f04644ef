#include <fmt/format.h>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/commands/model_output.h"
#include "mdp/worlds/mine_field.h"

namespace tidewise {
namespace {

struct Arguments {
  mdp::MineFieldOptions field;
  ModelOutput output;
};

void run(const Arguments& arguments, const CommandContext& context) {
  make_model(
      arguments.output, context,
      [&](auto number) { return mdp::make_mine_field<decltype(number)>(arguments.field); },
      [](const auto& process) {
        return fmt::format("{} mines", process.labels.front().states.size());
      });
}

}  // namespace

void add_mdp_mine_field(CLI::App& mdp, Context context) {
  CLI::App* command = mdp.add_subcommand("mine-field", "Make a mine field for a vehicle to cross");
  command->footer("Example:\n  tidewise mdp mine-field --out mines.h5 --mines 0.15 --seed 7");
  const auto arguments = std::make_shared<Arguments>();
  mdp::MineFieldOptions& field = arguments->field;
  add_out_option(*command, arguments->output);
  command->add_option("--nx", field.width, "Columns")->capture_default_str();
  command->add_option("--ny", field.height, "Rows")->capture_default_str();
  command->add_option("--moves", field.moves, "Headings, 8 or 4")->capture_default_str();
  command->add_option("--mines", field.mine_share, "Share of cells with a mine")
      ->capture_default_str();
  command
      ->add_option("--slip", field.slip,
                   "Probability of the next heading to the left or right, half each")
      ->capture_default_str();
  command
      ->add_option("--drift", field.drift,
                   "Probability that the current carries it a cell on, where it is strongest")
      ->capture_default_str();
  command->add_option("--step-cost", field.step_cost, "What a cell's way costs")
      ->capture_default_str();
  command->add_option("--goal-reward", field.goal_reward, "What reaching the goal brings")
      ->capture_default_str();
  command->add_option("--mine-penalty", field.mine_penalty, "What meeting a mine costs")
      ->capture_default_str();
  command->add_option("--gamma", field.discount, "Discount")->capture_default_str();
  add_seed_option(*command, field.seed, "Seed of where the mines lie");
  add_precision_option(*command, arguments->output);
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise
