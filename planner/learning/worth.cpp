#include "planner/learning/worth.h"

#include <cmath>
#include <limits>

#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

double weight_of_realization(const EnvironmentInfo& info, std::int32_t realization) {
  if (info.realization_weight.empty()) return 1;
  return info.realization_weight[static_cast<std::size_t>(realization)];
}

/// A sample of weighted values.
struct WeightedSample {
  std::vector<double> value;
  std::vector<double> weight;

  void add(double new_value, double new_weight) {
    if (new_weight == 0) return;
    value.push_back(new_value);
    weight.push_back(new_weight);
  }

  /// Returns the mean Σ w x / Σ w and its standard error, which is s/√n for equal weights.
  MeanWithError estimate() const {
    const auto count = static_cast<double>(value.size());
    double total = 0;
    double sum = 0;
    for (std::size_t n = 0; n < value.size(); ++n) {
      total += weight[n];
      sum += weight[n] * value[n];
    }
    const double mean = total > 0 ? sum / total : no_number;
    double squares = 0;
    for (std::size_t n = 0; n < value.size(); ++n) {
      const double part = weight[n] * (value[n] - mean);
      squares += part * part;
    }
    return {mean, count > 1 ? std::sqrt(squares * count / (count - 1)) / total : no_number};
  }
};

/// Returns the mean of `part` divided by the mean of `whole`, whose entries belong to the same
/// flights, and the standard error to first order.
MeanWithError ratio_of_means(const WeightedSample& part, const WeightedSample& whole) {
  const double whole_mean = whole.estimate().mean;
  const double share = part.estimate().mean / whole_mean;
  WeightedSample rest;
  for (std::size_t n = 0; n < part.value.size(); ++n) {
    rest.add(part.value[n] - share * whole.value[n], part.weight[n]);
  }
  if (whole_mean == 0) return {no_number, no_number};
  return {share, rest.estimate().standard_error / std::abs(whole_mean)};
}

}  // namespace

PairedWorth paired_worth(const std::vector<FlightEnd>& these, const std::vector<FlightEnd>& those,
                         const EnvironmentInfo& info) {
  WeightedSample arrival;
  WeightedSample reward;
  WeightedSample time;
  WeightedSample energy;
  WeightedSample net_energy;
  for (std::size_t n = 0; n < these.size(); ++n) {
    const FlightEnd& first = these[n];
    const FlightEnd& second = those[n];
    const double weight = weight_of_realization(info, first.realization);
    arrival.add(double(first.arrived()) - double(second.arrived()), weight);
    reward.add(first.total_reward - second.total_reward, weight);
    if (!first.arrived() || !second.arrived()) continue;
    time.add(second.time - first.time, weight);
    energy.add(double(second.energy) - first.energy, weight);
    net_energy.add(second.net_energy() - first.net_energy(), weight);
  }
  return {arrival.estimate(), reward.estimate(), static_cast<std::int64_t>(time.value.size()),
          time.estimate(),    energy.estimate(), net_energy.estimate()};
}

KnowledgeWorth knowledge_worth(const std::vector<FlightEnd>& open,
                               const std::vector<FlightEnd>& bound,
                               const std::vector<double>& predicted,
                               const std::vector<FlightEnd>& adaptive,
                               const EnvironmentInfo& info) {
  KnowledgeWorth worth;
  worth.open = summarize(open, RolloutMode::continuous, info);
  worth.bound = summarize(bound, RolloutMode::continuous, info);
  worth.bound_gain = paired_worth(bound, open, info);
  WeightedSample gap;
  for (std::size_t n = 0; n < bound.size(); ++n) {
    gap.add(predicted[n] - bound[n].total_reward,
            weight_of_realization(info, bound[n].realization));
  }
  worth.promise_gap = gap.estimate();
  worth.regret_closed = worth.regret_closed_of_all = {no_number, no_number};
  if (adaptive.empty()) return worth;
  worth.adaptive = summarize(adaptive, RolloutMode::continuous, info);
  worth.adaptive_gain = paired_worth(adaptive, open, info);
  if (bound.empty()) return worth;
  WeightedSample learned;
  WeightedSample knowable;
  WeightedSample learned_of_all;
  WeightedSample knowable_of_all;
  for (std::size_t n = 0; n < open.size(); ++n) {
    const double weight = weight_of_realization(info, open[n].realization);
    const double by_learning = adaptive[n].total_reward - open[n].total_reward;
    const double by_knowing = bound[n].total_reward - open[n].total_reward;
    learned_of_all.add(by_learning, weight);
    knowable_of_all.add(by_knowing, weight);
    if (!open[n].arrived() || !adaptive[n].arrived() || !bound[n].arrived()) continue;
    learned.add(by_learning, weight);
    knowable.add(by_knowing, weight);
    ++worth.all_arrive;
  }
  worth.regret_closed = ratio_of_means(learned, knowable);
  worth.regret_closed_of_all = ratio_of_means(learned_of_all, knowable_of_all);
  return worth;
}

}  // namespace tidewise
