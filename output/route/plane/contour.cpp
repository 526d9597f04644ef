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

/// Marching squares: each has the centres of four cells as its corners, and a ring of cells without
/// numbers lies around the grid. Between a corner inside and one outside lies a crossing; lines go
/// from crossing to crossing with what is inside to their left.
class ContourTracer {
 public:
  ContourTracer(const Grid& grid, const std::vector<float>& field, double min)
      : grid_(grid), field_(field), least_(min), nodes_x_(std::size_t(grid.nx) + 2) {
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

  /// NaN outside the grid.
  double value(std::int32_t i, std::int32_t j) const {
    if (!grid_.contains(i, j)) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(field_[grid_.cell(i, j).value]);
  }
  bool is_inside(std::int32_t i, std::int32_t j) const { return value(i, j) >= least_; }

  /// The edge from a corner to the one east (0) or north (1) of it.
  std::size_t side(std::int32_t i, std::int32_t j, std::size_t north) const {
    return 2 * (std::size_t(j + 1) * nodes_x_ + std::size_t(i + 1)) + north;
  }

  /// The lines within the square to the north-east of a corner.
  void join_crossings(std::int32_t i, std::int32_t j) {
    const std::array<bool, 4> inside{is_inside(i, j), is_inside(i + 1, j), is_inside(i + 1, j + 1),
                                     is_inside(i, j + 1)};
    const std::array<std::size_t, 4> sides{side(i, j, 0), side(i + 1, j, 1), side(i, j + 1, 0),
                                           side(i, j, 1)};
    // For two opposite corners inside, the mean decides whether they are connected: if so a line
    // goes around each corner outside, else around each inside.
    const double mean = (value(i, j) + value(i + 1, j) + value(i + 1, j + 1) + value(i, j + 1)) / 4;
    const std::size_t turn = mean >= least_ ? 1 : 3;
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
    const double here = value(i, j);
    const double there = north ? value(i, j + 1) : value(i + 1, j);
    // Never a corner itself, where two rings could touch.
    double part = std::clamp((least_ - here) / (there - here), 1e-3, 1 - 1e-3);
    if (!std::isfinite(here) || !std::isfinite(there)) part = 0.5;
    return {grid_.x_first + (i + (north ? 0 : part)) * grid_.dx,
            grid_.y_first + (j + (north ? part : 0)) * grid_.dy};
  }

  const Grid& grid_;
  const std::vector<float>& field_;
  double least_;
  std::size_t nodes_x_;
  std::vector<std::int64_t> next_;  ///< (side): next side of the contour line
};

/// Positive where it goes counter-clockwise.
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
    std::size_t around = polygons.size();
    for (std::size_t n = 0; n < polygons.size(); ++n) {
      if (around < polygons.size() && areas[n] >= areas[around]) continue;
      if (holds(polygons[n].outer, hole.front())) around = n;
    }
    if (around < polygons.size()) polygons[around].holes.push_back(std::move(hole));
  }
  return polygons;
}

}  // namespace tidewise
