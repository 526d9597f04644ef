#include "env/import/source/variable_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/import/grid/grid_projection.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// Values of a coordinate of two dimensions, as (row, column) whatever their order in the file.
std::vector<double> read_wide(const NetcdfFile& file, const FieldLayout& layout,
                              const std::string& variable) {
  auto values = file.read_all(variable);
  const auto& row = *layout.place(Role::latitude);
  const auto& column = *layout.place(Role::longitude);
  if (values.size() != row.size * column.size) {
    file.refuse(variable,
                "changes along a dimension that is none of its rows and columns; only "
                "points that stay where they are can be read");
  }
  for (const auto& dimension : file.dimensions(variable)) {
    if (dimension.size == 1) continue;
    if (dimension.name == row.dimension) return values;
    break;
  }
  std::vector<double> turned(values.size());
  for (std::size_t j = 0; j < row.size; ++j) {
    for (std::size_t i = 0; i < column.size; ++i) {
      turned[j * column.size + i] = values[i * row.size + j];
    }
  }
  return turned;
}

/// -1 for a coordinate that falls, 1 for one that grows, or that is not there.
double sense_of(const std::vector<double>& values) {
  return values.size() > 1 && values[1] < values[0] ? -1 : 1;
}

double sense_of(const NetcdfFile& file, const std::string& coordinate) {
  return coordinate.empty() ? 1 : sense_of(file.read_all(coordinate));
}

/// What turns a map's coordinates into metres, or those of a rotated pole into degrees; files have
/// "km", and "100 km".
double map_unit(const NetcdfFile& file, const std::string& coordinate, const GridProjection& map) {
  const std::string units = file.text(coordinate, "units");
  std::string bare = lower_case(units);
  char* end = nullptr;
  double factor = std::strtod(bare.c_str(), &end);
  if (end == bare.c_str()) factor = 1;
  bare = trimmed(end);
  const auto is = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), bare) != words.end();
  };
  if (map.is_angular()) {
    if (bare.empty() || bare.starts_with("degree") || bare == "deg") return factor;
  } else if (is({"m", "meter", "metre", "meters", "metres"})) {
    return factor;
  } else if (is({"km", "kilometer", "kilometre", "kilometers", "kilometres"})) {
    return factor * 1000;
  }
  file.refuse(coordinate,
              fmt::format("has the units \"{}\", and a map's coordinates are in {}; mend "
                          "them",
                          units, map.is_angular() ? "degrees" : "m or km"));
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

bool near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
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
    points.x_sense = sense_of(file, layout.along_columns);
    points.y_sense = sense_of(file, layout.along_rows);
    if (points.rows < 2 || points.columns < 2) {
      file.refuse(layout.variable,
                  "has one row or column, and interpolation needs two at least; give "
                  "a larger area");
    }
  }
  if (points.kind == GridKind::projected) {
    read_map_axes(file, layout, points);
  } else if (points.kind == GridKind::curvilinear) {
    points.x = read_wide(file, layout, points.x_name);
    points.y = read_wide(file, layout, points.y_name);
  } else {
    points.x = file.read_all(points.x_name);
    points.y = file.read_all(points.y_name);
    // The first two tell: a meridian where longitudes jump may lie anywhere behind.
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
  return near(a.x, b.x, tolerance) && near(a.y, b.y, tolerance);
}

}  // namespace tidewise::ingest
