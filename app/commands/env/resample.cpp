#include "env/resample/resample.h"

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "base/parallel/thread_count.h"
#include "base/printable.h"
#include "env/units/quantity.h"

namespace tidewise {
namespace {

/// Options as typed: quantities with units stay text until they are validated.
struct Arguments {
  std::string file;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
  std::string step;
  std::string spacing;
  ResampleOptions options;
  std::vector<std::string> names;
};

void run(const Arguments& arguments, const CommandContext& context) {
  take_default_threads();
  ResampleOptions options = arguments.options;
  if (!arguments.step.empty()) options.step = parse_duration("--step", arguments.step);
  if (!arguments.spacing.empty()) options.spacing = parse_length("--spacing", arguments.spacing);
  validate_environment_output(arguments.out, arguments.overwrite, {arguments.file});
  const EnvironmentReader reader(arguments.file, parse_names(arguments.names));
  const auto progress = context.make_progress();
  const ResampleReport report =
      resample_environment(reader, options, {arguments.out, context.command_line}, *progress);
  print("{}\n", arguments.out);
  for (const auto& line : report.lines) print("  {}\n", on_one_line(line));
}

}  // namespace

void add_env_resample(Command env, const Context& context) {
  Command command =
      env.add_command("resample", "Resample an environment to other steps and cells",
                      "Examples:\n  tidewise env resample daily.h5 --out fine.h5\n"
                      "  tidewise env resample daily.h5 --out glider.h5 --vehicle-speed 0.3\n"
                      "  tidewise env resample daily.h5 --out hours.h5 --step 3h --spacing 1km");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("file", arguments.file, "The environment file").required();
  command.add_option("--out", arguments.out, "The environment file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_option("--step", arguments.step,
                     "Time step, e.g. 3h (default: a fraction of its own that suits the flow)");
  command.add_option(
      "--spacing", arguments.spacing,
      "Cell size, e.g. 1km (default: its own, or a fraction of it if the flow requires it)");
  command.add_option("--vehicle-speed", arguments.options.vehicle_speed,
                     "Speed through the water [m/s] for the default --spacing and --step");
  command.add_option("--variance", arguments.options.variance,
                     "Share of variance to keep when levels are mixed (default 0.99)");
  command.add_choice<ingest::Sampling>(
      "--sample", arguments.options.sample,
      {{"mean", ingest::Sampling::mean}, {"begin", ingest::Sampling::begin}},
      "Flow of its levels: the mean over their steps, or the flow at their times (default: from "
      "its history)");
  add_names_option(command, arguments.names);
}

}  // namespace tidewise
