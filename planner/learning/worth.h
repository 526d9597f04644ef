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

/// What some flights came to beside others through the same realizations, flight by flight; more is
/// better for the former. Realizations count by their weights.
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

/// What the ocean is worth to who knows it, or learns of it on the way. All flights are through the
/// same realizations in the same order.
struct KnowledgeWorth {
  RolloutStatistics open;   ///< by the run's policy
  RolloutStatistics bound;  ///< clairvoyant; of none where that was not flown
  PairedWorth bound_gain;   ///< beside `open`
  /// What clairvoyants were promised less what they came to, in total reward: what cells and
  /// landing make of a certain flow. Above 0: the plan promised too much.
  MeanWithError promise_gap;
  std::optional<RolloutStatistics> adaptive;
  PairedWorth adaptive_gain;  ///< beside `open`
  /// The share of what the bound gains that learning gains, in what the objective counts: where all
  /// three arrive, by their total rewards, in which nothing but the way is left then; and …
  std::int64_t all_arrive = 0;
  MeanWithError regret_closed;
  /// … over all flights, failures with their prices.
  MeanWithError regret_closed_of_all;
};

/// `promised`: (flight), of the clairvoyants. Empty: no such flights.
KnowledgeWorth knowledge_worth(const std::vector<FlightEnd>& open,
                               const std::vector<FlightEnd>& bound,
                               const std::vector<double>& promised,
                               const std::vector<FlightEnd>& adaptive, const EnvironmentInfo& info);

}  // namespace tidewise
