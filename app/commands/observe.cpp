#include <fmt/core.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/learning/observation_options.h"
#include "app/report/observations.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/hdf5/file_kind.h"
#include "learning/file/posterior.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/outputs/outputs.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string forecast;
  std::vector<std::string> names;
  std::string out;
  ObservationOptions observations;
  bool fits_vehicle = false;
  Overwrite overwrite = Overwrite::refused;
};

struct Forecast {
  std::unique_ptr<EnvironmentReader> environment;
  std::size_t dived_profiles = 0;  // number of profiles that the vehicle dives; 0: all
};

/// Refuses an output that is also an input.
void validate_output(const Arguments& arguments, Outputs& outputs) {
  outputs.add_inputs(arguments.observations.files().all());
  outputs.add_output("--out", arguments.out, environment_kind());
  outputs.validate();
}

/// Opens the environment of a run, or an environment file.
Forecast open_forecast(const Arguments& arguments, const CommandContext& context) {
  std::error_code ignored;
  Outputs outputs(arguments.overwrite);
  if (!std::filesystem::is_directory(arguments.forecast, ignored)) {
    outputs.add_input(arguments.forecast);
    validate_output(arguments, outputs);
    auto forecast =
        std::make_unique<EnvironmentReader>(arguments.forecast, parse_names(arguments.names));
    choose_all_profiles(*forecast);
    return {std::move(forecast), 0};
  }
  if (!arguments.names.empty()) {
    throw input_error(errors::names_with_run, arguments.names.front(), arguments.forecast);
  }
  const PolicyFile policy(policy_path(arguments.forecast));
  const RunRequest request = mission_of(policy, {});
  outputs.add_run_inputs(policy.path(), request);
  validate_output(arguments, outputs);
  PlanningContext planning(request);
  const std::string warning = validate_own_environment(policy, planning);
  if (!warning.empty()) context.warn(warning);
  // The forecast is opened without the mission's no-go zones, because a posterior may serve other
  // missions.
  return {std::make_unique<EnvironmentReader>(open_for_learning(request)),
          request.vehicle.profiles.size()};
}

/// The default output: RUN/observed.h5, or FILE_observed.h5 for FILE.h5. An earlier one is refused,
/// since runs may have been planned on it.
std::string default_output(const std::string& forecast, Overwrite overwrite) {
  const std::filesystem::path path(forecast);
  std::error_code ignored;
  const std::filesystem::path out =
      std::filesystem::is_directory(path, ignored)
          ? path / "observed.h5"
          : path.parent_path() / (path.stem().string() + "_observed.h5");
  if (overwrite == Overwrite::asked || !std::filesystem::exists(out, ignored)) return out.string();
  throw input_error(errors::posterior_exists, out.string());
}

void run(const Arguments& typed, const CommandContext& context) {
  Arguments arguments = typed;
  if (!arguments.observations.has_any()) {
    throw input_error(errors::observations_missing);
  }
  if (arguments.out.empty()) {
    arguments.out = default_output(arguments.forecast, arguments.overwrite);
  }
  const auto [environment, dived_profiles] = open_forecast(arguments, context);
  const EnvironmentReader& forecast = *environment;
  const PosteriorOptions options = arguments.observations.posterior(forecast.info());
  const std::vector<ObservedTrack> tracks = arguments.observations.read(forecast, dived_profiles);
  const auto progress = context.make_progress();
  const PosteriorReport report =
      write_posterior(forecast, tracks, options, {arguments.out, context.command_line}, *progress);
  for (const ObservedTrack& track : tracks) {
    for (const std::string& note : track.notes) {
      context.warn(fmt::format("{}: {}", track.path.string(), note));
    }
  }
  for (const std::string& warning : report.warnings) context.warn(warning);
  print("{}\n{}{}", arguments.out, describe_observations(forecast, tracks, report),
        arguments.fits_vehicle ? describe_vehicle_fit(report, forecast.info().units) : "");
}

}  // namespace

void add_observe(Command program, const Context& context) {
  Command command = program.add_command(
      "observe", "Correct a forecast by observed currents; write a posterior environment",
      "Examples:\n  tidewise observe runs/washington --track glider.csv\n"
      "  tidewise observe forecast.h5 --track dive_12.nc --track dive_13.nc --out posterior.h5\n"
      "  tidewise observe forecast.h5 --drifter drifter.csv --radar hfr.nc --out posterior.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option("forecast", arguments.forecast,
                  "The folder of a run, whose environment is taken, or an environment file")
      .required();
  arguments.observations.add(command,
                             "Track of a vehicle: a glider's own file, CSV or NetCDF; repeatable");
  command
      .add_option("--out", arguments.out,
                  "The environment file to write; default: RUN/observed.h5 or ENV_observed.h5")
      .type_name("FILE");
  command.add_flag(
      "--fit-vehicle", arguments.fits_vehicle,
      "Estimate vehicle.speed_error and heading_error from dives that state a commanded "
      "or dead-reckoned velocity");
  add_names_option(command, arguments.names);
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
