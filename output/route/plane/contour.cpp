#include "output/route/plane/contour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace tidewise {
namespace {

using Ring = std::vector<PlanePoint>;

/// Marching squares. The corners of a square are the centres of four cells; cells without numbers
/// surround the grid. A crossing lies between a corner inside and one outside; lines connect
/// crossings, with the inside to their left.
class ContourTracer {
 public:
  ContourTracer(const Grid& grid, const std::vector<float>& field, double min)
      : grid_(grid), field_(field), min_(min), nodes_x_(std::size_t(grid.nx) + 2) {
    next_.assign(2 * nodes_x_ * (std::size_t(grid.ny) + 2), nowhere);
  }

  std::vector<Ring> trace() {
    for (std::int32_t j = -1; j < grid_.ny; ++j) {
      for (std::int32_t i = -1; i < grid_.nx; ++i) join_crossings(i, j);
    }
    std::vector<Ring> rings;
    for (std::size_t first = 0; first < next_.size(); ++first) {
      Ring ring;
      for (std::size_t at = first; next_[at] != nowhere;) {
        ring.push_back(crossing(at));
        at = static_cast<std::size_t>(std::exchange(next_[at], nowhere));
      }
      if (!ring.empty()) rings.push_back(std::move(ring));
    }
    return rings;
  }

 private:
  static constexpr std::int64_t nowhere = -1;

  /// Value of a cell; NaN outside the grid.
  double value(std::int32_t i, std::int32_t j) const {
    if (!grid_.contains(i, j)) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(field_[grid_.cell(i, j).value]);
  }
  bool is_inside(std::int32_t i, std::int32_t j) const { return value(i, j) >= min_; }

  /// Index of the edge from a corner to the one east (0) or north (1) of it.
  std::size_t side(std::int32_t i, std::int32_t j, std::size_t north) const {
    return 2 * (std::size_t(j + 1) * nodes_x_ + std::size_t(i + 1)) + north;
  }

  /// Adds the lines within the square to the north-east of a corner.
  void join_crossings(std::int32_t i, std::int32_t j) {
    const std::array<bool, 4> inside{is_inside(i, j), is_inside(i + 1, j), is_inside(i + 1, j + 1),
                                     is_inside(i, j + 1)};
    const std::array<std::size_t, 4> sides{side(i, j, 0), side(i + 1, j, 1), side(i, j + 1, 0),
                                           side(i, j, 1)};
    // For two opposite corners inside, the mean decides whether they are connected: if so a line
    // goes around each corner outside, else around each inside.
    const double mean = (value(i, j) + value(i + 1, j) + value(i + 1, j + 1) + value(i, j + 1)) / 4;
    const std::size_t turn = mean >= min_ ? 1 : 3;
    for (std::size_t n = 0; n < 4; ++n) {
      if (!inside[n] || inside[(n + 1) % 4]) continue;
      std::size_t to = (n + turn) % 4;
      while (inside[to] || !inside[(to + 1) % 4]) to = (to + turn) % 4;
      next_[sides[n]] = static_cast<std::int64_t>(sides[to]);
    }
  }

  PlanePoint crossing(std::size_t at) const {
    const auto node = static_cast<std::int64_t>(at / 2);
    const auto width = static_cast<std::int64_t>(nodes_x_);
    const auto i = static_cast<std::int32_t>(node % width) - 1;
    const auto j = static_cast<std::int32_t>(node / width) - 1;
    const bool north = at % 2 == 1;
    const double first_value = value(i, j);
    const double second_value = north ? value(i, j + 1) : value(i + 1, j);
    // A crossing is never a corner, where two rings could touch.
    double share = std::clamp((min_ - first_value) / (second_value - first_value), 1e-3, 1 - 1e-3);
    if (!std::isfinite(first_value) || !std::isfinite(second_value)) share = 0.5;
    return {grid_.x_first + (i + (north ? 0 : share)) * grid_.dx,
            grid_.y_first + (j + (north ? share : 0)) * grid_.dy};
  }

  const Grid& grid_;
  const std::vector<float>& field_;
  double min_;
  std::size_t nodes_x_;
  std::vector<std::int64_t> next_;  ///< (side): next side of the contour line
};

/// Area of a ring; positive if it is counter-clockwise.
double area(const Ring& ring) {
  double twice = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const PlanePoint& a = ring[n];
    const PlanePoint& b = ring[(n + 1) % ring.size()];
    twice += (a.x - ring[0].x) * (b.y - ring[0].y) - (b.x - ring[0].x) * (a.y - ring[0].y);
  }
  return twice / 2;
}

bool holds(const Ring& ring, const PlanePoint& point) {
  bool inside = false;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const PlanePoint& a = ring[n];
    const PlanePoint& b = ring[(n + 1) % ring.size()];
    if ((a.y > point.y) == (b.y > point.y)) continue;
    if (point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

}  // namespace

std::vector<PlanePolygon> contour(const Grid& grid, const std::vector<float>& field, double min) {
  std::vector<PlanePolygon> polygons;
  std::vector<double> areas;
  std::vector<Ring> holes;
  for (Ring& ring : ContourTracer(grid, field, min).trace()) {
    const double size = area(ring);
    if (size > 0) {
      polygons.push_back({std::move(ring), {}});
      areas.push_back(size);
    } else {
      holes.push_back(std::move(ring));
    }
  }
  for (Ring& hole : holes) {
    std::size_t enclosing = polygons.size();
    for (std::size_t n = 0; n < polygons.size(); ++n) {
      if (enclosing < polygons.size() && areas[n] >= areas[enclosing]) continue;
      if (holds(polygons[n].outer, hole.front())) enclosing = n;
    }
    if (enclosing < polygons.size()) polygons[enclosing].holes.push_back(std::move(hole));
  }
  return polygons;
}

}  // namespace tidewise
