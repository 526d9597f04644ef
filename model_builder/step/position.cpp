#include "model_builder/step/position.h"

#include "base/error.h"
#include "env/weights.h"
#include "model_builder/error/codes.h"

namespace tidewise {

PositionRule position_rule(LandingBy landing, const EnvironmentInfo& info, std::int32_t draws) {
  const std::int32_t realizations = info.realization_count;
  const std::int32_t max = max_realizations_by_area / draws;
  if (landing == LandingBy::area && realizations > max) {
    throw input_error(errors::realizations_too_many_by_area, realizations, max);
  }
  constexpr struct {
    std::int32_t realizations;
    std::int32_t bin_bits;
  } bits_by_size[] = {{500, 3}, {200, 5}};
  for (const auto& entry : bits_by_size) {
    if (realizations >= entry.realizations) return {landing, entry.bin_bits, draws};
  }
  return {landing, position_bits, draws};
}

std::uint32_t counting_total(const EnvironmentInfo& info, const PositionRule& rule) {
  return info.realization_weight.empty() || rule.landing == LandingBy::cell
             ? count_total(info)
             : static_cast<std::uint32_t>(max_realizations_by_area / rule.draws);
}

std::vector<std::uint32_t> counting_weights(const EnvironmentInfo& info, const PositionRule& rule) {
  const auto& weights = info.realization_weight;
  if (weights.empty() || rule.landing == LandingBy::cell) return weights;
  return to_integer_weights({weights.begin(), weights.end()}, counting_total(info, rule));
}

std::uint32_t row_total(const EnvironmentInfo& info, const PositionRule& rule) {
  return counting_total(info, rule) * rule.share() * static_cast<std::uint32_t>(rule.draws);
}

}  // namespace tidewise
