#include "planner/mission/resolve/open_environment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "env/areas/area_cells.h"
#include "env/areas/levels_within.h"
#include "env/file/profile_words.h"
#include "env/file/reader.h"
#include "env/levels/level_dates.h"
#include "planner/error/codes.h"
#include "planner/mission/resolve/resolution.h"
#include "planner/mission/resolve/resolved_places.h"
#include "planner/mission/resolve/resolved_times.h"
#include "solver/step/mission.h"

namespace tidewise {
namespace {

/// Returns the distance from a point to the segment between `a` and `b` [m or 1].
double distance_to(const PlanePoint& from, const PlanePoint& a, const PlanePoint& b) {
  const double along_x = b.x - a.x;
  const double along_y = b.y - a.y;
  const double length = along_x * along_x + along_y * along_y;
  const double projection = (from.x - a.x) * along_x + (from.y - a.y) * along_y;
  const double share = length > 0 ? std::clamp(projection / length, 0.0, 1.0) : 0;
  return std::hypot(a.x + share * along_x - from.x, a.y + share * along_y - from.y);
}

double distance_to(const PlanePoint& from, const std::vector<PlanePoint>& line) {
  double min = distance_to(from, line[0], line[1]);
  for (std::size_t n = 2; n < line.size(); ++n) {
    min = std::min(min, distance_to(from, line[n - 1], line[n]));
  }
  return min;
}

/// Sets each cell to minus the distance of its centre.
template <class Distance>
void fill_distance(const Grid& grid, View<float> scalar, const Distance& distance) {
  for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
    const PlanePoint centre{grid.x(grid.column(CellIndex(cell))),
                            grid.y(grid.row(CellIndex(cell)))};
    scalar[static_cast<std::size_t>(cell)] = static_cast<float>(-distance(centre));
  }
}

/// The reward of a cell at a level for station keeping and target following, g of
/// docs/model.md, 3.11, as a scalar field of its environment. `info` describes the whole
/// environment.
ComputedScalar kept_field(const KeptPlace& place, const EnvironmentInfo& info) {
  const char* length = info.units == Units::metric ? "m" : "1";
  constexpr const char* from_followed = "minus the distance from what is followed";
  if (!place.track.empty()) {
    return {length, from_followed,
            [track = place.track](TimeLevel k, const Grid& grid, View<float> scalar) {
              const PlanePoint& point = track[static_cast<std::size_t>(k.value)];
              fill_distance(grid, scalar, [&](const PlanePoint& centre) {
                return std::hypot(centre.x - point.x, centre.y - point.y);
              });
            }};
  }
  // A constant field is computed once, for all rows.
  std::vector<float> plane(place.cells.begin(), place.cells.end());
  const bool is_line = !place.line.empty();
  if (is_line) {
    plane.resize(static_cast<std::size_t>(info.grid.cell_count()));
    fill_distance(info.grid, {plane.data(), plane.size()},
                  [&](const PlanePoint& centre) { return distance_to(centre, place.line); });
  }
  return {is_line ? length : "1", is_line ? from_followed : "within the target",
          [plane = std::move(plane)](TimeLevel, const Grid& grid, View<float> scalar) {
            const auto first = static_cast<std::ptrdiff_t>(grid.first_row) * grid.nx;
            std::copy_n(plane.begin() + first, scalar.size, scalar.begin());
          }};
}

constexpr const char* zones_key = "mission.no_go";

/// Levels [first, end) of a zone.
std::pair<std::int32_t, std::int32_t> zone_levels(const NoGoZone& zone, const RunRequest& request,
                                                  const EnvironmentReader& environment,
                                                  const LevelDates& dates) {
  const std::int32_t count = environment.info().time.level_count;
  for (const auto& moment : {zone.from, zone.until}) {
    if (!moment || !moment->date) continue;
    require_dates(request, zones_key, *moment->date, environment, dates);
  }
  // The axis consists of dates if the environment has them, else of levels.
  std::vector<double> axis = dates.all();
  for (std::int32_t k = 0; !dates.known() && k < count; ++k) axis.push_back(k);
  const auto on_axis = [&](const std::optional<Moment>& moment, double absent) {
    if (!moment) return absent;
    if (moment->date) return *moment->date;
    constexpr double never = std::numeric_limits<double>::infinity();
    return moment->level < count ? axis[static_cast<std::size_t>(moment->level)] : never;
  };
  constexpr double always = std::numeric_limits<double>::infinity();
  const double from = on_axis(zone.from, -always);
  const double until = on_axis(zone.until, always);
  if (from > until) {
    throw input_error(errors::zone_times_reversed, request.place(zones_key), zones_key);
  }
  if (!std::isfinite(from) && from > 0) return {0, 0};  // a level after the last
  const auto [first, end] = levels_within(axis, from, until);
  return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(end)};
}

}  // namespace

namespace {

/// The share of the time that a vehicle drifts at the surface, 0 … 1.
double surface_share(const RunRequest& request, const EnvironmentInfo& info) {
  constexpr const char* key = "vehicle.surface_drift";
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: {} {}", request.place(key), key, why));
  };
  const double drift = *request.vehicle.surface_drift->seconds;
  if (info.units != Units::metric) refuse(error_text(errors::drift_without_units));
  double interval = info.time.step;
  if (const auto& every = request.goal.decide_every) {
    interval = every->seconds ? *every->seconds : every->steps * info.time.step;
  }
  if (!(drift > 0 && drift < interval)) {
    refuse(error_text(errors::drift_too_long, drift / 60, interval / 60));
  }
  return drift / interval;
}

}  // namespace

namespace {

void choose_profiles(const RunRequest& request, const std::vector<std::string>& names,
                     EnvironmentReader& environment) {
  constexpr const char* key = "vehicle.profiles";
  const auto& all = environment.info().profiles;
  if (names.empty() && all.size() < 2) return;
  if (names.empty()) {
    const std::vector<std::string> available = names_of(all);
    throw input_error(errors::mission_profiles_missing, request.place(key), key,
                      environment.path().string(), fmt::join(available, ", "), key,
                      available.front());
  }
  try {
    environment.choose_profiles(names);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}: {}", request.place(key), key, error.what()));
  }
}

}  // namespace

EnvironmentReader open_forecast(const RunRequest& request) {
  EnvironmentReader environment(request.environment, request.names);
  choose_profiles(request, request.vehicle.profiles, environment);
  if (request.vehicle.surface_drift) {
    environment.drift_at_surface(surface_share(request, environment.info()));
  }
  return environment;
}

EnvironmentReader open_for_learning(const RunRequest& request) {
  EnvironmentReader environment(request.environment, request.names);
  std::vector<std::string> names = request.vehicle.profiles;
  for (const EnvironmentProfile& profile : environment.info().profiles) {
    if (std::find(names.begin(), names.end(), profile.name) == names.end()) {
      names.push_back(profile.name);
    }
  }
  choose_profiles(request, names, environment);
  return environment;
}

namespace {

void close_zones(const RunRequest& request, EnvironmentReader& environment) {
  if (request.goal.no_go.empty()) return;
  const LevelDates dates(environment);
  const AreaResolver areas(request, environment);
  std::vector<CellClosure> closures;
  for (const NoGoZone& zone : request.goal.no_go) {
    std::set<std::int32_t> cells;
    for (const Polygon& polygon : zone.polygons) {
      const auto polygon_cells = areas.cells(zones_key, zone.frame, polygon);
      cells.insert(polygon_cells.begin(), polygon_cells.end());
    }
    const auto [first, end] = zone_levels(zone, request, environment, dates);
    closures.push_back({{cells.begin(), cells.end()}, first, end});
  }
  environment.close(std::move(closures));
}

}  // namespace

EnvironmentReader open_environment(const RunRequest& request) {
  EnvironmentReader environment = open_forecast(request);
  close_zones(request, environment);
  if (keeps(request.goal.objective)) {
    environment.replace_scalar(
        kept_field(resolve_kept_place(request, environment), environment.info()));
  }
  return environment;
}

}  // namespace tidewise
