#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/environment_info.h"
#include "solver/fly/flight_end.h"
#include "solver/step/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A mean and its standard error, which is NaN with fewer than two flights.
struct MeanWithError {
  double mean = 0;
  double standard_error = 0;
};

/// Differences between two groups of flights through the same realizations, flight by flight.
/// Positive values mean that the first group is better. Realizations count by their weights.
struct PairedWorth {
  MeanWithError arrival_rate;  ///< difference of arrival rates
  MeanWithError total_reward;  ///< over all flights
  // Over realizations in which both flights arrive; NaN without any.
  std::int64_t both_arrive = 0;
  MeanWithError time;  ///< time saved [s or 1]
  MeanWithError energy;
  MeanWithError net_energy;
};
/// Compares `these` with `those`, which have the same realizations in the same order.
PairedWorth paired_worth(const std::vector<FlightEnd>& these, const std::vector<FlightEnd>& those,
                         const EnvironmentInfo& info);

/// The value of knowing the flow, or of learning it under way. All flights are through the same
/// realizations in the same order.
struct KnowledgeWorth {
  RolloutStatistics open;   ///< results with the run's policy
  RolloutStatistics bound;  ///< clairvoyant flights; empty if not requested
  PairedWorth bound_gain;   ///< compared with `open`
  /// Predicted minus flown total reward of clairvoyant flights: the error of cells and landing in a
  /// flow without uncertainty. Above 0: the prediction was too high.
  MeanWithError promise_gap;
  std::optional<RolloutStatistics> adaptive;
  PairedWorth adaptive_gain;  ///< compared with `open`
  /// Number of realizations in which all three flights arrive.
  std::int64_t all_arrive = 0;
  /// Share of the bound's gain that learning achieves in these realizations, in units of the
  /// objective. Total rewards then differ only in the path.
  MeanWithError regret_closed;
  /// The same share over all flights, with failure penalties.
  MeanWithError regret_closed_of_all;
};

/// Compares the groups of flights. `predicted`: (flight), predictions of the clairvoyant flights;
/// may be empty.
KnowledgeWorth knowledge_worth(const std::vector<FlightEnd>& open,
                               const std::vector<FlightEnd>& bound,
                               const std::vector<double>& predicted,
                               const std::vector<FlightEnd>& adaptive, const EnvironmentInfo& info);

}  // namespace tidewise
