
#include <optional>
#include <string>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/commands/env_import.h"
#include "app/error/codes.h"
#include "app/report/rehearsal.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/printable.h"
#include "env/units/quantity.h"
#include "output/run/policy_description.h"
#include "planner/outputs/outputs.h"
#include "planner/rehearsal/rehearsal.h"
#include "planner/run/path.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  RehearsalRequest request;
  std::string step;
  std::optional<double> vertical_speed;
  std::string out;
  bool json = false;
  Overwrite overwrite = Overwrite::refused;
};

double parse_step(const std::string& text) {
  constexpr double longest = 3600;  // [s]; tides turn within six hours
  constexpr double shortest = 1;    // [s]
  const double step = parse_duration("--step", text);
  if (step >= shortest && step <= longest) return step;
  throw input_error(errors::rehearsal_step_invalid, text);
}

double validated_vertical_speed(double speed) {
  if (speed >= 0.001 && speed <= 5) return speed;
  throw input_error(errors::vertical_speed_invalid, speed);
}

void run(const Arguments& arguments, const CommandContext& context) {
  RehearsalRequest request = arguments.request;
  if (!arguments.step.empty()) request.step = parse_step(arguments.step);
  if (arguments.vertical_speed)
    request.vertical_speed = validated_vertical_speed(*arguments.vertical_speed);
  if (request.threads && *request.threads < 1) {
    throw input_error(errors::count_too_small, "--threads", *request.threads, 1, "");
  }
  const fs::path policy = policy_path(request.run);
  const fs::path place = arguments.out.empty()
                             ? fs::absolute(policy).parent_path() / "rehearsal.geojson"
                             : fs::path(arguments.out);
  const PolicyFile planned(policy);
  Outputs outputs(arguments.overwrite);
  outputs.add_run_inputs(policy, mission_of(planned, {}));
  outputs.add_inputs({request.source.begin(), request.source.end()});
  outputs.add_output("--out", place, geojson_kind());
  outputs.validate();
  request.import = imported_by(describe_environment_of(planned).history);
  const auto progress = context.make_progress();
  const Rehearsal rehearsal = rehearse(request, *progress);
  write_text_file(place, rehearsal_map(rehearsal));
  for (const std::string& warning : rehearsal.warnings) context.warn(on_one_line(warning));
  print("{}{}", arguments.json ? rehearsal_as_json(rehearsal) : describe_rehearsal(rehearsal),
        arguments.json ? "\n" : "");
  if (!arguments.json)
    print("written {}\n", place.lexically_proximate(fs::current_path()).string());
}

}  // namespace

void add_rehearse(Command program, const Context& context) {
  Command command = program.add_command(
      "rehearse",
      "Simulate a run's policy through the forecast's own files, and compare with prediction and "
      "flights",
      "Examples:\n  tidewise rehearse runs/washington --source rtofs_washington_2024.nc\n"
      "  tidewise rehearse runs/norway --source U.nc V.nc --step 5min --out norway.geojson");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option(
          "run", arguments.request.run,
          "The folder of the run, or its policy.h5; its environment is one of 'tidewise env "
          "import'")
      .required();
  command
      .add_option("--source", arguments.request.source,
                  "The NetCDF files of the environment; variables, depth, members and box are "
                  "those of its import")
      .required()
      .type_name("FILE");
  command.add_option("--step", arguments.step, "Step of the integration, from 1s to 1h")
      .show_default("10min");
  command
      .add_option("--vertical-speed", arguments.vertical_speed,
                  "Vertical speed of a diving vehicle [m/s], 0.001 to 5; gliders: about 0.1")
      .type_name("SPEED")
      .show_default("vehicle.vertical_speed, else 0.1");
  command
      .add_option("--out", arguments.out,
                  "The map of all tracks (GeoJSON); default: RUN/rehearsal.geojson")
      .type_name("FILE");
  command.add_option("--threads", arguments.request.threads, "CPU threads; default: all cores")
      .type_name("N");
  command.add_flag("--json", arguments.json, "Print JSON, for programs");
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
