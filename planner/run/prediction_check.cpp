#include "planner/run/prediction_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

constexpr double standard_errors = 3;
constexpr double min_arrival = 0.02;
constexpr double min_share = 0.03;

bool arrivals_differ(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                     const EnvironmentInfo& info) {
  if (!(flown.effective_flights > 0)) return false;
  const double predicted = expected.arrival_probability;
  const double difference = std::abs(flown.arrival_rate - predicted);
  if (!(difference > min_arrival)) return false;
  if (!is_sample(flown, info)) return true;
  // Rounding can give a probability of 1 a value slightly above or below it.
  const double variance = std::max(0.0, predicted * (1 - predicted)) / flown.effective_flights;
  return difference > standard_errors * std::sqrt(variance);
}

/// True if the flights' mean, whose standard error is `error`, differs from the prediction by more
/// than `scale` allows.
bool differs(double predicted, double flown, double error, double scale) {
  const double difference = std::abs(flown - predicted);
  return difference > min_share * scale && difference > standard_errors * error;  // false for NaN
}

bool costs_differ(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                  Objective objective, const EnvironmentInfo& info) {
  const bool sample = is_sample(flown, info);
  const auto error = [&](double standard_error) { return sample ? standard_error : 0; };
  if (differs(expected.time, flown.time.mean, error(flown.time_standard_error),
              std::min(expected.time, flown.time.mean))) {
    return true;
  }
  switch (objective) {
    case Objective::time:
    case Objective::arrival:
    case Objective::stay:
    case Objective::follow:
      return false;
    case Objective::energy:
    case Objective::weighted:
      return differs(expected.energy, flown.energy.mean, error(flown.energy_standard_error),
                     expected.energy);
    case Objective::net_energy:
      // Net energy may be 0, so the energy spent is the scale.
      return differs(expected.net_energy, flown.net_energy.mean,
                     error(flown.net_energy_standard_error), expected.energy);
  }
  return false;
}

}  // namespace

bool is_sample(const RolloutStatistics& flown, const EnvironmentInfo& info) {
  return flown.trajectories < info.realization_count;
}

namespace {

/// True if station keeping differs: by three percentage points of the time within, or a tenth of
/// the distance.
bool keeping_differs(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                     const EnvironmentInfo& info) {
  constexpr double min_share_of_time = 0.03;
  constexpr double min_share_of_distance = 0.1;
  const Keeping& keeping = *flown.keeping;
  const double difference = std::abs(keeping_of(expected)->mean - keeping.mean);
  const double min = keeping.is_distance ? min_share_of_distance * keeping.mean : min_share_of_time;
  const double error = is_sample(flown, info) ? keeping.standard_error : 0;
  return difference > min && difference > standard_errors * error;
}

bool prediction_differs(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                        Objective objective, const EnvironmentInfo& info) {
  if (keeps(objective)) return keeping_differs(expected, flown, info);
  return arrivals_differ(expected, flown, info) || costs_differ(expected, flown, objective, info);
}

}  // namespace

std::string validate_prediction(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                                const Mission& mission, LandingBy landing,
                                const EnvironmentInfo& info) {
  if (!prediction_differs(expected, flown, mission.objective, info)) return {};
  const char* remedy =
      landing == LandingBy::cell
          ? ", and plan with planner.landing = \"area\", which does not round positions to cells"
          : "";
  return fmt::format(
      "prediction and simulation differ: predicted {}; simulated {}; use the simulated figures{} "
      "(docs/trust/accuracy.md)",
      describe_figures(expected, mission.objective, mission.energy, info.units,
                       flown.has_probability),
      describe_figures(flown, mission.objective, mission.energy, info.units), remedy);
}

double later_by(const ExpectedOutcome& expected, const RolloutStatistics& flown) {
  const double delay = flown.arrival_rate > 0 ? expected.time / flown.time.mean - 1 : 0;
  return std::abs(delay) > min_share ? delay : flown.arrival_rate - expected.arrival_probability;
}

}  // namespace tidewise
