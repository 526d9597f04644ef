#include "solver/reachable/flight_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model_builder/step/level_bounds.h"

namespace tidewise {
namespace {

double along(const PlaneVector& direction, double x, double y) {
  return direction.x * x + direction.y * y;
}

// The strongest current along a direction, in one cell [m s-1 or 1].
double strongest(const LevelView& level, const std::vector<Interval>& coefficients,
                 const PlaneVector& direction, std::size_t cell) {
  double max = along(direction, static_cast<double>(level.u_mean[cell]),
                     static_cast<double>(level.v_mean[cell]));
  if (level.dry[cell] != 0) return max;  // no flow, but shared modes may not be 0 there
  const std::size_t stride = level.u_mean.size;
  for (std::size_t mode = 0; mode < coefficients.size(); ++mode) {
    const std::size_t at = mode * stride + cell;
    const double part = along(direction, static_cast<double>(level.u_mode[at]),
                              static_cast<double>(level.v_mode[at]));
    max += std::max(part * coefficients[mode].min, part * coefficients[mode].max);
  }
  return max;
}

}  // namespace

FlightBound::FlightBound(const EnvironmentInfo& info, double speed,
                         const std::vector<PlanePoint>& starts)
    : grid_(info.grid), step_(info.time.step), velocities_(info.velocities), speed_(speed) {
  for (std::size_t n = 0; n < direction_count; ++n) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(n) / direction_count;
    direction_[n] = {std::cos(angle), std::sin(angle)};
    side_[n] = -std::numeric_limits<double>::infinity();
    for (const PlanePoint& start : starts) {
      side_[n] = std::max(side_[n], along(direction_[n], start.x, start.y));
    }
  }
}

bool FlightBound::is_within(const PlanePoint& point, double margin) const {
  for (std::size_t n = 0; n < direction_count; ++n) {
    if (along(direction_[n], point.x, point.y) > side_[n] + margin) return false;
  }
  return true;
}

void FlightBound::advance(const LevelView& level) {
  const std::vector<Interval> coefficients = coefficient_ranges(level);
  // The current at a point is interpolated between the centres around it. Next to the shore some of
  // them have no current, which counts as still water.
  const double margin = std::hypot(grid_.dx, grid_.dy);
  Sides current;
  current.fill(-speed_);  // sides never move inwards, because flights may already be there
  for (std::int32_t row = 0; row < grid_.ny; ++row) {
    for (std::int32_t column = 0; column < grid_.nx; ++column) {
      if (!is_within({grid_.x(column), grid_.y(row)}, margin)) continue;
      const auto cell = static_cast<std::size_t>(grid_.cell(column, row).value);
      for (std::int32_t p = 0; p < velocities_; ++p) {
        const LevelView profile_level = level.profile(p);
        for (std::size_t n = 0; n < direction_count; ++n) {
          current[n] =
              std::max(current[n], strongest(profile_level, coefficients, direction_[n], cell));
        }
      }
    }
  }
  for (std::size_t n = 0; n < direction_count; ++n) side_[n] += (speed_ + current[n]) * step_;
}

double FlightBound::short_of(const Mission& mission) const {
  double min = std::numeric_limits<double>::infinity();
  const auto consider = [&](double x, double y, double radius) {
    double distance = 0;
    for (std::size_t n = 0; n < direction_count; ++n) {
      distance = std::max(distance, along(direction_[n], x, y) - radius - side_[n]);
    }
    min = std::min(min, distance);
  };
  const double cell_radius = std::hypot(grid_.dx, grid_.dy) / 2;
  for (std::int32_t row = 0; row < grid_.ny; ++row) {
    for (std::int32_t column = 0; column < grid_.nx; ++column) {
      const auto cell = static_cast<std::size_t>(grid_.cell(column, row).value);
      if (mission.target[cell] != 0) consider(grid_.x(column), grid_.y(row), cell_radius);
    }
  }
  if (mission.disc.radius > 0) {
    for (std::int32_t n = 0; n < mission.disc.circle_count; ++n) {
      const TargetCircle& circle = mission.disc.circle[n];
      consider(grid_.x_first + circle.column * grid_.dx, grid_.y_first + circle.row * grid_.dy,
               std::max(circle.radius, mission.disc.radius));
    }
  }
  return min;
}

}  // namespace tidewise
