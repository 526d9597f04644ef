#include "env/import/source/variable_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/netcdf/point_limit.h"
#include "env/import/file/wide_coordinates.h"
#include "env/import/grid/local_plane.h"
#include "env/import/grid/median.h"
#include "env/import/grid/transformation.h"
#include "env/units/angle.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// The projection of a forecast's grid, by PROJ.
class GridProjection {
 public:
  /// `proj`: as in GridMappingText. Errors: InputError, without the file's name, if PROJ does not
  /// accept it.
  explicit GridProjection(const std::string& proj);

  /// True if the coordinates are angles [degrees], not metres.
  bool is_angular() const;
  /// The position of a point; NaN outside the projection's range.
  GeographicPoint to_geographic(PlanePoint point) const;
  /// Squared eccentricity of the ellipsoid; 0 for a sphere.
  double eccentricity_squared() const;

 private:
  std::string definition_;
  std::unique_ptr<Transformation> transformation_;
};

GridProjection::GridProjection(const std::string& proj)
    : definition_(proj), transformation_(std::make_unique<Transformation>(proj)) {
  if (transformation_->projection != nullptr) return;
  throw input_error(errors::projection_invalid, proj);
}

bool GridProjection::is_angular() const {
  // PROJ has no definite units for a rotated longlat.
  return definition_.find("+o_proj=longlat") != std::string::npos ||
         definition_.find("+o_proj=latlon") != std::string::npos;
}

GeographicPoint GridProjection::to_geographic(PlanePoint point) const {
  const double unit = is_angular() ? radians_per_degree : 1;
  const PJ_COORD out = proj_trans(transformation_->projection, PJ_INV,
                                  proj_coord(unit * point.x, unit * point.y, 0, 0));
  if (!std::isfinite(out.lp.lam) || !std::isfinite(out.lp.phi)) {
    constexpr double no_position = std::numeric_limits<double>::quiet_NaN();
    return {no_position, no_position};
  }
  return {out.lp.lam / radians_per_degree, out.lp.phi / radians_per_degree};
}

double GridProjection::eccentricity_squared() const {
  if (is_angular()) return 0;  // a rotated pole rotates angles on a sphere
  // In PROJ only a coordinate reference system has an ellipsoid.
  const Transformation system(definition_ + " +type=crs");
  PJ* ellipsoid = proj_get_ellipsoid(system.context, system.projection);
  double major = 1;
  double minor = 1;
  if (ellipsoid != nullptr) {
    proj_ellipsoid_get_parameters(system.context, ellipsoid, &major, &minor, nullptr, nullptr);
  }
  proj_destroy(ellipsoid);
  return 1 - minor * minor / (major * major);
}

std::vector<NetcdfDimension> row_and_column(const FieldLayout& layout) {
  const auto& row = *layout.place(Role::latitude);
  const auto& column = *layout.place(Role::longitude);
  return {{row.dimension, row.size}, {column.dimension, column.size}};
}

/// Number of points of ROMS' mask of u or v that contradict the adjacent rho points.
std::size_t mask_differences(const std::vector<double>& mask, const std::vector<double>& rho,
                             std::size_t columns, std::size_t stride, bool before) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < mask.size(); ++n) {
    const std::size_t along = stride == 1 ? n % columns : n / columns;
    const std::size_t last = stride == 1 ? columns : mask.size() / columns;
    if (before ? along == 0 : along + 1 == last) continue;
    const std::size_t first = before ? n - stride : n;
    if ((mask[n] == 1) != (rho[first] == 1 && rho[first + stride] == 1)) ++count;
  }
  return count;
}

/// Calls half_step() for the points of a layout and those of `variable`. If both have equal numbers
/// of points, ROMS' masks show which come first.
std::optional<HalfStep> half_step_from(const NetcdfFile& file, const FieldLayout& layout,
                                       const std::string& variable) {
  const auto dimensions = row_and_column(layout);
  const auto wide = wide_dimensions(file, variable);
  std::optional<HalfStep> step = half_step(dimensions, wide);
  if (!step || !step->before_unknown) return step;
  const auto read_mask = [&](const char* name) {
    const std::size_t points = dimensions[0].size * dimensions[1].size;
    auto mask = file.has(name) ? file.read_all(name) : std::vector<double>();
    return mask.size() == points ? mask : std::vector<double>();
  };
  const auto mask = read_mask(step->along_columns ? "mask_u" : "mask_v");
  const auto rho = read_mask("mask_rho");
  if (mask.empty() || rho.empty()) return step;
  const std::size_t stride = step->along_columns ? 1 : dimensions[1].size;
  const std::size_t differences_before =
      mask_differences(mask, rho, dimensions[1].size, stride, true);
  const std::size_t differences_after =
      mask_differences(mask, rho, dimensions[1].size, stride, false);
  step->before = differences_before < differences_after;
  step->before_unknown = differences_before == differences_after;
  return step;
}

/// Values of a two-dimensional coordinate, as (row, column), for either order in the file.
std::vector<double> read_wide(const NetcdfFile& file, const FieldLayout& layout,
                              const std::string& variable) {
  auto values = file.read_all(variable);
  const auto& row = *layout.place(Role::latitude);
  const auto& column = *layout.place(Role::longitude);
  if (half_step_from(file, layout, variable)) return values;
  if (values.size() != row.size * column.size) {
    file.refuse(variable, error_text(errors::points_move));
  }
  for (const auto& dimension : file.dimensions(variable)) {
    if (dimension.size == 1) continue;
    if (dimension.name == row.dimension) return values;
    break;
  }
  std::vector<double> transposed(values.size());
  for (std::size_t j = 0; j < row.size; ++j) {
    for (std::size_t i = 0; i < column.size; ++i) {
      transposed[j * column.size + i] = values[i * row.size + j];
    }
  }
  return transposed;
}

/// -1 for a descending coordinate, 1 for an ascending or missing one.
double sense_of(const std::vector<double>& values) {
  return values.size() > 1 && values[1] < values[0] ? -1 : 1;
}

double sense_of(const NetcdfFile& file, const std::string& coordinate) {
  return coordinate.empty() ? 1 : sense_of(file.read_all(coordinate));
}

/// The factor from a map's coordinates to metres, or from those of a rotated pole to degrees; files
/// have "km", and "100 km".
double map_unit(const NetcdfFile& file, const std::string& coordinate, const GridProjection& map) {
  const std::string units = file.units(coordinate);
  std::string unit_name = lower_case(units);
  char* end = nullptr;
  double factor = std::strtod(unit_name.c_str(), &end);
  if (end == unit_name.c_str()) factor = 1;
  unit_name = trimmed(end);
  const auto is_any = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), unit_name) != words.end();
  };
  if (map.is_angular()) {
    if (unit_name.empty() || unit_name.starts_with("degree") || unit_name == "deg") return factor;
  } else if (is_any({"m", "meter", "metre", "meters", "metres"})) {
    return factor;
  } else if (is_any({"km", "kilometer", "kilometre", "kilometers", "kilometres"})) {
    return factor * 1000;
  }
  file.refuse(coordinate, error_text(errors::projected_coordinate_units, units,
                                     map.is_angular() ? "degrees" : "m or km"));
}

void read_map_axes(const NetcdfFile& file, const FieldLayout& layout, VariablePoints& points) {
  points.proj = layout.mapping.proj;
  try {
    const GridProjection map(points.proj);
    points.x = file.read_all(points.x_name);
    points.y = file.read_all(points.y_name);
    const double x_unit = map_unit(file, points.x_name, map);
    const double y_unit = map_unit(file, points.y_name, map);
    for (double& x : points.x) x *= x_unit;
    for (double& y : points.y) y *= y_unit;
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.find(file.path().string()) == 0) throw;
    file.refuse(layout.mapping.variable, what);
  }
}

/// Computes the positions of points that lie half a step from those read from `variable`: midway
/// between two of them, and half a step beyond the first or the last.
void use_midpoints(const NetcdfFile& file, const std::string& variable, const HalfStep& step,
                   VariablePoints& points) {
  const auto wide = wide_dimensions(file, variable);
  PointGrid wide_grid{wide[0].size, wide[1].size, std::move(points.x), std::move(points.y)};
  drop_placeless(wide_grid);
  points.x.assign(points.rows * points.columns, std::nan(""));
  points.y = points.x;
  const std::size_t stride = step.along_columns ? 1 : wide_grid.columns;
  const std::size_t last = (step.along_columns ? wide_grid.columns : wide_grid.rows) - 1;
  for (std::size_t n = 0; n < points.x.size(); ++n) {
    const std::size_t row = n / points.columns;
    const std::size_t column = n % points.columns;
    // The pair of points on both sides, or the nearest pair if one of them does not exist.
    const std::size_t after = (step.along_columns ? column : row) + (step.before ? 0 : 1);
    const std::size_t second = std::clamp<std::size_t>(after, 1, last);
    const std::size_t b =
        step.along_columns ? row * wide_grid.columns + second : second * wide_grid.columns + column;
    const std::size_t a = b - stride;
    if (!wide_grid.has_place(a) || !wide_grid.has_place(b)) continue;
    const double share = 0.5 + static_cast<double>(after) - static_cast<double>(second);
    const GeographicPoint place = place_of((1 - share) * wide_grid.up(a) + share * wide_grid.up(b));
    points.x[n] = place.longitude;
    points.y[n] = place.latitude;
  }
  if (!step.before_unknown) return;
  const std::string note = fmt::format(
      "positions: there are as many points along the {} as in {}, and no masks show which come "
      "first; "
      "placed half a step after those of equal index",
      step.along_columns ? "columns" : "rows", variable);
  points.note = points.note.empty() ? note : points.note + "; " + note;
}

bool has_any_position(const VariablePoints& points) {
  const PointGrid grid = points.to_point_grid();
  for (std::size_t n = 0; n < grid.size(); ++n) {
    if (grid.has_place(n)) return true;
  }
  return false;
}

using CoordinatePair =
    std::pair<std::string, std::string>;  // variables of longitudes and latitudes

/// The coordinates of a file's points between which the layout's points lie midway, such as ROMS'
/// rho points for u and v.
std::vector<CoordinatePair> adjacent_coordinates(const NetcdfFile& file, const FieldLayout& layout,
                                                 const VariablePoints& points) {
  std::vector<CoordinatePair> pairs;
  for (const auto& lon : file.variables()) {
    const auto wide = wide_dimensions(file, lon);
    if (lon == points.x_name || wide.size() != 2 || !is_named(file, lon, Role::longitude) ||
        !half_step(row_and_column(layout), wide)) {
      continue;
    }
    for (const auto& lat : file.variables()) {
      const auto lat_dimensions = wide_dimensions(file, lat);
      const bool fits = lat_dimensions.size() == 2 && lat_dimensions[0].name == wide[0].name &&
                        lat_dimensions[1].name == wide[1].name &&
                        is_named(file, lat, Role::latitude);
      const auto values = fits ? file.read_all(lat) : std::vector<double>();
      if (std::any_of(values.begin(), values.end(), [](double x) { return x != 0; })) {
        pairs.emplace_back(lon, lat);
      }
    }
  }
  return pairs;
}

/// Replaces longitudes and latitudes without positions, as those of u and v in some ROMS files, by
/// the middles of adjacent points, if the file has them.
void use_adjacent_positions(const NetcdfFile& file, const FieldLayout& layout,
                            VariablePoints& points) {
  const std::vector<CoordinatePair> pairs = adjacent_coordinates(file, layout, points);
  if (pairs.size() != 1) {
    std::vector<std::string> options;
    options.reserve(pairs.size());
    for (const auto& [lon, lat] : pairs) {
      options.push_back(fmt::format("--lon {} --lat {}", lon, lat));
    }
    file.refuse(
        points.x_name,
        error_text(errors::coordinates_without_places, points.y_name,
                   pairs.empty() ? "correct the file, or cut it with one range of indices for all "
                                   "xi dimensions and one for all eta dimensions"
                                 : fmt::format("these points lie midway between others of the "
                                               "file: use {}",
                                               fmt::join(options, ", or "))));
  }
  const auto& [lon, lat] = pairs.front();
  points.note = fmt::format(
      "positions: {} and {} are equal at all points, or missing; computed midway between "
      "those of {} and {}",
      points.x_name, points.y_name, lon, lat);
  points.x = read_wide(file, layout, lon);
  points.y = read_wide(file, layout, lat);
  use_midpoints(file, lon, *half_step_from(file, layout, lon), points);
}

/// Checks that longitudes and latitudes of all points agree with the map's x and y.
void require_map_agreement(const NetcdfFile& file, const FieldLayout& layout,
                           const VariablePoints& points) {
  constexpr double tolerance = 0.1;  // share of a step
  VariablePoints map = points;
  map.kind = GridKind::projected;
  map.x_name = layout.along_columns;
  map.y_name = layout.along_rows;
  PointGrid map_grid;
  try {
    read_map_axes(file, layout, map);
    map_grid = map.to_point_grid();
  } catch (const InputError&) {
    return;  // axes that are not map coordinates cannot contradict
  }
  const PointGrid grid = points.to_point_grid();
  std::vector<double> distances;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    if (grid.has_place(n) && map_grid.has_place(n)) {
      distances.push_back(length(grid.up(n) - map_grid.up(n)));
    }
  }
  const double distance = median(std::move(distances));
  if (!(distance > tolerance * std::min(usual_column_step(grid), usual_row_step(grid)))) return;
  constexpr double earth_radius = 6371;  // [km] mean, for a message
  file.refuse(points.x_name,
              error_text(errors::coordinates_off_projection, points.y_name, distance * earth_radius,
                         map.x_name, map.y_name, layout.mapping.variable, points.x_name,
                         points.y_name, map.x_name, map.y_name));
}

bool are_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) {
           return std::abs(x - y) <= tolerance || (std::isnan(x) && std::isnan(y));
         });
}

}  // namespace

VariablePoints read_points(const NetcdfFile& file, const FieldLayout& layout) {
  VariablePoints points;
  points.kind = layout.kind;
  points.x_name = layout.place(Role::longitude)->coordinate;
  points.y_name = layout.place(Role::latitude)->coordinate;
  points.rows = layout.place(Role::latitude)->size;
  points.columns = layout.place(Role::longitude)->size;
  if (points.kind != GridKind::longitude_latitude) {
    if (points.rows > max_points / std::max<std::size_t>(points.columns, 1)) {
      file.refuse(layout.variable, error_text(errors::import_grid_too_many_points, points.columns,
                                              points.rows, too_many_points));
    }
    points.x_sense = sense_of(file, layout.along_columns);
    points.y_sense = sense_of(file, layout.along_rows);
    if (points.rows < 2 || points.columns < 2) {
      file.refuse(layout.variable, error_text(errors::field_too_narrow));
    }
  }
  if (points.kind == GridKind::projected) {
    read_map_axes(file, layout, points);
  } else if (points.kind == GridKind::curvilinear) {
    points.x = read_wide(file, layout, points.x_name);
    points.y = read_wide(file, layout, points.y_name);
    if (const auto step = half_step_from(file, layout, points.x_name)) {
      use_midpoints(file, points.x_name, *step, points);
    }
    if (!has_any_position(points)) use_adjacent_positions(file, layout, points);
    if (!layout.mapping.proj.empty()) require_map_agreement(file, layout, points);
  } else {
    points.x = file.read_all(points.x_name);
    points.y = file.read_all(points.y_name);
    // Only the first two are compared, because longitudes may jump at any meridian after them.
    points.x_sense = sense_of(points.x);
    points.y_sense = sense_of(points.y);
  }
  return points;
}

PointGrid VariablePoints::to_point_grid() const {
  PointGrid grid;
  grid.rows = rows;
  grid.columns = columns;
  grid.longitude.resize(grid.size());
  grid.latitude.resize(grid.size());
  if (kind == GridKind::curvilinear) {
    grid.longitude = x;
    grid.latitude = y;
  } else if (kind == GridKind::projected) {
    const GridProjection map(proj);
    grid.eccentricity_squared = map.eccentricity_squared();
    for (std::size_t n = 0; n < grid.size(); ++n) {
      const GeographicPoint place = map.to_geographic({x[n % columns], y[n / columns]});
      grid.longitude[n] = place.longitude;
      grid.latitude[n] = place.latitude;
    }
  } else {
    for (std::size_t n = 0; n < grid.size(); ++n) {
      grid.longitude[n] = x[n % columns];
      grid.latitude[n] = y[n / columns];
    }
  }
  drop_placeless(grid);
  return grid;
}

bool same_points(const VariablePoints& a, const VariablePoints& b) {
  constexpr double degrees = 1e-4;  // about ten metres
  if (a.kind != b.kind || a.rows != b.rows || a.columns != b.columns || a.proj != b.proj) {
    return false;
  }
  const bool metres = a.kind == GridKind::projected && a.x.size() > 1;
  const double tolerance = metres ? 0.01 * std::abs(a.x[1] - a.x[0]) : degrees;
  return are_near(a.x, b.x, tolerance) && are_near(a.y, b.y, tolerance);
}

}  // namespace tidewise::ingest
