#include "planner/run/promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

constexpr double standard_errors = 3;
constexpr double least_arrival = 0.02;
constexpr double least_share = 0.03;

bool arrives_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                       const EnvironmentInfo& info) {
  if (!(flown.effective_flights > 0)) return false;
  const double promised = expected.arrival_probability;
  const double difference = std::abs(flown.arrival_rate - promised);
  if (!(difference > least_arrival)) return false;
  if (!is_sample(flown, info)) return true;
  // Rounding can leave a certain arrival a little above or below 1.
  const double variance = std::max(0.0, promised * (1 - promised)) / flown.effective_flights;
  return difference > standard_errors * std::sqrt(variance);
}

/// Whether the flights' mean, known to `error`, is farther from the promise than `scale` allows.
bool is_otherwise(double promised, double flown, double error, double scale) {
  const double difference = std::abs(flown - promised);
  return difference > least_share * scale && difference > standard_errors * error;  // no NaN is
}

bool takes_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                     Objective objective, const EnvironmentInfo& info) {
  const bool sample = is_sample(flown, info);
  const auto error = [&](double of_mean) { return sample ? of_mean : 0; };
  if (is_otherwise(expected.time, flown.time.mean, error(flown.time_standard_error),
                   std::min(expected.time, flown.time.mean))) {
    return true;
  }
  switch (objective) {
    case Objective::time:
    case Objective::arrival:
      return false;
    case Objective::energy:
    case Objective::weighted:
      return is_otherwise(expected.energy, flown.energy.mean, error(flown.energy_standard_error),
                          expected.energy);
    case Objective::net_energy:
      // Which may be nothing: what is spent for it is its scale.
      return is_otherwise(expected.net_energy, flown.net_energy.mean,
                          error(flown.net_energy_standard_error), expected.energy);
  }
  return false;
}

}  // namespace

bool is_sample(const RolloutStatistics& flown, const EnvironmentInfo& info) {
  return flown.trajectories < info.realization_count;
}

std::string validate_promise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                             Objective objective, LandingBy landing, const EnvironmentInfo& info) {
  if (!arrives_otherwise(expected, flown, info) &&
      !takes_otherwise(expected, flown, objective, info)) {
    return {};
  }
  const char* rule =
      landing == LandingBy::cell
          ? ", and plan with planner.landing = \"area\", which rounds no landing to a cell"
          : "";
  return fmt::format(
      "the plan expects that {}, and of the flights {}: believe the flights{} "
      "(docs/trust/accuracy.md)",
      describe_figures(expected, objective, info.units),
      describe_figures(flown, objective, info.units), rule);
}

double later_by(const ExpectedOutcome& expected, const RolloutStatistics& flown) {
  const double late = flown.arrival_rate > 0 ? expected.time / flown.time.mean - 1 : 0;
  return std::abs(late) > least_share ? late : flown.arrival_rate - expected.arrival_probability;
}

}  // namespace tidewise
