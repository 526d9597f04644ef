#include "solver/evaluate/policy_transitions.h"

namespace tidewise {

void PolicyTransitions::expect(View<const CellIndex> cells, View<const std::int16_t> policy) {
  policy_ = policy;
  place_.resize(policy.size);
  if (landings_.size() < cells.size) landings_.resize(cells.size);
  for (std::size_t n = 0; n < cells.size; ++n) {
    place_[static_cast<std::size_t>(cells[n].value)] = static_cast<std::int32_t>(n);
    landings_[n].clear();
  }
}

void PolicyTransitions::accept(std::int32_t /*thread*/, CellIndex cell,
                               const CellTransitions& counts) {
  const auto at = static_cast<std::size_t>(cell.value);
  const std::int32_t action = policy_[at] - counts.first_action;
  if (action < 0 || action >= counts.action_count) return;
  auto& landings = landings_[static_cast<std::size_t>(place_[at])];
  for_each_landing(counts, action, [&](const Landing& landing) { landings.push_back(landing); });
}

}  // namespace tidewise
