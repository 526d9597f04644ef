#include "output/run/margin_table.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// What is null in the file is no number.
double number(const Json& json, const char* key) {
  const Json& value = json.at(key);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Spread spread(const Json& json) {
  return {.mean = number(json, "mean"),
          .min = number(json, "min"),
          .max = number(json, "max"),
          .p05 = number(json, "p05"),
          .p50 = number(json, "p50"),
          .p95 = number(json, "p95"),
          .cvar95 = number(json, "cvar95")};
}

Keeping keeping(const Json& json, bool is_distance) {
  return {.is_distance = is_distance,
          .mean = number(json, "mean"),
          .p10 = number(json, "p10"),
          .p50 = number(json, "p50"),
          .p90 = number(json, "p90"),
          .standard_error = number(json, "standard_error"),
          .lasting = number(json, "lasting")};
}

RolloutStatistics statistics(const Json& json) {
  RolloutStatistics flown;
  flown.trajectories = json.at("trajectories").get<std::int64_t>();
  for (const FailureKind& kind : failure_kinds) {
    flown.failures.*kind.count =
        json.at("failures").at(std::string(to_string(kind.outcome))).get<std::int32_t>();
  }
  flown.mean_total_reward = number(json, "mean_total_reward");
  flown.standard_error = number(json, "standard_error");
  for (const char* kept : {"within", "distance"}) {
    if (!json.contains(kept)) continue;
    flown.keeping = keeping(json.at(kept), kept == std::string_view("distance"));
    return flown;
  }
  flown.arrival_rate = number(json, "arrival_rate");
  flown.time = spread(json.at("time"));
  flown.energy = spread(json.at("energy"));
  flown.net_energy = spread(json.at("net_energy"));
  if (json.contains("energy_left")) flown.energy_left = spread(json.at("energy_left"));
  const Json& risk = json.at("risk");
  flown.reward_cvar95 = number(risk, "total_reward_cvar95");
  for (const Json& one : risk.at("arrived_by")) {
    flown.arrived_by.push_back({number(one, "share"), number(one, "time")});
  }
  for (const Json& one : risk.at("deadlines")) {
    flown.deadlines.push_back({number(one, "time"), number(one, "share")});
  }
  return flown;
}

PlanGain gain(const Json& json) {
  return {.arrival_rate = number(json, "arrival_rate"),
          .total_reward = number(json, "mean_total_reward"),
          .standard_error = number(json, "standard_error"),
          .time = number(json, "time"),
          .energy = number(json, "energy"),
          .net_energy = number(json, "net_energy")};
}

}  // namespace

std::vector<MarginOutcome> margins_of(const Json& summary) try {
  std::vector<MarginOutcome> margins;
  for (const Json& one : summary.at("margins")) {
    margins.push_back({number(one, "margin"), one.value("failure_factor", 1.0), statistics(one),
                       gain(one.at("gain")), one.at("kept").get<bool>()});
    // As mission files may have them: people edit a summary.
    const MarginOutcome& line = margins.back();
    if (!(line.margin >= 0 && line.failure_factor >= 1 && line.failure_factor <= 1000)) return {};
  }
  return margins;
} catch (const Json::exception&) {
  return {};
}

}  // namespace tidewise
