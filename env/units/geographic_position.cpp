#include "env/units/geographic_position.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "env/units/angle.h"

namespace tidewise {
namespace {

/// Shortest difference of two longitudes, east minus west [degrees].
double longitude_difference(double east, double west) { return std::remainder(east - west, 360.0); }

/// Longitude and latitude around a point, as offsets from it [degrees].
class Surroundings {
 public:
  Surroundings(const Grid& grid, const std::vector<double>& longitude,
               const std::vector<double>& latitude, double point_longitude, double point_latitude)
      : grid_(grid),
        longitude_(longitude),
        latitude_(latitude),
        point_longitude_(point_longitude),
        point_latitude_(point_latitude) {}

  CellIndex nearest_cell() const {
    const double shrink = std::cos(point_latitude_ * radians_per_degree);
    double min = std::numeric_limits<double>::infinity();
    CellIndex nearest(0);
    for (std::int32_t cell = 0; cell < grid_.cell_count(); ++cell) {
      const Offset offset = offset_of(CellIndex(cell));
      const double distance = std::hypot(offset.east * shrink, offset.north);
      if (distance < min) {
        min = distance;
        nearest = CellIndex(cell);
      }
    }
    return nearest;
  }

  struct Offset {
    double east;
    double north;
  };

  /// The bilinear field at column i, row j (fractional), and its derivatives by both.
  struct Bilinear {
    Offset value, by_column, by_row;
  };
  Bilinear interpolate(double column, double row) const {
    const std::int32_t i =
        std::clamp(static_cast<std::int32_t>(std::floor(column)), 0, grid_.nx - 2);
    const std::int32_t j = std::clamp(static_cast<std::int32_t>(std::floor(row)), 0, grid_.ny - 2);
    const double a = column - i;
    const double b = row - j;
    const Offset sw = offset_of(grid_.cell(i, j));
    const Offset se = offset_of(grid_.cell(i + 1, j));
    const Offset nw = offset_of(grid_.cell(i, j + 1));
    const Offset ne = offset_of(grid_.cell(i + 1, j + 1));
    const auto blend = [&](double s_w, double s_e, double n_w, double n_e) {
      return (1 - b) * ((1 - a) * s_w + a * s_e) + b * ((1 - a) * n_w + a * n_e);
    };
    const auto slope = [](double part, double low, double low_next, double high, double high_next) {
      return (1 - part) * (low_next - low) + part * (high_next - high);
    };
    return {
        {blend(sw.east, se.east, nw.east, ne.east), blend(sw.north, se.north, nw.north, ne.north)},
        {slope(b, sw.east, se.east, nw.east, ne.east),
         slope(b, sw.north, se.north, nw.north, ne.north)},
        {slope(a, sw.east, nw.east, se.east, ne.east),
         slope(a, sw.north, nw.north, se.north, ne.north)}};
  }

 private:
  Offset offset_of(CellIndex cell) const {
    const auto n = static_cast<std::size_t>(cell.value);
    return {longitude_difference(longitude_[n], point_longitude_), latitude_[n] - point_latitude_};
  }

  const Grid& grid_;
  const std::vector<double>& longitude_;
  const std::vector<double>& latitude_;
  double point_longitude_;
  double point_latitude_;
};

/// Newton's iteration from (column, row). Near the solution the field is almost linear, so a few
/// steps suffice. nullopt if the iteration leaves the grid or does not converge.
std::optional<PlanePoint> solve_from(const Surroundings& around, const Grid& grid, double column,
                                     double row) {
  constexpr int max_steps = 50;
  constexpr double tolerance = 1e-10;  // [cells]
  for (int step = 0; step < max_steps; ++step) {
    const auto f = around.interpolate(column, row);
    const double determinant =
        f.by_column.east * f.by_row.north - f.by_row.east * f.by_column.north;
    if (determinant == 0 || !std::isfinite(determinant)) return std::nullopt;
    const double to_column =
        (f.value.east * f.by_row.north - f.by_row.east * f.value.north) / determinant;
    const double to_row =
        (f.by_column.east * f.value.north - f.value.east * f.by_column.north) / determinant;
    // Clamped to slightly beyond the grid's border: outside it the field has no meaning.
    column = std::clamp(column - to_column, -2.0, grid.nx + 1.0);
    row = std::clamp(row - to_row, -2.0, grid.ny + 1.0);
    if (std::hypot(to_column, to_row) > tolerance) continue;
    const PlanePoint point{grid.x_first + column * grid.dx, grid.y_first + row * grid.dy};
    if (!grid.contains(grid.column_at(point.x), grid.row_at(point.y))) return std::nullopt;
    return point;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PlanePoint> to_plane(const Grid& grid, const std::vector<double>& longitude,
                                   const std::vector<double>& latitude, double point_longitude,
                                   double point_latitude) {
  const Surroundings around(grid, longitude, latitude, point_longitude, point_latitude);
  const CellIndex nearest = around.nearest_cell();
  return solve_from(around, grid, grid.column(nearest), grid.row(nearest));
}

PlaneFinder::PlaneFinder(const Grid& grid, const std::vector<double>& longitude,
                         const std::vector<double>& latitude)
    : grid_(grid), longitude_(longitude), latitude_(latitude) {
  const auto [south, north] = std::minmax_element(latitude.begin(), latitude.end());
  const double margin = (*north - *south) / std::max(1, std::min(grid.nx, grid.ny) - 1) + 1e-9;
  south_ = *south - margin;
  north_ = *north + margin;
}

std::optional<PlanePoint> PlaneFinder::find(double point_longitude, double point_latitude) {
  if (!(point_latitude >= south_ && point_latitude <= north_)) return std::nullopt;
  std::optional<PlanePoint> point;
  if (last_) {
    const Surroundings around(grid_, longitude_, latitude_, point_longitude, point_latitude);
    point = solve_from(around, grid_, (last_->x - grid_.x_first) / grid_.dx,
                       (last_->y - grid_.y_first) / grid_.dy);
  }
  if (!point) point = to_plane(grid_, longitude_, latitude_, point_longitude, point_latitude);
  if (point) last_ = point;
  return point;
}

bool could_be_degrees(const Grid& grid, Units units, double x, double y) {
  if (!(std::abs(x) <= 540 && std::abs(y) <= 90)) return false;
  constexpr double max_share = 0.01;  // share of the extent
  const double extent = std::min(grid.nx * std::abs(grid.dx), grid.ny * std::abs(grid.dy));
  return units == Units::metric || std::max(std::abs(x), std::abs(y)) <= max_share * extent;
}

bool are_likely_degrees(const Grid& grid, Units units, const std::vector<double>& longitude,
                        const std::vector<double>& latitude, double x, double y) {
  constexpr double tolerance = 0.01;  // share of a cell
  if (!could_be_degrees(grid, units, x, y)) return false;
  const auto point = to_plane(grid, longitude, latitude, x, y);
  return point && std::hypot((point->x - x) / grid.dx, (point->y - y) / grid.dy) > tolerance;
}

GeographicPoint to_globe(const Grid& grid, const std::vector<double>& longitude,
                         const std::vector<double>& latitude, const PlanePoint& point) {
  const std::int32_t i = std::clamp(grid.column_at(point.x), 0, grid.nx - 1);
  const std::int32_t j = std::clamp(grid.row_at(point.y), 0, grid.ny - 1);
  const auto cell = static_cast<std::size_t>(grid.cell(i, j).value);
  const Surroundings around(grid, longitude, latitude, longitude[cell], latitude[cell]);
  const auto offset =
      around.interpolate((point.x - grid.x_first) / grid.dx, (point.y - grid.y_first) / grid.dy)
          .value;
  return {std::remainder(longitude[cell] + offset.east, 360.0), latitude[cell] + offset.north};
}

}  // namespace tidewise
