#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/environment_info.h"
#include "solver/fly/flight_end.h"
#include "solver/step/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A mean and its standard error, which is not a number where there are fewer than two flights.
struct MeanWithError {
  double mean = 0;
  double standard_error = 0;
};

/// Differences between some flights and others through the same realizations, flight by flight;
/// positive: the former are better. Realizations count by their weights.
struct PairedWorth {
  MeanWithError arrival_rate;  ///< share that arrives, these less those
  MeanWithError total_reward;  ///< over all flights
  // Over the flights in which both arrive; not a number where there are none.
  std::int64_t both_arrive = 0;
  MeanWithError time;  ///< saved [s or 1]
  MeanWithError energy;
  MeanWithError net_energy;
};
PairedWorth paired_worth(const std::vector<FlightEnd>& these, const std::vector<FlightEnd>& those,
                         const EnvironmentInfo& info);

/// The value of knowing the flow, or of learning it under way. All flights are through the same
/// realizations in the same order.
struct KnowledgeWorth {
  RolloutStatistics open;   ///< results with the run's policy
  RolloutStatistics bound;  ///< clairvoyant; of none where that was not flown
  PairedWorth bound_gain;   ///< compared with `open`
  /// Predicted minus flown total reward of clairvoyant flights: the error of cells and landing in a
  /// certain flow. Above 0: the prediction was too high.
  MeanWithError promise_gap;
  std::optional<RolloutStatistics> adaptive;
  PairedWorth adaptive_gain;  ///< compared with `open`
  /// The share of the bound's gain that learning achieves, in units of the objective. Where all
  /// three arrive it compares total rewards, which then differ only in the path; and …
  std::int64_t all_arrive = 0;
  MeanWithError regret_closed;
  /// … over all flights, failures with their prices.
  MeanWithError regret_closed_of_all;
};

/// `predicted`: (flight), predictions of the clairvoyant flights; empty: none.
KnowledgeWorth knowledge_worth(const std::vector<FlightEnd>& open,
                               const std::vector<FlightEnd>& bound,
                               const std::vector<double>& predicted,
                               const std::vector<FlightEnd>& adaptive, const EnvironmentInfo& info);

}  // namespace tidewise
