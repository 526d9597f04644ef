#include "learning/track/track_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/printable.h"
#include "env/units/angle.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/dive_profiles.h"
#include "learning/track/table/position_numbers.h"

namespace tidewise {
namespace {

bool is_beyond_latitudes(double value) {
  return std::abs(value) > 90 && !is_fill_degrees(value, 90);
}

double degrees_of_minutes(double value) {
  const double degrees = std::trunc(value / 100);
  return degrees + (value - 100 * degrees) / 60;
}

}  // namespace

TrackNorth north_of(const EnvironmentReader& environment) {
  return environment.info().coordinates == Coordinates::geographic ? TrackNorth::true_north
                                                                   : TrackNorth::none;
}

TrackColumns columns_for(const TrackTable& table, const EnvironmentReader& environment,
                         const TrackOptions& options) {
  const EnvironmentInfo& info = environment.info();
  TrackColumns columns = find_track_columns(table, north_of(environment), options.columns);
  const auto leave_out = [&](TrackRole role) { columns[role].reset(); };
  const bool dives = info.velocities > 1;
  if (!dives) leave_out(TrackRole::depth);
  if (const auto named = columns[TrackRole::profile]) {
    const std::vector<std::string>& names = table.columns[*named].texts;
    const auto is_profile = [&](const std::string& name) {
      return find_profile(info, trimmed(name)).has_value();
    };
    if (!dives || std::none_of(names.begin(), names.end(), is_profile)) {
      leave_out(TrackRole::profile);
    }
  }
  return columns;
}

TrackRows::TrackRows(const TrackTable& table, const EnvironmentReader& environment,
                     const TrackOptions& options)
    : table_(table),
      info_(environment.info()),
      options_(options),
      clock_(environment),
      north_(north_of(environment)),
      columns_(columns_for(table, environment, options)) {
  if (north_ == TrackNorth::none) return;
  if (geographic()) {  // more reliable than x and y
    columns_[TrackRole::x].reset();
    columns_[TrackRole::y].reset();
  }
  longitude_ = environment.read_longitude();
  latitude_ = environment.read_latitude();
  convergence_.emplace(info_.grid, longitude_, latitude_);
  finder_.emplace(info_.grid, longitude_, latitude_);
}

bool TrackRows::has_all(std::initializer_list<TrackRole> roles) const {
  return std::all_of(roles.begin(), roles.end(), [&](TrackRole role) { return has(role); });
}

std::optional<double> TrackRows::number(TrackRole role, std::size_t row) const {
  return has(role) ? number_at(table_, column(role), row) : std::nullopt;
}

void TrackRows::take_places_of_currents() {
  columns_[TrackRole::longitude] = columns_[TrackRole::current_longitude];
  columns_[TrackRole::latitude] = columns_[TrackRole::current_latitude];
}

FlowFrom TrackRows::flow_from() const {
  if (options_.drifter) return FlowFrom::drift;
  if (has_all({TrackRole::u, TrackRole::v})) return FlowFrom::currents;
  if (has_all({TrackRole::dead_longitude, TrackRole::dead_latitude}) ||
      has_all({TrackRole::dead_x, TrackRole::dead_y})) {
    return FlowFrom::dead_reckoning;
  }
  return FlowFrom::steering;
}

void TrackRows::refuse_table(const std::string& why) const {
  throw InputError(fmt::format("{}: {}", table_.path.string(), why));
}

void TrackRows::require_columns() const {
  const auto list_columns = [&] {
    std::string names;
    for (const TrackColumn& column : table_.columns)
      names += (names.empty() ? "" : ", ") + column.name;
    return names.size() > 300 ? names.substr(0, 300) + " …" : names;
  };
  if (north_ == TrackNorth::none && !of_points() && !has_all({TrackRole::x, TrackRole::y}) &&
      has_all({TrackRole::longitude, TrackRole::latitude})) {
    refuse_table(error_text(errors::track_degrees_unusable));
  }
  const int score = usefulness(columns_);
  if (score == 0) {
    refuse_table(error_text(errors::track_columns_missing, list_columns()));
  }
  if (of_points() && north_ == TrackNorth::none) {
    refuse_table(error_text(errors::track_degrees_unusable));
  }
  if (score == 1 && !options_.drifter) {
    if (has(TrackRole::speed) || has(TrackRole::bearing) || has(TrackRole::heading)) {
      refuse_table(error_text(errors::track_speed_without_heading,
                              has(TrackRole::speed) ? "speed" : "heading",
                              has(TrackRole::speed) ? "heading" : "speed",
                              has(TrackRole::speed) ? "bearing" : "speed"));
    }
    if (!options_.accept_fixes_only) refuse_table(error_text(errors::track_without_motion));
  }
}

double TrackRows::speed_factor_of(TrackRole role) const {
  const std::string units = units_of(column(role));
  if (units.empty() || units == "1") return 1;
  if (!is_metric()) {
    refuse_table(
        error_text(errors::track_speed_without_environment_units, column(role).name, units));
  }
  const auto factor = speed_factor(units);
  if (!factor) {
    refuse_table(error_text(errors::track_speed_units_unknown, column(role).name, units));
  }
  return *factor;
}

double TrackRows::length_factor_of(TrackRole role) const {
  const std::string units = units_of(column(role));
  if (units.empty() || units == "1" || units == "m" || units.starts_with("met")) return 1;
  if (units == "km" || units.starts_with("kilomet")) return 1000;
  refuse_table(error_text(errors::track_length_units_unknown, column(role).name, units));
}

double TrackRows::angle_factor_of(TrackRole role) const {
  if (!angle_factor_) angle_factor_ = find_angle_factor(role);
  return *angle_factor_;
}
double TrackRows::find_angle_factor(TrackRole role) const {
  const std::string units = units_of(column(role));
  if (units.starts_with("rad")) return 1;
  if (units.starts_with("deg")) return radians_per_degree;
  const std::string name = lower_case(column(role).name);
  if (name == "m_heading" || role == TrackRole::heading) return 1;
  // Bearings in radians would look like degrees of a compass that hardly turns.
  double max = 0;
  bool are_whole = true;
  for (const double value : column(role).numbers) {
    if (!std::isfinite(value)) continue;
    max = std::max(max, std::abs(value));
    are_whole = are_whole && value == std::round(value);
  }
  if (max > 0 && max <= 6.2832 && !are_whole) {
    refuse_table(error_text(errors::track_angle_unit_unclear, column(role).name, max,
                            column(role).name, column(role).name));
  }
  return radians_per_degree;
}

bool TrackRows::in_minutes(TrackRole latitude) const {
  if (!in_minutes_) {
    in_minutes_ = lower_case(column(latitude).name).starts_with("m_") && !fits_latitudes(latitude);
  }
  return *in_minutes_;
}

bool TrackRows::fits_latitudes(TrackRole role) const {
  const auto& numbers = column(role).numbers;
  return std::none_of(numbers.begin(), numbers.end(), is_beyond_latitudes);
}

void TrackRows::refuse_latitude(TrackRole longitude, TrackRole latitude, std::size_t row) const {
  const auto& numbers = column(latitude).numbers;
  const auto beyond = std::count_if(numbers.begin(), numbers.end(), is_beyond_latitudes);
  const auto known = std::count_if(numbers.begin(), numbers.end(),
                                   [](double value) { return std::isfinite(value); });
  if (2 * beyond <= known) {
    refuse_row(table_, row,
               error_text(errors::track_latitude_invalid, on_one_line(column(latitude).name),
                          numbers[row]));
  }
  refuse_row(table_, row,
             fits_latitudes(longitude) ? error_text(errors::track_columns_exchanged)
                                       : error_text(errors::track_degrees_and_minutes));
}

std::optional<GeographicPoint> TrackRows::globe_point(TrackRole longitude, TrackRole latitude,
                                                      std::size_t row) const {
  const auto lon = number(longitude, row);
  const auto lat = number(latitude, row);
  if (!lon || !lat || is_fill_degrees(*lon, 360) || is_fill_degrees(*lat, 90)) return std::nullopt;
  if (in_minutes(latitude)) {
    return GeographicPoint{degrees_of_minutes(*lon), degrees_of_minutes(*lat)};
  }
  if (std::abs(*lat) > 90) refuse_latitude(longitude, latitude, row);
  if (std::abs(*lon) > 720) {
    refuse_row(table_, row, error_text(errors::track_longitude_invalid, *lon));
  }
  return GeographicPoint{*lon, *lat};
}

std::optional<PlanePoint> TrackRows::in_plane(const GeographicPoint& point) const {
  return finder_->find(point.longitude, point.latitude);
}

bool TrackRows::holds(PlanePoint point) const {
  const Grid& grid = info_.grid;
  return grid.contains(grid.column_at(point.x), grid.row_at(point.y));
}

PlaneVector TrackRows::turned(double east, double north, PlanePoint at) const {
  if (!convergence_) return {east, north};
  // The convergence is the clockwise angle from north to the plane's +y.
  const double turn = convergence_->at(at.x, at.y) * radians_per_degree;
  return {east * std::cos(turn) - north * std::sin(turn),
          east * std::sin(turn) + north * std::cos(turn)};
}

std::optional<NamedCurrent> TrackRows::current_at_row(std::size_t row, PlanePoint at) const {
  if (!has_all({TrackRole::u, TrackRole::v})) return std::nullopt;
  const auto u = number(TrackRole::u, row);
  const auto v = number(TrackRole::v, row);
  if (!u || !v) return std::nullopt;
  const double east = *u * speed_factor_of(TrackRole::u);
  const double north = *v * speed_factor_of(TrackRole::v);
  require_possible(row, "the current", std::hypot(east, north), fastest_current);
  return NamedCurrent{turned(east, north, at), current_error_at(row), {*u, *v}};
}

void TrackRows::require_possible(std::size_t row, const char* what, double speed,
                                 double limit) const {
  if (!is_metric() || speed <= limit) return;
  refuse_row(table_, row, error_text(errors::track_speed_implausible, what, speed, limit));
}

PlaneVector TrackRows::current_error_at(std::size_t row) const {
  const auto error_of = [&](TrackRole component) -> double {
    for (const TrackRole role : {component, TrackRole::error}) {
      const auto error = number(role, row);
      if (!error) continue;
      if (*error < 0) refuse_row(table_, row, error_text(errors::track_error_negative, *error));
      return *error * speed_factor_of(role);
    }
    return 0;
  };
  return {error_of(TrackRole::u_error), error_of(TrackRole::v_error)};
}

std::optional<double> TrackRows::angle_of(TrackRole role, std::size_t row) const {
  const auto stated = number(role, row);
  if (!stated) return std::nullopt;
  const double angle = *stated * angle_factor_of(role);
  if (std::abs(angle) > 360.5 * radians_per_degree) {
    refuse_row(table_, row, error_text(errors::track_angle_invalid, column(role).name, *stated));
  }
  return angle;
}

std::optional<PlaneVector> TrackRows::own_velocity(std::size_t row, PlanePoint at) const {
  const auto speed = number(TrackRole::speed, row);
  if (!speed) return std::nullopt;
  const double metres = *speed * speed_factor_of(TrackRole::speed);
  if (metres < 0) refuse_row(table_, row, error_text(errors::track_speed_negative, *speed));
  require_possible(row, "the speed through the water", metres, fastest_vehicle);
  if (const auto angle = angle_of(TrackRole::bearing, row)) {
    return turned(metres * std::sin(*angle), metres * std::cos(*angle), at);
  }
  if (const auto angle = angle_of(TrackRole::heading, row)) {
    return PlaneVector{metres * std::cos(*angle), metres * std::sin(*angle)};
  }
  return metres == 0 ? std::optional(PlaneVector{})
                     : std::nullopt;  // without speed there is no heading
}

std::optional<double> TrackRows::time_of(std::size_t row) const {
  if (has(TrackRole::level) && !has(TrackRole::time)) {
    const auto level = number(TrackRole::level, row);
    return level ? std::optional(clock_.at_level(*level)) : std::nullopt;
  }
  return clock_.time(table_, column(TrackRole::time), row);
}

std::optional<double> TrackRows::depth_at(std::size_t row) const {
  const auto depth = number(TrackRole::depth, row);
  if (!depth) return std::nullopt;
  return std::abs(*depth * length_factor_of(TrackRole::depth));
}

std::optional<std::int32_t> TrackRows::profile_at(std::size_t row) const {
  if (!has(TrackRole::profile)) return std::nullopt;
  const std::string name = trimmed(column(TrackRole::profile).texts[row]);
  const auto profile = find_profile(info_, name);
  if (profile || name.empty()) return profile;
  refuse_row(table_, row,
             error_text(errors::track_profile_unknown, on_one_line(column(TrackRole::profile).name),
                        on_one_line(name), profile_names(info_)));
}

std::optional<PlanePoint> TrackRows::dead_point(std::size_t row) const {
  if (geographic() && has_all({TrackRole::dead_longitude, TrackRole::dead_latitude})) {
    const auto point = globe_point(TrackRole::dead_longitude, TrackRole::dead_latitude, row);
    return point ? in_plane(*point) : std::nullopt;
  }
  const auto x = number(TrackRole::dead_x, row);
  const auto y = number(TrackRole::dead_y, row);
  if (!x || !y) return std::nullopt;
  return PlanePoint{*x * length_factor_of(TrackRole::dead_x),
                    *y * length_factor_of(TrackRole::dead_y)};
}

std::string TrackRows::domain_words() const {
  if (geographic()) {
    const auto [west, east] = std::minmax_element(longitude_.begin(), longitude_.end());
    const auto [south, north] = std::minmax_element(latitude_.begin(), latitude_.end());
    return fmt::format("longitude {:.2f} to {:.2f}, latitude {:.2f} to {:.2f}", *west, *east,
                       *south, *north);
  }
  const Grid& grid = info_.grid;
  return fmt::format("x {:.10g} to {:.10g}, y {:.10g} to {:.10g}", grid.x(0), grid.x(grid.nx - 1),
                     grid.y(0), grid.y(grid.ny - 1));
}

}  // namespace tidewise
