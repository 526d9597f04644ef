#include "env/import/grid/source_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/netcdf/point_limit.h"

namespace tidewise::ingest {
namespace {

constexpr double turn = 360;             // [degrees]
constexpr double edge_tolerance = 1e-6;  // [degrees] rounding of float32 coordinates

struct Axis {
  std::vector<double> value;
  std::vector<std::size_t> index;
};

std::vector<double> read_axis(const NetcdfFile& file, const std::string& variable, double min,
                              double max) {
  auto values = file.read_all(variable);
  for (const double value : values) {
    if (!(value >= min && value <= max)) {
      file.refuse(variable, error_text(errors::coordinate_outside_range, value, min, max));
    }
  }
  if (values.size() < 2) {
    file.refuse(variable, error_text(errors::coordinate_too_short, values.size()));
  }
  return values;
}

/// The axis in ascending order. Errors: InputError if it neither ascends nor descends throughout.
Axis sorted_axis(const NetcdfFile& file, const std::string& variable, std::vector<double> values) {
  Axis axis{std::move(values), {}};
  axis.index.resize(axis.value.size());
  std::iota(axis.index.begin(), axis.index.end(), std::size_t{0});
  if (axis.value.front() > axis.value.back()) {
    std::reverse(axis.value.begin(), axis.value.end());
    std::reverse(axis.index.begin(), axis.index.end());
  }
  for (std::size_t i = 1; i < axis.value.size(); ++i) {
    if (axis.value[i] > axis.value[i - 1]) continue;
    file.refuse(variable,
                error_text(errors::coordinate_not_sorted, axis.value[i], axis.value[i - 1]));
  }
  return axis;
}

/// Removes the jump of an axis that crosses 180 or 360 degrees: 179, 180, -179 → 179, 180, 181.
std::vector<double> unwrapped(std::vector<double> values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    values[i] -= turn * std::round((values[i] - values[i - 1]) / turn);
  }
  return values;
}

/// The points in [min, max] and one more on each side.
Axis cut(const Axis& axis, double min, double max) {
  const auto begin = axis.value.begin();
  auto first = std::lower_bound(begin, axis.value.end(), min - edge_tolerance) - begin;
  auto last = std::upper_bound(begin, axis.value.end(), max + edge_tolerance) - begin;
  if (first > 0) --first;
  last = std::min(last + 1, static_cast<std::ptrdiff_t>(axis.value.size()));
  return {{begin + first, begin + last}, {axis.index.begin() + first, axis.index.begin() + last}};
}

/// The axis with longitudes that are continuous around the box. A global axis is cut half a turn
/// away from the box's middle.
Axis unwrapped_around(const Axis& axis, double west, double east) {
  const double seam = (west + east) / 2 - turn / 2;
  std::vector<std::pair<double, std::size_t>> points;
  for (std::size_t i = 0; i < axis.value.size(); ++i) {
    const double turns = std::floor((axis.value[i] - seam) / turn);
    points.emplace_back(axis.value[i] - turns * turn, axis.index[i]);
  }
  std::sort(points.begin(), points.end());
  Axis result;
  for (const auto& [value, index] : points) {
    // A cyclic axis may hold the same meridian twice (0 and 360).
    if (!result.value.empty() && value - result.value.back() < edge_tolerance) continue;
    result.value.push_back(value);
    result.index.push_back(index);
  }
  return result;
}

double greatest_step(const Axis& axis) {
  double max = 0;
  for (std::size_t i = 1; i < axis.value.size(); ++i) {
    max = std::max(max, axis.value[i] - axis.value[i - 1]);
  }
  return max;
}

/// True if the points reach into (min, max), without a gap that the whole axis does not have.
bool reaches(const Axis& part, const Axis& whole, double min, double max) {
  return part.value.size() >= 2 && part.value.front() < max && part.value.back() > min &&
         greatest_step(part) < 1.5 * greatest_step(whole);
}

}  // namespace

SourceGrid make_source_grid(const NetcdfFile& file, const std::string& longitude,
                            const std::string& latitude, const std::optional<BoundingBox>& box) {
  Axis columns = sorted_axis(file, longitude, unwrapped(read_axis(file, longitude, -360, 720)));
  Axis rows = sorted_axis(file, latitude, read_axis(file, latitude, -90, 90));
  double west = columns.value.front();
  double east = columns.value.back();
  double south = rows.value.front();
  double north = rows.value.back();
  if (box) {
    const auto [box_west, box_south, box_east, box_north] = *box;
    const double east_of_west = box_east > box_west ? box_east : box_east + turn;
    const Axis whole = columns;
    columns = cut(unwrapped_around(columns, box_west, east_of_west), box_west, east_of_west);
    rows = cut(rows, box_south, box_north);
    if (!reaches(columns, whole, box_west, east_of_west) || rows.value.size() < 2 ||
        rows.value.front() >= box_north || rows.value.back() <= box_south) {
      throw input_error(errors::bbox_outside_grid, file.path().string(), box_west, box_south,
                        box_east, box_north, west, east, south, north);
    }
    west = std::max(box_west, columns.value.front());
    east = std::min(east_of_west, columns.value.back());
    south = std::max(box_south, rows.value.front());
    north = std::min(box_north, rows.value.back());
  }
  if (rows.value.size() > max_points / columns.value.size()) {
    file.refuse(longitude, error_text(errors::grid_too_many_points, columns.value.size(),
                                      rows.value.size(), latitude, too_many_points));
  }
  return {columns.value, rows.value, columns.index, rows.index, west, south, east, north};
}

bool is_in_box(const BoundingBox& box, GeographicPoint place) {
  const auto [west, south, east, north] = box;
  const double east_of_west = east > west ? east : east + turn;
  const double longitude =
      place.longitude - turn * std::floor((place.longitude - west + edge_tolerance) / turn);
  return longitude <= east_of_west + edge_tolerance && place.latitude >= south - edge_tolerance &&
         place.latitude <= north + edge_tolerance;
}

SourceGrid make_point_source(const PointGrid& whole, const std::optional<BoundingBox>& box,
                             const std::string& file) {
  std::size_t first_row = whole.rows;
  std::size_t last_row = 0;
  std::size_t first_column = whole.columns;
  std::size_t last_column = 0;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    if (!whole.has_place(n) || (box && !is_in_box(*box, whole.place(n)))) continue;
    first_row = std::min(first_row, n / whole.columns);
    last_row = std::max(last_row, n / whole.columns);
    first_column = std::min(first_column, n % whole.columns);
    last_column = std::max(last_column, n % whole.columns);
  }
  if (first_row > last_row) {
    if (!box) throw input_error(errors::grid_without_places, file);
    throw input_error(errors::bbox_without_points, file, (*box)[0], (*box)[1], (*box)[2],
                      (*box)[3]);
  }
  first_row -= first_row > 0 ? 1 : 0;
  first_column -= first_column > 0 ? 1 : 0;
  last_row = std::min(last_row + 1, whole.rows - 1);
  last_column = std::min(last_column + 1, whole.columns - 1);
  SourceGrid grid;
  grid.box = box;
  PointGrid& part = grid.points.emplace();
  part.rows = last_row - first_row + 1;
  part.columns = last_column - first_column + 1;
  part.eccentricity_squared = whole.eccentricity_squared;
  for (std::size_t row = first_row; row <= last_row; ++row) {
    grid.row.push_back(row);
    for (std::size_t column = first_column; column <= last_column; ++column) {
      part.longitude.push_back(whole.longitude[row * whole.columns + column]);
      part.latitude.push_back(whole.latitude[row * whole.columns + column]);
    }
  }
  for (std::size_t column = first_column; column <= last_column; ++column) {
    grid.column.push_back(column);
  }
  return grid;
}

}  // namespace tidewise::ingest
