#include "solver/policy/next_leg.h"

#include <algorithm>
#include <cstring>
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

NextLeg NextLeg::within(std::int32_t begin, std::int32_t end) const {
  const auto first = std::lower_bound(cells_.begin(), cells_.end(), begin);
  const auto last = std::lower_bound(first, cells_.end(), end);
  NextLeg part(*this);
  part.cells_.assign(first, last);
  for (std::int32_t& cell : part.cells_) cell -= begin;
  part.action_.clear();
  part.value_.clear();
  for (std::size_t level = 0; level < action_.size(); level += cells_.size()) {
    const auto from = static_cast<std::ptrdiff_t>(level) + (first - cells_.begin());
    const auto count = last - first;
    part.action_.insert(part.action_.end(), action_.begin() + from, action_.begin() + from + count);
    part.value_.insert(part.value_.end(), value_.begin() + from, value_.begin() + from + count);
  }
  return part;
}

std::vector<std::byte> NextLeg::pack() const {
  const std::size_t actions = action_.size() * sizeof(std::int16_t);
  std::vector<std::byte> bytes(actions + value_.size() * sizeof(float));
  std::memcpy(bytes.data(), action_.data(), actions);
  std::memcpy(bytes.data() + actions, value_.data(), bytes.size() - actions);
  return bytes;
}

void NextLeg::unpack(const std::vector<std::byte>& bytes) {
  const std::size_t actions = action_.size() * sizeof(std::int16_t);
  std::memcpy(action_.data(), bytes.data(), actions);
  std::memcpy(value_.data(), bytes.data() + actions, bytes.size() - actions);
}

}  // namespace tidewise
