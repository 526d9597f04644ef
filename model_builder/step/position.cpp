#include "model_builder/step/position.h"

#include "base/error.h"
#include "env/weights.h"
#include "model_builder/error/codes.h"

namespace tidewise {

PositionRule position_rule(LandingBy landing, const EnvironmentInfo& info) {
  const std::int32_t realizations = info.realization_count;
  if (landing == LandingBy::area && realizations > most_realizations_by_area) {
    throw input_error(errors::realizations_too_many_by_area, realizations,
                      most_realizations_by_area);
  }
  constexpr struct {
    std::int32_t realizations;
    std::int32_t bin_bits;
  } at_least[] = {{500, 3}, {200, 5}};
  for (const auto& size : at_least) {
    if (realizations >= size.realizations) return {landing, size.bin_bits};
  }
  return {landing, position_bits};
}

std::uint32_t counting_total(const EnvironmentInfo& info, const PositionRule& rule) {
  return info.realization_weight.empty() || rule.landing == LandingBy::cell
             ? count_total(info)
             : static_cast<std::uint32_t>(most_realizations_by_area);
}

std::vector<std::uint32_t> counting_weights(const EnvironmentInfo& info, const PositionRule& rule) {
  const auto& weights = info.realization_weight;
  if (weights.empty() || rule.landing == LandingBy::cell) return weights;
  return to_integer_weights({weights.begin(), weights.end()}, counting_total(info, rule));
}

std::uint32_t row_total(const EnvironmentInfo& info, const PositionRule& rule) {
  return counting_total(info, rule) * rule.share();
}

}  // namespace tidewise
