#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "env/environment_info.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// Shares of flights for which arrival times are recorded [%].
inline constexpr std::array<std::int64_t, 7> arrival_percents{5, 10, 25, 50, 75, 90, 95};
/// Index of the quartiles, the median and the ends of the 90 % window in arrival_percents.
enum class ArrivalShare : std::size_t { p05 = 0, p25 = 2, p50 = 3, p75 = 4, p95 = 6 };

/// Arrival times after departure [s or 1], by arrival_percents.
using ArrivalTimes = std::array<double, arrival_percents.size()>;
/// Time by which a share of flights arrives.
constexpr double at(const ArrivalTimes& times, ArrivalShare share) {
  return times[static_cast<std::size_t>(share)];
}

/// A predicted distribution of arrival times after departure [s or 1], by arrival_percents.
struct ArrivalQuantiles {
  double probability = 0;  ///< probability of arriving before time is up
  ArrivalTimes all;        ///< over all flights; infinity if fewer arrive
  ArrivalTimes arriving;   ///< over the flights that arrive; NaN if none does
};

/// Quantiles of flights, each weighted as in summarize(). A quantile is the smallest time whose
/// cumulative share reaches the quantile's. Requires at least one flight.
ArrivalQuantiles arrival_quantiles(const RolloutResult& flights, const EnvironmentInfo& info);

}  // namespace tidewise
