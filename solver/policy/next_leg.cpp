#include "solver/policy/next_leg.h"

#include <utility>

namespace tidewise {

NextLeg::NextLeg(std::vector<std::int32_t> cells, TimeLevel last)
    : cells_(std::move(cells)),
      action_(cells_.size() * (static_cast<std::size_t>(last.value) + 1), no_action),
      value_(action_.size(), 0.0F) {}

void NextLeg::keep(TimeLevel k, View<const std::int16_t> action, View<const float> value) {
  std::size_t at = begin(k);
  for (const std::int32_t cell : cells_) {
    action_[at] = action[static_cast<std::size_t>(cell)];
    value_[at++] = value[static_cast<std::size_t>(cell)];
  }
}

void NextLeg::take_over(TimeLevel k, View<std::int16_t> action, View<float> value) const {
  std::size_t at = begin(k);
  for (const std::int32_t cell : cells_) {
    action[static_cast<std::size_t>(cell)] = action_[at];
    value[static_cast<std::size_t>(cell)] = value_[at++];
  }
}

}  // namespace tidewise
