#include "planner/rehearsal/source_points.h"

#include <algorithm>
#include <cmath>

namespace tidewise::rehearsal {
namespace {

constexpr double rounding = 1e-9;  // tolerance at the edge of the grid, as a share of the spacing

/// Position of a value on an axis: the index of the value before it, and the share of the interval.
struct OnAxis {
  std::size_t index = 0;
  double share = 0;
};
std::optional<OnAxis> find_on_axis(const std::vector<double>& axis, double value) {
  const auto after = std::upper_bound(axis.begin() + 1, axis.end() - 1, value);
  const auto index = static_cast<std::size_t>(after - axis.begin()) - 1;
  const double share = (value - axis[index]) / (axis[index + 1] - axis[index]);
  if (!(share >= -rounding && share <= 1 + rounding)) return {};
  return OnAxis{index, std::clamp(share, 0.0, 1.0)};
}

/// A place in the gnomonic projection around another one, where straight lines are great circles.
struct Projected {
  double x = 0;
  double y = 0;
};

/// Position of the origin in the quadrilateral of these corners, as in Corners, within 0 … 1 or
/// beyond; NaN if Newton's method does not converge.
Projected find_in_quad(const std::array<Projected, 4>& corner) {
  Projected at{0.5, 0.5};
  for (int step = 0; step < 20; ++step) {
    const double a = at.x;
    const double b = at.y;
    const auto field = [&](double Projected::*coordinate) {
      return std::array{(1 - a) * (1 - b) * (corner[0].*coordinate) +
                            a * (1 - b) * (corner[1].*coordinate) +
                            (1 - a) * b * (corner[2].*coordinate) + a * b * (corner[3].*coordinate),
                        (1 - b) * (corner[1].*coordinate - corner[0].*coordinate) +
                            b * (corner[3].*coordinate - corner[2].*coordinate),
                        (1 - a) * (corner[2].*coordinate - corner[0].*coordinate) +
                            a * (corner[3].*coordinate - corner[1].*coordinate)};
    };
    const auto [x, x_across, x_along] = field(&Projected::x);
    const auto [y, y_across, y_along] = field(&Projected::y);
    const double determinant = x_across * y_along - x_along * y_across;
    const double across = (x * y_along - y * x_along) / determinant;
    const double along = (y * x_across - x * y_across) / determinant;
    // Far from the quadrilateral only the direction matters.
    at = {std::clamp(a - across, -50.0, 50.0), std::clamp(b - along, -50.0, 50.0)};
    if (std::abs(across) + std::abs(along) < 1e-12) break;
  }
  return at;
}

/// Returns the next index of `count` quadrilaterals in the direction of `share`.
std::size_t moved(std::size_t index, double share, std::size_t count) {
  const double to = static_cast<double>(index) + std::floor(share);
  return static_cast<std::size_t>(std::clamp(to, 0.0, static_cast<double>(count - 1)));
}

}  // namespace

SourcePoints::SourcePoints(const ingest::SourceGrid& grid)
    : longitude_(grid.longitude), latitude_(grid.latitude), staggered_(grid.staggered) {
  rows_ = grid.points ? grid.points->rows : latitude_.size();
  columns_ = grid.points ? grid.points->columns : longitude_.size();
  if (!grid.points) return;
  up_.reserve(size());
  for (std::size_t n = 0; n < size(); ++n) up_.push_back(up_at(grid.points->place(n)));
}

std::size_t SourcePoints::deciding(const Corners& corners) const {
  for (const std::size_t point : corners.point) {
    if (staggered_ && point / columns_ % 2 == 1 && point % columns_ % 2 == 1) return point;
  }
  return corners.point[(corners.across < 0.5 ? 0U : 1U) + (corners.along < 0.5 ? 0U : 2U)];
}

std::optional<Corners> SourcePoints::locate(Vector up, Corners& near) const {
  std::optional<Corners> corners;
  if (!is_curvilinear()) {
    corners = locate_on_axes(place_at(up));
  } else {
    corners = walk(up, near.point[0] / columns_, near.point[0] % columns_);
    if (!corners) {
      const std::size_t nearest = nearest_point(up);
      corners = walk(up, nearest / columns_, nearest % columns_);
    }
  }
  if (corners) near = *corners;
  return corners;
}

std::optional<Corners> SourcePoints::locate_on_axes(GeographicPoint place) const {
  const double middle = (longitude_.front() + longitude_.back()) / 2;
  const double turns = std::round((middle - place.longitude) / 360);
  const auto column = find_on_axis(longitude_, place.longitude + 360 * turns);
  const auto row = find_on_axis(latitude_, place.latitude);
  if (!column || !row) return {};
  const std::size_t first = row->index * columns_ + column->index;
  return Corners{
      {first, first + 1, first + columns_, first + columns_ + 1}, column->share, row->share};
}

/// Moves from quadrilateral to quadrilateral until one contains the place; nullopt if none does.
std::optional<Corners> SourcePoints::walk(Vector up, std::size_t row, std::size_t column) const {
  const Vector east = east_at(up);
  const Vector north = north_at(up);
  row = std::min(row, rows_ - 2);
  column = std::min(column, columns_ - 2);
  for (std::size_t step = 0; step < rows_ + columns_; ++step) {
    const std::size_t first = row * columns_ + column;
    Corners corners{{first, first + 1, first + columns_, first + columns_ + 1}};
    std::array<Projected, 4> projected;
    for (std::size_t n = 0; n < 4; ++n) {
      const Vector& corner = up_[corners.point[n]];
      const double depth = dot(up, corner);
      if (!(depth > 0)) return {};  // no place, or beyond the horizon
      projected[n] = {dot(east, corner) / depth, dot(north, corner) / depth};
    }
    const Projected at = find_in_quad(projected);
    const auto within = [](double share) { return share >= -rounding && share <= 1 + rounding; };
    if (within(at.x) && within(at.y)) {
      corners.across = std::clamp(at.x, 0.0, 1.0);
      corners.along = std::clamp(at.y, 0.0, 1.0);
      return corners;
    }
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) return {};
    const std::size_t next_column = moved(column, within(at.x) ? 0 : at.x, columns_ - 1);
    const std::size_t next_row = moved(row, within(at.y) ? 0 : at.y, rows_ - 1);
    if (next_column == column && next_row == row) return {};
    column = next_column;
    row = next_row;
  }
  return {};
}

std::size_t SourcePoints::nearest_point(Vector up) const {
  std::size_t nearest = 0;
  double best = -2;
  for (std::size_t n = 0; n < up_.size(); ++n) {
    const double cosine = dot(up, up_[n]);  // skips NaN
    if (cosine > best) {
      best = cosine;
      nearest = n;
    }
  }
  return nearest;
}

}  // namespace tidewise::rehearsal
