#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/environment_options.h"
#include "app/cli/mission_options.h"
#include "app/cli/place_option.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/learning/observation_options.h"
#include "app/report/comparison.h"
#include "app/report/environment.h"
#include "app/report/observations.h"
#include "app/report/options.h"
#include "app/report/run.h"
#include "app/report/surfacing.h"
#include "app/run/compared_run.h"
#include "app/run/finished_run.h"
#include "app/run/prediction.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "env/units/quantity.h"
#include "learning/file/posterior.h"
#include "learning/track/leg_distance.h"
#include "planner/folder/run_folder.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolved_times.h"
#include "planner/mission/resolve/validation.h"
#include "planner/outputs/outputs.h"
#include "planner/run/comparison.h"
#include "planner/run/policy_validation.h"
#include "planner/run/recommend.h"
#include "planner/run/replanning.h"
#include "planner/run/run_mission.h"
#include "solver/fly/surfacing.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  PlaceOptions at;
  ObservationOptions observations;
  std::int32_t leg = 1;  // leg of the mission, from 1
  std::optional<std::string> environment;
  std::optional<std::string> forecast;
  std::vector<std::string> names;
  MissionOptions options;
  std::optional<std::string> surfacing;
  PredictionOptions predictions;
  ReportOptions report;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
};

/// Refuses options that do not go together.
void validate(const Arguments& arguments, bool has_time) {
  const bool has_place = arguments.at.given();
  const bool has_tracks = arguments.observations.has_tracks();
  if (!has_tracks && !(has_place && has_time)) {
    throw input_error(errors::replan_place_missing);
  }
  if (has_tracks && has_time && !has_place) {
    throw input_error(errors::replan_time_twice);
  }
  const bool has_observations = arguments.observations.has_any();
  if (!has_observations && arguments.forecast) {
    throw input_error(errors::forecast_without_track, *arguments.forecast, *arguments.forecast);
  }
  if (arguments.environment && arguments.forecast) {
    throw input_error(errors::forecast_and_environment);
  }
  if (const auto option = arguments.observations.given_option(); option && !has_observations) {
    throw input_error(errors::track_option_without_track, *option);
  }
  const auto correction =
      arguments.observations.given_option(ObservationOptions::Subject::learning);
  if (correction && arguments.environment) {
    throw input_error(errors::correction_with_environment, *correction);
  }
  if (!arguments.names.empty() && !arguments.environment && !arguments.forecast) {
    throw input_error(errors::names_without_environment, arguments.names.front(),
                      "--environment or --forecast");
  }
}

/// Replaces the run's environment by that of --environment or --forecast, if one is given.
void take_environment(const Arguments& arguments, RunRequest& request) {
  const bool uses_environment_option = arguments.environment.has_value();
  if (!uses_environment_option && !arguments.forecast) return;
  const std::string& file = uses_environment_option ? *arguments.environment : *arguments.forecast;
  request.environment = fs::absolute(file).lexically_normal();
  request.names = parse_names(arguments.names);
  request.places["environment.file"] =
      (uses_environment_option ? "--environment " : "--forecast ") + file;
}

/// Refuses a last fix that the vehicle cannot have reached. `max`: the vehicle's maximum speed
/// through the water [m/s or 1].
void require_last_fix(const ObservedTrack& latest, double max, const EnvironmentReader& forecast,
                      const SmootherOptions& smoother) {
  const auto refuse = [&](const std::string& reason) {
    throw input_error(errors::last_fix_implausible, latest.path.string(), latest.last.row, reason);
  };
  const char* speed_unit = forecast.info().units == Units::metric ? " m/s" : "";
  if (!latest.last.is_inside) refuse("it lies outside of the forecast");
  if (!latest.last.is_reachable) {
    refuse("the vehicle cannot have moved there from the previous fix in any plausible current");
  }
  if (!latest.last.leg) return;
  ObservedLeg leg = *latest.last.leg;
  constexpr double speed_margin = 2;    // vehicles can be faster than vehicle.speeds
  constexpr double max_deviations = 4;  // standard deviations
  // A current reported in the file does not test the position; the vehicle's own speed does.
  if (leg.reported_u) {
    const double own_speed = std::hypot(leg.own_u, leg.own_v);
    if (own_speed <= speed_margin * max + max_deviations * std::hypot(leg.error_u, leg.error_v))
      return;
    refuse(
        fmt::format("the vehicle's speed through the water would have been {:.2f}{}; its maximum "
                    "is {}{}",
                    own_speed, speed_unit, max, speed_unit));
  }
  if (!latest.last.flow_is_known) {  // the vehicle's own motion is then an error of the flow
    leg.error_u = std::hypot(leg.error_u, speed_margin * max / max_deviations);
    leg.error_v = std::hypot(leg.error_v, speed_margin * max / max_deviations);
  }
  const auto distance =
      distance_from_forecast(leg, forecast, smoother.inflation.value_or(max_adaptive_inflation));
  const double allowed = smoother.reject_beyond;
  if (!distance || allowed == 0 || *distance <= allowed) return;
  const double speed = std::hypot(leg.u, leg.v);
  refuse(latest.last.flow_is_known
             ? fmt::format("the current on the leg to it would be {:.2f}{}, {:.1f} standard "
                           "deviations from the forecast (limit {})",
                           speed, speed_unit, *distance, allowed)
             : fmt::format("the vehicle's speed over ground would have been {:.2f}{}, which the "
                           "forecast's currents and its maximum speed of {}{} do not allow",
                           speed, speed_unit, max, speed_unit));
}

/// Sets the mission's start and departure to the vehicle's place and time: those of the options,
/// else the last fix of its tracks.
void start_at_vehicle(const Arguments& arguments, bool has_time,
                      const std::vector<ObservedTrack>& tracks,
                      const EnvironmentReader& environment, RunRequest& request) {
  const auto latest = std::max_element(
      tracks.begin(), tracks.end(), [](const ObservedTrack& a, const ObservedTrack& b) {
        const auto is_vehicle = [](const ObservedTrack& track) {
          return track.by == ObservedBy::vehicle;
        };
        return is_vehicle(a) != is_vehicle(b) ? is_vehicle(b) : a.last.time < b.last.time;
      });
  const std::string track =
      latest == tracks.end() ? std::string() : "--track " + latest->path.string();
  if (arguments.at.given()) {
    request.goal.start = arguments.at.position();
    const bool geographic = request.goal.start.frame == Position::Frame::geographic;
    request.places[geographic ? "mission.start_lonlat" : "mission.start"] = arguments.at.text();
  } else {
    require_last_fix(*latest, greatest_speed(request), environment,
                     arguments.observations.posterior(environment.info()).smoother);
    request.goal.start = {Position::Frame::plane, latest->last.at.x, latest->last.at.y};
    request.places["mission.start"] = track;
  }
  if (has_time) return;
  request.places["mission.departure"] = track;
  if (const auto reference = time_reference(environment)) {
    request.goal.departure = Moment::at_date(*reference + latest->last.time);
    return;
  }
  const TimeAxis& time = environment.info().time;
  request.goal.departure = Moment((latest->last.time - time.first) / time.step);
}

/// The forecast corrected by the vehicle's tracks, in the staging folder of the new run.
struct Posterior {
  fs::path path;
  std::string text;
  std::vector<std::string> warnings;
};

Posterior write_posterior_of(const EnvironmentReader& forecast, const ObservationOptions& options,
                             const std::vector<ObservedTrack>& tracks, const RunFolder& folder,
                             const CommandContext& context, Progress& progress) {
  Posterior posterior{folder.staging() / "posterior.h5", {}, {}};
  PosteriorReport report = write_posterior(forecast, tracks, options.posterior(forecast.info()),
                                           {posterior.path, context.command_line}, progress);
  posterior.text = "\n" + describe_observations(forecast, tracks, report);
  posterior.warnings = std::move(report.warnings);
  return posterior;
}

constexpr std::string_view replanned_suffix = "_replanned_";

/// The name of a run without a suffix such as "_replanned_2".
std::string first_name(const std::string& name) {
  const auto last_non_digit = name.find_last_not_of("0123456789");
  const bool is_numbered = last_non_digit != std::string::npos && last_non_digit + 1 < name.size();
  if (!is_numbered) return name;
  const std::string_view prefix(name.data(), last_non_digit + 1);
  if (!prefix.ends_with(replanned_suffix)) return name;
  return std::string(prefix.substr(0, prefix.size() - replanned_suffix.size()));
}

/// The folder of the new run, RUN_replanned_1 next to the run; for a replanned run the next number.
/// Simultaneous replans get different folders.
std::unique_ptr<RunFolder> take_folder(const fs::path& old_folder, const Arguments& arguments) {
  if (!arguments.out.empty()) {
    auto folder = std::make_unique<RunFolder>(fs::absolute(arguments.out));
    // Another process may have made a run meanwhile.
    require_no_run(folder->path(), arguments.overwrite);
    return folder;
  }
  const std::string stem =
      first_name(old_folder.filename().string()) + std::string(replanned_suffix);
  for (;;) {
    if (auto folder = RunFolder::make_new(RunFolder::first_free(old_folder.parent_path() / stem))) {
      return folder;
    }
  }
}

/// Refuses a folder where the new run would replace the old run or an input.
void validate_folder(const fs::path& old_folder, const RunRequest& request,
                     const Arguments& arguments) {
  std::error_code ignored;
  if (!arguments.out.empty() && fs::equivalent(arguments.out, old_folder, ignored)) {
    throw input_error(errors::replan_output_is_input, arguments.out);
  }
  Outputs outputs(arguments.overwrite);
  outputs.add_run_inputs(old_folder / "policy.h5", request);
  outputs.add_inputs(arguments.observations.files().all());
  if (!arguments.out.empty()) outputs.add_run_output(fs::absolute(arguments.out));
  arguments.predictions.add_files(outputs);
  outputs.validate();
}

/// Refuses a folder that already holds a posterior, on which another run may have been planned.
void require_no_posterior(const std::string& out) {
  std::error_code ignored;
  const fs::path path = fs::path(out) / "posterior.h5";
  if (out.empty() || !fs::exists(path, ignored)) return;
  throw input_error(errors::replan_output_exists, out, path.string());
}

/// The comparison of the new run with the old plan. `old_flights` is empty unless the old plan was
/// flown.
struct ComparedWithOld {
  PlanCost cost;
  RolloutResult old_flights;
  std::string text;
};

ComparedWithOld compare_with_old(const ComparedRun& old_run, std::size_t passed,
                                 const MissionProblem& run, const RunFolder& folder,
                                 const RunSummary& summary, Values values, Progress& progress) {
  ComparedWithOld compared;
  std::vector<ComparedRun> new_run;
  new_run.push_back({folder.path().string(), PolicyFile(folder.staging() / "policy.h5"),
                     run.request, to_json(summary)});
  const RunComparison comparison =
      compare_with_before(old_run, passed, new_run.front(), run,
                          {*summary.expected, summary.rollout}, compared.old_flights, progress);
  nlohmann::ordered_json json;
  json["runs"] = {run_to_json(old_run), run_to_json(new_run.front())};
  json["comparisons"] = {comparison_to_json(comparison, old_run, new_run.front())};
  write_text_file(folder.staging() / "comparison.json",
                  json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  compared.cost = *comparison.cost;
  compared.text = fmt::format("\nA: previous run, {}; B: this run, {}\n", old_run.name,
                              folder.path().lexically_proximate(fs::current_path()).string()) +
                  describe_comparison(comparison, new_run.front(), 'B', values);
  return compared;
}

/// Region of the next surfacing, for the terminal and as JSON.
struct NextSurfacing {
  std::string line;  ///< line for the short report; empty if too few flights are simulated
  std::string text;  ///< text for the detailed report
  nlohmann::ordered_json json = nullptr;
};

/// The next surfacing by the flights of the recommended plan; writes surfacing.geojson into the
/// folder.
NextSurfacing find_next_surfacing(const MissionProblem& run, const RolloutResult& flights,
                                  const Arguments& arguments, const RunFolder& folder) {
  if (flights.trajectories.empty() || flights.mode != RolloutMode::continuous) return {};
  const EnvironmentReader& environment = run.environment();
  const TimeAxis& time = environment.info().time;
  const Decisions& decisions = run.mission.decisions;
  // Share of the departure's step that has passed.
  const double elapsed_share = flights.trajectories.front().begun;
  const double until_surfacing =
      arguments.surfacing ? parse_surfacing(*arguments.surfacing, environment.info())
                          : (decisions.hold() ? decisions.every : 1 - elapsed_share) * time.step;
  const double departure = time.at(flights.departure) + elapsed_share * time.step;
  const double end = time.at(run.mission.last);
  if (departure + until_surfacing > end + 1e-6 * time.step) {
    const std::string reason = describe_plan_end(end, environment);
    return {fmt::format("Surfacing not known: {}.\n", reason),
            report_line("surfaces next", "not known: " + reason)};
  }
  const auto region = find_surfacing(flights, environment.info(), until_surfacing);
  if (!region) return {};
  if (environment.info().coordinates == Coordinates::geographic) {
    write_text_file(folder.staging() / "surfacing.geojson",
                    surfacing_to_geojson(*region, environment, departure).dump(2) + "\n");
  }
  return {describe_next_surfacing(*region, environment, departure),
          describe_surfacing(*region, environment, departure),
          surfacing_to_json(*region, environment, departure)};
}

void run(const Arguments& arguments, const CommandContext& context) {
  const std::vector<Setting> settings = arguments.options.settings();
  const bool has_time = std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
    return setting.place.starts_with("--time");
  });
  validate(arguments, has_time);
  const ComparedRun old_run = open_compared_run(arguments.run, settings);
  const fs::path old_folder = fs::absolute(old_run.policy.path()).parent_path();
  RunRequest request = old_run.request;
  ReplannedFrom from;
  from.policy = fs::absolute(old_run.policy.path()).lexically_normal().string();
  from.environment = request.environment.string();
  if (arguments.leg < 1) {
    throw input_error(errors::count_too_small, "--leg", arguments.leg, 1, "");
  }
  const std::int32_t passed = arguments.leg - 1;
  from.passed = passed;
  take_environment(arguments, request);
  validate_folder(old_folder, request, arguments);
  take_out_passed(request, static_cast<std::size_t>(passed));
  auto planning = std::make_shared<PlanningContext>(request);
  if (arguments.surfacing) {
    (void)parse_surfacing(*arguments.surfacing, planning->environment().info());
  }
  arguments.predictions.validate(planning->environment());
  const auto calibration = arguments.predictions.calibration();
  std::vector<std::string> warnings;
  if (!arguments.environment && !arguments.forecast) {
    const std::string warning = validate_own_environment(old_run.policy, *planning);
    if (!warning.empty()) warnings.push_back(warning);
  }
  std::vector<std::string> notes;
  // The forecast is opened without the mission's no-go zones, because a posterior may serve other
  // missions.
  const EnvironmentReader forecast = open_for_learning(request);
  const std::vector<ObservedTrack> tracks =
      arguments.observations.read(forecast, request.vehicle.profiles.size(), WithoutLegs::last_fix);
  for (const fs::path& file : arguments.observations.files().all()) {
    from.tracks.push_back(fs::absolute(file).lexically_normal().string());
  }
  for (const ObservedTrack& track : tracks) {
    for (const std::string& note : track.notes) {
      notes.push_back(fmt::format("{}: {}", track.path.string(), note));
    }
  }
  start_at_vehicle(arguments, has_time, tracks, forecast, request);
  end_as_before(request, old_run.policy, planning->environment(), notes);
  const bool has_legs = std::any_of(tracks.begin(), tracks.end(),
                                    [](const ObservedTrack& track) { return !track.legs.empty(); });
  if (!tracks.empty() && !has_legs && !arguments.environment) {
    warnings.push_back(
        "the track does not correct the forecast (see the notes); the plan uses the "
        "forecast as it is");
  }
  const bool corrects_forecast = has_legs && !arguments.environment;
  if (corrects_forecast) {
    require_no_posterior(arguments.out);
    (void)arguments.observations.posterior(planning->environment().info());
  }
  const auto progress = context.make_progress();
  const auto folder = take_folder(old_folder, arguments);
  request.output.directory = folder->path();
  std::string observed;
  if (corrects_forecast) {
    const Posterior posterior =
        write_posterior_of(forecast, arguments.observations, tracks, *folder, context, *progress);
    observed = posterior.text;
    warnings.insert(warnings.begin(), posterior.warnings.begin(), posterior.warnings.end());
    request.environment = posterior.path;
    request.names = {};
    planning = std::make_shared<PlanningContext>(request);
    request.environment = folder->path() / posterior.path.filename();  // its final path
  }
  MissionProblem run(std::move(request), planning);
  for (const auto& warning : warnings_of(run)) context.warn(warning);
  if (run.mission.battery) {
    warnings.push_back(fmt::format(
        "the battery is assumed to hold {:.6g} at the vehicle's position; if less is left, give "
        "that: --set vehicle.battery=…",
        *run.mission.battery));
  }
  RunSummary summary = begin_summary(run);
  summary.calibration = calibration;
  summary.replanned_from = from;
  summary.notes.insert(summary.notes.end(), notes.begin(), notes.end());
  summary.warnings = warnings;
  RolloutResult flights;
  {
    const auto store =
        open_store(run, folder->staging() / "policy.h5", {}, nullptr, PolicyExtent::from_start);
    solve_from_start(run, *store, summary, *progress);
    flights = fly_and_write(run, *store, folder->staging(), summary, *progress);
  }
  const ComparedWithOld compared =
      compare_with_old(old_run, static_cast<std::size_t>(passed), run, *folder, summary,
                       arguments.report.values, *progress);
  summary.recommendation = recommend(summary, compared.cost, run.request.goal, run.info().units);
  const bool stays = summary.recommendation.action == Recommendation::Action::stay;
  const RolloutResult& followed = stays ? compared.old_flights : flights;
  const NextSurfacing surfacing = find_next_surfacing(run, followed, arguments, *folder);
  export_routes(run, *folder, summary, *progress);
  // Computed before the posterior moves to its final path.
  const nlohmann::ordered_json prediction =
      arguments.predictions.line_of({.problem = run,
                                     .command = "replan",
                                     .run = folder->path(),
                                     .flights = followed,
                                     .surfacing = surfacing.json,
                                     .recommended = to_json(summary.recommendation),
                                     .calibration = summary.calibration});
  finish_run_folder(run, *folder, summary, context);
  arguments.predictions.append(prediction);
  print("{}", describe_run(run, summary, folder->path(), arguments.report, &compared.cost,
                           surfacing.line));
  if (arguments.report.details == Details::hidden) return;
  print("{}{}{}", surfacing.text, observed, compared.text);
}

}  // namespace

void add_replan(Command program, const Context& context) {
  Command command = program.add_command(
      "replan",
      "Plan the rest of a run's mission from the vehicle's position, and compare with the old plan",
      "Examples:\n  tidewise replan runs/washington --track glider.csv\n"
      "  tidewise replan runs/washington --track glider.csv --forecast tomorrow.h5\n"
      "  tidewise replan runs/washington --at -125.6,47.4 --time 2024-10-30T03:00Z\n"
      "  tidewise replan runs/double_gyre_time --at-xy 80.5,90.5 --time 40 --environment other.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run, or its policy.h5").required();
  arguments.observations.add(command,
                             "The vehicle's track (as for 'tidewise observe'): its last fix is the "
                             "position, and its currents correct the forecast; repeatable");
  command
      .add_option("--forecast", arguments.forecast,
                  "Correct this forecast by the tracks and plan in it; default: the run's own")
      .type_name("FILE");
  command
      .add_option("--environment", arguments.environment,
                  "Plan in this environment without correction")
      .type_name("FILE");
  arguments.at.add(command, "Vehicle position");
  MissionOptions& options = arguments.options;
  options
      .add(command, "--time", "mission.departure",
           "Time of the position: a level (6.4: between two) or a date such as 2024-10-29T12:00Z")
      .type_name("K|DATE");
  command
      .add_option("--leg", arguments.leg,
                  "Present leg of a mission with via points (mission.via), counted from 1")
      .type_name("N");
  add_names_option(command, arguments.names);
  options.add_set(command);
  options.add(command, "--baselines", "rollout.baselines",
              "Also simulate baseline controllers: all or none (rollout.baselines)");
  options.add_backend(command);
  add_surfacing_option(command, arguments.surfacing);
  arguments.predictions.add(command);
  add_report_flags(command, arguments.report);
  command
      .add_option("--out", arguments.out,
                  "Folder to write; default: RUN_replanned_1, _2 … next to the run")
      .type_name("DIR");
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
