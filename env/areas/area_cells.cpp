#include "env/areas/area_cells.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "env/areas/polygon_interior.h"
#include "env/units/angle.h"
#include "env/units/geographic_position.h"

namespace tidewise {
namespace {

constexpr double edge_samples_per_cell = 8;  // along an outline
constexpr double max_edge_samples = 1e5;     // longer edges are far larger than the grid

/// Distance between two nearby points, in degrees of latitude.
double degrees_between(const Vertex& from, const Vertex& to) {
  const double shrink = std::cos((from[1] + to[1]) / 2 * radians_per_degree);
  return std::hypot((to[0] - from[0]) * shrink, to[1] - from[1]);
}

}  // namespace

AreaCells::AreaCells(const Grid& grid) : grid_(grid) {}

AreaCells::AreaCells(const Grid& grid, std::vector<double> longitude, std::vector<double> latitude)
    : grid_(grid), longitude_(std::move(longitude)), latitude_(std::move(latitude)) {
  const std::int32_t i = std::max(0, grid.nx / 2 - 1);
  const std::int32_t j = std::max(0, grid.ny / 2 - 1);
  const auto spacing = [&](std::int32_t to_column, std::int32_t to_row) {
    const Vertex from = centre_of(grid.cell(i, j).value);
    Vertex to = centre_of(grid.cell(to_column, to_row).value);
    to[0] = from[0] + std::remainder(to[0] - from[0], 360.0);
    return degrees_between(from, to);
  };
  const double along_x = spacing(std::min(i + 1, grid.nx - 1), j);
  const double along_y = spacing(i, std::min(j + 1, grid.ny - 1));
  constexpr double min_degrees = 1e-9;  // a grid of one column, or of no size
  degrees_per_cell_ = std::max(
      min_degrees, std::min(along_x > 0 ? along_x : along_y, along_y > 0 ? along_y : along_x));
}

Vertex AreaCells::centre_of(std::int32_t cell) const {
  const auto n = static_cast<std::size_t>(cell);
  if (is_geographic()) return {longitude_[n], latitude_[n]};
  return {grid_.x(grid_.column(CellIndex(cell))), grid_.y(grid_.row(CellIndex(cell)))};
}

std::vector<std::int32_t> AreaCells::operator()(const Polygon& polygon) const {
  const PolygonInterior interior(polygon, is_geographic() ? Wrap::longitude : Wrap::none);
  std::vector<std::int32_t> cells;
  for (std::int32_t cell = 0; cell < grid_.cell_count(); ++cell) {
    if (interior.holds(centre_of(cell))) cells.push_back(cell);
  }
  return cells.empty() ? cells_along(polygon.front()) : cells;
}

double AreaCells::length_in_cells(const Vertex& from, const Vertex& to) const {
  if (is_geographic()) return degrees_between(from, to) / degrees_per_cell_;
  return std::hypot((to[0] - from[0]) / grid_.dx, (to[1] - from[1]) / grid_.dy);
}

std::vector<std::int32_t> AreaCells::cells_along(const Ring& outline) const {
  std::optional<PlaneFinder> finder;
  if (is_geographic()) finder.emplace(grid_, longitude_, latitude_);
  std::set<std::int32_t> cells;
  for (std::size_t n = 1; n < outline.size(); ++n) {
    const Vertex& from = outline[n - 1];
    const Vertex& to = outline[n];
    const double samples = std::clamp(std::ceil(length_in_cells(from, to) * edge_samples_per_cell),
                                      1.0, max_edge_samples);
    for (double sample = 0; sample <= samples; ++sample) {
      const double share = sample / samples;
      const Vertex position{from[0] + share * (to[0] - from[0]),
                            from[1] + share * (to[1] - from[1])};
      const std::optional<PlanePoint> point =
          finder ? finder->find(position[0], position[1]) : PlanePoint{position[0], position[1]};
      if (!point) continue;
      const std::int32_t column = grid_.column_at(point->x);
      const std::int32_t row = grid_.row_at(point->y);
      if (grid_.contains(column, row)) cells.insert(grid_.cell(column, row).value);
    }
  }
  return {cells.begin(), cells.end()};
}

}  // namespace tidewise
