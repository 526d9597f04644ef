#include "solver/evaluate/forward_propagation.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

constexpr std::int32_t word_bits = 64;
constexpr std::size_t min_shared_cells = 64;

}  // namespace

ForwardPropagation::ForwardPropagation(const EnvironmentInfo& info, const PlanningProblem& problem)
    : info_(info),
      mission_(problem.mission),
      row_total_(row_total(info, problem.rule)),
      effects_(action_effects(problem, info.time.step)),
      probability_(static_cast<std::size_t>(info.grid.cell_count())),
      probability_next_(probability_.size()),
      reached_((probability_.size() + word_bits - 1) / word_bits) {}

std::size_t ForwardPropagation::memory(const Grid& grid) {
  constexpr std::size_t bytes_per_cell =
      2 * sizeof(Probability) + sizeof(CellIndex) + sizeof(CellTotals);
  return static_cast<std::size_t>(grid.cell_count()) * bytes_per_cell;
}

void ForwardPropagation::start(View<const std::uint8_t> masked) {
  const auto start = static_cast<std::size_t>(mission_.start.value);
  const StepOutcome outcome = outcome_at_start(mission_, masked[start]);
  if (outcome == StepOutcome::under_way) {
    to_depart_ = weight_of_next_level(mission_);
    probability_[start].probability = 1 - to_depart_;
    active_ = {mission_.start};
    return;
  }
  accumulator_.end_at_start(outcome, value_without_step(info_, mission_, outcome));
}

void ForwardPropagation::begin_step(TimeLevel k, const LevelView& now, const LevelView& next,
                                    View<const std::int16_t> policy) {
  const StepTables tables{mission_.target, policy, effects_};
  step_ = PropagationStep{make_step_context(info_, mission_, k, now, next, tables), row_total_};
  elapsed_ = (k.value + 1 - mission_.departure.value - mission_.begun) * info_.time.step;
  totals_.clear();
}

template <class Move>
CellTotals ForwardPropagation::land_cell(CellIndex cell, const PolicyTransitions& landings,
                                         const Move& move_on) const {
  const auto at = static_cast<std::size_t>(cell.value);
  const Probability& mass = probability_[at];
  CellTotals sum{cell, {}};
  if (step_->context.policy[at] == no_action) {
    sum.totals.add(step_->strand(at, mass));
    return sum;
  }
  const std::vector<Landing>& all = landings.of(cell);
  Offset first{};
  Offset last{};
  for (const Landing& landing : all) {
    first = {std::min(first.dx, landing.to.dx), std::min(first.dy, landing.to.dy)};
    last = {std::max(last.dx, landing.to.dx), std::max(last.dy, landing.to.dy)};
  }
  const PathsFromCell paths = step_->paths_from(cell, first, last);
  for (const Landing& landing : all) {
    const LandedProbability landed = step_->land(cell, mass, landing.to, landing.count, paths);
    sum.totals.add(landed);
    if (landed.end.outcome != StepOutcome::under_way) continue;
    move_on(Moved{cell.value + landing.to.dy * info_.grid.nx + landing.to.dx, landed.probability});
  }
  return sum;
}

void ForwardPropagation::land(std::size_t first, std::size_t end, const PolicyTransitions& landings,
                              std::int32_t threads) {
  if (threads > 1 && end - first > min_shared_cells) {
    land_shared(first, end, landings, threads);
    return;
  }
  for (std::size_t n = first; n < end; ++n) {
    totals_.push_back(land_cell(active_[n], landings, [this](const Moved& moved) { move(moved); }));
  }
}

// Stores the moved mass until all landings are computed, and then adds it in ascending order of its
// source cells. A cell thus receives mass in the order of GatherProbability, and its sum has the
// same bits.
void ForwardPropagation::land_shared(std::size_t first, std::size_t end,
                                     const PolicyTransitions& landings, std::int32_t threads) {
  const std::size_t count = end - first;
  const std::size_t first_total = totals_.size();
  totals_.resize(first_total + count);
  if (moved_.size() < count) moved_.resize(count);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t n = 0; n < count; ++n) {
    moved_[n].clear();
    totals_[first_total + n] =
        land_cell(active_[first + n], landings,
                  [&to = moved_[n]](const Moved& moved) { to.push_back(moved); });
  }
  for (std::size_t n = 0; n < count; ++n) {
    for (const Moved& moved : moved_[n]) move(moved);
  }
}

void ForwardPropagation::move(const Moved& moved) {
  const auto to = static_cast<std::size_t>(moved.to);
  probability_next_[to] += moved.probability;
  reached_[to / word_bits] |= std::uint64_t{1} << (to % word_bits);
}

void ForwardPropagation::end_step() {
  if (to_depart_ > 0) move({mission_.start.value, {to_depart_, 0, 0}});
  to_depart_ = 0;
  accumulator_.enter(sum_over_cells(totals_), elapsed_, info_.time.step);
  for (const CellIndex cell : active_) probability_[static_cast<std::size_t>(cell.value)] = {};
  std::swap(probability_, probability_next_);
  active_.clear();
  for (std::size_t word = 0; word < reached_.size(); ++word) {
    for (std::uint64_t bits = reached_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t cell = word * word_bits + static_cast<std::size_t>(std::countr_zero(bits));
      if (probability_[cell].probability > 0) {
        active_.emplace_back(static_cast<std::int32_t>(cell));
      } else {
        probability_[cell] = {};  // too small for a double
      }
    }
    reached_[word] = 0;
  }
}

void ForwardPropagation::move_mass(const std::function<bool(CellIndex)>& is_moved,
                                   ForwardPropagation& next) {
  const auto ascending = [](CellIndex a, CellIndex b) { return a.value < b.value; };
  std::vector<CellIndex> arrived;
  for (const CellIndex cell : active_) {
    if (!is_moved(cell)) continue;
    const auto at = static_cast<std::size_t>(cell.value);
    if (!(next.probability_[at].probability > 0)) arrived.push_back(cell);
    next.probability_[at] += probability_[at];
    probability_[at] = {};
  }
  std::erase_if(active_, is_moved);
  std::vector<CellIndex> merged;
  std::merge(next.active_.begin(), next.active_.end(), arrived.begin(), arrived.end(),
             std::back_inserter(merged), ascending);
  next.active_ = std::move(merged);
}

}  // namespace tidewise
