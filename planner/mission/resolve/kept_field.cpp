#include "planner/mission/resolve/kept_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tidewise {
namespace {

/// From a point to the segment between two others [m or 1].
double distance_to(const PlanePoint& from, const PlanePoint& a, const PlanePoint& b) {
  const double along_x = b.x - a.x;
  const double along_y = b.y - a.y;
  const double length = along_x * along_x + along_y * along_y;
  const double at = (from.x - a.x) * along_x + (from.y - a.y) * along_y;
  const double share = length > 0 ? std::clamp(at / length, 0.0, 1.0) : 0;
  return std::hypot(a.x + share * along_x - from.x, a.y + share * along_y - from.y);
}

double distance_to(const PlanePoint& from, const std::vector<PlanePoint>& line) {
  double least = distance_to(from, line[0], line[1]);
  for (std::size_t n = 2; n < line.size(); ++n) {
    least = std::min(least, distance_to(from, line[n - 1], line[n]));
  }
  return least;
}

/// Minus the distance of each cell's centre.
template <class Distance>
void fill_distance(const Grid& grid, View<float> scalar, const Distance& distance) {
  for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
    const PlanePoint centre{grid.x(grid.column(CellIndex(cell))),
                            grid.y(grid.row(CellIndex(cell)))};
    scalar[static_cast<std::size_t>(cell)] = static_cast<float>(-distance(centre));
  }
}

}  // namespace

MadeScalar kept_field(const KeptPlace& place, const EnvironmentInfo& info) {
  const char* length = info.units == Units::metric ? "m" : "1";
  constexpr const char* from_followed = "minus the distance from what is followed";
  if (!place.track.empty()) {
    return {length, from_followed,
            [track = place.track](TimeLevel k, const Grid& grid, View<float> scalar) {
              const PlanePoint& point = track[static_cast<std::size_t>(k.value)];
              fill_distance(grid, scalar, [&](const PlanePoint& centre) {
                return std::hypot(centre.x - point.x, centre.y - point.y);
              });
            }};
  }
  // What never changes is made once, of all rows.
  std::vector<float> plane(place.cells.begin(), place.cells.end());
  const bool is_line = !place.line.empty();
  if (is_line) {
    plane.resize(static_cast<std::size_t>(info.grid.cell_count()));
    fill_distance(info.grid, {plane.data(), plane.size()},
                  [&](const PlanePoint& centre) { return distance_to(centre, place.line); });
  }
  return {is_line ? length : "1", is_line ? from_followed : "within the target",
          [plane = std::move(plane)](TimeLevel, const Grid& grid, View<float> scalar) {
            const auto first = static_cast<std::ptrdiff_t>(grid.first_row) * grid.nx;
            std::copy_n(plane.begin() + first, scalar.size, scalar.begin());
          }};
}

}  // namespace tidewise
