#include "solver/evaluate/policy_sharing.h"

#include <algorithm>

#include "base/parallel/first_error.h"

namespace tidewise {
namespace {

// Range of consecutive cells `part` in `cells`, both ascending.
struct PartRange {
  std::size_t first = 0;
  std::size_t end = 0;
};
PartRange range_of(View<const CellIndex> part, View<const CellIndex> cells) {
  const auto first = std::lower_bound(cells.begin(), cells.end(), part[0]);
  const auto end = std::upper_bound(first, cells.end(), part[part.size - 1]);
  return {static_cast<std::size_t>(first - cells.begin()),
          static_cast<std::size_t>(end - cells.begin())};
}

// Calls work(follower, threads). With enough followers, one thread each; otherwise one after the
// other, each with all threads.
template <class Work>
void for_each(const std::vector<Follower>& followers, std::int32_t threads, const Work& work) {
  if (followers.size() < static_cast<std::size_t>(threads)) {
    for (const Follower& follower : followers) work(follower, threads);
    return;
  }
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::size_t n = 0; n < followers.size(); ++n) {
    error.run([&] { work(followers[n], 1); });
  }
  error.rethrow();
}

}  // namespace

PolicySharing::PolicySharing(const Grid& grid)
    : first_(static_cast<std::size_t>(grid.cell_count()) + 1) {}

void PolicySharing::step(TimeLevel k, const LevelView& now, const LevelView& next,
                         const std::vector<Follower>& followers, std::size_t max_cells,
                         std::int32_t threads, const CountLevel& count) {
  policies_.clear();
  for (const auto& [mass, policy] : followers) {
    if (policies_.empty() || policies_.back() != policy) policies_.push_back(policy);
    mass->begin_step(k, now, next, policy->action);
  }
  begin();
  for (auto part = next_part(max_cells); !part.empty(); part = next_part(max_cells)) {
    count(k, now, part, *this);
    for_each(followers, threads, [&](const Follower& follower, std::int32_t follower_threads) {
      const auto [first, end] = range_of(part, follower.mass->cells());
      follower.mass->land(first, end, follower.policy->landings, follower_threads);
    });
  }
  for_each(followers, threads,
           [](const Follower& follower, std::int32_t) { follower.mass->end_step(); });
}

void PolicySharing::begin() {
  done_ = 0;
  cells_.clear();
  // Sorts (cell, policy) by counting: first the number of policies of each cell, then where each
  // cell's policies begin.
  std::fill(first_.begin(), first_.end(), 0);
  for (const SharedPolicy* policy : policies_) {
    for (const CellIndex cell : policy->cells) ++first_[static_cast<std::size_t>(cell.value)];
  }
  std::uint32_t sum = 0;
  for (std::size_t cell = 0; cell < first_.size(); ++cell) {
    if (first_[cell] > 0) cells_.emplace_back(static_cast<std::int32_t>(cell));
    sum += first_[cell];
    first_[cell] = sum;  // the end; filling moves it back to the beginning
  }
  policies_of_cells_.resize(sum);
  for (std::size_t p = 0; p < policies_.size(); ++p) {
    for (const CellIndex cell : policies_[p]->cells) {
      policies_of_cells_[--first_[static_cast<std::size_t>(cell.value)]] =
          static_cast<std::uint32_t>(p);
    }
  }
}

View<const CellIndex> PolicySharing::next_part(std::size_t max_cells) {
  const std::size_t begin = done_;
  if (begin == cells_.size()) return {};
  const std::size_t first = first_[static_cast<std::size_t>(cells_[begin].value)];
  do {
    ++done_;
  } while (done_ < cells_.size() &&
           first_[static_cast<std::size_t>(cells_[done_].value) + 1] - first <= max_cells);
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
    policies_[policies_of_cells_[n]]->landings.accept(thread, cell, counts);
  }
}

}  // namespace tidewise
