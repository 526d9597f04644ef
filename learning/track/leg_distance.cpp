#include "learning/track/leg_distance.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "env/level_fields.h"
#include "learning/flow_observation.h"

namespace tidewise {

std::optional<double> distance_from_forecast(const ObservedLeg& leg,
                                             const EnvironmentReader& forecast, double inflation) {
  const EnvironmentInfo& info = forecast.info();
  const auto members = static_cast<std::size_t>(info.realization_count);
  FlowOperator along(sample_leg(info.grid, info.time, leg.leg), info.mode_count);
  std::vector<double> u(members, 0.0);  // velocity of each realization relative to the mean field
  std::vector<double> v(members, 0.0);
  LevelFields<> fields(info);
  for (const std::int32_t k : along.levels()) {
    forecast.read_level(TimeLevel(k), fields);
    along.add(TimeLevel(k), fields.view(info).profile(leg.profile.value_or(0)));
    const auto add = [&](const FlowObservation& component, std::vector<double>& flow) {
      const std::vector<double>& sensitivity = component.parts.back().sensitivity;
      for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
        flow[n % members] += sensitivity[n / members] * fields.coefficient[n];
      }
    };
    add(along.observe_u(leg.u, leg.error_u), u);
    add(along.observe_v(leg.v, leg.error_v), v);
  }
  constexpr double max_dry_share = 0.5;
  if (along.dry_share() > max_dry_share) return std::nullopt;

  double weight_sum = 0;
  double squares = 0;
  double mean_u = 0;
  double mean_v = 0;
  const auto weight = [&](std::size_t r) {
    return info.realization_weight.empty() ? 1.0 : info.realization_weight[r];
  };
  for (std::size_t r = 0; r < members; ++r) weight_sum += weight(r);
  for (std::size_t r = 0; r < members; ++r) {
    const double share = weight(r) / weight_sum;
    squares += share * share;
    mean_u += share * u[r];
    mean_v += share * v[r];
  }
  double uu = leg.error_u * leg.error_u;
  double vv = leg.error_v * leg.error_v;
  double uv = 0;
  for (std::size_t r = 0; r < members && squares < 1; ++r) {
    const double share = inflation * inflation * weight(r) / weight_sum / (1 - squares);
    uu += share * (u[r] - mean_u) * (u[r] - mean_u);
    vv += share * (v[r] - mean_v) * (v[r] - mean_v);
    uv += share * (u[r] - mean_u) * (v[r] - mean_v);
  }
  const double du = leg.u - along.observe_u(leg.u, leg.error_u).mean - mean_u;
  const double dv = leg.v - along.observe_v(leg.v, leg.error_v).mean - mean_v;
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > 0)) return std::nullopt;
  return std::sqrt((vv * du * du - 2 * uv * du * dv + uu * dv * dv) / determinant);
}

}  // namespace tidewise
