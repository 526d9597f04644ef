#include "solver/fly/rollout_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tidewise {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Weighted {
  double value;
  std::int64_t weight;  // an integer, so that quantiles are exact
};

// Mean of the greatest values whose weights sum to `weight`; the smallest of them may count in
// part. `values`: ascending; `weight`: above 0 and at most the sum of all weights.
double mean_of_greatest(const std::vector<Weighted>& values, double weight) {
  double remaining = weight;
  double sum = 0;
  for (auto v = values.rbegin(); v != values.rend() && remaining > 0; ++v) {
    const double part = std::min(remaining, static_cast<double>(v->weight));
    sum += part * v->value;
    remaining -= part;
  }
  return sum / weight;
}

// The smallest value whose cumulative weight reaches `percent` of `total`. `values`: ascending, not
// empty.
double quantile_of(const std::vector<Weighted>& values, std::int64_t total, std::int64_t percent) {
  std::int64_t below = 0;
  for (const auto& [value, weight] : values) {
    below += weight;
    if (100 * below >= percent * total) return value;
  }
  return values.back().value;
}

// Removes values without weight and sorts.
std::vector<Weighted> sorted(std::vector<Weighted> values) {
  std::erase_if(values, [](const Weighted& v) { return v.weight == 0; });
  std::sort(values.begin(), values.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  return values;
}

Spread spread_of(std::vector<Weighted> unsorted) {
  const std::vector<Weighted> values = sorted(std::move(unsorted));
  if (values.empty()) return {nan, nan, nan, nan, nan, nan, nan};
  std::int64_t total = 0;
  double sum = 0;
  for (const auto& [value, weight] : values) {
    total += weight;
    sum += value * static_cast<double>(weight);
  }
  const auto quantile = [&](std::int64_t percent) { return quantile_of(values, total, percent); };
  return {sum / static_cast<double>(total),
          values.front().value,
          values.back().value,
          quantile(5),
          quantile(50),
          quantile(95),
          mean_of_greatest(values, 0.05 * static_cast<double>(total))};
}

std::int64_t weight_of(std::int32_t realization, RolloutMode mode, const EnvironmentInfo& info) {
  if (mode == RolloutMode::chain || info.realization_weight.empty()) return 1;
  return info.realization_weight[static_cast<std::size_t>(realization)];
}

struct Estimate {
  double mean = 0;
  double error = 0;
};

// Mean and standard error of Σ w x / Σ w; with equal weights s/√n.
Estimate estimate_mean(const std::vector<Weighted>& values) {
  Estimate estimate;
  double total = 0;
  double sum = 0;
  double flights = 0;
  for (const auto& [value, weight] : values) {
    const auto w = static_cast<double>(weight);
    total += w;
    sum += w * value;
    if (weight > 0) ++flights;
  }
  estimate.mean = total > 0 ? sum / total : nan;
  double squares = 0;
  for (const auto& [value, weight] : values) {
    const double part = static_cast<double>(weight) * (value - estimate.mean);
    squares += part * part;
  }
  estimate.error = flights > 1 ? std::sqrt(squares * flights / (flights - 1)) / total : nan;
  return estimate;
}

double effective_count(const std::vector<Weighted>& flights) {
  double sum = 0;
  double squares = 0;
  for (const auto& [value, weight] : flights) {
    const auto w = static_cast<double>(weight);
    sum += w;
    squares += w * w;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

// Sets the times by which shares of `total` have arrived, and the share that has arrived by each
// deadline. `arrived`: times.
void set_arrival_times(std::vector<Weighted> arrived, std::int64_t total,
                       const std::vector<double>& deadlines, RolloutStatistics& statistics) {
  std::sort(arrived.begin(), arrived.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  for (const std::int64_t percent : {50, 80, 90, 95, 99}) {
    double time = nan;
    std::int64_t below = 0;
    for (const auto& [value, weight] : arrived) {
      below += weight;
      if (100 * below < percent * total) continue;
      time = value;
      break;
    }
    statistics.arrived_by.push_back({static_cast<double>(percent) / 100, time});
  }
  for (const double deadline : deadlines) {
    std::int64_t weight = 0;
    for (const Weighted& flight : arrived) weight += flight.value <= deadline ? flight.weight : 0;
    statistics.deadlines.push_back(
        {deadline, total > 0 ? static_cast<double>(weight) / static_cast<double>(total) : nan});
  }
}

}  // namespace

std::vector<FlightEnd> flight_ends(const RolloutResult& rollout, const TimeAxis& time) {
  std::vector<FlightEnd> ends;
  for (const Trajectory& trajectory : rollout.trajectories) {
    const TrajectoryPoint& end = trajectory.points.back();
    ends.push_back({trajectory.realization, trajectory.outcome, trajectory.steps() * time.step,
                    end.energy, end.harvested, trajectory.total_reward, trajectory.energy_left});
  }
  return ends;
}

RolloutStatistics summarize(const RolloutResult& rollout, const EnvironmentInfo& info,
                            const std::vector<double>& deadlines) {
  return summarize(flight_ends(rollout, info.time), rollout.mode, info, deadlines);
}

RolloutStatistics summarize(const std::vector<FlightEnd>& flights, RolloutMode mode,
                            const EnvironmentInfo& info, const std::vector<double>& deadlines) {
  RolloutStatistics statistics;
  std::vector<Weighted> time;
  std::vector<Weighted> energy;
  std::vector<Weighted> net_energy;
  std::vector<Weighted> energy_left;
  std::vector<Weighted> reward;
  std::int64_t arrived = 0;
  std::int64_t total = 0;
  for (const FlightEnd& flight : flights) {
    const std::int64_t weight = weight_of(flight.realization, mode, info);
    total += weight;
    reward.push_back({flight.total_reward, weight});
    if (!flight.arrived()) {
      for (const FailureKind& kind : failure_kinds) {
        if (kind.outcome == flight.outcome) ++(statistics.failures.*kind.count);
      }
      continue;
    }
    arrived += weight;
    time.push_back({flight.time, weight});
    energy.push_back({flight.energy, weight});
    net_energy.push_back({flight.net_energy(), weight});
    if (!std::isnan(flight.energy_left)) energy_left.push_back({flight.energy_left, weight});
  }
  statistics.has_probability = supports_probability(info.uncertainty);
  statistics.trajectories = static_cast<std::int64_t>(flights.size());
  statistics.arrival_rate =
      total > 0 ? static_cast<double>(arrived) / static_cast<double>(total) : nan;
  statistics.effective_flights = effective_count(reward);
  statistics.time_standard_error = estimate_mean(time).error;
  statistics.energy_standard_error = estimate_mean(energy).error;
  statistics.net_energy_standard_error = estimate_mean(net_energy).error;
  set_arrival_times(time, total, deadlines, statistics);
  statistics.time = spread_of(std::move(time));
  statistics.energy = spread_of(std::move(energy));
  statistics.net_energy = spread_of(std::move(net_energy));
  if (!energy_left.empty()) statistics.energy_left = spread_of(std::move(energy_left));
  const Estimate total_reward = estimate_mean(reward);
  statistics.mean_total_reward = total_reward.mean;
  statistics.standard_error = total_reward.error;
  for (Weighted& flight : reward) flight.value = -flight.value;
  statistics.reward_cvar95 = -spread_of(std::move(reward)).cvar95;
  return statistics;
}

std::int64_t count_arrived(const RolloutStatistics& statistics) {
  std::int64_t arrived = statistics.trajectories;
  for (const FailureKind& kind : failure_kinds) arrived -= statistics.failures.*kind.count;
  return arrived;
}

Spread spread_over(const std::vector<FlightEnd>& flights, const std::vector<double>& values,
                   RolloutMode mode, const EnvironmentInfo& info) {
  std::vector<Weighted> weighted;
  for (std::size_t n = 0; n < flights.size(); ++n) {
    if (std::isnan(values[n])) continue;
    weighted.push_back({values[n], weight_of(flights[n].realization, mode, info)});
  }
  return spread_of(std::move(weighted));
}

double keeping_of(const FlightEnd& flight, const Mission& mission, const TimeAxis& time) {
  // A flight that failed is no longer within the place, and has no distance.
  const double divisor =
      mission.objective == Objective::follow ? -flight.time : mission_duration(time, mission);
  return divisor != 0 ? flight.harvested / divisor : nan;
}

void set_keeping(const std::vector<FlightEnd>& flights, RolloutMode mode, const Mission& mission,
                 const EnvironmentInfo& info, RolloutStatistics& statistics) {
  if (!mission.kept) return;
  const bool is_distance = mission.objective == Objective::follow;
  std::vector<Weighted> values;
  std::int64_t total = 0;
  std::int64_t weight_to_end = 0;
  for (const FlightEnd& flight : flights) {
    const double value = keeping_of(flight, mission, info.time);
    if (std::isnan(value)) continue;
    const std::int64_t weight = weight_of(flight.realization, mode, info);
    values.push_back({value, weight});
    total += weight;
    if (flight.outcome == TrajectoryOutcome::out_of_time) weight_to_end += weight;
  }
  statistics.failures.out_of_time = 0;
  statistics.keeping = {is_distance, nan, nan, nan, nan, nan, nan};
  const Estimate mean = estimate_mean(values);
  values = sorted(std::move(values));
  if (values.empty()) return;
  const auto quantile = [&](std::int64_t percent) { return quantile_of(values, total, percent); };
  statistics.keeping = {is_distance,
                        mean.mean,
                        quantile(10),
                        quantile(50),
                        quantile(90),
                        mean.error,
                        double(weight_to_end) / double(total)};
}

PlanGain gain_over(const std::vector<FlightEnd>& plan, const std::vector<FlightEnd>& baseline,
                   const EnvironmentInfo& info) {
  std::vector<Weighted> arrival;
  std::vector<Weighted> reward;
  std::vector<Weighted> time;
  std::vector<Weighted> energy;
  std::vector<Weighted> net_energy;
  for (std::size_t n = 0; n < plan.size(); ++n) {
    const FlightEnd& planned = plan[n];
    const FlightEnd& compared = baseline[n];
    const std::int64_t weight = weight_of(planned.realization, RolloutMode::continuous, info);
    arrival.push_back({double(planned.arrived()) - double(compared.arrived()), weight});
    reward.push_back({planned.total_reward - compared.total_reward, weight});
    if (!planned.arrived() || !compared.arrived()) continue;
    time.push_back({compared.time - planned.time, weight});
    energy.push_back({double(compared.energy) - planned.energy, weight});
    net_energy.push_back({compared.net_energy() - planned.net_energy(), weight});
  }
  const Estimate total_reward = estimate_mean(reward);
  return {estimate_mean(arrival).mean, total_reward.mean,          total_reward.error,
          estimate_mean(time).mean,    estimate_mean(energy).mean, estimate_mean(net_energy).mean};
}

}  // namespace tidewise
