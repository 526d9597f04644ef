#include "env/import/grid/target_grid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/two_digits.h"
#include "env/error/codes.h"
#include "env/import/grid/median.h"

namespace tidewise::ingest {
namespace {

constexpr double mean_radius = 6371008.8;  // [m] IUGG
constexpr double metres_per_degree = mean_radius * std::numbers::pi / 180;
constexpr double max_cell_count = 5e7;
constexpr double max_side = 1 << 15;  // limit of environments [cells]
constexpr int samples_per_side = 200;
constexpr double max_stretch = 0.1;  // maximum relative error of lengths on the plane

double median_step(const std::vector<double>& axis) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < axis.size(); ++i) steps.push_back(axis[i] - axis[i - 1]);
  return median(std::move(steps));
}

PlaneBox extent_of(const SourceGrid& source, const LocalPlane& plane);

/// Visits the requested points of a grid in which each point has its own position.
template <typename Visit>
void for_each_point(const SourceGrid& source, const Visit& visit) {
  for (std::size_t n = 0; n < source.points->size(); ++n) {
    if (!source.points->has_place(n)) continue;
    const GeographicPoint place = source.points->place(n);
    if (!source.box || is_in_box(*source.box, place)) visit(place);
  }
}

/// The part of the plane that points and their neighbours reach, and the box if there is one.
PlaneBox extent_of_points(const SourceGrid& source, const LocalPlane& plane) {
  PlaneBox extent;
  for_each_point(source, [&](GeographicPoint place) { extent.include(plane.to_plane(place)); });
  if (!source.box) return extent;
  // The box may end between two points, so up to one step is added on each side, within the box.
  const auto [west, south, east, north] = *source.box;
  SourceGrid outline;
  outline.west = west;
  outline.south = south;
  outline.east = east > west ? east : east + 360;
  outline.north = north;
  const PlaneBox box = extent_of(outline, plane);
  const double step = own_spacing(source);
  return {std::max(box.west, extent.west - step), std::max(box.south, extent.south - step),
          std::min(box.east, extent.east + step), std::min(box.north, extent.north + step)};
}

/// The outline of the source's area on the plane, where parallels are arcs.
PlaneBox extent_of(const SourceGrid& source, const LocalPlane& plane) {
  if (source.points) return extent_of_points(source, plane);
  PlaneBox extent;
  for (int n = 0; n <= samples_per_side; ++n) {
    const double share = static_cast<double>(n) / samples_per_side;
    const double longitude = source.west + share * (source.east - source.west);
    const double latitude = source.south + share * (source.north - source.south);
    extent.include(plane.to_plane({longitude, source.south}));
    extent.include(plane.to_plane({longitude, source.north}));
    extent.include(plane.to_plane({source.west, latitude}));
    extent.include(plane.to_plane({source.east, latitude}));
  }
  return extent;
}

/// As validate_extent(), for points with their own positions. Uses the one farthest from the
/// middle.
double validate_point_extent(const SourceGrid& source, const LocalPlane& plane,
                             const std::string& file) {
  const Vector3 middle = Compass(middle_of(source)).up;
  double min = 2;
  GeographicPoint farthest;
  for_each_point(source, [&](GeographicPoint place) {
    const double cosine = dot(Compass(place).up, middle);
    if (cosine < min) farthest = place;
    min = std::min(min, cosine);
  });
  const double stretch = min > 0 ? std::abs(plane.length_scale(farthest) - 1) : 1;
  if (stretch <= max_stretch) return stretch;
  throw input_error(errors::area_too_wide, file,
                    std::acos(std::clamp(min, -1.0, 1.0)) * mean_radius / 1000, 100 * max_stretch);
}

}  // namespace

GeographicPoint middle_of(const SourceGrid& source) {
  const auto rounded = [](double degrees) { return std::round(degrees * 1e3) / 1e3; };
  if (source.points) {
    Vector3 sum;
    for_each_point(source, [&](GeographicPoint place) { sum = sum + Compass(place).up; });
    const GeographicPoint middle = place_of(sum);
    return {rounded(middle.longitude), rounded(middle.latitude)};
  }
  double longitude = (source.west + source.east) / 2;
  longitude -= 360 * std::round(longitude / 360);
  return {rounded(longitude), rounded((source.south + source.north) / 2)};
}

double own_spacing(const SourceGrid& source, int parts) {
  if (source.points) {
    return two_digits(
        (source.staggered ? 2 : 1) *
        std::sqrt(usual_column_step(*source.points) * usual_row_step(*source.points)) *
        mean_radius / parts);
  }
  const double latitude = (source.south + source.north) / 2;
  const double across = median_step(source.longitude) * std::cos(latitude * std::numbers::pi / 180);
  const double metres = std::sqrt(across * median_step(source.latitude)) * metres_per_degree;
  return two_digits(metres / parts);
}

double validate_extent(const SourceGrid& source, const LocalPlane& plane, const std::string& file) {
  if (source.points) return validate_point_extent(source, plane, file);
  double stretch = 0;  // grows with the distance from the middle, so it is greatest at the corners
  for (const double longitude : {source.west, source.east}) {
    for (const double latitude : {source.south, source.north}) {
      stretch = std::max(stretch, std::abs(plane.length_scale({longitude, latitude}) - 1));
    }
  }
  if (source.east - source.west <= 180 && stretch <= max_stretch) return stretch;
  throw input_error(errors::area_degrees_too_wide, file, source.east - source.west,
                    source.north - source.south, 100 * max_stretch);
}

void validate_cells(double nx, double ny, double spacing, double width, double height) {
  if (!(nx >= 2 && ny >= 2)) {
    throw input_error(errors::spacing_too_large, spacing, std::max(nx, 0.0), std::max(ny, 0.0),
                      width, height);
  }
  if (nx > max_side || ny > max_side || nx * ny > max_cell_count) {
    throw input_error(errors::spacing_too_small, spacing, nx, ny, max_cell_count);
  }
}

TargetGrid make_target_grid(const SourceGrid& source, const LocalPlane& plane, double spacing) {
  const PlaneBox extent = extent_of(source, plane);
  const double first_column = std::ceil(extent.west / spacing);
  const double first_row = std::ceil(extent.south / spacing);
  const double nx = std::floor(extent.east / spacing) - first_column + 1;
  const double ny = std::floor(extent.north / spacing) - first_row + 1;
  validate_cells(nx, ny, spacing, extent.east - extent.west, extent.north - extent.south);
  TargetGrid target;
  target.grid = {static_cast<std::int32_t>(nx),
                 static_cast<std::int32_t>(ny),
                 first_column * spacing,
                 first_row * spacing,
                 spacing,
                 spacing};
  for (std::int32_t j = 0; j < target.grid.ny; ++j) {
    for (std::int32_t i = 0; i < target.grid.nx; ++i) {
      const GeographicPoint point = plane.to_geographic({target.grid.x(i), target.grid.y(j)});
      target.longitude.push_back(point.longitude);
      target.latitude.push_back(point.latitude);
      target.north.push_back(plane.north_at(point));
    }
  }
  return target;
}

}  // namespace tidewise::ingest
