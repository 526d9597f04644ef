#include "learning/track/radar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/import/file/netcdf_file.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"
#include "learning/track/clock.h"

namespace tidewise {
namespace {

using ingest::NetcdfDimension;
using ingest::NetcdfFile;

constexpr double radial_error = 0.05;  // [m/s]: Ohlmann et al. (2007), beside drifters 0.03 to 0.05
constexpr double default_error = 0.1;  // [m/s] of a vector of which nothing is said
constexpr double cells_a_box = 4;
constexpr std::size_t most_superobservations = 500;
constexpr std::size_t most_values = 32u << 20;
constexpr double metres_per_degree = 111195;

struct Vector {
  double time = 0;  // of the environment [s]
  double longitude = 0;
  double latitude = 0;
  double u = 0;  // to the east [m/s]
  double v = 0;
  double u_error = 0;
  double v_error = 0;
};

/// What of a forecast observations can lie in.
struct Bounds {
  double west, east, south, north;
  double first, last;  // [s]
};

Bounds bounds_of(const EnvironmentReader& environment) {
  const auto longitude = environment.read_longitude();
  const auto latitude = environment.read_latitude();
  const auto [west, east] = std::minmax_element(longitude.begin(), longitude.end());
  const auto [south, north] = std::minmax_element(latitude.begin(), latitude.end());
  const TimeAxis& time = environment.info().time;
  return {*west, *east, *south, *north, time.first, time.at(TimeLevel(time.level_count - 1))};
}

class RadarFile {
 public:
  RadarFile(const std::filesystem::path& path, const EnvironmentReader& environment,
            std::optional<double> error)
      : file_(path), clock_(environment), error_(error) {
    u_ = find_velocity({"u", "ewct", "ssu", "water_u", "uo"},
                       {"surface_eastward_sea_water_velocity", "eastward_sea_water_velocity"});
    v_ = find_velocity({"v", "nsct", "ssv", "water_v", "vo"},
                       {"surface_northward_sea_water_velocity", "northward_sea_water_velocity"});
    dimensions_ = file_.dimensions(u_);
    if (sizes(v_) != sizes(u_)) file_.refuse(v_, "is on other dimensions than " + u_);
    size_ = 1;
    for (const auto& one : dimensions_) size_ *= one.size;
    if (size_ > most_values) {
      file_.refuse(u_, fmt::format("has {} values; cut out the forecast's time and place", size_));
    }
  }

  /// Adds what lies within.
  void read(const Bounds& bounds, std::vector<Vector>& out) const {
    const auto times = read_times();
    const auto longitude = coordinate({"lon", "longitude"}, "longitude", "degrees_east");
    const auto latitude = coordinate({"lat", "latitude"}, "latitude", "degrees_north");
    require_known_dimensions({times.dimensions, longitude.dimensions, latitude.dimensions});
    const auto u = speeds(u_);
    const auto v = speeds(v_);
    const auto [u_error, v_error] = errors();
    const auto flags = find_flags();
    for (std::size_t n = 0; n < size_; ++n) {
      if (!std::isfinite(u[n]) || !std::isfinite(v[n])) continue;
      const bool is_bad = std::any_of(flags.begin(), flags.end(), [&](const auto& flag) {
        return flag[n] == 3 || flag[n] == 4 || flag[n] == 6 || flag[n] == 9;
      });
      Vector one{times.at(n), longitude.at(n), latitude.at(n), u[n], v[n], u_error[n], v_error[n]};
      const double middle = 0.5 * (bounds.west + bounds.east);
      one.longitude -= 360 * std::round((one.longitude - middle) / 360);
      const bool is_within = one.longitude >= bounds.west && one.longitude <= bounds.east &&
                             one.latitude >= bounds.south && one.latitude <= bounds.north &&
                             one.time >= bounds.first && one.time <= bounds.last;
      if (is_bad || !is_within) continue;
      if (!(one.u_error > 0) || !(one.v_error > 0)) continue;  // a dilution that nobody knows
      out.push_back(one);
    }
  }

 private:
  /// A coordinate, spread over the velocity's values.
  struct Coordinate {
    std::vector<double> values;
    std::vector<std::string> dimensions;
    std::vector<std::size_t> stride;  // of the velocity's dimensions; 0 where it does not depend
    std::vector<std::size_t> sizes;   // of these

    double at(std::size_t n) const {
      std::size_t index = 0;
      for (std::size_t d = sizes.size(); d-- > 0;) {
        index += n % sizes[d] * stride[d];
        n /= sizes[d];
      }
      return values[index];
    }
  };

  std::vector<std::size_t> sizes(const std::string& variable) const {
    std::vector<std::size_t> found;
    for (const auto& one : file_.dimensions(variable)) found.push_back(one.size);
    return found;
  }

  bool is_named(const std::string& variable, const std::vector<std::string_view>& names) const {
    const std::string name = lower_case(variable);
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::string find_velocity(const std::vector<std::string_view>& names,
                            const std::vector<std::string_view>& standard_names) const {
    std::string found;
    for (const std::string& variable : file_.variables()) {
      if (file_.dimensions(variable).size() < 3) continue;
      const std::string standard_name = file_.text(variable, "standard_name");
      if (std::find(standard_names.begin(), standard_names.end(), standard_name) !=
          standard_names.end()) {
        return variable;
      }
      if (found.empty() && is_named(variable, names)) found = variable;
    }
    if (!found.empty()) return found;
    throw InputError(fmt::format(
        "{}: has no {} over time, latitude and longitude, as gridded surface currents do; a "
        "vehicle's or a drifter's track is given by --track or --drifter",
        file_.path().string(), standard_names.back()));
  }

  Coordinate along(const std::string& variable) const {
    Coordinate coordinate;
    coordinate.values = file_.read_all(variable);
    const auto own = file_.dimensions(variable);
    for (const auto& one : own) coordinate.dimensions.push_back(one.name);
    for (const auto& one : dimensions_) {
      coordinate.sizes.push_back(one.size);
      std::size_t stride = 0;
      for (std::size_t d = 0; d < own.size(); ++d) {
        if (own[d].name != one.name) continue;
        stride = 1;
        for (std::size_t after = d + 1; after < own.size(); ++after) stride *= own[after].size;
      }
      coordinate.stride.push_back(stride);
    }
    return coordinate;
  }

  /// Whether a variable's dimensions are among the velocity's.
  bool is_of_field(const std::string& variable) const {
    const auto own = file_.dimensions(variable);
    return !own.empty() && std::all_of(own.begin(), own.end(), [&](const auto& one) {
      return std::any_of(dimensions_.begin(), dimensions_.end(),
                         [&](const auto& other) { return other.name == one.name; });
    });
  }

  Coordinate coordinate(const std::vector<std::string_view>& names, std::string_view standard_name,
                        std::string_view units) const {
    for (const std::string& variable : file_.variables()) {
      if (!is_of_field(variable) || variable == u_ || variable == v_) continue;
      if (is_named(variable, names) || file_.text(variable, "standard_name") == standard_name ||
          file_.text(variable, "units") == units) {
        return along(variable);
      }
    }
    file_.refuse(u_, fmt::format("has no {} along its dimensions", standard_name));
  }

  Coordinate read_times() const {
    for (const std::string& variable : file_.variables()) {
      const std::string units = file_.text(variable, "units");
      if (!is_of_field(variable) || units.find(" since ") == std::string::npos) continue;
      Coordinate times = along(variable);
      TrackTable table;
      table.path = file_.path();
      table.row_name = "time";
      table.columns.push_back({.name = variable,
                               .units = units,
                               .calendar = file_.text(variable, "calendar"),
                               .numbers = times.values});
      for (std::size_t n = 0; n < times.values.size(); ++n) table.rows.push_back(n);
      for (std::size_t n = 0; n < times.values.size(); ++n) {
        times.values[n] = clock_.time(table, table.columns[0], n)
                              .value_or(std::numeric_limits<double>::quiet_NaN());
      }
      return times;
    }
    file_.refuse(u_, "has no time along its dimensions whose units say since when");
  }

  void require_known_dimensions(const std::vector<std::vector<std::string>>& known) const {
    for (const auto& one : dimensions_) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const auto& names) {
        return std::find(names.begin(), names.end(), one.name) != names.end();
      });
      if (is_known || one.size == 1) continue;
      file_.refuse(
          u_, fmt::format("has {} {}; surface currents have one: cut it out", one.size, one.name));
    }
  }

  std::vector<double> speeds(const std::string& variable) const {
    const std::string units = file_.units(variable);
    const auto factor = units.empty() ? std::optional(1.0) : speed_factor(lower_case(units));
    if (!factor) file_.refuse(variable, fmt::format("is in \"{}\", which is no speed", units));
    auto values = file_.read_all(variable);
    for (double& value : values) value *= *factor;
    return values;
  }

  std::optional<std::string> find_field(const std::vector<std::string_view>& names) const {
    for (const std::string& variable : file_.variables()) {
      if (is_named(variable, names) && sizes(variable) == sizes(u_)) return variable;
    }
    return std::nullopt;
  }

  /// Of u and of v, by value.
  std::pair<std::vector<double>, std::vector<double>> errors() const {
    const auto u = find_field({"u_error", "u_err", "u_std", "u_sigma", "stdu", "ewcs", "u_stddev"});
    const auto v = find_field({"v_error", "v_err", "v_std", "v_sigma", "stdv", "nscs", "v_stddev"});
    if (u && v) return {speeds(*u), speeds(*v)};
    const auto scaled = [&](const std::string& variable, double factor) {
      auto values = file_.read_all(variable);
      for (double& value : values) value *= factor;
      return values;
    };
    const auto x = find_field({"dopx"});
    const auto y = find_field({"dopy"});
    if (x && y) return {scaled(*x, radial_error), scaled(*y, radial_error)};
    if (const auto both = find_field({"gdop", "hdop"})) {  // of both components together
      const auto each = scaled(*both, radial_error / std::sqrt(2.0));
      return {each, each};
    }
    const std::vector<double> same(size_, error_.value_or(default_error));
    return {same, same};
  }

  std::vector<std::vector<double>> find_flags() const {
    std::vector<std::vector<double>> flags;
    for (const std::string& variable : file_.variables()) {
      const std::string name = lower_case(variable);
      const bool is_flag =
          name == "qcflag" || name == lower_case(u_) + "_qc" || name == lower_case(v_) + "_qc";
      if (is_flag && sizes(variable) == sizes(u_)) flags.push_back(file_.read_all(variable));
    }
    return flags;
  }

  NetcdfFile file_;
  TrackClock clock_;
  std::optional<double> error_;
  std::string u_, v_;
  std::vector<NetcdfDimension> dimensions_;  // of u and v
  std::size_t size_ = 0;
};

/// A box of latitudes, longitudes and times.
using Box = std::array<std::int64_t, 3>;
using Boxes = std::map<Box, std::vector<std::size_t>>;

Boxes sort_into_boxes(const std::vector<Vector>& vectors, const Bounds& bounds, double side,
                      double window) {
  const double shrink = std::cos(0.5 * (bounds.south + bounds.north) * 0.017453292519943295);
  Boxes boxes;
  for (std::size_t n = 0; n < vectors.size(); ++n) {
    const Vector& one = vectors[n];
    const auto whole = [](double value) { return static_cast<std::int64_t>(std::floor(value)); };
    const std::int64_t when = whole((one.time - bounds.first) / window);
    const double end = bounds.first + static_cast<double>(when + 1) * window;
    if (end > bounds.last * (1 + 1e-12) + 1e-6) continue;  // a window that the forecast cuts off
    boxes[{when, whole((one.latitude - bounds.south) * metres_per_degree / side),
           whole((one.longitude - bounds.west) * metres_per_degree * shrink / side)}]
        .push_back(n);
  }
  return boxes;
}

double mean_of(const std::vector<Vector>& vectors, const std::vector<std::size_t>& of,
               double Vector::*member) {
  return std::accumulate(of.begin(), of.end(), 0.0,
                         [&](double sum, std::size_t n) { return sum + vectors[n].*member; }) /
         static_cast<double>(of.size());
}

double root_mean_square_of(const std::vector<Vector>& vectors, const std::vector<std::size_t>& of,
                           double Vector::*member) {
  const double squares = std::accumulate(of.begin(), of.end(), 0.0, [&](double sum, std::size_t n) {
    return sum + vectors[n].*member * vectors[n].*member;
  });
  return std::sqrt(squares / static_cast<double>(of.size()));
}

}  // namespace

RadarTable read_radars(const std::vector<std::filesystem::path>& paths,
                       const EnvironmentReader& environment, std::optional<double> error) {
  const EnvironmentInfo& info = environment.info();
  const auto reference = time_reference(environment);
  if (info.coordinates != Coordinates::geographic || info.units != Units::metric || !reference) {
    throw InputError(
        fmt::format("--radar {}: has dates, longitudes and latitudes, and the environment does not "
                    "have all of them; take one that was imported from a forecast",
                    paths.front().string()));
  }
  const Bounds bounds = bounds_of(environment);
  std::vector<Vector> vectors;
  for (const auto& path : paths) RadarFile(path, environment, error).read(bounds, vectors);
  RadarTable radar;
  radar.side = cells_a_box * std::max(info.grid.dx, info.grid.dy);
  radar.window = info.time.step;
  Boxes boxes = sort_into_boxes(vectors, bounds, radar.side, radar.window);
  while (boxes.size() > most_superobservations) {
    radar.side *= 1.25;
    radar.window = std::min(2 * radar.window, bounds.last - bounds.first);
    boxes = sort_into_boxes(vectors, bounds, radar.side, radar.window);
  }
  if (boxes.empty()) {
    throw InputError(fmt::format(
        "--radar {}: no current in it lies within the environment's place and time (longitude "
        "{:.2f} to {:.2f}, latitude {:.2f} to {:.2f}); take a forecast that covers it",
        paths.front().string(), bounds.west, bounds.east, bounds.south, bounds.north));
  }
  TrackTable& table = radar.table;
  table.path = paths.front();
  table.row_name = "superobservation";
  table.form = paths.size() == 1
                   ? "gridded surface currents"
                   : fmt::format("{} files of gridded surface currents", paths.size());
  table.at_many_places = true;
  for (const auto& [name, units] : {std::pair{"current_time", "seconds since 1970-01-01"},
                                    {"current_lon", "degrees_east"},
                                    {"current_lat", "degrees_north"},
                                    {"u", "m/s"},
                                    {"v", "m/s"},
                                    {"u_error", "m/s"},
                                    {"v_error", "m/s"}}) {
    table.columns.push_back({.name = name, .units = units});
  }
  for (const auto& [box, of] : boxes) {
    const double middle = bounds.first + (static_cast<double>(box[0]) + 0.5) * radar.window;
    const double row[] = {*reference + middle,
                          mean_of(vectors, of, &Vector::longitude),
                          mean_of(vectors, of, &Vector::latitude),
                          mean_of(vectors, of, &Vector::u),
                          mean_of(vectors, of, &Vector::v),
                          root_mean_square_of(vectors, of, &Vector::u_error),
                          root_mean_square_of(vectors, of, &Vector::v_error)};
    for (std::size_t n = 0; n < std::size(row); ++n) table.columns[n].numbers.push_back(row[n]);
    table.rows.push_back(table.rows.size() + 1);
    radar.values += of.size();
  }
  return radar;
}

}  // namespace tidewise
