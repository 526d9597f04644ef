#include "planner/view/read_run.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file/fingerprint.h"
#include "env/file/reader.h"
#include "env/file/time_reference.h"
#include "output/run/policy_description.h"
#include "output/run/summary.h"
#include "output/run/trajectory_reader.h"
#include "output/view/natural_earth.h"
#include "planner/error/codes.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/route/export.h"
#include "planner/run/other_environment.h"
#include "planner/run/path.h"
#include "planner/view/read_beside.h"
#include "planner/view/read_departures.h"
#include "planner/view/read_fields.h"
#include "planner/view/read_flights.h"
#include "planner/view/run_facts.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_flights_of_route = 10'000;  // each flies the waypoints, too

bool is_present(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Returns the policy of a rollout's folder, which holds none itself.
fs::path policy_of_rollout(const fs::path& folder, const Json& summary) {
  if (summary.is_object() && summary.contains("planned_on")) {
    fs::path named = text_in(summary["planned_on"], "policy");
    if (!named.empty() && is_present(named)) return named;
  }
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  const fs::path parent =
      (absolute.filename().empty() ? absolute.parent_path() : absolute).parent_path();
  if (is_present(parent / "policy.h5")) return parent / "policy.h5";
  throw input_error(errors::view_flights_without_policy, folder.string());
}

/// Returns the mission that was flown: that of the trajectories, if any, else the policy's.
RunRequest mission_flown(const RunToView& run, const TrajectoryReader* flights) {
  if (flights == nullptr || flights->mission_text().empty()) return mission_of(run.policy, {});
  RunRequest flown = mission_within(flights->path(), flights->mission_text());
  // A rollout's policy lies elsewhere, and its mission may depart from elsewhere.
  if (fs::absolute(run.policy.path()).parent_path() ==
      fs::absolute(flights->path()).parent_path()) {
    require_one_mission(flown, flights->path(), mission_of(run.policy, {}), run.policy.path());
  }
  return flown;
}

/// Returns the reason why the flow of a run's planning environment cannot be shown; empty if it
/// can.
std::string reason_against(const RunToView& run, const fs::path& file) {
  if (!is_present(file)) return "is not there any more";
  const RunRequest planned = mission_of(run.policy, {});
  const std::string& recorded = run.policy.environment_fingerprint();
  if (planned.environment != file || recorded.empty()) return {};
  if (recorded == file_fingerprint(file)) return {};
  return "has been replaced or changed since";
}

class RunViewReader {
 public:
  RunViewReader(const RunToView& run, const std::optional<std::string>& environment,
                std::vector<std::string>& warnings, Progress& progress, ViewDetail detail)
      : run_(run),
        environment_(environment),
        warnings_(warnings),
        progress_(progress),
        detail_(detail) {}

  RunView read() {
    run_.policy.validate();
    const fs::path flights = run_.folder / "trajectories.nc";
    if (is_present(flights)) flights_.emplace(flights, run_.policy.grid(), run_.policy.time());
    const RunRequest request = mission_flown(run_, flights_ ? &*flights_ : nullptr);
    RunView view;
    view.grid = run_.policy.grid();
    const MissionPlaces places = find_places(run_.policy, request, run_.summary);
    if (run_.policy.leg_count() > 1) {
      view.notes.push_back(
          "Policy and value are those of the first leg of the mission, up to the first place to "
          "pass.");
    }
    FlightLevels levels{TimeLevel(static_cast<std::int32_t>(places.departure)),
                        run_.policy.last_level(), places.departure};
    if (flights_) {
      view.flights = read_flights(*flights_, run_.policy.time(), levels);
    } else {
      view.notes.push_back(
          "Nothing was flown (rollout.mode = \"none\"): there are no flights here.");
    }
    view.facts = describe_run_to_view(run_.name, run_.policy, request, places, run_.summary);
    view.facts["recommendation"] = recommendation();
    view.facts["replanned"] = run_.summary.contains("replanned_from");
    view.facts["route"] = nullptr;
    view.facts["time"]["departs"] = levels.departs;
    view.facts["time"]["from_level"] = levels.first.value;
    view.facts["time"]["to_level"] = levels.last.value;
    view.policy = read_policy_view(run_.policy, levels);
    view.globe = read_globe_view(run_.policy);
    view.facts["departures"] = nullptr;
    if (const auto shown = read_environment(request, levels, view); shown && view.flights) {
      if (detail_ == ViewDetail::complete) add_departures(*shown, places.start, view);
      if (!environment_) view.facts["route"] = route();
    }
    if (view.obstacles.closed.empty()) {
      view.obstacles = obstacles_of_policy(run_.policy, levels, places);
    }
    blank_closed_cells(view.obstacles, view.policy);
    if (view.globe) view.natural_earth = natural_earth_in(view.grid, *view.globe);
    if (view.flights) view.corridor = read_corridor_view(run_.policy, *view.flights, levels);
    view.reach = read_reach_view(run_.policy, levels);
    return view;
  }

 private:
  /// Returns the recommendation of the summary. The outlook of a rehearsal replaces that of the
  /// plan's flights.
  Json recommendation() const {
    Json json = run_.summary.value("recommendation", Json());
    if (!json.is_object()) json = {{"action", "none"}, {"outlook", nullptr}};
    const ForecastUncertainty uncertainty = uncertainty_in(run_.summary);
    json["note"] = uncertainty_note(uncertainty);
    if (auto rehearsed = read_rehearsal(run_.folder)) {
      // Errors that were added to a forecast are not in its files.
      rehearsed->has_probability = uncertainty == ForecastUncertainty::ensemble;
      json["own_outlook"] = std::exchange(json["outlook"], to_json(*rehearsed));
    }
    return json;
  }

  /// Returns the run's files of export, {"name", "text"}, the formats that can hold its route, and
  /// warnings about its cost.
  Json route() const {
    const auto without_files = [](std::string_view reason) {
      return Json{{"files", Json::array()}, {"formats", Json::array()}, {"warnings", {reason}}};
    };
    if (flights_->flight_count() > max_flights_of_route) {
      return without_files(
          "The route is not on this page, as the run has many flights: 'tidewise export' writes "
          "it.");
    }
    try {
      const FlownRun flown(run_.name, std::nullopt, progress_);
      const auto formats =
          possible_formats(flown.info(), {"geojson", "gpx", "kml", "slocum", "csv"});
      const bool is_complete = detail_ == ViewDetail::complete;
      const RouteFiles route_files = make_route_files(
          flown, is_complete ? formats : std::vector<std::string>{"geojson"}, progress_);
      Json files = Json::array();
      for (const RouteFile& file : route_files.files) {
        files.push_back({{"name", file.path.string()}, {"text", file.content}});
      }
      return {{"files", files}, {"formats", formats}, {"warnings", route_files.warnings}};
    } catch (const InputError&) {  // its text may name folders of this computer
      return without_files("No route of this run can be written: 'tidewise export' reports why.");
    }
  }

  /// Returns the mission in another file, whose variables have their standard names.
  static RunRequest in_file(RunRequest request, const std::string& file) {
    request.environment = fs::absolute(file);
    request.names = {};
    return request;
  }

  /// Reads the environment that is shown and returns the mission in it; nullopt without one.
  std::optional<RunRequest> read_environment(const RunRequest& request, const FlightLevels& levels,
                                             RunView& view) {
    if (environment_) {
      RunRequest shown = in_file(request, *environment_);
      const EnvironmentReader reader = open_environment(shown);
      require_same_place(run_.policy, reader);
      const std::string& recorded = run_.policy.environment_fingerprint();
      if (!recorded.empty() && recorded != file_fingerprint(reader.path())) {
        warn(view,
             fmt::format("The flow shown is that of {}, another file than the plan was made on.",
                         reader.path().filename().string()));
      }
      take_fields(reader, levels, view);
      return shown;
    }
    const fs::path& file = request.environment;
    std::string reason = reason_against(run_, file);
    if (reason.empty()) {
      try {
        const EnvironmentReader reader = open_environment(request);
        run_.policy.require_match(reader.info(), reader.path());
        take_fields(reader, levels, view);
        return request;
      } catch (const InputError& error) {
        warnings_.push_back(fmt::format("{}: {}", run_.name, error.text()));
        reason = "cannot be read";
      }
    }
    view.flow.reset();
    view.obstacles = {};
    warnings_.push_back(
        fmt::format("{}: its environment {} {}, so the page shows no flow; --environment names the "
                    "file where it is now",
                    run_.name, file.string(), reason));
    view.notes.push_back(fmt::format(
        "No flow is shown: the environment {} {}. Obstacles are the cells without an action.",
        file.filename().string(), reason));
    return std::nullopt;
  }

  /// Adds departures. Reports errors as warnings, because the page is useful without departures.
  void add_departures(const RunRequest& shown, const PlanePoint& start, RunView& view) {
    try {
      read_departures(run_.policy, shown, start, view);
    } catch (const InputError& error) {
      warnings_.push_back(
          fmt::format("{}: the page does not show when to leave ({})", run_.name, error.text()));
    }
  }

  void take_fields(const EnvironmentReader& reader, const FlightLevels& levels, RunView& view) {
    EnvironmentFields fields = read_environment_fields(reader, levels, progress_);
    view.flow = std::move(fields.flow);
    view.obstacles = std::move(fields.obstacles);
    const EnvironmentInfo& info = reader.info();
    view.facts["environment"]["realizations"] = info.realization_count;
    view.facts["environment"]["modes"] = info.mode_count;
    view.facts["environment"]["scalar"] = {{"name", info.scalar_long_name},
                                           {"units", info.scalar_units}};
    if (!view.flights) return;
    if (flies_each_realization(run_.summary)) weigh_flights(info, *view.flights);
  }

  void warn(RunView& view, const std::string& text) {
    warnings_.push_back(fmt::format("{}: {}", run_.name, text));
    view.notes.push_back(text);
  }

  const RunToView& run_;
  const std::optional<std::string>& environment_;
  std::vector<std::string>& warnings_;
  Progress& progress_;
  ViewDetail detail_;
  std::optional<TrajectoryReader> flights_;
};

}  // namespace

RunToView open_run_to_view(const std::string& name) {
  fs::path folder(name);
  std::error_code ignored;
  const bool rollout = fs::is_directory(folder, ignored) && !is_present(folder / "policy.h5") &&
                       is_present(folder / "trajectories.nc");
  if (!rollout) {
    const fs::path policy = policy_path(name);
    folder = policy.has_parent_path() ? policy.parent_path() : fs::path(".");
  }
  Json summary = read_summary(folder);
  const auto require_summary = [&] {
    if (summary.is_object() && summary.contains("value_at_start")) return;
    throw input_error(errors::run_summary_missing, (folder / "summary.json").string());
  };
  if (rollout) require_summary();
  PolicyFile policy(rollout ? policy_of_rollout(folder, summary) : policy_path(name));
  require_summary();  // after the policy, whose errors describe other kinds of files
  return {name, std::move(policy), folder, std::move(summary)};
}

void require_same_plane(const RunToView& first, const RunToView& second) {
  const EnvironmentInfo a = describe_environment_of(first.policy);
  const EnvironmentInfo b = describe_environment_of(second.policy);
  std::string difference;
  if (a.units != b.units) {
    difference = "one is in metres and seconds, the other in units of 1";
  } else if (a.projection != b.projection || a.coordinates != b.coordinates) {
    difference = "its x and y are of another projection";
  } else if (time_reference(a.time_units, "").has_value() !=
             time_reference(b.time_units, "").has_value()) {
    difference = "one has dates, the other has none";
  }
  if (difference.empty()) return;
  throw input_error(errors::view_planes_differ, second.name, first.name, difference);
}

RunView read_run_view(const RunToView& run, const std::optional<std::string>& environment,
                      std::vector<std::string>& warnings, Progress& progress, ViewDetail detail) {
  return RunViewReader(run, environment, warnings, progress, detail).read();
}

}  // namespace tidewise
