#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/cli/terminal.h"
#include "app/commands/commands.h"
#include "app/report/observations.h"
#include "base/error.h"
#include "env/units/quantity.h"
#include "learning/file/posterior.h"
#include "planner/run/mission_run.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string forecast;
  std::vector<std::string> names;
  std::vector<std::string> tracks;
  std::string out;
  TrackOptions track;
  std::optional<std::string> averaged_over;
  PosteriorOptions posterior;
  std::optional<std::string> localisation;
  bool add_mode = false;
  std::optional<std::string> mode_length;
};

/// The environment of a run, or an environment's file.
std::unique_ptr<EnvironmentReader> open_forecast(const Arguments& arguments,
                                                 const CommandContext& context) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(arguments.forecast, ignored)) {
    return std::make_unique<EnvironmentReader>(arguments.forecast, parse_names(arguments.names));
  }
  if (!arguments.names.empty()) {
    throw InputError(
        fmt::format("--name {}: is of an environment's file, and {} is a run, whose mission says "
                    "its names; leave it out",
                    arguments.names.front(), arguments.forecast));
  }
  const PolicyFile policy(policy_path(arguments.forecast));
  const RunRequest mission = mission_of(policy, {});
  PlanningContext planning(mission);
  const std::string warning = validate_own_environment(policy, planning);
  if (!warning.empty()) context.warn(warning);
  // Without what the mission closes: the environment is that of all missions.
  return std::make_unique<EnvironmentReader>(mission.environment.file, mission.environment.names);
}

PosteriorOptions posterior_options(const Arguments& arguments, const EnvironmentInfo& info) {
  PosteriorOptions options = arguments.posterior;
  if (arguments.localisation) {
    options.smoother.localisation =
        parse_duration("--localisation", *arguments.localisation) / info.time.step;
  }
  if (arguments.mode_length && !arguments.add_mode) {
    throw InputError("--mode-length: is of the mode that --add-mode makes; give that too");
  }
  if (arguments.add_mode) {
    constexpr double cells = 8;
    options.added_mode_length = arguments.mode_length
                                    ? parse_length("--mode-length", *arguments.mode_length)
                                    : cells * std::max(info.grid.dx, info.grid.dy);
  }
  return options;
}

void run(const Arguments& arguments, const CommandContext& context) {
  const auto forecast = open_forecast(arguments, context);
  const PosteriorOptions options = posterior_options(arguments, forecast->info());
  TrackOptions track_options = arguments.track;
  if (arguments.averaged_over) {
    track_options.averaged_over = parse_duration("--averaged-over", *arguments.averaged_over);
  }
  std::vector<ObservedTrack> tracks;
  for (const std::string& file : arguments.tracks) {
    tracks.push_back(read_track(file, *forecast, track_options));
  }
  const auto progress = context.make_progress();
  const PosteriorReport report =
      write_posterior(*forecast, tracks, options, {arguments.out, context.command_line}, *progress);
  for (const ObservedTrack& track : tracks) {
    for (const std::string& note : track.notes) {
      context.warn(fmt::format("{}: {}", track.path.string(), note));
    }
  }
  for (const std::string& warning : report.warnings) context.warn(warning);
  if (context.verbosity == Verbosity::quiet) return;
  print("{}\n{}", arguments.out, describe_observations(*forecast, tracks, report));
}

}  // namespace

void add_observe(Command program, const Context& context) {
  Command command = program.add_command(
      "observe",
      "Correct a forecast by the currents that a vehicle has met: a posterior environment",
      "Examples:\n  tidewise observe runs/washington --track glider.csv --out posterior.h5\n"
      "  tidewise observe forecast.h5 --track dive_12.nc --track dive_13.nc --out posterior.h5 "
      "--localisation 24h\n"
      "  tidewise observe forecast.h5 --track drifter.csv --drifting --out posterior.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option("forecast", arguments.forecast,
                  "The folder of a run, whose environment is taken, or an environment file")
      .required();
  command
      .add_option("--track", arguments.tracks,
                  "Fixes of a vehicle, and what it did between them: CSV or NetCDF; repeatable")
      .type_name("FILE")
      .one_at_a_time()
      .required();
  command.add_option("--out", arguments.out, "The environment file to write").required();
  command
      .add_option("--column", arguments.track.columns,
                  "What the track calls a column, e.g. speed=through_water; repeatable")
      .type_name("ROLE=COLUMN")
      .one_at_a_time();
  command
      .add_option("--trajectory", arguments.track.trajectory,
                  "Which track, of a NetCDF file (trajectory, obs) that holds many")
      .type_name("N");
  command.add_flag("--drifting", arguments.track.drifting,
                   "The vehicle only drifted: all of its way is the current's");
  command
      .add_option("--averaged-over", arguments.averaged_over,
                  "Over how long currents were averaged that have times of their own, e.g. 4h")
      .type_name("DURATION");
  command
      .add_option("--error", arguments.track.error,
                  "Standard deviation of each component of an observed current (default: the "
                  "file's, else 0.02 m/s)")
      .type_name("S");
  command
      .add_option("--fix-error", arguments.track.fix_error,
                  "That of each coordinate of a fix (default: 10 m)")
      .type_name("S");
  command
      .add_option("--representation", arguments.track.representation,
                  "That of what cells and modes cannot show of a leg's mean current (default: "
                  "0.03 m/s)")
      .type_name("S");
  command.add_choice<FlowFelt>(
      "--felt", arguments.posterior.felt,
      {{"along", FlowFelt::along}, {"start", FlowFelt::at_start}},
      "Where a leg's current was felt: all along it; or where each step begins, as by flights of "
      "this program");
  SmootherOptions& smoother = arguments.posterior.smoother;
  command.add_choice<UpdateScheme>(
      "--method", smoother.scheme,
      {{"square-root", UpdateScheme::square_root},
       {"perturbed", UpdateScheme::perturbed_observations}},
      "How the spread follows: a deterministic square root, or observations perturbed for each "
      "realization");
  command
      .add_option("--localisation", arguments.localisation,
                  "Taper covariances in time, to nothing at twice this, e.g. 24h (default: none)")
      .type_name("DURATION");
  command.add_option("--inflation", smoother.inflation, "Factor on the forecast's spread")
      .show_default();
  command
      .add_option("--relaxation", smoother.relaxation,
                  "Share of the spread that was taken which is given back, 0 to 1")
      .show_default();
  command
      .add_option("--reject-beyond", smoother.reject_beyond,
                  "Leave out what is farther from the forecast than so many standard deviations "
                  "(0: nothing)")
      .show_default();
  command.add_flag("--add-mode", arguments.add_mode,
                   "Make one mode more of what the modes leave unexplained, if that is much");
  command
      .add_option("--mode-length", arguments.mode_length,
                  "Its covariance length, e.g. 25km (default: 8 cells)")
      .type_name("LENGTH");
  add_seed_option(command, smoother.seed, "Seed of perturbations, ranks and the added mode");
  add_names_option(command, arguments.names);
}

}  // namespace tidewise
