#include "learning/track/table/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/table/time_column.h"

namespace tidewise {
namespace {

constexpr std::string_view row_number = "id";  // a name that may also mean a row's number

struct KnownRole {
  TrackRole role;
  const char* name;                     ///< name for --column
  std::vector<std::string_view> words;  ///< names of columns, the most specific first
  std::vector<std::string_view> standard_names = {};
};

// Slocum: m_…; Seaglider's base station: log_gps_…, depth_avg_curr_…; OG1: davg_curr_…; IOOS's data
// assembly centre: profile_…, …_uv; EGO: TIME_GPS …, WATERCURRENTS_…; the Global Drifter Program:
// ve, vn.
const std::vector<KnownRole>& known_roles() {
  static const std::vector<KnownRole> roles{
      {TrackRole::time,  // find_time() expects it first
       "time",
       {"time_gps",
        "gps_time",
        "log_gps_time",
        "juld_gps",
        "time",
        "datetime",
        "date_time",
        "basedatetime",
        "base_date_time",
        "timestamp",
        "time_stamp",
        "date",
        "utc",
        "iso_time",
        "unix_time",
        "unixtime",
        "unix_timestamp",
        "unix",
        "epoch",
        "epoch_time",
        "epoch_seconds",
        "m_present_time",
        "precise_time",
        "profile_time",
        "juld",
        "t",
        "eta"}},
      {TrackRole::level, "level", {"level", "time_level"}},
      {TrackRole::longitude,
       "lon",
       {"longitude_gps", "gps_longitude", "gps_lon", "lon_gps", "log_gps_lon", "m_gps_lon",
        "precise_lon", "lon", "longitude", "long", "lng", "profile_lon"},
       {"longitude"}},
      {TrackRole::latitude,
       "lat",
       {"latitude_gps", "gps_latitude", "gps_lat", "lat_gps", "log_gps_lat", "m_gps_lat",
        "precise_lat", "lat", "latitude", "profile_lat"},
       {"latitude"}},
      {TrackRole::x, "x", {"x", "easting"}},
      {TrackRole::y, "y", {"y", "northing"}},
      {TrackRole::dead_longitude,
       "dead_lon",
       {"dead_lon", "dr_lon", "lon_dr", "dr_longitude", "longitude_dr", "dead_reckoned_lon",
        "dead_reckoned_longitude", "m_lon"}},
      {TrackRole::dead_latitude,
       "dead_lat",
       {"dead_lat", "dr_lat", "lat_dr", "dr_latitude", "latitude_dr", "dead_reckoned_lat",
        "dead_reckoned_latitude", "m_lat"}},
      {TrackRole::dead_x, "dead_x", {"dead_x", "dr_x", "x_dr", "dead_reckoned_x"}},
      {TrackRole::dead_y, "dead_y", {"dead_y", "dr_y", "y_dr", "dead_reckoned_y"}},
      {TrackRole::speed,
       "speed",
       {"speed", "speed_through_water", "stw", "water_speed", "through_water_speed",
        "horizontal_speed", "m_avg_speed", "m_speed"},
       {"platform_speed_wrt_sea_water"}},
      {TrackRole::bearing,
       "bearing",
       {"bearing", "true_heading", "heading_true", "heading_deg_true", "hdg", "m_heading"},
       {"platform_orientation"}},
      {TrackRole::heading, "heading", {"heading_from_x", "heading_deg_from_x", "heading"}},
      {TrackRole::u,
       "u",
       {"u", "depth_avg_curr_east", "davg_curr_east", "watercurrents_u", "m_final_water_vx",
        "m_water_vx", "u_dac", "dac_u", "dac_east", "water_u", "u_current", "current_u",
        "current_east", "east_current", "ucur", "uo", "ve"},
       {"barotropic_eastward_sea_water_velocity", "eastward_sea_water_velocity"}},
      {TrackRole::v,
       "v",
       {"v", "depth_avg_curr_north", "davg_curr_north", "watercurrents_v", "m_final_water_vy",
        "m_water_vy", "v_dac", "dac_v", "dac_north", "water_v", "v_current", "current_v",
        "current_north", "north_current", "vcur", "vo", "vn"},
       {"barotropic_northward_sea_water_velocity", "northward_sea_water_velocity"}},
      {TrackRole::error,
       "error",
       {"error", "current_error", "uv_error", "depth_avg_curr_error", "davg_curr_error",
        "dac_error", "sigma"}},
      {TrackRole::u_error, "u_error", {"u_error", "error_u", "u_sigma", "sigma_u"}},
      {TrackRole::v_error, "v_error", {"v_error", "error_v", "v_sigma", "sigma_v"}},
      {TrackRole::current_time,
       "current_time",
       {"time_uv", "uv_time", "watercurrents_time", "watercurrents_juld", "current_time"}},
      {TrackRole::current_longitude,
       "current_lon",
       {"lon_uv", "uv_lon", "watercurrents_longitude", "current_lon"}},
      {TrackRole::current_latitude,
       "current_lat",
       {"lat_uv", "uv_lat", "watercurrents_latitude", "current_lat"}},
      {TrackRole::dive, "dive", {"dive", "divenum", "dive_number", "dive_num", "log_dive"}},
      {TrackRole::depth,
       "depth",
       {"depth", "dive_depth", "max_depth", "m_depth", "ctd_depth"},
       {"depth"}},
      {TrackRole::profile, "profile", {"profile", "dive_profile"}},
      {TrackRole::identity,
       "id",
       {"drifter_id",    "buoy_id",       "platform_id",   "trajectory_id",     "traj_id",
        "spotter_id",    "spotterid",     "device_id",     "deviceid",          "vehicle_id",
        "glider_id",     "deploy_id",     "deployment_id", "trajectory",        "traj",
        "ids",           "wmo",           "wmo_id",        "wmo_platform_code", "imei",
        "mmsi",          "esn",           "platform_code", "platform_number",   "drifter_number",
        "buoy_number",   "serial_number", row_number,      "drifter_name",      "buoy_name",
        "platform_name", "device_name",   "asset_name",    "drifter",           "buoy",
        "device",        "vehicle",       "glider",        "platform"}},
  };
  return roles;
}

/// Units at the end of names, and their meanings.
constexpr std::pair<std::string_view, std::string_view> endings[] = {{"_deg_true", "degrees"},
                                                                     {"_degrees", "degrees"},
                                                                     {"_deg", "degrees"},
                                                                     {"_rad", "radian"},
                                                                     {"_utc", "utc"},
                                                                     {"_m_s", "m/s"},
                                                                     {"_ms", "m/s"},
                                                                     {"_cm_s", "cm/s"},
                                                                     {"_kn", "kn"},
                                                                     {"_knots", "kn"},
                                                                     {"_kt", "kn"},
                                                                     {"_km", "km"},
                                                                     {"_m", "m"},
                                                                     {"_s", "s"}};

struct PlainName {
  std::string name;
  std::string units;
};

/// A name without the units at its end.
PlainName without_ending(const std::string& name) {
  for (const auto& [ending, units] : endings) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      return {name.substr(0, name.size() - ending.size()), std::string(units)};
    }
  }
  return {name, ""};
}

bool has_name(const TrackColumn& column, std::string_view word) {
  const std::string name = plain_name(column.name);
  return name == word || without_ending(name).name == word;
}

std::optional<std::size_t> find_by_name(const TrackTable& table, const KnownRole& known) {
  for (const std::string_view word : known.words) {
    for (std::size_t n = 0; n < table.columns.size(); ++n) {
      if (has_name(table.columns[n], word)) return n;
    }
  }
  for (const std::string_view word : known.standard_names) {
    for (std::size_t n = 0; n < table.columns.size(); ++n) {
      if (lower_case(table.columns[n].standard_name) == word) return n;
    }
  }
  return std::nullopt;
}

/// The first column with a name of this role that has several values. If all values of a column
/// named id are different, they number the rows.
std::optional<std::size_t> find_identity(const TrackTable& table, const KnownRole& known) {
  for (const std::string_view word : known.words) {
    for (std::size_t n = 0; n < table.columns.size(); ++n) {
      const TrackColumn& column = table.columns[n];
      if (!has_name(column, word)) continue;
      std::set<std::string> names;
      std::size_t rows = 0;
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::string name = text_at(column, row);
        if (name.empty()) continue;
        ++rows;
        names.insert(name);
      }
      if (names.size() > 1 && (word != row_number || names.size() < rows)) return n;
    }
  }
  return std::nullopt;
}

void assign_columns(const TrackTable& table, const std::vector<std::string>& assignments,
                    TrackColumns& columns) {
  for (const std::string& text : assignments) {
    const auto equals = text.find('=');
    std::vector<const char*> names;
    const KnownRole* role = nullptr;
    for (const KnownRole& known : known_roles()) {
      names.push_back(known.name);
      if (equals != std::string::npos && text.substr(0, equals) == known.name) role = &known;
    }
    if (role == nullptr) {
      throw input_error(errors::column_option_invalid, text, fmt::join(names, ", "));
    }
    const auto match = std::find_if(
        table.columns.begin(), table.columns.end(),
        [&](const TrackColumn& column) { return column.name == text.substr(equals + 1); });
    if (match == table.columns.end()) {
      std::vector<std::string> existing;
      for (const TrackColumn& column : table.columns) existing.push_back(column.name);
      throw input_error(errors::column_missing, text, table.path.string(),
                        shortened(fmt::format("{}", fmt::join(existing, ", ")), 400));
    }
    columns[role->role] = static_cast<std::size_t>(match - table.columns.begin());
  }
}

/// All columns with a name of this role, the most specific first.
std::vector<std::size_t> find_all(const TrackTable& table, const KnownRole& known) {
  std::vector<std::size_t> matches;
  for (const std::string_view word : known.words) {
    for (std::size_t n = 0; n < table.columns.size(); ++n) {
      const bool is_new = std::find(matches.begin(), matches.end(), n) == matches.end();
      if (is_new && has_name(table.columns[n], word)) matches.push_back(n);
    }
  }
  return matches;
}

/// Finds the column of times after all other roles have their columns.
void find_time(const TrackTable& table, TrackColumns& columns) {
  const auto time = static_cast<std::size_t>(TrackRole::time);
  columns.of_role[time].reset();
  const std::vector<std::size_t> named = find_all(table, known_roles().front());
  if (named.empty() && columns.has(TrackRole::level)) return;
  std::vector<std::size_t> taken;
  for (const auto& at : columns.of_role) {
    if (at) taken.push_back(*at);
  }
  columns.of_role[time] = find_time_column(table, named, taken);
}

bool has_assignment(const std::vector<std::string>& assignments, const std::string& role) {
  return std::any_of(assignments.begin(), assignments.end(),
                     [&](const std::string& text) { return text.starts_with(role + "="); });
}

}  // namespace

std::string text_at(const TrackColumn& column, std::size_t row) {
  if (!column.texts.empty()) return trimmed(column.texts[row]);
  const double number = column.numbers[row];
  return std::isnan(number) ? "" : fmt::format("{:.15g}", number);
}

std::string plain_name(const std::string& name) {
  std::string text = lower_case(trimmed(name));
  for (char& c : text) {
    if (c == ' ' || c == '-' || c == '.') c = '_';
  }
  return text;
}

std::optional<std::size_t> find_column(const TrackTable& table, std::string_view name) {
  for (std::size_t n = 0; n < table.columns.size(); ++n) {
    if (plain_name(table.columns[n].name) == name) return n;
  }
  return std::nullopt;
}

bool has_value(const TrackColumn& column, std::size_t row) {
  return std::isfinite(column.numbers[row]) ||
         (!column.texts.empty() && !column.texts[row].empty());
}

void clear_value(TrackColumn& column, std::size_t row) {
  column.numbers[row] = std::numeric_limits<double>::quiet_NaN();
  if (!column.texts.empty()) column.texts[row].clear();
}

TrackColumns find_track_columns(const TrackTable& table, TrackNorth north,
                                const std::vector<std::string>& assignments) {
  TrackColumns columns;
  for (const KnownRole& known : known_roles()) {
    columns[known.role] = known.role == TrackRole::identity ? find_identity(table, known)
                                                            : find_by_name(table, known);
  }
  // A column named heading is a compass bearing if the environment has a north.
  auto& bearing = columns[TrackRole::bearing];
  auto& heading = columns[TrackRole::heading];
  if (north == TrackNorth::true_north && heading &&
      plain_name(table.columns[*heading].name).find("from_x") == std::string::npos) {
    if (!bearing) bearing = heading;
    heading.reset();
  }
  if (north == TrackNorth::none) bearing.reset();
  assign_columns(table, assignments, columns);
  if (!has_assignment(assignments, "time")) find_time(table, columns);
  // A user who names one of both roles does not mean the other.
  if (has_assignment(assignments, "heading") && !has_assignment(assignments, "bearing"))
    bearing.reset();
  return columns;
}

int usefulness(const TrackColumns& columns) {
  const auto has_all = [&](std::initializer_list<TrackRole> roles) {
    return std::all_of(roles.begin(), roles.end(),
                       [&](TrackRole role) { return columns.has(role); });
  };
  const bool has_current = has_all({TrackRole::u, TrackRole::v});
  const bool has_current_time = columns.has(TrackRole::current_time);
  const bool has_current_place =
      has_all({TrackRole::current_longitude, TrackRole::current_latitude});
  const bool has_position =
      has_all({TrackRole::longitude, TrackRole::latitude}) || has_all({TrackRole::x, TrackRole::y});
  const bool has_time = columns.has(TrackRole::time) || columns.has(TrackRole::level);
  if (has_current && has_current_time && has_current_place) return has_position && has_time ? 5 : 4;
  if (!has_position || !has_time) return 0;
  if (has_current) return 3;
  const bool has_dead_reckoning = has_all({TrackRole::dead_longitude, TrackRole::dead_latitude}) ||
                                  has_all({TrackRole::dead_x, TrackRole::dead_y});
  const bool has_steering = columns.has(TrackRole::speed) &&
                            (columns.has(TrackRole::bearing) || columns.has(TrackRole::heading));
  return has_dead_reckoning || has_steering ? 2 : 1;
}

std::string describe_columns(const TrackTable& table, const TrackColumns& columns) {
  std::vector<std::string> parts;
  for (const KnownRole& known : known_roles()) {
    const auto at = columns[known.role];
    if (!at) continue;
    const TrackColumn& column = table.columns[*at];
    const std::string units = column.units.empty() ? units_of(column) : column.units;
    parts.push_back(fmt::format("{} is {}{}", known.name, on_one_line(column.name),
                                units.empty() ? "" : " [" + on_one_line(units) + "]"));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string units_of(const TrackColumn& column) {
  if (!column.units.empty()) return lower_case(column.units);
  return without_ending(plain_name(column.name)).units;
}

}  // namespace tidewise
