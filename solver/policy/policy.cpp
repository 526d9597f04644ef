#include "solver/policy/policy.h"

#include <algorithm>

#include "base/error.h"
#include "solver/error/codes.h"

namespace tidewise {

PolicyTable::PolicyTable(const Grid& grid, TimeLevel last)
    : action(static_cast<std::size_t>(grid.cell_count()) * static_cast<std::size_t>(last.value + 1),
             no_action),
      value(action.size(), 0.0F),
      cells_(static_cast<std::size_t>(grid.cell_count())) {}

void PolicyTable::accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t> level_action,
                         View<const float> level_value) {
  const auto offset = static_cast<std::ptrdiff_t>(cells_ * static_cast<std::size_t>(k.value));
  std::copy(level_action.begin(), level_action.end(), action.begin() + offset);
  std::copy(level_value.begin(), level_value.end(), value.begin() + offset);
}

void PolicyTable::read_action(TimeLevel k, View<std::int16_t> out) const {
  std::copy_n(
      action.begin() + static_cast<std::ptrdiff_t>(cells_ * static_cast<std::size_t>(k.value)),
      cells_, out.begin());
}

void PolicyTable::read_value(TimeLevel k, View<float> out) const {
  std::copy_n(
      value.begin() + static_cast<std::ptrdiff_t>(cells_ * static_cast<std::size_t>(k.value)),
      cells_, out.begin());
}

void read_policy(const PolicySource& policy, TimeLevel k, std::size_t action_count,
                 View<std::int16_t> out) {
  policy.read_action(k, out);
  const auto actions = static_cast<std::int32_t>(action_count);
  const auto exists = [actions](std::int32_t action) {
    return action >= no_action && action < actions;
  };
  bool all_exist = true;  // without an early exit the loop is vectorized
  for (const std::int16_t action : out) all_exist &= exists(action);
  if (all_exist) return;
  throw input_error(errors::action_unknown, *std::find_if_not(out.begin(), out.end(), exists),
                    k.value, action_count);
}

}  // namespace tidewise
