#include "solver/evaluate/policy_sharing.h"

#include <algorithm>
#include <utility>

namespace tidewise {

PolicySharing::PolicySharing(const Grid& grid)
    : first_(static_cast<std::size_t>(grid.cell_count()) + 1) {}

void PolicySharing::begin(std::vector<SharedPolicy*> policies) {
  policies_ = std::move(policies);
  done_ = 0;
  cells_.clear();
  // Sorts (cell, policy) by counting: how many want each cell, then where each cell's begin.
  std::fill(first_.begin(), first_.end(), 0);
  for (const SharedPolicy* policy : policies_) {
    for (const CellIndex cell : policy->cells) ++first_[static_cast<std::size_t>(cell.value)];
  }
  std::uint32_t sum = 0;
  for (std::size_t cell = 0; cell < first_.size(); ++cell) {
    if (first_[cell] > 0) cells_.emplace_back(static_cast<std::int32_t>(cell));
    sum += first_[cell];
    first_[cell] = sum;  // the end; entering brings it back to the beginning
  }
  wanting_.resize(sum);
  for (std::size_t p = 0; p < policies_.size(); ++p) {
    for (const CellIndex cell : policies_[p]->cells) {
      wanting_[--first_[static_cast<std::size_t>(cell.value)]] = static_cast<std::uint32_t>(p);
    }
  }
}

View<const CellIndex> PolicySharing::next_part(std::size_t most) {
  const std::size_t begin = done_;
  if (begin == cells_.size()) return {};
  const std::size_t first = first_[static_cast<std::size_t>(cells_[begin].value)];
  do {
    ++done_;
  } while (done_ < cells_.size() &&
           first_[static_cast<std::size_t>(cells_[done_].value) + 1] - first <= most);
  const View<const CellIndex> part{cells_.data() + begin, done_ - begin};
  for (SharedPolicy* policy : policies_) {
    const View<const CellIndex> wanted = policy->cells;
    const auto [from, to] = range_of(part, wanted);
    policy->landings.expect(wanted.part(from, to - from), policy->action);
  }
  return part;
}

void PolicySharing::accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) {
  const auto at = static_cast<std::size_t>(cell.value);
  for (std::size_t n = first_[at]; n < first_[at + 1]; ++n) {
    policies_[wanting_[n]]->landings.accept(thread, cell, counts);
  }
}

PartRange range_of(View<const CellIndex> part, View<const CellIndex> cells) {
  const auto first = std::lower_bound(cells.begin(), cells.end(), part[0]);
  const auto end = std::upper_bound(first, cells.end(), part[part.size - 1]);
  return {static_cast<std::size_t>(first - cells.begin()),
          static_cast<std::size_t>(end - cells.begin())};
}

}  // namespace tidewise
