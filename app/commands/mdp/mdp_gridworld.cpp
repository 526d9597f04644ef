#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <optional>

#include "app/cli/common_options.h"
#include "app/cli/number_list.h"
#include "app/commands/commands.h"
#include "app/commands/mdp/model_output.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "base/parallel/thread_count.h"
#include "mdp/worlds/literature_worlds.h"

namespace tidewise {
namespace {

/// Options as typed; absent values have the world's defaults.
struct Arguments {
  std::string out;
  std::string world;
  std::optional<std::int32_t> n_x, n_y, successors;
  std::optional<double> slip, walls, obstacles, goal_reward, rewired, discount;
  std::string goal, start;
  std::uint64_t seed = 1;
  Precision precision = Precision::float64;
  Overwrite overwrite = Overwrite::refused;
  std::int32_t threads = 1;
};

mdp::GridCell cell_of(const std::string& option, const std::string& text) {
  const std::vector<double> place = parse_number_list(option, text, 2, "3,4");
  for (const double number : place) {
    if (number != std::floor(number) ||
        std::abs(number) > std::numeric_limits<std::int32_t>::max()) {
      throw input_error(errors::grid_place_invalid, option, text);
    }
  }
  return {static_cast<std::int32_t>(place[0]), static_cast<std::int32_t>(place[1])};
}

/// The world before the remaining options are applied.
mdp::GridworldOptions base_world(const Arguments& arguments) {
  if (!arguments.world.empty()) {
    if (arguments.n_x || arguments.n_y || arguments.slip || arguments.successors) {
      throw input_error(errors::world_with_grid_options);
    }
    return mdp::literature_world(arguments.world);
  }
  const std::int32_t n_x = arguments.n_x.value_or(64);
  const std::int32_t n_y = arguments.n_y.value_or(n_x);
  if (!arguments.successors) return mdp::slip_world(n_x, n_y, arguments.slip.value_or(0.1));
  if (arguments.slip) {
    throw input_error(errors::slip_with_successors);
  }
  mdp::GridworldOptions world = mdp::wet_floor_world(n_x, *arguments.successors);
  world.n_y = n_y;
  return world;
}

mdp::GridworldOptions world_of(const Arguments& arguments) {
  mdp::GridworldOptions world = base_world(arguments);
  const auto take = [](double& value, const std::optional<double>& option) {
    value = option.value_or(value);
  };
  take(world.wall_share, arguments.walls);
  take(world.obstacle_share, arguments.obstacles);
  take(world.goal_reward, arguments.goal_reward);
  take(world.rewired_share, arguments.rewired);
  take(world.discount, arguments.discount);
  if (arguments.goal == "none") {
    world.goal.reset();
  } else if (!arguments.goal.empty()) {
    world.goal = cell_of("--goal", arguments.goal);
  }
  if (!arguments.start.empty()) world.start = cell_of("--start", arguments.start);
  world.seed = arguments.seed;
  return world;
}

/// Text such as "12 terminal states".
std::string count_terminal(const auto& process) {
  std::int64_t terminal = 0;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    terminal += process.is_terminal(state) ? 1 : 0;
  }
  return fmt::format("{} terminal states", terminal);
}

void run(const Arguments& arguments, const CommandContext& context) {
  if (arguments.threads < 1) {
    throw input_error(errors::count_too_small, "--threads", arguments.threads, 1, "");
  }
  take_threads(arguments.threads, "--threads");
  make_model(
      arguments.out, arguments.overwrite, arguments.precision, context,
      [&]<class Real>(Real) {
        return mdp::make_gridworld<Real>(world_of(arguments), arguments.threads);
      },
      [](const auto& process) { return count_terminal(process); });
}

}  // namespace

void add_mdp_gridworld(Command mdp, const Context& context) {
  Command command = mdp.add_command(
      "gridworld", "Make a grid world: a slip world or a wet floor",
      "Examples:\n"
      "  tidewise research mdp gridworld --out g.h5 --nx 200 --ny 100 --slip 0.1 --walls 0.3\n"
      "  tidewise research mdp gridworld --out wet.json --nx 64 --successors 4 --rewired 0.05\n"
      "  tidewise research mdp gridworld --out g2.h5 --world G2");
  Arguments& a = add_arguments(command, context, run);
  a.threads = core_count();
  command.add_option("--out", a.out, "The model file to write; its ending names the form")
      .required();
  add_overwrite_flag(command, a.overwrite);
  command.add_option("--world", a.world, "A world of the literature: G1 to G6, wet-1024x4 …");
  command.add_option("--nx", a.n_x, "Columns (default: 64)");
  command.add_option("--ny", a.n_y, "Rows (default: as many)");
  command.add_option("--slip", a.slip,
                     "Slip world: the probability to go across, half to each side (default: 0.1)");
  command.add_option("--successors", a.successors, "Wet floor instead: 1, 2 or 4 an action");
  command.add_option("--walls", a.walls, "Share of cells that are walls");
  command.add_option("--obstacles", a.obstacles, "Share of cells that cost something");
  command.add_option("--goal", a.goal, "X,Y of the goal, or none (default: far corner; none)");
  command.add_option("--goal-reward", a.goal_reward, "Reward of the goal (default: 100)");
  command.add_option("--start", a.start, "X,Y of the initial state (default: 0,0)");
  command.add_option("--rewired", a.rewired, "Share of successors led to any cell instead");
  command.add_option("--gamma", a.discount, "Discount (default: the world's, 0.9)");
  add_seed_option(command, a.seed, "Seed of the cells and of what is rewired");
  add_precision_option(command, a.precision);
  command.add_option("--threads", a.threads, "Threads").show_default();
}

}  // namespace tidewise
