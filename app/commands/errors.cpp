#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/learning/observation_options.h"
#include "app/report/forecast_error.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "env/units/quantity.h"
#include "learning/forecast_error/fit.h"
#include "planner/outputs/outputs.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string forecast;
  std::vector<std::string> names;
  std::string out;
  ObservationOptions observations;
  std::optional<std::string> length;
  std::optional<std::string> time;
  std::optional<std::string> period;
  Overwrite overwrite = Overwrite::refused;
};

FileKind error_model_kind() { return text_kind("error model (TOML)", {"[forecast_error]"}); }

/// Text such as "fit of forecast.h5 to drifters.csv (24000 legs of 200 tracks)".
std::string source_of(const Arguments& arguments, const ForecastErrorFit& fit) {
  std::vector<std::string> files;
  for (const auto& file : arguments.observations.files().all()) {
    files.push_back(file.filename().string());
  }
  constexpr std::size_t max_named = 5;
  const std::size_t omitted = files.size() - std::min(files.size(), max_named);
  files.resize(files.size() - omitted);
  return fmt::format(
      "fit of {} to {}{} ({} legs of {} tracks)",
      std::filesystem::path(arguments.forecast).filename().string(), fmt::join(files, ", "),
      omitted > 0 ? fmt::format(" and {} more", omitted) : "", fit.all.data, fit.all.series);
}

ForecastErrorFitOptions fit_options(const Arguments& arguments) {
  ForecastErrorFitOptions options;
  if (arguments.length) options.length = parse_length("--error-length", *arguments.length);
  if (arguments.time) options.time = parse_duration("--error-time", *arguments.time);
  if (arguments.period) options.period = parse_duration("--period", *arguments.period);
  return options;
}

void run(const Arguments& arguments, const CommandContext& context) {
  if (!arguments.observations.has_any()) {
    throw input_error(errors::errors_without_observations);
  }
  const ForecastErrorFitOptions options = fit_options(arguments);
  Outputs outputs(arguments.overwrite);
  outputs.add_input(arguments.forecast);
  outputs.add_inputs(arguments.observations.files().all());
  outputs.add_output("--out", arguments.out, error_model_kind());
  outputs.validate();

  EnvironmentReader forecast(arguments.forecast, parse_names(arguments.names));
  choose_all_profiles(forecast);
  const std::vector<ObservedTrack> tracks = arguments.observations.read(forecast, 0);
  for (const ObservedTrack& track : tracks) {
    for (const std::string& note : track.notes) {
      context.warn(fmt::format("{}: {}", track.path.string(), note));
    }
  }
  const auto progress = context.make_progress();
  const Grid& grid = forecast.info().grid;
  ForecastErrorFit fit = fit_forecast_error(forecast_errors(forecast, tracks, *progress),
                                            std::max(grid.dx, grid.dy), options);
  if (!give_figures(error_fit_json(fit))) print("{}", describe_error_fit(fit));
  if (arguments.out.empty()) return;
  if (!fit.is_complete()) {
    throw input_error(errors::error_model_incomplete, arguments.out,
                      fmt::format("{}", fmt::join(fit.missing, "; ")));
  }
  fit.model.source = source_of(arguments, fit);
  write_forecast_error_model(arguments.out, fit.model, fit.intervals);
  print("{}\n", arguments.out);
}

}  // namespace

void add_errors(Command program, const Context& context) {
  Command command = program.add_command(
      "errors", "Fit a model of a forecast's error to observed currents",
      "Examples:\n  tidewise errors forecast.h5 --drifter drifters.csv\n"
      "  tidewise errors forecast.h5 --drifter drifters.csv --error-length 20km --error-time 24h "
      "--out model.toml");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("forecast", arguments.forecast, "An environment file of one forecast")
      .required();
  arguments.observations.add_tracks(
      command, "Fixes of one vehicle: a glider's own file, CSV or NetCDF; repeatable");
  command
      .add_option("--error-length", arguments.length,
                  "Correlation length of the velocity error, e.g. 20km, instead of a fitted one")
      .type_name("LENGTH");
  command
      .add_option("--error-time", arguments.time,
                  "Correlation time of the error, e.g. 24h, instead of fitted times")
      .type_name("DURATION");
  command
      .add_option("--period", arguments.period,
                  "Period of the fast process, e.g. 12.42h (default: fitted, 8h to 30h)")
      .type_name("DURATION");
  command
      .add_option("--out", arguments.out,
                  "Write the model to this TOML file, for env import --forecast-error")
      .type_name("FILE");
  add_names_option(command, arguments.names);
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
