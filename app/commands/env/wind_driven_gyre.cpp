#include <fmt/core.h>

#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/cli/interruption.h"
#include "app/cli/number_list.h"
#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/parallel/thread_count.h"
#include "env/gyre/environment.h"
#include "env/units/quantity.h"

namespace tidewise {
namespace {

/// Options as typed: quantities with units and lists stay text until they are validated.
struct Arguments {
  gyre::EnvironmentOptions gyre;
  std::string out;
  std::string step = "6220.8s";
  std::vector<std::string> obstacles;
  Overwrite overwrite = Overwrite::refused;
};

gyre::MovingSquare parse_obstacle(const std::string& text) {
  const auto numbers = parse_number_list("--obstacle", text, 3, "20,0.56,0.005");
  return {numbers[0], numbers[1], numbers[2]};
}

gyre::EnvironmentOptions validated(const Arguments& arguments) {
  gyre::EnvironmentOptions options = arguments.gyre;
  options.level_step = parse_duration("--step", arguments.step);
  if (arguments.obstacles.empty()) return options;
  options.surroundings.obstacles.clear();
  if (arguments.obstacles == std::vector<std::string>{"none"}) return options;
  for (const std::string& text : arguments.obstacles) {
    options.surroundings.obstacles.push_back(parse_obstacle(text));
  }
  return options;
}

/// Makes the environment. After an interruption its error mentions the restart folder, which
/// remains.
gyre::EnvironmentReport make(const Arguments& arguments, const gyre::EnvironmentOptions& options,
                             gyre::Restart restart, Progress& progress) {
  try {
    return gyre::make_environment(arguments.out, options, restart, progress);
  } catch (const RunError&) {
    if (!interruption_requested()) throw;
    throw RunError(fmt::format(
        "interrupted; what is done is in {}.restart, and the same command{} goes on from it",
        arguments.out, restart == gyre::Restart::begin_anew ? " without --overwrite" : ""));
  }
}

void run(const Arguments& arguments, const CommandContext& context) {
  const gyre::EnvironmentOptions options = validated(arguments);
  validate_environment_output(arguments.out, arguments.overwrite);
  const gyre::Restart restart =
      arguments.overwrite == Overwrite::asked ? gyre::Restart::begin_anew : gyre::Restart::go_on;
  if (restart == gyre::Restart::go_on) {
    const std::string notice = gyre::describe_restart(arguments.out, options);
    if (context.verbosity != Verbosity::quiet && !notice.empty()) print_to_stderr(notice + "\n");
  }
  take_default_threads();
  const auto progress = context.make_progress();
  const gyre::EnvironmentReport report = make(arguments, options, restart, *progress);
  print("{}\n", arguments.out);
  for (const auto& line : report.lines) print("  {}\n", line);
}

void add_flow(Command command, Arguments& arguments) {
  gyre::EnvironmentOptions& gyre = arguments.gyre;
  command.add_option("--reynolds", gyre.numbers.reynolds, "U L over the eddy viscosity")
      .show_default();
  command.add_option("--beta", gyre.numbers.beta, "Planetary vorticity gradient times L^2/U")
      .show_default();
  command.add_option("--spin-up", gyre.spin_up, "Time from rest to the initial ensemble [L/U]")
      .show_default();
  command.add_option("--lead", gyre.lead, "Time from the initial ensemble to level 0 [L/U]")
      .show_default();
  command.add_option("--step", arguments.step, "Interval between levels; 6220.8s are 0.072d")
      .show_default();
  command
      .add_option("--speed", gyre.greatest_speed,
                  "Strongest flow of any realization at level 0 [m/s]; it sets U")
      .show_default();
}

void add_uncertainty(Command command, gyre::InitialUncertainty& uncertainty) {
  command
      .add_option("--correlation-length", uncertainty.correlation_length,
                  "Correlation length of the initial perturbations [L]")
      .show_default();
  command
      .add_option("--perturbations", uncertainty.perturbation_count,
                  "Number of perturbations, which are reduced to the modes")
      .show_default();
  add_seed_option(command, uncertainty.seed, "Seed of perturbations and coefficients");
}

void add_surroundings(Command command, Arguments& arguments) {
  gyre::Surroundings& surroundings = arguments.gyre.surroundings;
  std::string squares;
  for (const gyre::MovingSquare& square : surroundings.obstacles) {
    squares += fmt::format("{}{},{},{}", squares.empty() ? "" : " and ", square.entry, square.south,
                           square.speed);
  }
  command
      .add_option(
          "--obstacle", arguments.obstacles,
          fmt::format("ENTRY,SOUTH,SPEED of a square that comes in from the west: the level "
                      "when its eastern edge is at the wall, its southern edge [L], its way "
                      "east a level [L]; repeatable, in place of {}; or none",
                      squares))
      .one_at_a_time();
  command
      .add_option("--cloud-speed", surroundings.cloud_speed,
                  "Westward motion of the cloud in a level [L]")
      .show_default();
}

}  // namespace

void add_env_wind_driven_gyre(Command env, const Context& context) {
  Command command = env.add_command(
      "wind-driven-gyre", "Solve a stochastic wind-driven double gyre from its dynamics",
      "Lengths in L (the basin's side, 1000 km), velocities in U, times in L/U where no unit is "
      "given.\n"
      "What is done is kept in FILE.restart until FILE is complete; the same command goes on from "
      "it, and --overwrite throws it away.\n"
      "Example:\n"
      "  tidewise env wind-driven-gyre --out ocean.h5 --nx 100 --ny 100 --realizations 1000");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("--out", arguments.out, "The environment file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  add_size_options(command, arguments.gyre);
  add_flow(command, arguments);
  add_uncertainty(command, arguments.gyre.uncertainty);
  add_surroundings(command, arguments);
}

}  // namespace tidewise
