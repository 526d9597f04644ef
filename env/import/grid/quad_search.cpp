#include "env/import/grid/quad_search.h"

#include <algorithm>
#include <optional>

namespace tidewise::ingest {
namespace {

constexpr double side_tolerance = 1e-9;  // [sides] allows for round-off at common sides
/// [usual steps] A longer side is not that of a cell, but a jump between parts of the grid.
constexpr double longest_quad_side = 50;

using Quad = std::array<std::uint32_t, 4>;
using Corners = std::array<PlanePoint, 4>;

/// Stereographic projection of the sphere: conformal, with one formula for all positions.
class SpherePlane {
 public:
  SpherePlane(const std::vector<double>& longitude, const std::vector<double>& latitude)
      : compass_(middle(longitude, latitude)) {}

  /// Position on the plane [Earth radii]; NaN on the far half of the Earth.
  PlanePoint project(GeographicPoint place) const {
    const Vector3 up = Compass(place).up;
    const double cosine = dot(up, compass_.up);
    if (!(cosine > 0)) return {std::nan(""), std::nan("")};
    return {2 * dot(up, compass_.east) / (1 + cosine), 2 * dot(up, compass_.north) / (1 + cosine)};
  }

 private:
  static GeographicPoint middle(const std::vector<double>& longitude,
                                const std::vector<double>& latitude) {
    Vector3 sum;
    for (std::size_t n = 0; n < longitude.size(); ++n) {
      sum = sum + Compass({longitude[n], latitude[n]}).up;
    }
    return place_of(sum);
  }

  Compass compass_;
};

/// Square bins over the targets, each with the quadrilaterals that may overlap it.
class QuadBins {
 public:
  QuadBins(const PlaneBox& area, const std::vector<PlanePoint>& points, std::vector<Quad> quads)
      : area_(area), points_(points), quads_(std::move(quads)) {
    // With as many bins as quadrilaterals there are one or two candidates for each target.
    const double width = std::max(area.east - area.west, 1e-12);
    const double height = std::max(area.north - area.south, 1e-12);
    const double bin_count = std::clamp(static_cast<double>(quads_.size()), 1.0, 4e6);
    side_ = std::max(std::sqrt(width * height / bin_count), std::max(width, height) / 4096);
    columns_ = static_cast<std::size_t>(width / side_) + 1;
    rows_ = static_cast<std::size_t>(height / side_) + 1;
    fill();
  }

  Stencil find(PlanePoint target) const {
    const std::size_t bin = row_of(target.y) * columns_ + column_of(target.x);
    for (std::size_t n = first_[bin]; n < first_[bin + 1]; ++n) {
      const Quad& quad = quads_[quad_numbers_[n]];
      if (const auto position = position_in(corners(quad), target)) {
        return {quad, std::clamp(position->x, 0.0, 1.0), std::clamp(position->y, 0.0, 1.0)};
      }
    }
    return {};
  }

 private:
  std::size_t column_of(double x) const { return bin_of(x - area_.west, columns_); }
  std::size_t row_of(double y) const { return bin_of(y - area_.south, rows_); }
  std::size_t bin_of(double distance, std::size_t count) const {
    return static_cast<std::size_t>(
        std::clamp(distance / side_, 0.0, static_cast<double>(count - 1)));
  }

  Corners corners(const Quad& quad) const {
    return {points_[quad[0]], points_[quad[1]], points_[quad[2]], points_[quad[3]]};
  }

  template <typename Visit>
  void for_each_bin(const Quad& quad, const Visit& visit) const {
    PlaneBox box;
    for (const PlanePoint corner : corners(quad)) box.include(corner);
    if (box.east < area_.west || box.west > area_.east || box.north < area_.south ||
        box.south > area_.north) {
      return;
    }
    for (std::size_t row = row_of(box.south); row <= row_of(box.north); ++row) {
      for (std::size_t column = column_of(box.west); column <= column_of(box.east); ++column) {
        visit(row * columns_ + column);
      }
    }
  }

  void fill() {
    first_.assign(rows_ * columns_ + 1, 0);
    for (const Quad& quad : quads_) {
      for_each_bin(quad, [&](std::size_t bin) { ++first_[bin + 1]; });
    }
    for (std::size_t bin = 0; bin + 1 < first_.size(); ++bin) first_[bin + 1] += first_[bin];
    quad_numbers_.resize(first_.back());
    auto next = first_;
    for (std::size_t n = 0; n < quads_.size(); ++n) {
      for_each_bin(quads_[n], [&](std::size_t bin) {
        quad_numbers_[next[bin]++] = static_cast<std::uint32_t>(n);
      });
    }
  }

  /// The inverse of bilinear interpolation by Newton's method; nullopt outside.
  static std::optional<PlanePoint> position_in(const Corners& c, PlanePoint target) {
    const PlanePoint a{c[1].x - c[0].x, c[1].y - c[0].y};
    const PlanePoint b{c[2].x - c[0].x, c[2].y - c[0].y};
    const PlanePoint ab{c[3].x - c[2].x - a.x, c[3].y - c[2].y - a.y};
    PlanePoint share{0.5, 0.5};
    for (int iteration = 0; iteration < 12; ++iteration) {
      const double dx = c[0].x + share.x * a.x + share.y * (b.x + share.x * ab.x) - target.x;
      const double dy = c[0].y + share.x * a.y + share.y * (b.y + share.x * ab.y) - target.y;
      const PlanePoint across{a.x + share.y * ab.x, a.y + share.y * ab.y};
      const PlanePoint along{b.x + share.x * ab.x, b.y + share.x * ab.y};
      const double area = across.x * along.y - across.y * along.x;
      if (area == 0) return std::nullopt;
      const PlanePoint step{(dx * along.y - dy * along.x) / area,
                            (across.x * dy - across.y * dx) / area};
      share = {share.x - step.x, share.y - step.y};
      if (std::abs(step.x) + std::abs(step.y) < 1e-12) break;
    }
    const auto is_inside = [](double part) {
      return part >= -side_tolerance && part <= 1 + side_tolerance;
    };
    if (!is_inside(share.x) || !is_inside(share.y)) return std::nullopt;
    return share;
  }

  PlaneBox area_;
  const std::vector<PlanePoint>& points_;
  std::vector<Quad> quads_;
  double side_ = 1;
  std::size_t columns_ = 1;
  std::size_t rows_ = 1;
  std::vector<std::size_t> first_;  // (bin) its first entry in quad_numbers_; one more at the end
  std::vector<std::uint32_t> quad_numbers_;  // numbers of quadrilaterals, bin by bin
};

double distance(PlanePoint a, PlanePoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// All cells whose corners have positions on the plane, and that overlap `area`.
std::vector<Quad> quads_of(const PointGrid& grid, const std::vector<PlanePoint>& points,
                           const PlaneBox& area) {
  // The stereographic plane stretches at most by 2 on the near half of the Earth.
  const double column_limit = 2 * longest_quad_side * usual_column_step(grid);
  const double row_limit = 2 * longest_quad_side * usual_row_step(grid);
  const std::size_t last_column = is_cyclic(grid) ? grid.columns : grid.columns - 1;
  const std::size_t last_row = is_folded(grid) ? grid.rows : grid.rows - 1;
  std::vector<Quad> quads;
  for (std::size_t row = 0; row < last_row; ++row) {
    for (std::size_t column = 0; column < last_column; ++column) {
      const std::size_t next = (column + 1) % grid.columns;
      // The last row of a folded grid is adjacent to itself in reverse order.
      const auto point_index = [&](std::size_t r, std::size_t c) {
        return static_cast<std::uint32_t>(r < grid.rows ? r * grid.columns + c
                                                        : (grid.rows - 1) * grid.columns +
                                                              (grid.columns - 1 - c));
      };
      const Quad quad{point_index(row, column), point_index(row, next),
                      point_index(row + 1, column), point_index(row + 1, next)};
      PlaneBox box;
      bool is_complete = true;
      for (const auto corner : quad) {
        is_complete = is_complete && std::isfinite(points[corner].x);
        box.include(points[corner]);
      }
      if (!is_complete || box.east < area.west || box.west > area.east || box.north < area.south ||
          box.south > area.north) {
        continue;
      }
      const auto& [a, b, c, d] = quad;
      if (std::max(distance(points[a], points[b]), distance(points[c], points[d])) < column_limit &&
          std::max(distance(points[a], points[c]), distance(points[b], points[d])) < row_limit) {
        quads.push_back(quad);
      }
    }
  }
  return quads;
}

}  // namespace

std::vector<Stencil> search_quads(const PointGrid& grid, const std::vector<double>& longitude,
                                  const std::vector<double>& latitude) {
  const SpherePlane plane(longitude, latitude);
  std::vector<PlanePoint> targets(longitude.size());
  PlaneBox area;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    targets[n] = plane.project({longitude[n], latitude[n]});
    area.include(targets[n]);
  }
  std::vector<PlanePoint> points(grid.size(), {std::nan(""), std::nan("")});
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (grid.has_place(n)) points[n] = plane.project(grid.place(n));
  }
  const QuadBins bins(area, points, quads_of(grid, points, area));
  std::vector<Stencil> stencils(targets.size());
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < targets.size(); ++n) stencils[n] = bins.find(targets[n]);
  return stencils;
}

}  // namespace tidewise::ingest
