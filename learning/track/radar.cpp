#include "learning/track/radar.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/quality_flags.h"
#include "env/import/file/radial_velocity.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/no_leg.h"
#include "learning/track/table/clock.h"

namespace tidewise {
namespace {

using ingest::NetcdfDimension;
using ingest::NetcdfFile;

constexpr double radial_error =
    0.05;  // [m/s]: Ohlmann et al. (2007), 0.03 to 0.05 compared with drifters
constexpr double default_error = 0.1;  // [m/s] of a vector without a stated error
constexpr double cells_per_box = 4;
constexpr double usual_interval = 3600;      // [s] of HF radars' maps, if there is only one
constexpr double longest_joined = 3 * 3600;  // [s] limit for joining steps; a tide takes 12 h
constexpr std::size_t max_superobservations = 500;
constexpr std::size_t max_values = 32u << 20;
constexpr double metres_per_degree = 111195;

struct Vector {
  double time = 0;  // in the environment's time [s]
  double longitude = 0;
  double latitude = 0;
  double u = 0;  // eastward [m/s]
  double v = 0;
  double u_error = 0;
  double v_error = 0;
};

/// The content of all files.
struct RadarContent {
  std::vector<Vector> vectors;  // usable vectors
  std::vector<double> maps;     // times of all maps, inside and outside the environment [s]
  std::size_t within = 0;       // number of vectors within the environment
  std::size_t flagged = 0;      // number of these with bad flags
  std::size_t without_error = 0;
  std::vector<std::string> errors;  // origin of the errors, in words
};

/// The extent of a forecast in space and time.
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
    ingest::refuse_radials(file_, u_);
    dimensions_ = file_.dimensions(u_);
    if (!has_field_dimensions(v_))
      file_.refuse(v_, error_text(errors::radar_components_differ, u_));
    size_ = 1;
    for (const auto& dimension : dimensions_) size_ *= dimension.size;
    if (size_ > max_values) {
      file_.refuse(u_, error_text(errors::radar_too_large, size_));
    }
  }

  /// Adds the vectors within the bounds.
  void read(const Bounds& bounds, RadarContent& out) const {
    const auto times = read_times();
    const auto longitude = coordinate({"lon", "longitude"}, "longitude", "degrees_east");
    const auto latitude = coordinate({"lat", "latitude"}, "latitude", "degrees_north");
    require_known_dimensions({times.dimensions, longitude.dimensions, latitude.dimensions});
    const auto u = component(u_, v_);
    const auto v = component(v_, u_);
    const Errors error = errors();
    out.errors.push_back(error.words);
    out.maps.insert(out.maps.end(), times.values.begin(), times.values.end());
    const auto flags = find_flags();
    for (std::size_t n = 0; n < size_; ++n) {
      Vector vector{times.at(n), longitude.at(n), latitude.at(n), u.at(n),
                    v.at(n),     error.u.at(n),   error.v.at(n)};
      if (!std::isfinite(vector.u) || !std::isfinite(vector.v)) continue;
      const double middle = 0.5 * (bounds.west + bounds.east);
      vector.longitude -= 360 * std::round((vector.longitude - middle) / 360);
      const bool is_within = vector.longitude >= bounds.west && vector.longitude <= bounds.east &&
                             vector.latitude >= bounds.south && vector.latitude <= bounds.north &&
                             vector.time >= bounds.first && vector.time <= bounds.last;
      if (!is_within) continue;
      ++out.within;
      if (std::any_of(flags.begin(), flags.end(),
                      [&](const Flag& flag) { return flag.meaning.is_bad(flag.values.at(n)); })) {
        ++out.flagged;
      } else if (!(vector.u_error > 0) || !(vector.v_error > 0)) {
        ++out.without_error;
      } else {
        out.vectors.push_back(vector);
      }
    }
  }

 private:
  /// A variable along dimensions of the velocity: a coordinate, an error, a flag.
  struct FieldVariable {
    std::vector<double> values;
    std::vector<std::string> dimensions;
    std::vector<std::size_t> stride;  // per dimension of the velocity; 0 if it is independent of it
    std::vector<std::size_t> sizes;   // sizes of the velocity's dimensions

    double at(std::size_t n) const {
      std::size_t index = 0;
      for (std::size_t d = sizes.size(); d-- > 0;) {
        index += n % sizes[d] * stride[d];
        n /= sizes[d];
      }
      return values[index];
    }
  };

  bool is_named(const std::string& variable, const std::vector<std::string_view>& names) const {
    const std::string name = lower_case(variable);
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::string find_velocity(const std::vector<std::string_view>& names,
                            const std::vector<std::string_view>& standard_names) const {
    std::string candidate;
    for (const std::string& variable : file_.variables()) {
      if (file_.dimensions(variable).size() < 3) continue;
      const std::string standard_name = file_.text(variable, "standard_name");
      if (std::find(standard_names.begin(), standard_names.end(), standard_name) !=
          standard_names.end()) {
        return variable;
      }
      if (candidate.empty() && is_named(variable, names)) candidate = variable;
    }
    if (!candidate.empty()) return candidate;
    throw input_error(errors::not_gridded_currents, file_.path().string(), standard_names.back());
  }

  FieldVariable read_field(const std::string& variable) const {
    FieldVariable field;
    field.values = file_.read_all(variable);
    const auto dimensions = file_.dimensions(variable);
    for (const auto& dimension : dimensions) field.dimensions.push_back(dimension.name);
    for (const auto& velocity_dimension : dimensions_) {
      field.sizes.push_back(velocity_dimension.size);
      std::size_t stride = 0;
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (dimensions[d].name != velocity_dimension.name) continue;
        stride = 1;
        for (std::size_t n = d + 1; n < dimensions.size(); ++n) stride *= dimensions[n].size;
      }
      field.stride.push_back(stride);
    }
    return field;
  }

  FieldVariable scaled(const std::string& variable, double factor) const {
    FieldVariable field = read_field(variable);
    for (double& value : field.values) value *= factor;
    return field;
  }

  enum class FurtherDimensions { none, of_size_one };
  /// True if a variable's dimensions, except those of size 1, are among the velocity's.
  bool has_field_dimensions(const std::string& variable,
                            FurtherDimensions further = FurtherDimensions::none) const {
    const auto dimensions = file_.dimensions(variable);
    return !dimensions.empty() &&
           std::all_of(dimensions.begin(), dimensions.end(), [&](const auto& dimension) {
             return (dimension.size == 1 && further == FurtherDimensions::of_size_one) ||
                    std::any_of(dimensions_.begin(), dimensions_.end(),
                                [&](const auto& other) { return other.name == dimension.name; });
           });
  }

  FieldVariable coordinate(const std::vector<std::string_view>& names,
                           std::string_view standard_name, std::string_view units) const {
    for (const std::string& variable : file_.variables()) {
      if (!has_field_dimensions(variable) || variable == u_ || variable == v_) continue;
      if (is_named(variable, names) || file_.text(variable, "standard_name") == standard_name ||
          file_.text(variable, "units") == units) {
        return read_field(variable);
      }
    }
    file_.refuse(u_, error_text(errors::radar_coordinate_missing, standard_name));
  }

  FieldVariable read_times() const {
    for (const std::string& variable : file_.variables()) {
      const std::string units = file_.text(variable, "units");
      if (!has_field_dimensions(variable) || units.find(" since ") == std::string::npos) continue;
      FieldVariable times = read_field(variable);
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
    file_.refuse(u_, error_text(errors::radar_time_missing));
  }

  void require_known_dimensions(const std::vector<std::vector<std::string>>& known) const {
    for (const auto& dimension : dimensions_) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const auto& names) {
        return std::find(names.begin(), names.end(), dimension.name) != names.end();
      });
      if (is_known || dimension.size == 1) continue;
      file_.refuse(u_,
                   error_text(errors::radar_dimension_not_single, dimension.size, dimension.name));
    }
  }

  FieldVariable speeds(const std::string& variable, const std::string& units) const {
    const auto factor = speed_factor(lower_case(units));
    if (!factor) file_.refuse(variable, error_text(errors::radar_units_unknown, units));
    return scaled(variable, *factor);
  }

  /// Reads a component. Refuses one without units if the other one has other units than m/s.
  FieldVariable component(const std::string& variable, const std::string& other) const {
    const std::string units = file_.units(variable);
    const std::string other_units = file_.units(other);
    if (units.empty() && speed_factor(lower_case(other_units)) != 1) {
      file_.refuse(variable, error_text(errors::radar_units_missing, other, other_units));
    }
    return speeds(variable, units);
  }

  /// Reads an error. Without units it has those of its component.
  FieldVariable error_of(const std::string& variable, const std::string& component) const {
    const std::string units = file_.units(variable);
    return speeds(variable, units.empty() ? file_.units(component) : units);
  }

  /// The first variable with one of these names. Refuses it if its dimensions do not fit the
  /// velocity.
  std::optional<std::string> find_field(const std::vector<std::string_view>& names) const {
    for (const std::string& variable : file_.variables()) {
      if (!is_named(variable, names)) continue;
      if (has_field_dimensions(variable, FurtherDimensions::of_size_one)) return variable;
      file_.refuse(variable, error_text(errors::radar_flags_differ, u_));
    }
    return std::nullopt;
  }

  struct Errors {
    FieldVariable u;
    FieldVariable v;
    std::string words;
  };

  Errors errors() const {
    const auto u = find_field({"u_error", "u_err", "u_std", "u_sigma", "stdu", "ewcs", "u_stddev"});
    const auto v = find_field({"v_error", "v_err", "v_std", "v_sigma", "stdv", "nscs", "v_stddev"});
    if (u && v) return {error_of(*u, u_), error_of(*v, v_), "the file's"};
    const auto x = find_field({"dopx"});
    const auto y = find_field({"dopy"});
    const std::string diluted = fmt::format("the file's dilution times {} m/s", radial_error);
    if (x && y) return {scaled(*x, radial_error), scaled(*y, radial_error), diluted};
    if (const auto both = find_field({"gdop", "hdop"})) {  // dilution of both components together
      const FieldVariable each = scaled(*both, radial_error / std::sqrt(2.0));
      return {each, each, diluted};
    }
    const double constant_error = error_.value_or(default_error);
    const FieldVariable everywhere{{constant_error}, {}, {}, {}};
    return {everywhere, everywhere, fmt::format("{} m/s, as the file gives none", constant_error)};
  }

  struct Flag {
    ingest::QualityFlag meaning;
    FieldVariable values;
  };

  /// The flags of both components.
  std::vector<Flag> find_flags() const {
    std::vector<Flag> flags;
    for (const std::string& component : {u_, v_}) {
      for (ingest::QualityFlag& flag : ingest::find_quality_flags(file_, component)) {
        const bool is_known = std::any_of(flags.begin(), flags.end(), [&](const Flag& other) {
          return other.meaning.variable() == flag.variable();
        });
        if (is_known) continue;
        FieldVariable values = read_field(flag.variable());
        flags.push_back({std::move(flag), std::move(values)});
      }
    }
    return flags;
  }

  NetcdfFile file_;
  TrackClock clock_;
  std::optional<double> error_;
  std::string u_, v_;
  std::vector<NetcdfDimension> dimensions_;  // dimensions of u and v
  std::size_t size_ = 0;
};

/// A box of latitudes, longitudes and times.
using Box = std::array<std::int64_t, 3>;
using Boxes = std::map<Box, std::vector<std::size_t>>;

/// The smallest interval between two maps [s].
double interval_of(std::vector<double> maps) {
  constexpr double rounding = 1;
  std::erase_if(maps, [](double time) { return !std::isfinite(time); });
  std::sort(maps.begin(), maps.end());
  double min = std::numeric_limits<double>::infinity();
  for (std::size_t n = 1; n < maps.size(); ++n) {
    const double interval = maps[n] - maps[n - 1];
    if (interval > rounding) min = std::min(min, interval);
  }
  return std::isfinite(min) ? min : usual_interval;
}

Boxes sort_into_boxes(const std::vector<Vector>& vectors, const Bounds& bounds, double side,
                      double window) {
  const double longitude_factor =
      std::cos(0.5 * (bounds.south + bounds.north) * 0.017453292519943295);
  Boxes boxes;
  for (std::size_t n = 0; n < vectors.size(); ++n) {
    const Vector& vector = vectors[n];
    const auto index = [](double value) { return static_cast<std::int64_t>(std::floor(value)); };
    boxes[{index((vector.time - bounds.first) / window),
           index((vector.latitude - bounds.south) * metres_per_degree / side),
           index((vector.longitude - bounds.west) * metres_per_degree * longitude_factor / side)}]
        .push_back(n);
  }
  return boxes;
}

/// The period of a box's vectors; each map represents half the interval before and after it.
std::pair<double, double> span_of(const std::vector<Vector>& vectors,
                                  const std::vector<std::size_t>& indices, double interval,
                                  const Bounds& bounds) {
  const auto [first, last] = std::minmax_element(
      indices.begin(), indices.end(),
      [&](std::size_t a, std::size_t b) { return vectors[a].time < vectors[b].time; });
  return {std::max(vectors[*first].time - 0.5 * interval, bounds.first),
          std::min(vectors[*last].time + 0.5 * interval, bounds.last)};
}

double mean_of(const std::vector<Vector>& vectors, const std::vector<std::size_t>& indices,
               double Vector::*member) {
  return std::accumulate(indices.begin(), indices.end(), 0.0,
                         [&](double sum, std::size_t n) { return sum + vectors[n].*member; }) /
         static_cast<double>(indices.size());
}

double root_mean_square_of(const std::vector<Vector>& vectors,
                           const std::vector<std::size_t>& indices, double Vector::*member) {
  const double squares = std::accumulate(
      indices.begin(), indices.end(), 0.0,
      [&](double sum, std::size_t n) { return sum + vectors[n].*member * vectors[n].*member; });
  return std::sqrt(squares / static_cast<double>(indices.size()));
}

void require_vectors(const RadarContent& content, const Bounds& bounds,
                     const std::filesystem::path& path) {
  if (!content.vectors.empty()) return;
  if (content.within == 0) {
    ObservedTrack no_track;
    no_track.path = path;
    no_track.last.is_inside = false;
    throw NoLeg(error_text(errors::radar_outside_forecast, path.string(), bounds.west, bounds.east,
                           bounds.south, bounds.north),
                no_track);
  }
  throw input_error(errors::radar_without_usable_currents, path.string(), content.within,
                    content.flagged, content.without_error);
}

}  // namespace

RadarTable read_radars(const std::vector<std::filesystem::path>& paths,
                       const EnvironmentReader& environment, std::optional<double> error) {
  const EnvironmentInfo& info = environment.info();
  const auto reference = time_reference(environment);
  if (info.coordinates != Coordinates::geographic || info.units != Units::metric || !reference) {
    throw input_error(errors::radar_needs_dates_and_degrees, paths.front().string());
  }
  const Bounds bounds = bounds_of(environment);
  RadarContent content;
  for (const auto& path : paths) RadarFile(path, environment, error).read(bounds, content);
  require_vectors(content, bounds, paths.front());
  const std::vector<Vector>& vectors = content.vectors;
  RadarTable radar;
  radar.side = cells_per_box * std::max(info.grid.dx, info.grid.dy);
  double window = info.time.step;
  Boxes boxes = sort_into_boxes(vectors, bounds, radar.side, window);
  const double extent =
      (bounds.north - bounds.south + bounds.east - bounds.west) * metres_per_degree;
  while (boxes.size() > max_superobservations && radar.side < extent) {
    radar.side *= 1.25;
    window = std::max(window, std::min(2 * window, longest_joined));
    boxes = sort_into_boxes(vectors, bounds, radar.side, window);
  }
  const double interval = std::min(interval_of(content.maps), window);
  TrackTable& table = radar.table;
  table.path = paths.front();
  table.row_name = "superobservation";
  table.file_kind = paths.size() == 1
                        ? "gridded surface currents"
                        : fmt::format("{} files of gridded surface currents", paths.size());
  table.at_many_places = true;
  std::sort(content.errors.begin(), content.errors.end());
  content.errors.erase(std::unique(content.errors.begin(), content.errors.end()),
                       content.errors.end());
  table.errors = fmt::format("{}", fmt::join(content.errors, "; "));
  for (const auto& [name, units] : {std::pair{"current_time", "seconds since 1970-01-01"},
                                    {"current_lon", "degrees_east"},
                                    {"current_lat", "degrees_north"},
                                    {"u", "m/s"},
                                    {"v", "m/s"},
                                    {"u_error", "m/s"},
                                    {"v_error", "m/s"}}) {
    table.columns.push_back({.name = name, .units = units});
  }
  for (const auto& [box, indices] : boxes) {
    const auto [begin, end] = span_of(vectors, indices, interval, bounds);
    table.averaged_over.push_back(end - begin);
    radar.window = std::max(radar.window, end - begin);
    const double row[] = {*reference + 0.5 * (begin + end),
                          mean_of(vectors, indices, &Vector::longitude),
                          mean_of(vectors, indices, &Vector::latitude),
                          mean_of(vectors, indices, &Vector::u),
                          mean_of(vectors, indices, &Vector::v),
                          root_mean_square_of(vectors, indices, &Vector::u_error),
                          root_mean_square_of(vectors, indices, &Vector::v_error)};
    for (std::size_t n = 0; n < std::size(row); ++n) table.columns[n].numbers.push_back(row[n]);
    table.rows.push_back(table.rows.size() + 1);
    radar.values += indices.size();
  }
  return radar;
}

}  // namespace tidewise
