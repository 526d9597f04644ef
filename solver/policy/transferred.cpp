#include "solver/policy/transferred.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tidewise {

TransferredPolicy::TransferredPolicy(const PolicySource& source, const Grid& grid,
                                     std::int32_t decision_levels, PolicyAlignment alignment,
                                     const Grid& to_grid)
    : source_(source),
      grid_(grid),
      decision_levels_(decision_levels),
      alignment_(std::move(alignment)),
      to_grid_(to_grid) {}

bool TransferredPolicy::holds(TimeLevel k) const {
  const std::int32_t source_level = k.value + alignment_.levels;
  return source_level >= 0 && source_level < decision_levels_;
}

const PolicySource& TransferredPolicy::leg(std::size_t n) const {
  if (n == 0) return *this;
  auto& leg = later_legs_[n];
  if (!leg) {
    leg = std::make_unique<TransferredPolicy>(source_.leg(n), grid_, decision_levels_, alignment_,
                                              to_grid_);
  }
  return *leg;
}

// Copies the common cells.
template <class T>
void TransferredPolicy::copy_common_cells(const std::vector<T>& from, View<T> to) const {
  const auto& [first, last] = alignment_.common_columns;
  for (std::int32_t j = alignment_.common_rows.first; j <= alignment_.common_rows.last; ++j) {
    const CellIndex source = grid_.cell(first + alignment_.columns, j + alignment_.rows);
    const CellIndex cell = to_grid_.cell(first, j);
    std::copy_n(from.data() + source.value, last - first + 1, to.data + cell.value);
  }
}

void TransferredPolicy::read_action(TimeLevel k, View<std::int16_t> action) const {
  std::fill(action.begin(), action.end(), no_action);
  if (!holds(k)) return;
  std::vector<std::int16_t> source_action(static_cast<std::size_t>(grid_.cell_count()));
  source_.read_action(TimeLevel(k.value + alignment_.levels), source_action);
  for (std::int16_t& a : source_action) {
    if (a != no_action) a = alignment_.action[static_cast<std::size_t>(a)];
  }
  copy_common_cells(source_action, action);
}

void TransferredPolicy::read_value(TimeLevel k, View<float> value) const {
  std::fill(value.begin(), value.end(), std::numeric_limits<float>::quiet_NaN());
  if (!holds(k)) return;
  std::vector<float> source_value(static_cast<std::size_t>(grid_.cell_count()));
  source_.read_value(TimeLevel(k.value + alignment_.levels), source_value);
  copy_common_cells(source_value, value);
}

}  // namespace tidewise
