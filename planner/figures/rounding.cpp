#include "planner/figures/rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tidewise {
namespace {

constexpr double minute = 60;
constexpr double hour = 3600;
constexpr std::array steps{1.0,         10.0, minute,   5 * minute, 10 * minute,
                           30 * minute, hour, 3 * hour, 6 * hour,   12 * hour};

double power_of_ten(double below) { return std::pow(10, std::floor(std::log10(below) + 1e-9)); }

int decimals_of(double step) {
  return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
}

}  // namespace

double rounding_step(double standard_error, Units units) {
  if (units == Units::nondimensional) return power_of_ten(standard_error);
  const auto* upper = std::upper_bound(steps.begin(), steps.end(), standard_error);
  return upper == steps.begin() ? steps.front() : *(upper - 1);
}

TimeRounding round_times(double standard_error, double time_step, Units units) {
  constexpr double of_median = 1.2533;    // √(π/2)
  constexpr double of_quantile = 2.1132;  // √(0.05 · 0.95) / φ(Φ⁻¹(0.05))
  if (!(standard_error > 0)) {
    const double step = rounding_step(0.5 * time_step, units);
    return {step, step, step};
  }
  return {rounding_step(standard_error, units), rounding_step(of_median * standard_error, units),
          rounding_step(of_quantile * standard_error, units)};
}

TimeRounding round_times(const RolloutStatistics& flown, const EnvironmentInfo& info) {
  return round_times(flown.has_probability ? flown.time_standard_error : 0, info.time.step,
                     info.units);
}

std::string describe_duration(double time, Units units, double step) {
  if (!std::isfinite(time)) return "–";
  const double rounded = std::round(time / step) * step;
  if (rounded == 0 && time > 0) return "less than " + describe_duration(step, units, step);
  if (units == Units::nondimensional) return fmt::format("{:.{}f}", rounded, decimals_of(step));
  const double length = std::abs(rounded);
  if (length < 2 * minute && step < minute) return fmt::format("{:.0f} s", rounded);
  if (length < 2 * hour && step < hour) return fmt::format("{:.0f} min", rounded / minute);
  return fmt::format("{:.{}f} h", rounded / hour, step < hour ? 1 : 0);
}

std::string describe_chance(double share, double flights) {
  if (!(flights > 0)) return fmt::format("{:.3g} %", 100 * share);
  const double error = std::sqrt(share * (1 - share) / flights);
  double step = power_of_ten(100 * std::max(error, 1 / flights));
  const double rounded = std::round(100 * share / step) * step;
  if (rounded > 0 && rounded < 100) return fmt::format("{:.{}f} %", rounded, decimals_of(step));
  // All flights arrive, or none: the limit of the 95 % confidence interval.
  const double excluded = 100 * (1 - std::pow(0.05, 1 / flights));
  step = power_of_ten(std::min(excluded, 100 - excluded));
  const double limit = std::ceil(excluded / step - 1e-9) * step;
  return rounded > 0 ? fmt::format("over {:.{}f} %", 100 - limit, decimals_of(step))
                     : fmt::format("less than {:.{}f} %", limit, decimals_of(step));
}

}  // namespace tidewise
