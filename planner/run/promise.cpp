#include "planner/run/promise.h"

#include <fmt/format.h>

#include <cmath>

namespace tidewise {
namespace {

constexpr double standard_errors = 3;
constexpr double least_arrival = 0.02;
constexpr double least_time = 0.03;

bool arrives_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown) {
  if (!(flown.effective_flights > 0)) return false;
  const double promised = expected.arrival_probability;
  const double difference = std::abs(flown.arrival_rate - promised);
  // Rounding can leave a certain arrival a little above or below 1.
  const double variance = std::max(0.0, promised * (1 - promised)) / flown.effective_flights;
  return difference > least_arrival && difference > standard_errors * std::sqrt(variance);
}

bool takes_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                     const EnvironmentInfo& info) {
  const double difference = std::abs(flown.time.mean - expected.time);
  if (!(difference > least_time * expected.time)) return false;  // nothing that is NaN either
  const double error = info.realization_count == 1 ? 0 : flown.time_standard_error;
  return difference > standard_errors * error;
}

std::string as_time(double time, Units units) {
  if (units == Units::nondimensional) return fmt::format("{:.4g}", time);
  return time < 7200 ? fmt::format("{:.4g} s", time) : fmt::format("{:.1f} h", time / 3600);
}

std::string figures(double arrival, double time, Units units) {
  std::string text = fmt::format("{:.4g} % arrive", 100 * arrival);
  if (std::isfinite(time)) text += fmt::format(" after {}", as_time(time, units));
  return text;
}

}  // namespace

std::string validate_promise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                             const EnvironmentInfo& info) {
  if (!arrives_otherwise(expected, flown) && !takes_otherwise(expected, flown, info)) return {};
  return fmt::format(
      "the plan expects that {}, and of the flights {}: it draws a realization anew at each step "
      "and "
      "rounds every landing to a cell, a flight does neither; believe the flights, and plan with a "
      "smaller spacing or a longer step, or in what 'tidewise env select --spread' makes "
      "(docs/accuracy.md)",
      figures(expected.arrival_probability, expected.time, info.units),
      figures(flown.arrival_rate, flown.time.mean, info.units));
}

}  // namespace tidewise
