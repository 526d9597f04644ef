#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "env/environment_info.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// The shares of flights whose arrival times are recorded [%].
inline constexpr std::array<std::int64_t, 7> arrival_percents{5, 10, 25, 50, 75, 90, 95};
/// Where the quartiles, the median and the ends of the 90 % window are among them.
enum class ArrivalShare : std::size_t { p05 = 0, p25 = 2, p50 = 3, p75 = 4, p95 = 6 };

using ArrivalTimes = std::array<double, arrival_percents.size()>;
constexpr double at(const ArrivalTimes& times, ArrivalShare share) {
  return times[static_cast<std::size_t>(share)];
}

/// A predicted distribution of arrival times after the departure [s or 1], by the shares of
/// arrival_percents.
struct ArrivalQuantiles {
  double probability = 0;  ///< of arriving before time is up
  ArrivalTimes all;        ///< of all flights; infinity where fewer arrive
  ArrivalTimes arriving;   ///< of the flights that arrive; NaN where none does
};

/// Of flights, each weighted as in summarize(). A quantile is the smallest time that the share does
/// not exceed. Requires a flight.
ArrivalQuantiles arrival_quantiles(const RolloutResult& flights, const EnvironmentInfo& info);

}  // namespace tidewise
