#include "env/import/grid/common_points.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "env/import/grid/median.h"

namespace tidewise::ingest {
namespace {

constexpr double half_step_tolerance = 0.2;  // [steps] on stretched grids points are off the middle

struct Shift {
  double columns = 0;  ///< offset of v's point from u's point of the same index, in steps
  double rows = 0;
};

std::optional<Shift> shift_of(const PointGrid& u, const PointGrid& v) {
  std::vector<double> columns;
  std::vector<double> rows;
  const std::size_t last_row = std::min(u.rows - 1, v.rows);
  const std::size_t last_column = std::min(u.columns - 1, v.columns);
  const std::size_t stride = std::max<std::size_t>(1, last_row * last_column / 100003);
  for (std::size_t n = 0; n < last_row * last_column; n += stride) {
    const std::size_t j = n / last_column;
    const std::size_t i = n % last_column;
    const std::size_t u_point = j * u.columns + i;
    const std::size_t v_point = j * v.columns + i;
    if (!u.has_place(u_point) || !u.has_place(u_point + 1) || !u.has_place(u_point + u.columns) ||
        !v.has_place(v_point)) {
      continue;
    }
    const Vector3 column = u.up(u_point + 1) - u.up(u_point);
    const Vector3 row = u.up(u_point + u.columns) - u.up(u_point);
    const Vector3 offset = v.up(v_point) - u.up(u_point);
    const double cross = dot(column, row);
    const double area = dot(column, column) * dot(row, row) - cross * cross;
    if (!(area > 0)) continue;
    columns.push_back((dot(offset, column) * dot(row, row) - dot(offset, row) * cross) / area);
    rows.push_back((dot(offset, row) * dot(column, column) - dot(offset, column) * cross) / area);
  }
  if (columns.empty()) return std::nullopt;
  return Shift{median(std::move(columns)), median(std::move(rows))};
}

bool is_half(double shift) { return std::abs(std::abs(shift) - 0.5) < half_step_tolerance; }

}  // namespace

std::optional<CommonPoints> find_common_points(const PointGrid& u, const PointGrid& v) {
  if (u.rows < 2 || v.rows < 2 || u.columns < 2 || v.columns < 2) return std::nullopt;
  const auto shift = shift_of(u, v);
  if (!shift || !is_half(shift->columns) || !is_half(shift->rows)) return std::nullopt;
  CommonPoints common;
  common.staggered = true;
  common.u_before = shift->columns < 0 ? 1 : 0;
  common.v_before = shift->rows > 0 ? 1 : 0;
  common.first_row = common.v_before;
  common.cyclic = u.columns == v.columns && is_cyclic(u);
  common.first_column = common.cyclic ? 0 : common.u_before;
  const std::size_t end_row = std::min(v.rows - 1 + common.v_before, u.rows);
  const std::size_t end_column =
      common.cyclic ? u.columns : std::min(u.columns - 1 + common.u_before, v.columns);
  if (end_row < common.first_row + 2 || end_column < common.first_column + 2) return std::nullopt;
  PointGrid& grid = common.grid;
  grid.rows = end_row - common.first_row;
  grid.columns = end_column - common.first_column;
  common.grid_columns = grid.columns;
  grid.longitude.resize(grid.size(), std::numeric_limits<double>::quiet_NaN());
  grid.latitude = grid.longitude;
  grid.eccentricity_squared = u.eccentricity_squared;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    const std::size_t j = n / grid.columns + common.first_row;
    const std::size_t i = n % grid.columns + common.first_column;
    const std::size_t west = (i + u.columns - common.u_before) % u.columns;
    const std::size_t east = (west + 1) % u.columns;
    const std::size_t v_point = (j - common.v_before) * v.columns + i;
    Vector3 sum;
    const auto add = [&](const PointGrid& component, std::size_t a, std::size_t b) {
      if (component.has_place(a) && component.has_place(b))
        sum = sum + component.up(a) + component.up(b);
    };
    add(u, j * u.columns + west, j * u.columns + east);
    add(v, v_point, v_point + v.columns);
    if (dot(sum, sum) == 0) continue;
    const GeographicPoint place = place_of(sum);
    grid.longitude[n] = place.longitude;
    grid.latitude[n] = place.latitude;
  }
  return common;
}

void add_faces(const PointGrid& u, const PointGrid& v, const CommonPoints& common,
               SourceGrid& part) {
  const std::size_t rows = part.row.size();
  const std::size_t columns = part.column.size();
  const auto first_row = static_cast<std::ptrdiff_t>(part.row.front() + common.first_row);
  const auto first_column = static_cast<std::ptrdiff_t>(part.column.front() + common.first_column);
  PointGrid points;
  points.rows = 2 * rows + 1;
  points.columns = common.half_columns(columns);
  points.longitude.resize(points.size(), std::numeric_limits<double>::quiet_NaN());
  points.latitude = points.longitude;
  points.eccentricity_squared = u.eccentricity_squared;
  const auto index = [&](const PointGrid& component, std::ptrdiff_t row, std::ptrdiff_t column) {
    const auto width = static_cast<std::ptrdiff_t>(component.columns);
    if (common.cyclic) column = (column + width) % width;
    const bool is_inside = row >= 0 && row < static_cast<std::ptrdiff_t>(component.rows) &&
                           column >= 0 && column < width;
    const auto n = static_cast<std::size_t>(row * width + column);
    return is_inside && component.has_place(n) ? std::optional(n) : std::nullopt;
  };
  for (std::size_t n = 0; n < points.size(); ++n) {
    const std::size_t j = n / points.columns;
    const std::size_t i = n % points.columns;
    Vector3 sum;
    // Adds the mean of a component's points around this one. Returns false if any has no position.
    const auto add = [&](const PointGrid& component, bool between_rows, bool between_columns,
                         std::ptrdiff_t row, std::ptrdiff_t column) {
      Vector3 mean;
      std::size_t count = 0;
      for (std::ptrdiff_t b = between_rows ? -1 : 0; b <= 0; ++b) {
        for (std::ptrdiff_t a = between_columns ? -1 : 0; a <= 0; ++a) {
          const auto point = index(component, row + b, column + a);
          if (!point) return false;
          mean = mean + component.up(*point);
          ++count;
        }
      }
      sum = sum + 1 / static_cast<double>(count) * mean;
      return true;
    };
    const auto row = first_row + static_cast<std::ptrdiff_t>(j / 2);
    const auto column = first_column + static_cast<std::ptrdiff_t>(i / 2);
    const auto add_u = [&] {
      const auto face = column - static_cast<std::ptrdiff_t>(common.u_before);
      return add(u, j % 2 == 0, i % 2 == 1, row, i % 2 == 1 ? face + 1 : face);
    };
    const auto add_v = [&] {
      const auto face = row - static_cast<std::ptrdiff_t>(common.v_before);
      return add(v, j % 2 == 1, i % 2 == 0, j % 2 == 1 ? face + 1 : face, column);
    };
    const bool is_u_face = j % 2 == 1 && i % 2 == 0;
    const bool is_v_face = j % 2 == 0 && i % 2 == 1;
    if (is_u_face ? !add_u() : true) (void)add_v();
    if (is_v_face ? dot(sum, sum) == 0 : !is_u_face) (void)add_u();
    if (dot(sum, sum) == 0) continue;
    const GeographicPoint place = place_of(sum);
    points.longitude[n] = place.longitude;
    points.latitude[n] = place.latitude;
  }
  part.points = std::move(points);
  part.staggered = true;
}

}  // namespace tidewise::ingest
