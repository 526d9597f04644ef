#include "solver/policy/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/memory/host_memory.h"

namespace tidewise {
namespace {

std::size_t state_count(const Grid& grid, TimeLevel last) {
  return static_cast<std::size_t>(grid.cell_count()) * static_cast<std::size_t>(last.value + 1);
}

std::vector<TimeLevel> sorted_unique(std::vector<TimeLevel> levels) {
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

}  // namespace

PolicyMemory::PolicyMemory(const Grid& grid, TimeLevel last,
                           const std::vector<TimeLevel>& value_levels, std::size_t legs)
    : cells_(static_cast<std::size_t>(grid.cell_count())),
      value_levels_(sorted_unique(value_levels)),
      action_(state_count(grid, last)),
      accepted_(static_cast<std::size_t>(last.value) + 1, 0),
      value_(cells_ * value_levels_.size()) {
  prefer_large_pages(action_.data(), action_.size() * sizeof(std::int16_t));
  for (std::size_t leg = 1; leg < legs; ++leg) later_legs_.emplace_back(grid, last, value_levels);
}

std::size_t PolicyMemory::size(const Grid& grid, TimeLevel last, std::size_t value_levels) {
  return state_count(grid, last) * sizeof(std::int16_t) +
         value_levels * static_cast<std::size_t>(grid.cell_count()) * sizeof(float);
}

void PolicyMemory::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                          View<const float> value) {
  if (leg > 0) {
    later_legs_.at(leg - 1).accept(0, k, action, value);
    return;
  }
  const auto level = static_cast<std::size_t>(k.value);
  std::copy_n(action.begin(), cells_, action_.data() + cells_ * level);
  accepted_[level] = 1;
  if (const auto place = place_of(k)) std::copy_n(value.begin(), cells_, value_.data() + *place);
}

// Index of a level's values, if they are kept.
std::optional<std::size_t> PolicyMemory::place_of(TimeLevel k) const {
  const auto level = std::find(value_levels_.begin(), value_levels_.end(), k);
  if (level == value_levels_.end()) return std::nullopt;
  return cells_ * static_cast<std::size_t>(level - value_levels_.begin());
}

View<const std::int16_t> PolicyMemory::action(TimeLevel k) const {
  return {action_.data() + cells_ * static_cast<std::size_t>(k.value), cells_};
}

void PolicyMemory::read_action(TimeLevel k, View<std::int16_t> action) const {
  if (accepted_.at(static_cast<std::size_t>(k.value)) != 0) {
    std::copy_n(this->action(k).begin(), cells_, action.begin());
  } else {
    std::fill_n(action.begin(), cells_, no_action);
  }
}

void PolicyMemory::read_value(TimeLevel k, View<float> value) const {
  const auto place = place_of(k);
  if (!place) {
    throw RunError(
        fmt::format("the values of level {} are not in memory; read policy.h5", k.value));
  }
  std::copy_n(value_.data() + *place, cells_, value.begin());
}

}  // namespace tidewise
