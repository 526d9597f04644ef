#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "output/score/prediction.h"

namespace tidewise {

/// A mean over the predictions that it covers, with a 90 % interval: percentiles of 2000
/// bootstrap samples of departure dates (UTC), since predictions of one date are not independent
/// (Efron & Tibshirani 1993). NaN without predictions; no interval with fewer than two dates.
struct Measure {
  double value = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::int64_t count = 0;
};

/// Frequency of arrival of missions with predicted probabilities from one tenth to the next.
struct ReliabilityBin {
  double from = 0;
  double to = 0;
  Measure predicted;  ///< mean probability
  Measure observed;   ///< share that arrived
};

/// Measures of how predictions compare with outcomes.
struct PredictionMeasures {
  std::int64_t scored = 0;               ///< predictions with a probability and an outcome
  std::int64_t arrived = 0;              ///< number of them that arrived
  std::int64_t dates = 0;                ///< number of departure dates
  std::int64_t without_probability = 0;  ///< predictions with an outcome only, left out
  Measure base_rate;                     ///< share that arrived
  /// Mean squared error of the probability of arrival (Brier 1950); that of the base rate; and the
  /// skill, 1 less their ratio.
  Measure brier, brier_of_base_rate, brier_skill;
  Measure crps;      ///< mean of arrival_crps() [s]
  Measure above_95;  ///< share that arrived of those predicted with 95 % or more
  /// Shares of missions within the 50 and the 90 % window; `windows` of all missions,
  /// `windows_of_arrivals` of those that arrived. A mission that does not arrive has a rank between
  /// the predicted probability of arrival and 1, and counts with the part of that range within the
  /// window's ranks. So windows of correct predictions hold 50 and 90 % (a randomised probability
  /// integral transform, Czado, Gneiting and Held 2009, without the random numbers).
  std::array<Measure, 2> windows, windows_of_arrivals;
  std::array<Measure, 2> surfacing;  ///< share within the 50 and the 90 % region
  std::array<ReliabilityBin, 10> reliability;
};

/// Number of dates from which measures count as evidence; with fewer they only describe.
inline constexpr std::int64_t dates_for_evidence = 30;

/// The continuous ranked probability score of min(arrival time, horizon): ∫ (F − 1{t ≥ T})² dt from
/// 0 to the horizon (Gneiting & Raftery 2007) [s]. F is linear between the quantiles of arrivals,
/// weighted by the probability, steps at the first and the last of them, and is 1 at the horizon.
/// `arrived`: infinity or beyond the horizon for a mission that does not arrive.
double arrival_crps(const ArrivalQuantiles& predicted, double arrived, double horizon);

/// Measures over the predictions that have an outcome.
PredictionMeasures measure(const std::vector<Prediction>& predictions);

nlohmann::ordered_json to_json(const PredictionMeasures& measures);

}  // namespace tidewise
