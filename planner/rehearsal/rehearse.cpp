#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.h"
#include "base/file/open_file.h"
#include "env/import/source_description.h"
#include "env/levels/level_dates.h"
#include "env/mask.h"
#include "env/units/depths.h"
#include "env/units/text.h"
#include "output/run/summary.h"
#include "planner/error/codes.h"
#include "planner/mission/resolve/followed_track.h"
#include "planner/rehearsal/rehearsal.h"
#include "planner/rehearsal/source_files.h"
#include "planner/rehearsal/vehicle.h"
#include "planner/route/flown_run.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace rehearsal {
namespace {

constexpr std::size_t max_flights = 100;  // in the map, if they belong to no members

std::string as_hours(double seconds) { return fmt::format("{:.4g} h", seconds / 3600); }

class Rehearser {
 public:
  Rehearser(const RehearsalRequest& request, Progress& progress)
      : request_(request),
        progress_(progress),
        flown_(request.run, request.threads, progress),
        info_(flown_.info()),
        mission_(flown_.run().mission),
        options_(with_files(request.import.value_or(ingest::ImportOptions{}), request.source)),
        fields_(info_) {
    (void)flown_.policy();
    result_.objective = mission_.objective;
    result_.uncertainty = info_.uncertainty;
    resolve_dates();
    resolve_dives();
    open_source();
    field_ = std::make_unique<SourceField>(*source_, min_depth());
    resolve_members();
    resolve_orders();
    require_times();
    require_places();
  }

  Rehearsal rehearse() {
    result_.warnings = flown_.warnings();
    describe();
    fly();
    add_flights();
    result_.folder = flown_.folder();
    read_prediction();
    const std::string warning = warn_of_differences(result_);
    if (!warning.empty()) result_.warnings.push_back(warning);
    return std::move(result_);
  }

 private:
  /// One member of the source, with an offset in time [s].
  struct Member {
    std::size_t number = 0;
    double lag = 0;  // [s]
  };

  void resolve_dates() {
    const LevelDates dates(flown_.run().environment());
    if (!dates.known() || info_.coordinates != Coordinates::geographic) {
      throw input_error(errors::rehearsal_needs_import, flown_.run().environment().path().string(),
                        dates.known() ? "longitudes and latitudes" : "dates");
    }
    orders_.origin = dates.first() - info_.time.at(TimeLevel(0));
  }

  /// Resolves the dives of the profiles that the run's actions name, in their order, from the
  /// surface down.
  void resolve_dives() {
    auto& profiles = options_.dives.profiles;
    profiles.clear();
    for (const EnvironmentProfile& profile : info_.profiles) {
      if (!are_even(profile.depths)) {
        throw input_error(errors::rehearsal_profile_unsuitable,
                          flown_.run().environment().path().string(), profile.name,
                          profile.depths.empty() ? "unknown depths" : brief_depths(profile.depths));
      }
      profiles.push_back(ingest::parse_profile(profile.name + "=" + profile.depths));
      orders_.dives.push_back({profiles.back().least(), profiles.back().greatest()});
      result_.profiles.push_back(profile.name);
    }
    if (profiles.empty()) return;
    const std::optional<double>& mission_speed = flown_.run().request.vertical_speed;
    orders_.vertical_speed =
        request_.vertical_speed.value_or(mission_speed.value_or(usual_vertical_speed));
    if (const auto& drift = flown_.run().request.vehicle.surface_drift) {
      orders_.surface_drift = *drift->seconds;
    }
    const auto is_held_below = [](const DiveDepths& dive) {
      return dive.from == dive.to && dive.to > 0;
    };
    result_.changes_depth = orders_.dives.size() > 1 || orders_.surface_drift > 0 ||
                            is_held_below(orders_.dives.front());
    // The source is read from the surface on, where a vehicle begins.
    if (options_.dives.least() > 0) profiles.push_back(ingest::parse_profile("surface=at:0"));
  }

  /// Returns the minimum depth of all dives [m].
  double min_depth() const {
    double min = orders_.dives.empty() ? 0 : orders_.dives.front().from;
    for (const DiveDepths& dive : orders_.dives) min = std::min(min, dive.from);
    return min;
  }

  /// Errors about missing contents omit the import's advice: its options belong to the environment.
  void open_source() {
    try {
      ingest::SourceRequest request = ingest::describe_velocity(options_).request;
      // The vehicle begins at the surface, even where the environment's profiles do not.
      if (!options_.dives.profiles.empty()) request.surface = ingest::Surface::nearest;
      source_ = std::make_unique<ingest::ForecastSource>(std::move(request));
    } catch (const InputError& error) {
      const std::string reason(error.text());
      throw input_error(errors::rehearsal_source_unusable, reason.substr(0, reason.find("; ")),
                        flown_.run().environment().path().string(), import_names());
    }
  }

  void resolve_members() {
    const int lagged = options_.lagged;
    for (int lag = -lagged; lag <= lagged; ++lag) {
      for (std::size_t n = 0; n < source_->member_count(); ++n) {
        members_.push_back({n, lag * source_->time_step()});
      }
    }
    // Later commands may have chosen, weighted or corrected the realizations.
    const bool as_imported = request_.import && !request_.import->realizations &&
                             !request_.import->adds_error() &&
                             info_.history.find('\n') == std::string::npos;
    const auto count = static_cast<std::size_t>(info_.realization_count);
    if (as_imported && members_.size() != count) {
      throw input_error(errors::rehearsal_members_differ, list_files(request_.source),
                        counted(members_.size(), "member"),
                        flown_.run().environment().path().string(), count, import_names());
    }
    result_.paired = as_imported;
  }

  void resolve_orders() {
    const auto& environment = flown_.run().environment();
    orders_.mission = &mission_;
    orders_.actions = &flown_.run().actions;
    orders_.grid = info_.grid;
    orders_.longitude = environment.read_longitude();
    orders_.latitude = environment.read_latitude();
    orders_.convergence.emplace(orders_.grid, orders_.longitude, orders_.latitude);
    orders_.part = request_.step;
    if (mission_.decisions.hold()) {
      result_.distance_between_decisions =
          greatest_speed(flown_.run().request) * info_.time.step * mission_.decisions.every;
    }
    if (mission_.objective == Objective::follow) return resolve_followed_line();
    const TargetDisc& disc = mission_.kept ? mission_.kept->disc : mission_.disc;
    result_.target_radius = disc.radius;
    if (disc.radius > 0) {
      for (std::int32_t n = 0; n < disc.circle_count; ++n) {
        const TargetCircle& circle = disc.circle[n];
        add_target({info_.grid.x_first + circle.column * info_.grid.dx,
                    info_.grid.y_first + circle.row * info_.grid.dy});
      }
      return;
    }
    const auto& cells = mission_.kept ? mission_.kept->cells : mission_.target;
    for (std::int32_t cell = 0; cell < info_.grid.cell_count(); ++cell) {
      if (cells[static_cast<std::size_t>(cell)] == 0) continue;
      add_target({info_.grid.x(info_.grid.column(CellIndex(cell))),
                  info_.grid.y(info_.grid.row(CellIndex(cell)))});
    }
  }

  void resolve_followed_line() {
    for (const PlanePoint& point : followed_points(mission_))
      result_.followed.push_back(place(point));
  }

  void add_target(PlanePoint point) {
    result_.targets.push_back(place(point));
    orders_.targets.push_back(up_at(result_.targets.back()));
  }

  GeographicPoint place(PlanePoint point) const {
    return to_globe(orders_.grid, orders_.longitude, orders_.latitude, point);
  }

  double instant(double time) const { return orders_.origin + time; }

  void require_times() {
    result_.departure = instant(departure_time(info_.time, mission_));
    result_.lasts = mission_duration(info_.time, mission_);
    const auto& times = source_->times();
    if (options_.steady && times.size() == 1) return;
    const double first = result_.departure + members_.front().lag;
    const double last = instant(info_.time.at(mission_.last)) + members_.back().lag;
    if (source_->covers(first, last)) return;
    throw input_error(errors::rehearsal_times_outside, list_files(request_.source),
                      format_date(times.front()), format_date(times.back()), format_date(first),
                      format_date(last), options_.lagged > 0 ? ", lags included" : "",
                      flown_.run().environment().path().string(), import_names());
  }

  void require_places() {
    const SourcePoints points(source_->grid());
    const auto require = [&](const char* what, GeographicPoint point) {
      Corners near;
      if (points.locate(up_at(point), near)) return;
      throw input_error(errors::rehearsal_place_outside, list_files(request_.source), what,
                        point.longitude, point.latitude, flown_.run().environment().path().string(),
                        import_names());
    };
    require("start", place({mission_.start_x, mission_.start_y}));
    if (mission_.objective == Objective::follow) return;
    // A target may be wide; one reachable part of it is enough.
    const auto reached = [&](const GeographicPoint& target) {
      Corners near;
      return points.locate(up_at(target), near).has_value();
    };
    if (std::none_of(result_.targets.begin(), result_.targets.end(), reached)) {
      require("target", result_.targets.front());
    }
  }

  /// Returns the velocity files of the import, which have no folders.
  std::vector<fs::path> import_files() const { return ingest::velocity_files(*request_.import); }

  /// Returns ": a.nc, b.nc" for the end of a line; empty if the files are unknown.
  std::string import_names() const {
    return request_.import ? ": " + list_files(import_files()) : "";
  }

  void describe() {
    const auto& times = source_->times();
    result_.lines.push_back(fmt::format(
        "source: {}, {} from {} to {}{}", list_files(request_.source),
        counted(times.size(), "time"), format_date(times.front()), format_date(times.back()),
        request_.import ? ""
                        : "; read with the defaults of 'tidewise env import', since the "
                          "environment does not record how it was imported"));
    if (request_.import && names_of(import_files()) != names_of(request_.source)) {
      result_.warnings.push_back(fmt::format(
          "the environment was made from {}, and the rehearsal uses {}: differences include those "
          "between the two",
          list_files(import_files()), list_files(request_.source)));
    }
    describe_dives();
    if (mission_.battery && info_.has_scalar) {
      result_.warnings.push_back(
          "the rehearsal's battery only discharges: the source files hold no harvest");
    }
    result_.lines.insert(result_.lines.end(), source_->notes().begin(), source_->notes().end());
  }

  void describe_dives() {
    if (orders_.dives.empty()) return;
    const double interval = info_.time.step * mission_.decisions.every;
    const bool surfaces = orders_.surface_drift > 0;
    result_.lines.push_back(fmt::format(
        "dives: down and up at {:.3g} m/s through the source's levels{}", orders_.vertical_speed,
        surfaces ? fmt::format(", at the surface for {:.3g} min each {}",
                               orders_.surface_drift / 60, as_hours(interval))
                 : "; without vehicle.surface_drift it need not surface to decide"));
    RunRequest flown = flown_.run().request;
    flown.vertical_speed = orders_.vertical_speed;
    for (const std::string& dive : validate_dives(flown, info_, mission_)) {
      result_.warnings.push_back(dive + ", or give --vertical-speed");
    }
  }

  std::string name_of(const Member& member) const {
    if (members_.size() == 1) return "the forecast";
    std::string name;
    if (source_->member_count() > 1) {
      const auto& labels = source_->member_labels();
      name = labels.empty() ? fmt::format("member {}", member.number)
                            : "member " + labels[member.number];
    }
    if (options_.lagged == 0) return name;
    if (member.lag == 0) return "the forecast";
    return fmt::format("{} {}", as_hours(std::abs(member.lag)),
                       member.lag < 0 ? "earlier" : "later");
  }

  void fly() {
    std::vector<Vehicle> vehicles;
    vehicles.reserve(members_.size());
    for (const Member& member : members_) {
      vehicles.emplace_back(orders_, *field_, source_->times(), member.number, member.lag);
    }
    const auto flying = [](const Vehicle& vehicle) { return vehicle.under_way(); };
    const std::int32_t first = mission_.departure.value;
    progress_.begin("rehearsing", mission_.last.value - first, "steps");
    for (TimeLevel k(first); k < mission_.last; ++k.value) {
      if (std::none_of(vehicles.begin(), vehicles.end(), flying)) break;
      const PolicyStep step = read_step(k);
      field_->forget_before(instant(step.begin) + members_.front().lag);
      for (Vehicle& vehicle : vehicles) {
        if (vehicle.under_way()) vehicle.fly(step);
      }
      progress_.advance_to(k.value - first + 1);
    }
    progress_.end();
    for (std::size_t n = 0; n < vehicles.size(); ++n) {
      RehearsalFlight& flight =
          result_.members.emplace_back(vehicles[n].finished(name_of(members_[n])));
      FlightEnd end;
      end.time = flight.duration;
      end.harvested = static_cast<float>(vehicles[n].harvested());
      if (mission_.kept) flight.keeping = keeping_of(end, mission_, info_.time);
    }
    result_.rehearsed = figures_of(result_.members);
  }

  PolicyStep read_step(TimeLevel k) {
    PolicyStep step;
    step.begin = k == mission_.departure ? departure_time(info_.time, mission_) : info_.time.at(k);
    step.end = info_.time.at(TimeLevel(k.value + 1));
    step.holds = holds_at(mission_, k);
    TimeLevel next(k.value + 1);
    while (next < mission_.last && holds_at(mission_, next)) ++next.value;
    step.decides = info_.time.at(next);
    const auto cells = static_cast<std::size_t>(info_.grid.cell_count());
    for (std::size_t leg = 0; leg <= mission_.via.size(); ++leg) {
      auto& actions = step.actions.emplace_back(cells);
      flown_.policy().leg(leg).read_action(k, {actions.data(), actions.size()});
    }
    if (closed_.empty() || info_.obstacles == Obstacles::moving) {
      flown_.run().environment().read_level(k, fields_);
      closed_.assign(cells, 0);
      for (std::size_t cell = 0; cell < cells; ++cell) {
        if (fields_.dry[cell] == 0 || fields_.masked[cell] == beyond_forecast) {
          closed_[cell] = fields_.masked[cell];
        }
      }
    }
    step.closed = closed_;
    if (mission_.kept) set_rewards(k, step);
    return step;
  }

  /// Sets the rewards of a step. A step that began before the departure starts with a followed
  /// point at its position at the departure.
  void set_rewards(TimeLevel k, PolicyStep& step) const {
    step.level = fields_.view(info_);
    step.kept = kept_scalar(*mission_.kept, k);
    const double begun = k == mission_.departure ? mission_.begun : 0;
    PlanePoint& now = step.kept.now;
    const PlanePoint& next = step.kept.next;
    now = {now.x + begun * (next.x - now.x), now.y + begun * (next.y - now.y)};
  }

  static RehearsalFigures figures_of(const std::vector<RehearsalFlight>& flights) {
    std::vector<double> times;
    std::vector<double> keeping;
    for (const RehearsalFlight& flight : flights) {
      if (arrives(flight)) times.push_back(flight.duration);
      if (!std::isnan(flight.keeping)) keeping.push_back(flight.keeping);
    }
    const auto mean = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) /
             static_cast<double>(values.size());  // NaN without values
    };
    return {static_cast<double>(times.size()) / static_cast<double>(flights.size()), mean(times),
            mean(keeping)};
  }

  void add_flights() {
    const auto& flights = flown_.flights().trajectories;
    RolloutStatistics statistics = summarize(flown_.flights(), info_);
    const std::vector<FlightEnd> ends = flight_ends(flown_.flights(), info_.time);
    set_keeping(ends, flown_.flights().mode, mission_, info_, statistics);
    result_.flown = {statistics.arrival_rate, statistics.time.mean};
    if (statistics.keeping) result_.flown.keeping = statistics.keeping->mean;
    const bool is_one_for_each = flights.size() == members_.size();
    for (std::size_t n = 0; n < flights.size() && is_one_for_each; ++n) {
      result_.paired = result_.paired && flights[n].realization == static_cast<std::int32_t>(n);
    }
    result_.paired = result_.paired && is_one_for_each;
    const std::size_t stride =
        result_.paired ? 1 : (flights.size() + max_flights - 1) / max_flights;
    for (std::size_t n = 0; n < flights.size(); n += stride) {
      const Trajectory& flight = flights[n];
      RehearsalFlight result;
      result.name = fmt::format("realization {}", flight.realization);
      result.outcome = flight.outcome;
      result.duration = flight.steps() * info_.time.step;
      if (mission_.kept) result.keeping = keeping_of(ends[n], mission_, info_.time);
      for (std::size_t m = 0; m < flight.points.size(); ++m) {
        const double time =
            info_.time.at(mission_.departure) + flight.steps_to(m) * info_.time.step;
        result.track.push_back({place({flight.points[m].x, flight.points[m].y}), instant(time)});
      }
      result_.flights.push_back(std::move(result));
    }
  }

  void read_prediction() {
    const auto summary = read_summary(result_.folder);
    if (!summary.is_object() || !summary.contains("expected")) return;
    const auto& expected = summary["expected"];
    const auto number = [&](const char* key) {
      return expected.is_object() && expected.contains(key) && expected[key].is_number()
                 ? expected[key].get<double>()
                 : std::numeric_limits<double>::quiet_NaN();
    };
    const RehearsalFigures promise{number("arrival_probability"), number("time"),
                                   number(name_of_keeping(result_))};
    const bool has_prediction = !std::isnan(mission_.kept ? promise.keeping : promise.arrival);
    if (has_prediction) result_.promise = promise;
  }

  const RehearsalRequest& request_;
  Progress& progress_;
  FlownRun flown_;
  const EnvironmentInfo& info_;
  const Mission& mission_;
  ingest::ImportOptions options_;
  std::unique_ptr<ingest::ForecastSource> source_;
  std::unique_ptr<SourceField> field_;
  std::vector<Member> members_;
  Orders orders_;
  LevelFields<> fields_;
  std::vector<std::uint8_t> closed_;  // as PolicyStep::closed
  Rehearsal result_;
};

}  // namespace
}  // namespace rehearsal

Rehearsal rehearse(const RehearsalRequest& request, Progress& progress) {
  for (const fs::path& file : request.source) require_readable(file);
  RehearsalRequest completed = request;
  if (completed.import) rehearsal::take_bathymetry(*completed.import, completed.source);
  return rehearsal::Rehearser(completed, progress).rehearse();
}

}  // namespace tidewise
