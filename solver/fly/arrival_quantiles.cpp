#include "solver/fly/arrival_quantiles.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace {

using WeightedTime = std::pair<double, std::int64_t>;

// `missing`: value of a share that the times do not reach. `times`: ascending.
ArrivalTimes quantiles_of(const std::vector<WeightedTime>& times, std::int64_t total,
                          double missing) {
  ArrivalTimes quantiles;
  for (std::size_t n = 0; n < quantiles.size(); ++n) {
    std::int64_t below = 0;
    const auto reached = std::find_if(times.begin(), times.end(), [&](const WeightedTime& entry) {
      below += entry.second;
      return 100 * below >= arrival_percents[n] * total;
    });
    quantiles[n] = reached == times.end() ? missing : reached->first;
  }
  return quantiles;
}

}  // namespace

ArrivalQuantiles arrival_quantiles(const RolloutResult& flights, const EnvironmentInfo& info) {
  const bool has_equal_weights =
      flights.mode == RolloutMode::chain || info.realization_weight.empty();
  std::vector<WeightedTime> times;
  std::int64_t arrived = 0;
  std::int64_t total = 0;
  for (const FlightEnd& flight : flight_ends(flights, info.time)) {
    const std::int64_t weight =
        has_equal_weights ? 1
                          : info.realization_weight[static_cast<std::size_t>(flight.realization)];
    total += weight;
    if (!flight.arrived() || weight == 0) continue;
    times.emplace_back(flight.time, weight);
    arrived += weight;
  }
  std::sort(times.begin(), times.end());
  return {static_cast<double>(arrived) / static_cast<double>(total),
          quantiles_of(times, total, std::numeric_limits<double>::infinity()),
          quantiles_of(times, arrived, std::numeric_limits<double>::quiet_NaN())};
}

}  // namespace tidewise
