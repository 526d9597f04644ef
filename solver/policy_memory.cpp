#include "solver/policy_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tidewise {
namespace {

std::size_t state_count(const Grid& grid, TimeLevel last) {
  return static_cast<std::size_t>(grid.cell_count()) * static_cast<std::size_t>(last.value + 1);
}

}  // namespace

PolicyMemory::PolicyMemory(const Grid& grid, TimeLevel last, TimeLevel value_level)
    : cells_(static_cast<std::size_t>(grid.cell_count())),
      value_level_(value_level),
      action_(state_count(grid, last), no_action),
      value_(cells_) {}

std::size_t PolicyMemory::size(const Grid& grid, TimeLevel last) {
  return state_count(grid, last) * sizeof(std::int16_t) +
         static_cast<std::size_t>(grid.cell_count()) * sizeof(float);
}

void PolicyMemory::accept(TimeLevel k, View<const std::int16_t> action, View<const float> value) {
  std::copy_n(action.begin(), cells_, action_.data() + cells_ * static_cast<std::size_t>(k.value));
  if (k == value_level_) std::copy_n(value.begin(), cells_, value_.data());
}

void PolicyMemory::read_action(TimeLevel k, View<std::int16_t> action) const {
  std::copy_n(action_.data() + cells_ * static_cast<std::size_t>(k.value), cells_, action.begin());
}

void PolicyMemory::read_value(TimeLevel k, View<float> value) const {
  if (k != value_level_) {
    throw RunError(
        fmt::format("the values of level {} were not kept in memory; read policy.h5", k.value));
  }
  std::copy_n(value_.data(), cells_, value.begin());
}

}  // namespace tidewise
