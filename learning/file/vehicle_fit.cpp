#include "learning/file/vehicle_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learning/chi_square.h"

namespace tidewise {
namespace {

constexpr double in_degrees = 57.29577951308232;

/// One component of all residuals.
struct Component {
  std::vector<double> value;
  std::vector<double> error;

  double weight(std::size_t n, double variance) const {
    return 1 / (variance + error[n] * error[n]);
  }
  double weight_sum(double variance) const {
    double sum = 0;
    for (std::size_t n = 0; n < value.size(); ++n) sum += weight(n, variance);
    return sum;
  }
  double mean(double variance) const {
    double sum = 0;
    for (std::size_t n = 0; n < value.size(); ++n) sum += weight(n, variance) * value[n];
    return sum / weight_sum(variance);
  }
  /// Chi-square for a variance; it decreases with the variance.
  double chi_square(double variance) const {
    const double middle = mean(variance);
    double sum = 0;
    for (std::size_t n = 0; n < value.size(); ++n) {
      sum += weight(n, variance) * (value[n] - middle) * (value[n] - middle);
    }
    return sum;
  }
};

/// The smallest standard deviation whose square satisfies `is_enough`; 0 if the minimum does.
template <class IsEnough>
double min_deviation(const Component& component, const IsEnough& is_enough) {
  double scale = 1e-12;
  for (const double value : component.value) scale = std::max(scale, std::abs(value));
  double low = 1e-6 * scale;
  if (is_enough(low * low)) return 0;
  double high = scale;
  while (!is_enough(high * high)) high *= 2;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (low + high);
    (is_enough(middle * middle) ? high : low) = middle;
  }
  return high;
}

FittedError fit(const Component& component) {
  const auto degrees = static_cast<std::int32_t>(component.value.size()) - 1;
  const auto with_tail = [&](double probability) {
    return min_deviation(component, [&](double variance) {
      return chi_square_tail(component.chi_square(variance), degrees) >= probability;
    });
  };
  FittedError fitted;
  fitted.rms.value = min_deviation(
      component, [&](double variance) { return component.chi_square(variance) <= degrees; });
  fitted.rms.low = with_tail(0.05);
  fitted.rms.high = with_tail(0.95);
  // With errors of 0 and a deviation of 0 weights would be infinite.
  const double variance = std::max(fitted.rms.value * fitted.rms.value, 1e-24);
  constexpr double quantile = 1.6448536269514722;  // 95 % quantile of the normal distribution
  const double half_width = quantile / std::sqrt(component.weight_sum(variance));
  fitted.bias.value = component.mean(variance);
  fitted.bias.low = fitted.bias.value - half_width;
  fitted.bias.high = fitted.bias.value + half_width;
  return fitted;
}

}  // namespace

std::vector<MotionResidual> motion_residuals(const PosteriorReport& report) {
  std::vector<MotionResidual> residuals;
  for (const LegResult& result : report.legs) {
    const ObservedLeg& leg = result.leg;
    if (result.by != ObservedBy::vehicle || result.rejected() || !leg.commanded) continue;
    const CommandedMotion& commanded = *leg.commanded;
    const double speed = std::hypot(commanded.u, commanded.v);
    if (!(speed > 0)) continue;
    double u = leg.own_u;
    double v = leg.own_v;
    double error_u = commanded.error_u;
    double error_v = commanded.error_v;
    if (!leg.reported_u) {
      const double inflation = report.consistency.inflation;
      u += leg.u - result.u.forecast;
      v += leg.v - result.v.forecast;
      error_u = std::hypot(error_u, inflation * result.u.forecast_spread);
      error_v = std::hypot(error_v, inflation * result.v.forecast_spread);
    }
    const double along_u = commanded.u / speed;
    const double along_v = commanded.v / speed;
    const double across = along_u * v - along_v * u;
    MotionResidual residual;
    residual.speed = std::hypot(u, v) - speed;
    residual.speed_error = std::hypot(along_u * error_u, along_v * error_v);
    residual.heading = in_degrees * std::atan2(across, along_u * u + along_v * v);
    residual.heading_error = in_degrees * std::hypot(along_v * error_u, along_u * error_v) / speed;
    residuals.push_back(residual);
  }
  return residuals;
}

VehicleFit fit_vehicle(const std::vector<MotionResidual>& residuals) {
  Component speed;
  Component heading;
  for (const MotionResidual& residual : residuals) {
    speed.value.push_back(residual.speed);
    speed.error.push_back(residual.speed_error);
    heading.value.push_back(residual.heading);
    heading.error.push_back(residual.heading_error);
  }
  return {fit(speed), fit(heading)};
}

}  // namespace tidewise
