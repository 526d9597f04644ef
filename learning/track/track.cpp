#include "learning/track/track.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "env/units/angle.h"
#include "env/units/depths.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"
#include "learning/track/dive_profiles.h"
#include "learning/track/dives.h"
#include "learning/track/flagged_values.h"
#include "learning/track/identities.h"
#include "learning/track/no_leg.h"
#include "learning/track/position_numbers.h"
#include "learning/track/radar.h"
#include "learning/track/repeated_legs.h"
#include "learning/track/table/clock.h"
#include "learning/track/table/columns.h"
#include "learning/track/table/slocum_log.h"

namespace tidewise {
namespace {

// [m/s] of a glider's depth-averaged current: 0.01 to 0.02 by Rudnick, Sherman & Wu (2018), J.
// Atmos. Oceanic Technol. 35, 1665-1673
constexpr double default_error = 0.02;
constexpr double default_fix_error = 10;         // [m] of a GPS fix
constexpr double default_representation = 0.03;  // [m/s] of cells of some km

// Beyond these a number is a fill value, or of another unit: the strongest tidal streams make some
// 10 m/s.
constexpr double fastest_current = 10;  // [m/s]
constexpr double fastest_vehicle = 30;  // [m/s] through the water

constexpr std::size_t most_legs = 2000;  // what is solved for is as wide as high

struct PlaneVector {
  double x = 0;
  double y = 0;
};

/// A mean flow until here, as the columns name it.
struct NamedCurrent {
  PlaneVector flow;   // in the plane
  PlaneVector error;  // 0: not said
  PlaneVector told;   // as it stands there

  bool operator==(const NamedCurrent& other) const {
    return told.x == other.told.x && told.y == other.told.y;
  }
};

/// A row that has a time and a place.
struct TrackFix {
  std::size_t row = 0;
  double time = 0;
  PlanePoint at = {};
  bool inside = true;
  std::optional<PlanePoint> dead = {};
  std::optional<PlaneVector> own = {};  // velocity through the water, from here on
  std::optional<NamedCurrent> current = {};
  std::optional<double> dive = {};
  std::optional<double> depth = {};  // greatest since the fix before
  std::optional<std::int32_t> profile = {};
  bool repeats = false;  // the place of the fix before, to the last digit
};

TrackNorth north_of(const EnvironmentReader& environment) {
  return environment.info().coordinates == Coordinates::geographic ? TrackNorth::true_north
                                                                   : TrackNorth::none;
}

/// What the columns of a table are to an environment: depths are nothing to one of one velocity,
/// and a column that is called profile is none where it names none of the environment's.
TrackColumns columns_for(const TrackTable& table, const EnvironmentReader& environment,
                         const TrackOptions& options) {
  const EnvironmentInfo& info = environment.info();
  TrackColumns columns = find_track_columns(table, north_of(environment), options.columns);
  const auto leave_out = [&](TrackRole role) {
    columns.of_role[static_cast<std::size_t>(role)].reset();
  };
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

enum class FlowFrom { currents, dead_reckoning, steering, drift };

class TrackReader {
 public:
  TrackReader(const TrackTable& table, const EnvironmentReader& environment,
              const TrackOptions& options)
      : table_(table),
        info_(environment.info()),
        options_(options),
        clock_(environment),
        north_(north_of(environment)),
        columns_(columns_for(table, environment, options)) {
    if (north_ == TrackNorth::none) return;
    if (geographic()) {  // the surer of two ways to say where it was
      columns_.of_role[static_cast<std::size_t>(TrackRole::x)].reset();
      columns_.of_role[static_cast<std::size_t>(TrackRole::y)].reset();
    }
    longitude_ = environment.read_longitude();
    latitude_ = environment.read_latitude();
    convergence_.emplace(info_.grid, longitude_, latitude_);
    finder_.emplace(info_.grid, longitude_, latitude_);
  }

  ObservedTrack read() {
    require_columns();
    track_.path = table_.path;
    track_.identity = table_.identity;
    track_.form = table_.form;
    track_.notes = table_.notes;
    track_.columns = describe_columns(table_, columns_);
    if (of_points()) {
      read_points();
    } else {
      read_fixes();
      make_legs();
    }
    leave_out_other_times();
    finish();
    return std::move(track_);
  }

 private:
  bool has(TrackRole role) const { return columns_.has(role); }
  bool has_all(std::initializer_list<TrackRole> roles) const {
    return std::all_of(roles.begin(), roles.end(), [&](TrackRole role) { return has(role); });
  }
  const TrackColumn& column(TrackRole role) const { return table_.columns[*columns_[role]]; }
  std::optional<double> number(TrackRole role, std::size_t row) const {
    return has(role) ? number_at(table_, column(role), row) : std::nullopt;
  }
  bool is_metric() const { return info_.units == Units::metric; }
  bool geographic() const {
    return north_ == TrackNorth::true_north && has_all({TrackRole::longitude, TrackRole::latitude});
  }
  /// Currents with times and places of their own.
  bool of_points() const { return usefulness(columns_) >= 4 && !options_.drifter; }

  FlowFrom flow_from() const {
    if (options_.drifter) return FlowFrom::drift;
    if (has_all({TrackRole::u, TrackRole::v})) return FlowFrom::currents;
    if (options_.drifting) return FlowFrom::drift;
    if (has_all({TrackRole::dead_longitude, TrackRole::dead_latitude}) ||
        has_all({TrackRole::dead_x, TrackRole::dead_y})) {
      return FlowFrom::dead_reckoning;
    }
    return has(TrackRole::speed) ? FlowFrom::steering : FlowFrom::drift;
  }

  [[noreturn]] void refuse_table(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", table_.path.string(), why));
  }

  /// `row`: where, if it is one.
  [[noreturn]] void refuse_without_leg(const std::string& why,
                                       std::optional<std::size_t> row = std::nullopt) {
    if (!fixes_.empty()) {
      const auto latest =
          std::max_element(fixes_.begin(), fixes_.end(),
                           [](const TrackFix& a, const TrackFix& b) { return a.time < b.time; });
      track_.last = {latest->time, latest->at, table_.rows[latest->row], latest->inside};
    }
    track_.legs.clear();
    const std::string where =
        row ? fmt::format("{} {}: ", table_.row_name, table_.rows[*row]) : std::string();
    throw NoLeg(fmt::format("{}: {}{}", table_.path.string(), where, why), track_);
  }

  void require_columns() const {
    const auto there = [&] {
      std::string names;
      for (const TrackColumn& one : table_.columns) {
        names += (names.empty() ? "" : ", ") + one.name;
      }
      return names.size() > 300 ? names.substr(0, 300) + " …" : names;
    };
    if (north_ == TrackNorth::none && !of_points() && !has_all({TrackRole::x, TrackRole::y}) &&
        has_all({TrackRole::longitude, TrackRole::latitude})) {
      refuse_table(
          "gives longitudes and latitudes, and the environment has none; give x and y in its "
          "plane");
    }
    const int useful = usefulness(columns_);
    if (useful == 0) {
      refuse_table(fmt::format(
          "a track needs a time (or level) and a place (lon and lat, or x and y), and its columns "
          "are {}; name them with --column time=… --column lon=… --column lat=…",
          there()));
    }
    if (of_points() && north_ == TrackNorth::none) {
      refuse_table(
          "gives longitudes and latitudes, and the environment has none; give x and y in its "
          "plane");
    }
    if (useful == 1 && !options_.drifting && !options_.drifter) {
      if (has(TrackRole::speed) || has(TrackRole::bearing) || has(TrackRole::heading)) {
        refuse_table(
            fmt::format("has a {} without a {}; both are needed to know what the vehicle did "
                        "itself (name a column with --column {}=…)",
                        has(TrackRole::speed) ? "speed" : "heading",
                        has(TrackRole::speed) ? "heading" : "speed",
                        has(TrackRole::speed) ? "bearing" : "speed"));
      }
      refuse_table(
          "says where the vehicle was, and not what it did itself; give columns u and v (the "
          "current), or speed and bearing, or dead_lon and dead_lat, or --drifting if it only "
          "drifted");
    }
  }

  // Numbers of a row, in the environment's units and plane

  double speed_factor_of(TrackRole role) const {
    const std::string units = units_of(column(role));
    if (units.empty() || units == "1") return 1;
    if (!is_metric()) {
      refuse_table(
          fmt::format("column {} is in {}, and the environment is without units; give it "
                      "in cells a step, or whatever its flow is in",
                      column(role).name, units));
    }
    const auto factor = speed_factor(units);
    if (!factor) {
      refuse_table(
          fmt::format("column {} is in \"{}\", which is no speed; say m/s, cm/s, km/h or "
                      "kn, as in \"speed [kn]\"",
                      column(role).name, units));
    }
    return *factor;
  }

  double length_factor_of(TrackRole role) const {
    const std::string units = units_of(column(role));
    if (units.empty() || units == "1" || units == "m" || units.starts_with("met")) return 1;
    if (units == "km" || units.starts_with("kilomet")) return 1000;
    refuse_table(
        fmt::format("column {} is in \"{}\"; give x and y in m or km", column(role).name, units));
  }

  /// Of a heading or bearing [rad].
  double angle_factor_of(TrackRole role) const {
    if (!angle_factor_) angle_factor_ = find_angle_factor(role);
    return *angle_factor_;
  }
  double find_angle_factor(TrackRole role) const {
    const std::string units = units_of(column(role));
    if (units.starts_with("rad")) return 1;
    if (units.starts_with("deg")) return radians_per_degree;
    const std::string name = lower_case(column(role).name);
    if (name == "m_heading" || role == TrackRole::heading) return 1;
    // A compass in radians would be taken for one that hardly turns.
    double most = 0;
    bool whole = true;
    for (const double value : column(role).numbers) {
      if (!std::isfinite(value)) continue;
      most = std::max(most, std::abs(value));
      whole = whole && value == std::round(value);
    }
    if (most > 0 && most <= 6.2832 && !whole) {
      refuse_table(
          fmt::format("column {} holds nothing beyond {:.4g}, which looks like radians; "
                      "write \"{} [deg]\" or \"{} [rad]\" above it",
                      column(role).name, most, column(role).name, column(role).name));
    }
    return radians_per_degree;
  }

  /// Slocum's sensors have degrees and minutes in one number, 4652.31 for 46° 52.31'.
  bool in_minutes(TrackRole latitude) const {
    if (!in_minutes_) {
      in_minutes_ =
          lower_case(column(latitude).name).starts_with("m_") && !fits_latitudes(latitude);
    }
    return *in_minutes_;
  }

  static bool is_beyond_latitudes(double value) {
    return std::abs(value) > 90 && !is_fill_degrees(value, 90);
  }

  bool fits_latitudes(TrackRole role) const {
    const auto& numbers = column(role).numbers;
    return std::none_of(numbers.begin(), numbers.end(), is_beyond_latitudes);
  }

  /// Refuses a latitude that is none, which may be of another column or another unit.
  [[noreturn]] void refuse_latitude(TrackRole longitude, TrackRole latitude,
                                    std::size_t row) const {
    const auto& numbers = column(latitude).numbers;
    const auto beyond = std::count_if(numbers.begin(), numbers.end(), is_beyond_latitudes);
    const auto known = std::count_if(numbers.begin(), numbers.end(),
                                     [](double value) { return std::isfinite(value); });
    if (2 * beyond <= known) {
      refuse_row(table_, row,
                 fmt::format("column {} holds {}; a latitude is -90 to 90 degrees: correct it, or "
                             "leave it empty where nothing is known",
                             on_one_line(column(latitude).name), numbers[row]));
    }
    refuse_row(table_, row,
               fits_latitudes(longitude)
                   ? "latitudes go beyond 90 and longitudes do not: name the columns the other "
                     "way round, with --column lon=… --column lat=…"
                   : "latitudes go beyond 90; if they are degrees and minutes (DDMM.MMM), give "
                     "degrees");
  }

  static double degrees_of_minutes(double value) {
    const double degrees = std::trunc(value / 100);
    return degrees + (value - 100 * degrees) / 60;
  }

  std::optional<GeographicPoint> globe_point(TrackRole longitude, TrackRole latitude,
                                             std::size_t row) const {
    const auto lon = number(longitude, row);
    const auto lat = number(latitude, row);
    if (!lon || !lat || is_fill_degrees(*lon, 360) || is_fill_degrees(*lat, 90)) {
      return std::nullopt;
    }
    if (in_minutes(latitude)) {
      return GeographicPoint{degrees_of_minutes(*lon), degrees_of_minutes(*lat)};
    }
    if (std::abs(*lat) > 90) refuse_latitude(longitude, latitude, row);
    if (std::abs(*lon) > 720) {
      refuse_row(table_, row, fmt::format("longitude {} is none; give degrees east", *lon));
    }
    return GeographicPoint{*lon, *lat};
  }

  std::optional<PlanePoint> in_plane(const GeographicPoint& point) const {
    return finder_->find(point.longitude, point.latitude);
  }

  bool holds(PlanePoint point) const {
    const Grid& grid = info_.grid;
    return grid.contains(grid.column_at(point.x), grid.row_at(point.y));
  }

  /// Of the plane, from components to the east and north where there is a north.
  PlaneVector turned(double east, double north, PlanePoint at) const {
    if (!convergence_) return {east, north};
    // The plane's +y points as far clockwise from north as the convergence says.
    const double turn = convergence_->at(at.x, at.y) * radians_per_degree;
    return {east * std::cos(turn) - north * std::sin(turn),
            east * std::sin(turn) + north * std::cos(turn)};
  }

  std::optional<NamedCurrent> current_at_row(std::size_t row, PlanePoint at) const {
    if (!has_all({TrackRole::u, TrackRole::v})) return std::nullopt;
    const auto u = number(TrackRole::u, row);
    const auto v = number(TrackRole::v, row);
    if (!u || !v) return std::nullopt;
    const double east = *u * speed_factor_of(TrackRole::u);
    const double north = *v * speed_factor_of(TrackRole::v);
    require_possible(row, "the current", std::hypot(east, north), fastest_current);
    return NamedCurrent{turned(east, north, at), current_error_at(row), {*u, *v}};
  }

  /// Refuses speeds that no water and no vehicle has.
  void require_possible(std::size_t row, const char* what, double speed, double most) const {
    if (!is_metric() || speed <= most) return;
    refuse_row(
        table_, row,
        fmt::format("{} is {:.6g} m/s, and none makes more than {}; give the column's unit, or "
                    "leave empty what is not known",
                    what, speed, most));
  }

  PlaneVector current_error_at(std::size_t row) const {
    const auto of = [&](TrackRole own) -> double {
      for (const TrackRole role : {own, TrackRole::error}) {
        const auto error = number(role, row);
        if (!error) continue;
        if (*error < 0) refuse_row(table_, row, fmt::format("the error {} is negative", *error));
        return *error * speed_factor_of(role);
      }
      return 0;
    };
    return {of(TrackRole::u_error), of(TrackRole::v_error)};
  }

  /// [rad]
  std::optional<double> angle_of(TrackRole role, std::size_t row) const {
    const auto given = number(role, row);
    if (!given) return std::nullopt;
    const double angle = *given * angle_factor_of(role);
    if (std::abs(angle) > 360.5 * radians_per_degree) {
      refuse_row(
          table_, row,
          fmt::format("column {} holds {}, which is no angle; leave it empty where nothing is "
                      "known",
                      column(role).name, *given));
    }
    return angle;
  }

  std::optional<PlaneVector> own_velocity(std::size_t row, PlanePoint at) const {
    const auto speed = number(TrackRole::speed, row);
    if (!speed) return std::nullopt;
    const double metres = *speed * speed_factor_of(TrackRole::speed);
    if (metres < 0) refuse_row(table_, row, fmt::format("the speed {} is negative", *speed));
    require_possible(row, "the speed through the water", metres, fastest_vehicle);
    if (const auto angle = angle_of(TrackRole::bearing, row)) {
      return turned(metres * std::sin(*angle), metres * std::cos(*angle), at);
    }
    if (const auto angle = angle_of(TrackRole::heading, row)) {
      return PlaneVector{metres * std::cos(*angle), metres * std::sin(*angle)};
    }
    return metres == 0 ? std::optional(PlaneVector{}) : std::nullopt;  // who stands has no heading
  }

  std::optional<double> time_of(std::size_t row) const {
    if (has(TrackRole::level) && !has(TrackRole::time)) {
      const auto level = number(TrackRole::level, row);
      return level ? std::optional(clock_.at_level(*level)) : std::nullopt;
    }
    return clock_.time(table_, column(TrackRole::time), row);
  }

  // Depths

  /// [m]
  std::optional<double> depth_at(std::size_t row) const {
    const auto depth = number(TrackRole::depth, row);
    if (!depth) return std::nullopt;
    return std::abs(*depth * length_factor_of(TrackRole::depth));
  }

  std::optional<std::int32_t> profile_at(std::size_t row) const {
    if (!has(TrackRole::profile)) return std::nullopt;
    const std::string name = trimmed(column(TrackRole::profile).texts[row]);
    const auto profile = find_profile(info_, name);
    if (profile || name.empty()) return profile;
    refuse_row(table_, row,
               fmt::format("column {} says {}, and the environment has the profiles {}",
                           on_one_line(column(TrackRole::profile).name), on_one_line(name),
                           profile_names(info_)));
  }

  /// Nothing where nobody knows.
  std::optional<std::int32_t> profile_of(const ObservedLeg& leg) const {
    if (leg.profile) return leg.profile;
    const std::size_t count = is_at_surface() ? 0 : options_.dived;
    const std::optional<double> depth = is_at_surface() ? leg.depth.value_or(0) : leg.depth;
    const auto nearest = depth ? nearest_profile(info_, *depth, count) : std::nullopt;
    if (nearest) return nearest;
    if (options_.profile) return find_profile(info_, *options_.profile);
    return options_.dived == 1 ? std::optional(0) : std::nullopt;
  }

  bool is_at_surface() const { return options_.drifter || table_.at_many_places; }

  /// What is at the surface says little of a forecast that has nothing near it.
  void note_depth_of_forecast() {
    constexpr double near_surface = 50;  // [m]
    const auto profile = is_at_surface() ? nearest_profile(info_, 0) : std::nullopt;
    if (!profile) return;
    const EnvironmentProfile& own = info_.profiles[static_cast<std::size_t>(*profile)];
    if (deepest_of(own.depths).value_or(0) <= near_surface) return;
    track_.notes.push_back(fmt::format(
        "its currents are those at the surface, and are taken for those of the profile {} ({}), "
        "as the forecast has none nearer to it",
        own.name, own.depths));
  }

  void find_profiles() {
    note_depth_of_forecast();
    if (info_.velocities < 2) return;
    for (ObservedLeg& leg : track_.legs) {
      leg.profile = profile_of(leg);
      if (leg.profile) continue;
      refuse_table(fmt::format(
          "{} {} does not say how deep the vehicle dived, and the environment has the profiles {}; "
          "name the one that it dived with --profile, or a column with --column depth=…",
          table_.row_name, leg.row, profile_names(info_)));
    }
    if (track_.last.leg) track_.last.leg->profile = profile_of(*track_.last.leg).value_or(0);
  }

  // Fixes

  void read_fixes() {
    std::size_t without = 0;
    std::optional<double> deepest;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      deepest = std::max(deepest, depth_at(row));
      const auto time = time_of(row);
      TrackFix fix{.row = row, .time = time.value_or(0)};
      if (!time || !place(row, fix)) {
        ++without;
        continue;
      }
      if (fix.inside && !options_.drifter) {
        fix.current = current_at_row(row, fix.at);
        fix.own = own_velocity(row, fix.at);
        fix.dead = dead_point(row);
      }
      fix.dive = number(TrackRole::dive, row);
      fix.depth = std::exchange(deepest, std::nullopt);
      fix.profile = profile_at(row);
      fixes_.push_back(fix);
    }
    if (without > 0 && !fixes_.empty()) {
      track_.notes.push_back(
          fmt::format("{} of {} rows have no time or no place, and were passed over", without,
                      table_.rows.size()));
    }
    note_fills();
    track_.fixes = fixes_.size();
    if (fixes_.size() < 2) {
      refuse_without_leg(fmt::format("{} with a time and a place; a leg takes two",
                                     fixes_.empty() ? "there is no row" : "there is one row"));
    }
    require_some_inside();
    put_in_order();
    mark_repeated_places();
  }

  void note_fills() {
    if (!geographic()) return;
    std::size_t count = 0;
    double example = 0;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const double lon = column(TrackRole::longitude).numbers[row];
      const double lat = column(TrackRole::latitude).numbers[row];
      const bool is_in_lon = is_fill_degrees(lon, 360);
      if (!is_in_lon && !is_fill_degrees(lat, 90)) continue;
      example = is_in_lon ? lon : lat;
      ++count;
    }
    if (count == 0) return;
    track_.notes.push_back(fmt::format(
        "{} {} for a position, which stands for an unknown one",
        count == 1 ? "one row has" : fmt::format("{} rows have numbers like", count), example));
  }

  // Repeated positions

  std::pair<double, double> written_place(const TrackFix& fix) const {
    const bool on_globe = geographic();
    return {column(on_globe ? TrackRole::longitude : TrackRole::x).numbers[fix.row],
            column(on_globe ? TrackRole::latitude : TrackRole::y).numbers[fix.row]};
  }

  void mark_repeated_places() {
    for (std::size_t n = 1; n < fixes_.size(); ++n) {
      fixes_[n].repeats = written_place(fixes_[n]) == written_place(fixes_[n - 1]);
    }
    find_last_digit();
  }

  /// [m or 1] between two neighbouring numbers of a position.
  void find_last_digit() {
    if (!geographic()) {
      last_digit_ =
          std::min(last_digit_of(column(TrackRole::x)), last_digit_of(column(TrackRole::y))) *
          length_factor_of(TrackRole::x);
      return;
    }
    constexpr double degree = 111195;  // [m] of latitude, on a sphere
    last_digit_ = std::min(last_digit_of(column(TrackRole::longitude)),
                           last_digit_of(column(TrackRole::latitude))) *
                  (in_minutes(TrackRole::latitude) ? degree / 60 : degree);
  }

  /// Takes repeated positions out of a drift where rounding alone can explain them: from the first
  /// of them to the next one the motion is known.
  void pass_over_rounded_places() {
    const double digit_speed = options_.error.value_or(is_metric() ? default_error : 0);
    std::vector<TrackFix> kept;
    for (std::size_t n = 0; n < fixes_.size(); ++n) {
      const bool is_last = n + 1 == fixes_.size();
      const double since = n > 0 ? fixes_[n].time - fixes_[n - 1].time : 0;
      if (fixes_[n].repeats && !is_last && last_digit_ > digit_speed * since) {
        ++rounded_;
        continue;
      }
      kept.push_back(fixes_[n]);
    }
    fixes_ = std::move(kept);
  }

  void note_repeated_places(std::size_t legs, std::size_t all, std::size_t first_row) {
    if (rounded_ > 0) {
      track_.notes.push_back(fmt::format(
          "{} the position before to the last digit ({:.3g}{}), and legs go on to the next other "
          "one",
          rounded_ == 1 ? "one fix repeats" : fmt::format("{} fixes repeat", rounded_), last_digit_,
          is_metric() ? " m" : ""));
    }
    if (legs == 0) return;
    track_.notes.push_back(fmt::format(
        "{} of {} legs {} at a position that repeats the one before to the last digit (a GPS "
        "receiver that is stuck, or a vehicle aground), and {} left out; the first ends in {} {}{}",
        legs, all, legs == 1 ? "begins or ends" : "begin or end", legs == 1 ? "is" : "are",
        table_.row_name, first_row, fixes_.back().repeats ? "; the last fix is one of them" : ""));
  }

  bool place(std::size_t row, TrackFix& fix) {
    if (geographic()) {
      const auto point = globe_point(TrackRole::longitude, TrackRole::latitude, row);
      if (!point) return false;
      const auto at = in_plane(*point);
      fix.inside = at.has_value();
      if (at) {
        fix.at = *at;
      } else if (!stray_) {
        stray_ = {row, *point};
      }
      return true;
    }
    const auto x = number(TrackRole::x, row);
    const auto y = number(TrackRole::y, row);
    if (!x || !y) return false;
    fix.at = {*x * length_factor_of(TrackRole::x), *y * length_factor_of(TrackRole::y)};
    fix.inside = holds(fix.at);
    if (!fix.inside && !stray_) stray_ = {row, {fix.at.x, fix.at.y}};
    return true;
  }

  std::optional<PlanePoint> dead_point(std::size_t row) const {
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

  struct Stray {
    std::size_t row;
    GeographicPoint at;  // or x and y
  };

  /// What a place outside the domain may be meant to be; "" where nobody knows.
  std::string remedy_of(const Stray& stray) const {
    if (!geographic()) return "";
    const GeographicPoint& at = stray.at;
    if (in_plane({-at.longitude, at.latitude})) {
      return fmt::format(
          "; {:.4f} lies within it: longitudes grow to the east, so write west of "
          "Greenwich with a minus",
          -at.longitude);
    }
    if (in_plane({at.latitude, at.longitude})) {
      return "; exchanged they lie within it: name the columns the other way round, with --column "
             "lon=… --column lat=…";
    }
    if (in_plane({at.longitude, -at.latitude})) {
      return fmt::format(
          "; {:.4f} lies within it: write south of the equator with a minus, and "
          "north of it without",
          -at.latitude);
    }
    return "";
  }

  std::string domain_words() const {
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

  void require_some_inside() {
    const auto inside = static_cast<std::size_t>(std::count_if(
        fixes_.begin(), fixes_.end(), [](const TrackFix& fix) { return fix.inside; }));
    if (inside == fixes_.size()) return;
    const std::string where = geographic() ? fmt::format("longitude {:.4f}, latitude {:.4f}",
                                                         stray_->at.longitude, stray_->at.latitude)
                                           : fmt::format("x {:.10g}, y {:.10g}",
                                                         stray_->at.longitude, stray_->at.latitude);
    const std::string what = fmt::format("{} is outside the environment ({}){}", where,
                                         domain_words(), remedy_of(*stray_));
    if (inside == 0) refuse_without_leg(what, stray_->row);
    track_.notes.push_back(fmt::format(
        "{} of {} fixes lie outside the environment, and legs from and to them are left "
        "out; the first is {} {}: {}",
        fixes_.size() - inside, fixes_.size(), table_.row_name, table_.rows[stray_->row], what));
  }

  void put_in_order() {
    const auto earlier = [](const TrackFix& a, const TrackFix& b) { return a.time < b.time; };
    if (!std::is_sorted(fixes_.begin(), fixes_.end(), earlier)) {
      track_.notes.push_back("its rows are not in the order of time, and were put into it");
      std::stable_sort(fixes_.begin(), fixes_.end(), earlier);
    }
    std::size_t doubled = 0;
    std::vector<TrackFix> once;
    for (const TrackFix& fix : fixes_) {
      if (once.empty() || fix.time != once.back().time) {
        once.push_back(fix);
        continue;
      }
      const double apart =
          fix.inside && once.back().inside
              ? std::hypot(fix.at.x - once.back().at.x, fix.at.y - once.back().at.y)
              : (fix.inside == once.back().inside ? 0 : 1e300);
      if (apart > 0.01 * std::min(info_.grid.dx, info_.grid.dy)) {
        refuse_row(
            table_, fix.row,
            fmt::format("is at {} in another place than {} {}; take one of them out, or tell "
                        "vehicles apart by "
                        "--column id=…",
                        clock_.text(fix.time), table_.row_name, table_.rows[once.back().row]));
      }
      ++doubled;
      // What one of them does not know the other may.
      TrackFix& kept = once.back();
      if (!kept.current) kept.current = fix.current;
      if (!kept.own) kept.own = fix.own;
      if (!kept.dead) kept.dead = fix.dead;
      if (!kept.dive) kept.dive = fix.dive;
      if (!kept.profile) kept.profile = fix.profile;
      kept.depth = std::max(kept.depth, fix.depth);
    }
    if (doubled > 0 && table_.form.empty()) {  // dives begin where the one before ended
      track_.notes.push_back(fmt::format("{} {} a fix that was there already, and counted once",
                                         doubled, doubled == 1 ? "row repeats" : "rows repeat"));
    }
    fixes_ = std::move(once);
  }

  // Legs

  PlaneVector error_of(PlaneVector said, double duration, bool by_fixes) const {
    const double instrument = options_.error ? *options_.error : is_metric() ? default_error : 0;
    const double fix = by_fixes ? fix_error() : 0;
    const auto of = [&](double own) {
      const double observed = own > 0 ? own : instrument;
      return std::sqrt(observed * observed + 2 * fix * fix / (duration * duration) +
                       representation() * representation());
    };
    return {of(said.x), of(said.y)};
  }
  double fix_error() const {
    if (options_.fix_error) return *options_.fix_error;
    return is_metric() ? std::max(default_fix_error, last_digit_ / std::sqrt(12.0)) : 0;
  }
  double representation() const {
    return options_.representation.value_or(is_metric() ? default_representation : 0);
  }

  /// A glider that comes up learns of the dive's current after its first fix, and tells it with the
  /// next one: it is the dive's, not that of the minutes at the surface. Where the rows after it
  /// repeat it, it is the next dive's.
  void give_currents_to_dives() {
    constexpr double short_beside_dive = 0.1;
    std::size_t given = 0;
    for (std::size_t n = 2; n < fixes_.size(); ++n) {
      const double dive = fixes_[n - 1].time - fixes_[n - 2].time;
      const double at_surface = fixes_[n].time - fixes_[n - 1].time;
      const bool goes_on = n + 1 < fixes_.size() && fixes_[n + 1].current == fixes_[n].current;
      if (!fixes_[n].current || fixes_[n - 1].current || goes_on ||
          at_surface > short_beside_dive * dive) {
        continue;
      }
      fixes_[n - 1].current = std::exchange(fixes_[n].current, std::nullopt);
      ++given;
    }
    if (given == 0) return;
    track_.notes.push_back(
        fmt::format("{} told at the second fix after a dive, and taken for the dive's",
                    given == 1 ? "one current is" : fmt::format("{} currents are", given)));
  }

  /// A Slocum tells a dive's current after it; tables repeat that until the next dive's is told.
  void take_first_telling() {
    if (!lower_case(column(TrackRole::u).name).starts_with("m_")) return;
    std::optional<NamedCurrent> last;
    for (TrackFix& fix : fixes_) {
      if (!fix.current) continue;
      if (fix.current == last) {
        fix.current.reset();
      } else {
        last = fix.current;
      }
    }
  }

  /// Tables repeat the current of a dive on every row until the next one.
  void join_repeated_currents() {
    const double near = 0.25 * std::min(info_.grid.dx, info_.grid.dy);
    std::size_t repeated = 0;
    std::vector<ObservedLeg> once;
    for (ObservedLeg& leg : track_.legs) {
      if (once.empty() || !repeats_current(once.back(), leg, near)) {
        once.push_back(std::move(leg));
        continue;
      }
      ObservedLeg& whole = once.back();
      const double before = whole.leg.times.back() - whole.leg.times.front();
      const double more = leg.leg.times.back() - leg.leg.times.front();
      for (std::size_t n = 0; n < leg.leg.times.size(); ++n) {
        if (leg.leg.times[n] <= whole.leg.times.back()) continue;
        whole.leg.points.push_back(leg.leg.points[n]);
        whole.leg.times.push_back(leg.leg.times[n]);
      }
      whole.own_u = (before * whole.own_u + more * leg.own_u) / (before + more);
      whole.own_v = (before * whole.own_v + more * leg.own_v) / (before + more);
      whole.row = leg.row;
      whole.depth = std::max(whole.depth, leg.depth);
      if (!whole.profile) whole.profile = leg.profile;
      ++repeated;
    }
    track_.legs = std::move(once);
    if (repeated == 0) return;
    track_.notes.push_back(
        fmt::format("{} the current of the row before, and count once with it",
                    repeated == 1 ? "one row repeats" : fmt::format("{} rows repeat", repeated)));
  }

  /// Makes one of legs that are shorter than a step of the environment. Their way is the drifter's.
  void join_short_legs() {
    const std::size_t all = track_.legs.size();
    std::vector<ObservedLeg> joined;
    for (ObservedLeg& leg : track_.legs) {
      const bool goes_on = !joined.empty() &&
                           joined.back().leg.times.back() == leg.leg.times.front() &&
                           joined.back().leg.times.back() - joined.back().leg.times.front() <
                               (1 - 1e-9) * info_.time.step;
      if (!goes_on) {
        joined.push_back(std::move(leg));
        continue;
      }
      ObservedLeg& whole = joined.back();
      whole.leg.points.push_back(leg.leg.points.back());
      whole.leg.times.push_back(leg.leg.times.back());
      const double duration = whole.leg.times.back() - whole.leg.times.front();
      whole.u = (whole.leg.points.back().x - whole.leg.points.front().x) / duration;
      whole.v = (whole.leg.points.back().y - whole.leg.points.front().y) / duration;
      const PlaneVector error = error_of({}, duration, true);
      whole.error_u = error.x;
      whole.error_v = error.y;
      whole.row = leg.row;
    }
    track_.legs = std::move(joined);
    if (track_.legs.size() == all) return;
    track_.notes.push_back(
        fmt::format("its {} legs are shorter than a step of the forecast, and are joined to {}",
                    all, track_.legs.size()));
  }

  void end_at(double time) {
    const TrackFix& last = fixes_.back();
    track_.last = {time, last.at, table_.rows[last.row], last.inside};
  }

  /// The mean flow between two fixes; nothing where neither says anything of it.
  std::optional<PlaneVector> flow_between(const TrackFix& begin, const TrackFix& end,
                                          PlaneVector made, FlowFrom from) const {
    // What a leg does not say by the surest way it may say by another.
    if (from == FlowFrom::drift) return made;
    if (from == FlowFrom::currents && end.current) return end.current->flow;
    if (end.dead) {
      const double duration = end.time - begin.time;
      return PlaneVector{(end.at.x - end.dead->x) / duration, (end.at.y - end.dead->y) / duration};
    }
    if (begin.own) return PlaneVector{made.x - begin.own->x, made.y - begin.own->y};
    return std::nullopt;
  }

  void make_legs() {
    const FlowFrom from = flow_from();
    if (from == FlowFrom::currents && !table_.currents_end_dives) {
      take_first_telling();
      give_currents_to_dives();
    }
    end_at(fixes_.back().time);
    if (from == FlowFrom::drift) pass_over_rounded_places();
    std::size_t repeated = 0;
    std::size_t first_repeated = 0;  // row
    std::size_t unknown = 0;
    std::vector<std::string> unknown_dives;
    std::vector<std::size_t> impossible;  // rows
    for (std::size_t n = 1; n < fixes_.size(); ++n) {
      const TrackFix& begin = fixes_[n - 1];
      const TrackFix& end = fixes_[n];
      if (!begin.inside || !end.inside) continue;
      const double duration = end.time - begin.time;
      const PlaneVector made{(end.at.x - begin.at.x) / duration,
                             (end.at.y - begin.at.y) / duration};
      const bool is_told = from == FlowFrom::currents && end.current;
      auto flow = flow_between(begin, end, made, from);
      const bool is_repeated = flow && !is_told && (begin.repeats || end.repeats);
      if (is_repeated) flow.reset();
      ObservedLeg leg;
      leg.leg = {{begin.at, end.at}, {begin.time, end.time}};
      leg.row = table_.rows[end.row];
      leg.dive = end.dive;
      leg.depth = end.depth;
      // Who says how it was steered says so of what comes.
      const bool is_steered = !is_told && !end.dead && begin.own && from != FlowFrom::drift;
      leg.profile = (is_steered ? begin : end).profile;
      leg.u = flow.value_or(made).x;
      leg.v = flow.value_or(made).y;
      leg.own_u = made.x - leg.u;
      leg.own_v = made.y - leg.v;
      if (is_told) {
        leg.told_u = end.current->told.x;
        leg.told_v = end.current->told.y;
      }
      const PlaneVector said = is_told ? end.current->error : PlaneVector{};
      const auto set_errors = [&](bool by_fixes) {
        const PlaneVector error = error_of(said, duration, by_fixes);
        leg.error_u = error.x;
        leg.error_v = error.y;
      };
      if (n + 1 == fixes_.size()) {
        set_errors(true);
        track_.last.leg = leg;
        track_.last.says_flow = flow.has_value();
      }
      set_errors(!is_told);
      const double own = std::hypot(leg.own_u, leg.own_v);
      const double flowing = std::hypot(leg.u, leg.v);
      // Of a leg that says nothing of the flow it is all of the way.
      const double most = flow ? fastest_current : fastest_current + fastest_vehicle;
      const bool is_possible =
          !is_metric() || (flowing <= most && (!is_told || own <= fastest_vehicle));
      if (n + 1 == fixes_.size()) track_.last.is_reachable = is_possible;
      if (is_repeated) {
        if (repeated++ == 0) first_repeated = leg.row;
      } else if (!flow) {
        // A file that knows its dives says of those at the surface nothing.
        if (end.dive) unknown_dives.push_back(fmt::format("{:.10g}", *end.dive));
        if (!has(TrackRole::dive)) ++unknown;
      } else if (!is_possible) {
        impossible.push_back(leg.row);
      } else {
        track_.legs.push_back(leg);
      }
    }
    if (!impossible.empty()) {
      track_.notes.push_back(fmt::format(
          "{} of {} legs would take a current of more than {} m/s, or a vehicle of more "
          "than {}, and are left out, the first that to {} {}: a fix is wrong there, or "
          "its time",
          impossible.size(), fixes_.size() - 1, fastest_current, fastest_vehicle, table_.row_name,
          impossible.front()));
    }
    note_repeated_places(repeated, fixes_.size() - 1, first_repeated);
    join_repeated_currents();
    if (options_.drifter) join_short_legs();
    if (!unknown_dives.empty()) {
      track_.notes.push_back(fmt::format(
          "{} {} nothing of the current, and {} passed over",
          unknown_dives.size() == 1 ? "dive " + unknown_dives[0]
                                    : fmt::format("dives {}", fmt::join(unknown_dives, ", ")),
          unknown_dives.size() == 1 ? "says" : "say", unknown_dives.size() == 1 ? "was" : "were"));
    }
    if (unknown > 0 && !track_.legs.empty()) {
      track_.notes.push_back(
          fmt::format("{} of {} legs say nothing of the current, and were passed over", unknown,
                      fixes_.size() - 1));
    }
    constexpr const char* kinds[] = {"the currents that it names",
                                     "fixes and dead-reckoned positions",
                                     "fixes, speed and heading through the water", "drift alone"};
    track_.kind = kinds[static_cast<int>(from)];
  }

  /// How far the rows of each current, by its time, reach from there [s or 1]. Rows before the one
  /// that says the time are of the same current.
  std::map<double, double> reaches() const {
    std::map<double, double> reaches;
    std::vector<double> waiting;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (has(TrackRole::time)) {
        if (const auto time = time_of(row)) waiting.push_back(*time);
      }
      const auto middle = clock_.time(table_, column(TrackRole::current_time), row);
      if (!middle) continue;
      double& reach = reaches[*middle];
      for (const double time : waiting) reach = std::max(reach, std::abs(time - *middle));
      waiting.clear();
    }
    return reaches;
  }

  /// How deep the rows of each current go, by its time [m]; rows before the one that says the time
  /// are of the same current.
  std::map<double, std::optional<double>> depths() const {
    std::map<double, std::optional<double>> depths;
    std::optional<double> waiting;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      waiting = std::max(waiting, depth_at(row));
      const auto middle = clock_.time(table_, column(TrackRole::current_time), row);
      if (!middle) continue;
      std::optional<double>& deepest = depths[*middle];
      deepest = std::max(deepest, std::exchange(waiting, std::nullopt));
    }
    return depths;
  }

  [[noreturn]] void refuse_unknown_duration() const {
    refuse_table(fmt::format(
        "says when and where its currents were met (column {}), and not over how long; give the "
        "time between surfacings with --averaged-over, such as 4h",
        column(TrackRole::current_time).name));
  }

  /// Currents that have times and places of their own, which may be repeated on many rows.
  void read_points() {
    const auto reaching = options_.averaged_over ? std::map<double, double>() : reaches();
    const auto half_of = [&](const TrackFix& fix) {
      if (!table_.averaged_over.empty()) return 0.5 * table_.averaged_over[fix.row];
      if (options_.averaged_over) return 0.5 * *options_.averaged_over;
      const auto found = reaching.find(fix.time);
      if (found == reaching.end() || found->second <= 0) refuse_unknown_duration();
      return found->second;
    };
    const auto depth = depths();
    std::set<double> seen;
    std::optional<TrackFix> last;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (const auto own = fix_of_row(row); own && (!last || own->time >= last->time)) last = own;
      const auto time = clock_.time(table_, column(TrackRole::current_time), row);
      const auto point =
          globe_point(TrackRole::current_longitude, TrackRole::current_latitude, row);
      if (!time || !point || !number(TrackRole::u, row) || !number(TrackRole::v, row)) continue;
      if (!table_.at_many_places && !seen.insert(*time).second) continue;
      ++track_.fixes;
      const auto at = in_plane(*point);
      fixes_.push_back({.row = row,
                        .time = *time,
                        .at = at.value_or(PlanePoint{}),
                        .inside = at.has_value(),
                        .dive = number(TrackRole::dive, row),
                        .depth = depth.at(*time),
                        .profile = profile_at(row)});
      if (!at) {
        if (!stray_) stray_ = {row, *point};
        continue;
      }
      fixes_.back().current = current_at_row(row, *at);
    }
    if (fixes_.empty()) refuse_table("there is no row with a current, its time and its place");
    // The messages are of longitude and latitude; these columns' are as good.
    columns_.of_role[static_cast<std::size_t>(TrackRole::longitude)] =
        columns_[TrackRole::current_longitude];
    columns_.of_role[static_cast<std::size_t>(TrackRole::latitude)] =
        columns_[TrackRole::current_latitude];
    require_some_inside();
    if (!table_.at_many_places) put_in_order();
    end_at(fixes_.back().time + half_of(fixes_.back()));
    if (last && last->time > fixes_.back().time) {  // where the vehicle itself was last
      track_.last = {last->time, last->at, table_.rows[last->row], last->inside};
    }
    double longest = 0;
    for (const TrackFix& fix : fixes_) {
      if (!fix.inside) continue;
      const double half = half_of(fix);
      longest = std::max(longest, 2 * half);
      ObservedLeg leg;
      leg.leg = {{fix.at, fix.at}, {fix.time - half, fix.time + half}};
      leg.row = table_.rows[fix.row];
      leg.dive = fix.dive;
      leg.depth = fix.depth;
      leg.profile = fix.profile;
      leg.u = fix.current->flow.x;
      leg.v = fix.current->flow.y;
      leg.told_u = fix.current->told.x;
      leg.told_v = fix.current->told.y;
      const PlaneVector error = error_of(fix.current->error, 2 * half, false);
      leg.error_u = error.x;
      leg.error_v = error.y;
      track_.legs.push_back(leg);
    }
    track_.kind = "the currents that it names, each around its own time and place";
    if (!options_.averaged_over) {
      track_.kind +=
          fmt::format(", over {:.3g}{}{} by its rows", is_metric() ? longest / 3600 : longest,
                      is_metric() ? " h" : "", track_.legs.size() > 1 ? " at most" : "");
    }
  }

  /// Time and place of a row; nothing where it has none.
  std::optional<TrackFix> fix_of_row(std::size_t row) {
    const bool placed = geographic() || has_all({TrackRole::x, TrackRole::y});
    if (!placed || !(has(TrackRole::time) || has(TrackRole::level))) return std::nullopt;
    const auto time = time_of(row);
    TrackFix fix{.row = row, .time = time.value_or(0)};
    const auto stray = stray_;  // of the currents' places alone
    const bool found = time && place(row, fix);
    stray_ = stray;
    return found ? std::optional(fix) : std::nullopt;
  }

  void leave_out_other_times() {
    if (track_.legs.size() > most_legs) {
      refuse_table(
          fmt::format("makes {} legs; give {} at most: the fixes at surfacings, or one an "
                      "hour",
                      track_.legs.size(), most_legs));
    }
    if (track_.legs.empty()) {
      // What was left out, and dives that say nothing, are why; else columns may have other names.
      const bool is_known = !table_.notes.empty() || has(TrackRole::dive) ||
                            std::any_of(fixes_.begin(), fixes_.end(),
                                        [](const TrackFix& fix) { return fix.repeats; });
      const std::vector<std::string> notes = std::exchange(track_.notes, {});
      refuse_without_leg(
          "no leg says anything of the current within the environment: " +
          (is_known && !notes.empty()
               ? fmt::format("{}", fmt::join(notes, "; "))
               : fmt::format("each needs two fixes in it, and beside them what the columns name "
                             "({}); --column takes others, such as --column lon=…",
                             track_.columns)));
    }
    const double first = info_.time.first;
    const double last = info_.time.at(TimeLevel(info_.time.level_count - 1));
    const double tolerance = 1e-6 * info_.time.step;
    const double begin = track_.legs.front().leg.times.front();
    const double end = track_.legs.back().leg.times.back();
    const std::size_t all = track_.legs.size();
    std::erase_if(track_.legs, [&](const ObservedLeg& leg) {
      return leg.leg.times.front() < first - tolerance || leg.leg.times.back() > last + tolerance;
    });
    if (track_.legs.size() == all) return;
    const std::string what =
        fmt::format("the track is of {} to {}, the environment of {} to {}", clock_.text(begin),
                    clock_.text(end), clock_.text(first), clock_.text(last));
    if (track_.legs.empty()) {
      refuse_without_leg(
          fmt::format("no leg lies within the environment's times: {}; take a forecast "
                      "that covers them",
                      what));
    }
    track_.notes.push_back(fmt::format(
        "{} of {} legs begin before the environment's first level or end after its last, and are "
        "left out: {}",
        all - track_.legs.size(), all, what));
  }

  void finish() {
    find_profiles();
    for (const ObservedLeg& leg : track_.legs) {
      if (leg.error_u > 0 && leg.error_v > 0) continue;
      refuse_table(
          "the environment is without units, so nobody knows how well its flow is observed; give "
          "the standard deviation with --error, or a column 'error'");
    }
    const char* unit = is_metric() ? " m/s" : "";
    const bool said = has(TrackRole::error) || has(TrackRole::u_error);
    track_.errors =
        said && flow_from() == FlowFrom::currents
            ? table_.errors
            : fmt::format("{}{}", options_.error.value_or(is_metric() ? default_error : 0), unit);
    if (flow_from() != FlowFrom::currents && fix_error() > 0) {
      track_.errors += fmt::format(", fixes {:.4g}{}", fix_error(), is_metric() ? " m" : "");
    }
    if (representation() > 0) {
      track_.errors += fmt::format(", representation {}{}", representation(), unit);
    }
  }

  const TrackTable& table_;
  const EnvironmentInfo& info_;
  const TrackOptions& options_;
  TrackClock clock_;
  TrackNorth north_;
  TrackColumns columns_;
  std::vector<double> longitude_, latitude_;
  std::optional<MeridianConvergence> convergence_;
  mutable std::optional<PlaneFinder> finder_;  // remembers where it was last
  mutable std::optional<double> angle_factor_;
  mutable std::optional<bool> in_minutes_;
  std::vector<TrackFix> fixes_;
  double last_digit_ = 0;       // [m or 1] of a position
  std::size_t rounded_ = 0;     // fixes that rounding alone makes repeat one
  std::optional<Stray> stray_;  // the first fix outside
  ObservedTrack track_;
};

void validate_track_options(const TrackOptions& options, const EnvironmentInfo& info) {
  if (options.profile && (info.velocities < 2 || !find_profile(info, *options.profile))) {
    throw InputError(fmt::format(
        "--profile {}: {}", *options.profile,
        info.velocities < 2 ? "is of an environment that is read at several depths, and this one "
                              "is at one; leave it out"
                            : "the environment has the profiles " + profile_names(info)));
  }
  const auto require = [](const char* option, const std::optional<double>& value, bool zero) {
    if (!value || (std::isfinite(*value) && (*value > 0 || (zero && *value == 0)))) return;
    throw InputError(
        fmt::format("{} {}: must be {}", option, *value, zero ? "0 or more" : "above 0"));
  };
  require("--error", options.error, false);
  require("--fix-error", options.fix_error, true);
  require("--representation", options.representation, true);
  require("--averaged-over", options.averaged_over, false);
}

/// Gives a Seaglider's fixes the greatest depth of its dive, which stands along another dimension.
void bring_depth(const std::vector<TrackTable>& tables, TrackNorth north, TrackTable& fixes) {
  const auto depth_of = [&](const TrackTable& table) {
    return find_track_columns(table, north, {})[TrackRole::depth];
  };
  if (!is_seaglider_dive(fixes) || depth_of(fixes)) return;
  for (const TrackTable& table : tables) {
    const auto depth = depth_of(table);
    if (!depth) continue;
    TrackColumn deepest = table.columns[*depth];
    double most = std::numeric_limits<double>::quiet_NaN();
    for (const double one : deepest.numbers) most = std::fmax(most, std::abs(one));
    deepest.numbers.assign(fixes.rows.size(), std::numeric_limits<double>::quiet_NaN());
    deepest.numbers.back() = most;
    fixes.columns.push_back(std::move(deepest));
    return;
  }
}

/// The table of a NetCDF file that says most of a track; of equal ones the shortest: a glider's
/// fixes are fewer than what it measured.
TrackTable find_table(const std::filesystem::path& path, TrackNorth north,
                      const TrackOptions& options) {
  std::vector<TrackTable> tables = read_netcdf_track(path, options.trajectory);
  TrackTable* best = nullptr;
  int most = -1;
  for (TrackTable& table : tables) {
    int worth = 0;
    try {
      worth = usefulness(find_track_columns(table, north, options.columns));
    } catch (const InputError&) {  // of another table's columns
      if (tables.size() == 1) throw;
      continue;
    }
    constexpr int tells_duration = 5;  // by as many rows as there are
    const bool is_better =
        best != nullptr && (worth == tells_duration ? table.rows.size() > best->rows.size()
                                                    : table.rows.size() < best->rows.size());
    if (best == nullptr || worth > most || (worth == most && is_better)) {
      best = &table;
      most = worth;
    }
  }
  if (best == nullptr) {
    throw InputError(fmt::format("{}: none of its dimensions has all columns that --column names",
                                 path.string()));
  }
  bring_depth(tables, north, *best);
  return std::move(*best);
}

/// Notes are told with the path before them.
std::string why_of(const NoLeg& none) {
  const std::string why = none.what();
  return why.substr(why.find(": ") + 2);
}

ObservedTrack read_table(TrackTable table, const EnvironmentReader& environment,
                         const TrackOptions& options) {
  const TrackColumns columns = columns_for(table, environment, options);
  table.form = form_of(table);
  leave_out_flagged(table, columns);
  gather_dives(table, columns);
  return TrackReader(table, environment, options).read();
}

void refuse_trajectory(const std::filesystem::path& path, const TrackOptions& options) {
  if (!options.trajectory) return;
  throw InputError(
      fmt::format("--trajectory {}: {} is a CSV or a log, which holds one track; leave the option "
                  "out",
                  *options.trajectory, path.string()));
}

/// The one of several vehicles that is asked for; of drifters all, where none is.
std::vector<TrackTable> choose_identity(std::vector<TrackTable> tables,
                                        const TrackOptions& options) {
  const std::size_t last = tables.size() - 1;
  const std::string& path = tables.front().path.string();
  if (options.trajectory) {
    const auto chosen = static_cast<std::size_t>(*options.trajectory);
    if (*options.trajectory >= 0 && chosen <= last) return {std::move(tables[chosen])};
    throw InputError(fmt::format("{}: holds {} tracks; --trajectory {} is none of 0 … {}", path,
                                 tables.size(), *options.trajectory, last));
  }
  if (options.drifter) return tables;
  throw InputError(fmt::format(
      "{}: holds the tracks of {} vehicles, {} to {}; name one with --trajectory 0 … {}", path,
      tables.size(), tables.front().identity, tables.back().identity, last));
}

/// The tables of a file's tracks.
std::vector<TrackTable> split_table(TrackTable table, const EnvironmentReader& environment,
                                    const TrackOptions& options) {
  const TrackColumns columns = find_track_columns(table, north_of(environment), options.columns);
  std::vector<TrackTable> tables = split_by_identity(std::move(table), columns);
  return tables.size() > 1 ? choose_identity(std::move(tables), options) : tables;
}

/// Of a file that holds many in rows (trajectory, obs).
std::vector<TrackTable> find_tables(const std::filesystem::path& path,
                                    const EnvironmentReader& environment,
                                    const TrackOptions& options) {
  constexpr std::size_t most_drifters = 500;  // each is a reading of the file
  const bool takes_all = options.drifter && !options.trajectory;
  const std::size_t count = takes_all ? count_netcdf_tracks(path) : 1;
  if (count <= 1 || count > most_drifters) {
    return split_table(find_table(path, north_of(environment), options), environment, options);
  }
  std::vector<TrackTable> tables;
  TrackOptions one = options;
  for (std::size_t n = 0; n < count; ++n) {
    one.trajectory = static_cast<std::int32_t>(n);
    tables.push_back(find_table(path, north_of(environment), one));
    tables.back().identity = fmt::format("trajectory {}", n);
  }
  return tables;
}

bool is_log(const std::filesystem::path& path) {
  return !is_netcdf(path) && is_slocum_log(read_track_text(path));
}

std::vector<TrackTable> read_tables(const std::filesystem::path& path,
                                    const EnvironmentReader& environment,
                                    const TrackOptions& options) {
  if (is_netcdf(path)) return find_tables(path, environment, options);
  const std::string text = read_track_text(path);
  if (is_slocum_log(text)) {
    refuse_trajectory(path, options);
    return {read_slocum_logs({path})};
  }
  if (trimmed(text).starts_with("behavior_name=")) {
    throw InputError(fmt::format(
        "{}: says where a Slocum is to go, not where it was; give its surface log, or a table of "
        "its fixes",
        path.string()));
  }
  std::vector<TrackTable> tables = split_table(read_csv_track(path), environment, options);
  if (tables.front().identity.empty()) refuse_trajectory(path, options);
  return tables;
}

/// Tracks of one file. Of several drifters those are left out of which no leg is in the forecast.
std::vector<ObservedTrack> read_all(std::vector<TrackTable> tables,
                                    const EnvironmentReader& environment,
                                    const TrackOptions& options) {
  const std::size_t count = tables.size();
  std::vector<std::string> of_file;
  if (count > 1) of_file = std::exchange(tables.front().notes, {});
  std::vector<ObservedTrack> tracks;
  std::optional<NoLeg> first;
  for (TrackTable& table : tables) {
    try {
      tracks.push_back(read_table(std::move(table), environment, options));
    } catch (const NoLeg& none) {
      if (!first) first = none;
    }
  }
  if (tracks.empty()) throw *first;
  if (count == 1) return tracks;
  for (ObservedTrack& track : tracks) {
    track.form = fmt::format("{} drifters", count);
    for (std::string& note : track.notes) note.insert(0, track.identity + ": ");
  }
  std::vector<std::string>& notes = tracks.front().notes;
  notes.insert(notes.begin(), of_file.begin(), of_file.end());
  if (first) {
    notes.push_back(
        fmt::format("{} of {} drifters have no leg in the forecast, the first of them {}: {}",
                    count - tracks.size(), count, first->track().identity, why_of(*first)));
  }
  return tracks;
}

}  // namespace

ObservedTrack read_track(const std::filesystem::path& path, const EnvironmentReader& environment,
                         const TrackOptions& options) {
  validate_track_options(options, environment.info());
  return read_all(read_tables(path, environment, options), environment, options).front();
}

std::vector<std::filesystem::path> ObservationFiles::all() const {
  std::vector<std::filesystem::path> files = tracks;
  files.insert(files.end(), drifters.begin(), drifters.end());
  files.insert(files.end(), radars.begin(), radars.end());
  return files;
}

namespace {

ObservedTrack read_radar_fields(const std::vector<std::filesystem::path>& paths,
                                const EnvironmentReader& environment, TrackOptions options) {
  const RadarTable radar = read_radars(paths, environment, options.error);
  options.columns.clear();
  ObservedTrack track = TrackReader(radar.table, environment, options).read();
  track.by = ObservedBy::radar;
  track.kind = fmt::format(
      "superobservations of {} currents, each a mean over {:.3g} km and {:.3g} h at most",
      radar.values, radar.side / 1000, radar.window / 3600);
  track.columns = "an error is that of its currents, as if they all erred alike";
  return track;
}

/// Reads files of all kinds, of which some may say nothing here.
class ObservationReader {
 public:
  ObservationReader(const EnvironmentReader& environment, const TrackOptions& options,
                    WithoutLegs without)
      : environment_(environment), options_(options), without_(without) {}

  std::vector<ObservedTrack> read(const ObservationFiles& files) {
    read_tracks(files.tracks, ObservedBy::vehicle);
    read_tracks(files.drifters, ObservedBy::drifter);
    if (!files.radars.empty()) {
      take(ObservedBy::radar,
           [&] { return std::vector{read_radar_fields(files.radars, environment_, options_)}; });
    }
    const bool has_legs = std::any_of(tracks_.begin(), tracks_.end(),
                                      [](const ObservedTrack& one) { return !one.legs.empty(); });
    const bool suffices = has_legs || (without_ == WithoutLegs::last_fix && has_last_fix());
    if (first_ && !suffices) throw *first_;
    return std::move(tracks_);
  }

 private:
  /// Whether the vehicle's last fix lies in the forecast.
  bool has_last_fix() const {
    const TimeAxis& time = environment_.info().time;
    const double last = time.at(TimeLevel(time.level_count - 1));
    return std::any_of(tracks_.begin(), tracks_.end(), [&](const ObservedTrack& one) {
      return one.by == ObservedBy::vehicle && one.fixes > 0 && one.last.is_inside &&
             one.last.time >= time.first && one.last.time <= last;
    });
  }

  /// What is read, or a note of why it says nothing.
  template <class Read>
  void take(ObservedBy by, const Read& read) {
    std::vector<ObservedTrack> found;
    try {
      found = read();
    } catch (const NoLeg& none) {
      if (!first_) first_ = none;
      found = {none.track()};
      found.front().notes.push_back(why_of(none));
    }
    for (ObservedTrack& one : found) {
      one.by = by;
      tracks_.push_back(std::move(one));
    }
  }

  void read_tracks(const std::vector<std::filesystem::path>& paths, ObservedBy by) {
    TrackOptions options = options_;
    options.drifter = by == ObservedBy::drifter;
    std::vector<ObservedTrack> before = std::exchange(tracks_, {});
    std::vector<std::filesystem::path> logs;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(logs), is_log);
    if (!logs.empty()) {
      refuse_trajectory(logs.front(), options);
      take(by,
           [&] { return std::vector{read_table(read_slocum_logs(logs), environment_, options)}; });
    }
    for (const auto& path : paths) {
      if (std::find(logs.begin(), logs.end(), path) != logs.end()) continue;
      take(by, [&] {
        return read_all(read_tables(path, environment_, options), environment_, options);
      });
    }
    leave_out_repeated_legs(tracks_, environment_.info().grid);
    before.insert(before.end(), std::make_move_iterator(tracks_.begin()),
                  std::make_move_iterator(tracks_.end()));
    tracks_ = std::move(before);
  }

  const EnvironmentReader& environment_;
  const TrackOptions& options_;
  WithoutLegs without_;
  std::vector<ObservedTrack> tracks_;
  std::optional<NoLeg> first_;
};

}  // namespace

std::vector<ObservedTrack> read_observations(const ObservationFiles& files,
                                             const EnvironmentReader& environment,
                                             const TrackOptions& options, WithoutLegs without) {
  validate_track_options(options, environment.info());
  std::vector<ObservedTrack> tracks = ObservationReader(environment, options, without).read(files);
  std::stable_sort(tracks.begin(), tracks.end(),
                   [](const ObservedTrack& a, const ObservedTrack& b) {
                     const auto begin = [](const ObservedTrack& one) {
                       return one.legs.empty() ? one.last.time : one.legs.front().leg.times.front();
                     };
                     return begin(a) < begin(b);
                   });
  return tracks;
}

}  // namespace tidewise
