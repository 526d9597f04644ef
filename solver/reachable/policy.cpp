#include "solver/reachable/policy.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace tidewise {

std::optional<std::size_t> ReachablePolicy::place_of(TimeLevel k, CellIndex cell) const {
  const View<const CellIndex> cells = reach_.of(k);
  const CellIndex* position = std::lower_bound(cells.begin(), cells.end(), cell);
  if (position == cells.end() || *position != cell) return std::nullopt;
  return reach_.begin(k) + static_cast<std::size_t>(position - cells.begin());
}

void ReachablePolicy::take(TimeLevel k, View<const std::int16_t> action, View<const float> value) {
  std::size_t place = reach_.begin(k);
  for (const CellIndex cell : reach_.of(k)) {
    action_[place] = action[static_cast<std::size_t>(cell.value)];
    value_[place++] = value[static_cast<std::size_t>(cell.value)];
  }
}

std::int16_t ReachablePolicy::action(TimeLevel k, CellIndex cell) const {
  const auto place = place_of(k, cell);
  return place ? action_[*place] : no_action;
}

std::optional<float> ReachablePolicy::value(TimeLevel k, CellIndex cell) const {
  const auto place = place_of(k, cell);
  return place ? std::optional(value_[*place]) : std::nullopt;
}

void ReachablePolicy::read_action(TimeLevel k, View<std::int16_t> action) const {
  std::fill(action.begin(), action.end(), no_action);
  const View<const CellIndex> cells = reach_.of(k);
  for (std::size_t n = 0; n < cells.size; ++n) {
    action[static_cast<std::size_t>(cells[n].value)] = action_[reach_.begin(k) + n];
  }
}

void ReachablePolicy::read_value(TimeLevel k, View<float> value) const {
  std::fill(value.begin(), value.end(), std::numeric_limits<float>::quiet_NaN());
  const View<const CellIndex> cells = reach_.of(k);
  for (std::size_t n = 0; n < cells.size; ++n) {
    value[static_cast<std::size_t>(cells[n].value)] = value_[reach_.begin(k) + n];
  }
}

void give_all_levels(const ReachablePolicy& policy, std::size_t leg, const Grid& grid,
                     TimeLevel last, PolicySink& sink) {
  std::vector<std::int16_t> action(static_cast<std::size_t>(grid.cell_count()));
  std::vector<float> value(action.size());
  for (TimeLevel k = last; k.value >= 0; --k.value) {
    policy.read_action(k, action);
    policy.read_value(k, value);
    sink.accept(leg, k, action, value);
  }
}

ReachSink::ReachSink(const std::vector<ReachableCells>& reach, const Grid& grid, PolicySink& sink)
    : reach_(reach),
      sink_(sink),
      action_(static_cast<std::size_t>(grid.cell_count())),
      value_(static_cast<std::size_t>(grid.cell_count())) {}

void ReachSink::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                       View<const float> value) {
  std::fill(action_.begin(), action_.end(), no_action);
  std::fill(value_.begin(), value_.end(), std::numeric_limits<float>::quiet_NaN());
  for (const CellIndex cell : reach_[leg].of(k)) {
    const auto at = static_cast<std::size_t>(cell.value);
    action_[at] = action[at];
    value_[at] = value[at];
  }
  sink_.accept(leg, k, action_, value_);
}

}  // namespace tidewise
