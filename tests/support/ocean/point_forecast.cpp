#include "support/ocean/point_forecast.h"

namespace tidewise::test {
namespace {

ingest::Vector3 cross(ingest::Vector3 a, ingest::Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace

PointForecast::Velocity PointForecast::smooth_flow(GeographicPoint place, double hour) {
  const ingest::Compass compass(place);
  const ingest::Vector3 up = compass.up;
  // A vector field of space, so that it is smooth at the poles as well.
  const ingest::Vector3 flow{0.4 + 0.2 * up.x, -0.3 + 0.5 * up.y * up.x,
                             0.3 + 0.2 * up.y + 0.005 * hour};
  return {ingest::dot(flow, compass.east), ingest::dot(flow, compass.north)};
}

PointForecast::Velocity PointForecast::along_grid(GeographicPoint at, double hours) const {
  const ingest::Compass compass(at);
  const ingest::Vector3 direction = column_direction(at);
  const double cosine = ingest::dot(direction, compass.east);
  const double sine = ingest::dot(direction, compass.north);
  const Velocity truth = flow(at, hours);
  return {truth.east * cosine + truth.north * sine, -truth.east * sine + truth.north * cosine};
}

std::vector<double> PointForecast::longitudes(double row_shift, double column_shift) const {
  std::vector<double> values;
  for (std::size_t n = 0; n < rows * columns; ++n) {
    values.push_back(place(static_cast<double>(n / columns) + row_shift,
                           static_cast<double>(n % columns) + column_shift)
                         .longitude);
  }
  return values;
}

std::vector<double> PointForecast::latitudes(double row_shift, double column_shift) const {
  std::vector<double> values;
  for (std::size_t n = 0; n < rows * columns; ++n) {
    values.push_back(place(static_cast<double>(n / columns) + row_shift,
                           static_cast<double>(n % columns) + column_shift)
                         .latitude);
  }
  return values;
}

std::vector<double> PointForecast::values(Component component, double row_shift,
                                          double column_shift) const {
  std::vector<double> values;
  for (const double hours : hour) {
    for (std::size_t n = 0; n < rows * columns; ++n) {
      const GeographicPoint at = place(static_cast<double>(n / columns) + row_shift,
                                       static_cast<double>(n % columns) + column_shift);
      const Velocity truth = flow(at, hours);
      const Velocity grid = along_grid(at, hours);
      values.push_back(component == Component::east            ? truth.east
                       : component == Component::north         ? truth.north
                       : component == Component::along_columns ? grid.east
                                                               : grid.north);
    }
  }
  return values;
}

PointForecast turned_globe(GeographicPoint pole, double step) {
  PointForecast forecast;
  const ingest::Vector3 axis = ingest::Compass(pole).up;
  // The rotated meridian 0 runs from the rotated pole through the geographic one (CF, appendix F).
  const ingest::Vector3 front = ingest::Compass(pole).north;
  const ingest::Vector3 side = cross(axis, front);
  const double middle_row = static_cast<double>(forecast.rows - 1) / 2;
  const double middle_column = static_cast<double>(forecast.columns - 1) / 2;
  forecast.place = [=](double row, double column) {
    const ingest::Compass rotated({(column - middle_column) * step, (row - middle_row) * step});
    return ingest::place_of(rotated.up.x * front + rotated.up.y * side + rotated.up.z * axis);
  };
  forecast.column_direction = [=](GeographicPoint at) {
    const ingest::Vector3 along = cross(axis, ingest::Compass(at).up);
    return 1 / ingest::length(along) * along;
  };
  return forecast;
}

}  // namespace tidewise::test
