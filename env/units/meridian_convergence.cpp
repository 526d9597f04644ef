#include "env/units/meridian_convergence.h"

#include <algorithm>
#include <cmath>

#include "env/units/angle.h"

namespace tidewise {
namespace {

using Vector = std::array<double, 3>;

Vector on_sphere(double longitude, double latitude) {
  const double distance_from_axis = std::cos(latitude * radians_per_degree);
  return {distance_from_axis * std::cos(longitude * radians_per_degree),
          distance_from_axis * std::sin(longitude * radians_per_degree),
          std::sin(latitude * radians_per_degree)};
}

void add_term(Vector& sum, double factor, const Vector& term) {
  for (std::size_t n = 0; n < 3; ++n) sum[n] += factor * term[n];
}

/// The derivative along a line of `count` points with spacing 1, at point n. `at(m)` returns point
/// m.
template <class At>
Vector derivative(std::int32_t count, std::int32_t n, const At& at) {
  Vector slope{};
  if (count == 2) {
    add_term(slope, 1, at(1));
    add_term(slope, -1, at(0));
  } else if (n == 0 || n == count - 1) {
    const std::int32_t inwards = n == 0 ? 1 : -1;
    add_term(slope, -1.5 * inwards, at(n));
    add_term(slope, 2.0 * inwards, at(n + inwards));
    add_term(slope, -0.5 * inwards, at(n + 2 * inwards));
  } else {
    add_term(slope, 0.5, at(n + 1));
    add_term(slope, -0.5, at(n - 1));
  }
  return slope;
}

}  // namespace

MeridianConvergence::MeridianConvergence(const Grid& grid, const std::vector<double>& longitude,
                                         const std::vector<double>& latitude)
    : grid_(grid), centres_(longitude.size()) {
  for (std::size_t cell = 0; cell < centres_.size(); ++cell) {
    centres_[cell].point = on_sphere(longitude[cell], latitude[cell]);
  }
  const auto point = [&](std::int32_t i, std::int32_t j) -> const Vector& {
    return centres_[grid.cell(i, j).value].point;
  };
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    for (std::int32_t i = 0; i < grid.nx; ++i) {
      Centre& centre = centres_[grid.cell(i, j).value];
      const Vector by_column = derivative(grid.nx, i, [&](auto m) { return point(m, j); });
      const Vector by_row = derivative(grid.ny, j, [&](auto m) { return point(i, m); });
      add_term(centre.along_x = {}, 1 / grid.dx, by_column);
      add_term(centre.along_y = {}, 1 / grid.dy, by_row);
    }
  }
}

/// East is the direction in which the longitude grows. Its components along x and y are those of
/// the longitude's gradient, and north is a quarter turn from it.
double MeridianConvergence::convergence(const Centre& centre) {
  const double longitude = std::atan2(centre.point[1], centre.point[0]);
  const auto eastward = [&](const Vector& v) {
    return v[1] * std::cos(longitude) - v[0] * std::sin(longitude);
  };
  return std::atan2(eastward(centre.along_y), eastward(centre.along_x)) / radians_per_degree;
}

std::vector<double> MeridianConvergence::at_cells() const {
  std::vector<double> degrees;
  for (const Centre& centre : centres_) degrees.push_back(convergence(centre));
  return degrees;
}

double MeridianConvergence::at(double x, double y) const {
  const double column = std::clamp((x - grid_.x_first) / grid_.dx, 0.0, grid_.nx - 1.0);
  const double row = std::clamp((y - grid_.y_first) / grid_.dy, 0.0, grid_.ny - 1.0);
  const std::int32_t i = std::min(static_cast<std::int32_t>(column), grid_.nx - 2);
  const std::int32_t j = std::min(static_cast<std::int32_t>(row), grid_.ny - 2);
  Centre centre{};
  for (std::int32_t n = 0; n < 4; ++n) {
    const std::int32_t east = n & 1;
    const std::int32_t north = n >> 1;
    const double share =
        (east == 1 ? column - i : 1 - (column - i)) * (north == 1 ? row - j : 1 - (row - j));
    const Centre& corner = centres_[grid_.cell(i + east, j + north).value];
    add_term(centre.point, share, corner.point);
    add_term(centre.along_x, share, corner.along_x);
    add_term(centre.along_y, share, corner.along_y);
  }
  return convergence(centre);
}

double true_bearing(double heading, double convergence) {
  const double bearing = std::fmod(90 - heading / radians_per_degree + convergence, 360.0);
  // A value slightly below 0 rounds to 360 when 360 is added.
  const double positive = bearing < 0 ? bearing + 360 : bearing;
  return positive >= 360 ? 0 : positive;  // NaN stays
}

}  // namespace tidewise
