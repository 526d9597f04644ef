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

bool arrives_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                       const EnvironmentInfo& info) {
  if (!(flown.effective_flights > 0)) return false;
  const double predicted = expected.arrival_probability;
  const double difference = std::abs(flown.arrival_rate - predicted);
  if (!(difference > min_arrival)) return false;
  if (!is_sample(flown, info)) return true;
  // Rounding can leave a certain arrival a little above or below 1.
  const double variance = std::max(0.0, predicted * (1 - predicted)) / flown.effective_flights;
  return difference > standard_errors * std::sqrt(variance);
}

/// True if the flights' mean, whose standard error is `error`, differs from the prediction by more
/// than `scale` allows.
bool is_otherwise(double predicted, double flown, double error, double scale) {
  const double difference = std::abs(flown - predicted);
  return difference > min_share * scale && difference > standard_errors * error;  // no NaN is
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
    case Objective::stay:
    case Objective::follow:
      return false;
    case Objective::energy:
    case Objective::weighted:
      return is_otherwise(expected.energy, flown.energy.mean, error(flown.energy_standard_error),
                          expected.energy);
    case Objective::net_energy:
      // Net energy may be 0, so the energy spent is the scale.
      return is_otherwise(expected.net_energy, flown.net_energy.mean,
                          error(flown.net_energy_standard_error), expected.energy);
  }
  return false;
}

}  // namespace

bool is_sample(const RolloutStatistics& flown, const EnvironmentInfo& info) {
  return flown.trajectories < info.realization_count;
}

namespace {

/// For station keeping: three percentage points of the time within, or a tenth of the distance.
bool keeps_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                     const EnvironmentInfo& info) {
  constexpr double min_share_of_time = 0.03;
  constexpr double min_share_of_distance = 0.1;
  const Keeping& keeping = *flown.keeping;
  const double difference = std::abs(keeping_of(expected)->mean - keeping.mean);
  const double min = keeping.is_distance ? min_share_of_distance * keeping.mean : min_share_of_time;
  const double error = is_sample(flown, info) ? keeping.standard_error : 0;
  return difference > min && difference > standard_errors * error;
}

bool goes_otherwise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                    Objective objective, const EnvironmentInfo& info) {
  if (keeps(objective)) return keeps_otherwise(expected, flown, info);
  return arrives_otherwise(expected, flown, info) ||
         takes_otherwise(expected, flown, objective, info);
}

}  // namespace

std::string validate_prediction(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                                const Mission& mission, LandingBy landing,
                                const EnvironmentInfo& info) {
  if (!goes_otherwise(expected, flown, mission.objective, info)) return {};
  const char* rule =
      landing == LandingBy::cell
          ? ", and plan with planner.landing = \"area\", which does not round positions to cells"
          : "";
  return fmt::format(
      "prediction and simulation differ: predicted {}; simulated {}; use the simulated figures{} "
      "(docs/trust/accuracy.md)",
      describe_figures(expected, mission.objective, mission.energy, info.units,
                       flown.has_probability),
      describe_figures(flown, mission.objective, mission.energy, info.units), rule);
}

double later_by(const ExpectedOutcome& expected, const RolloutStatistics& flown) {
  const double late = flown.arrival_rate > 0 ? expected.time / flown.time.mean - 1 : 0;
  return std::abs(late) > min_share ? late : flown.arrival_rate - expected.arrival_probability;
}

}  // namespace tidewise
