#include "mdp/fused/sweeps.h"

#include <algorithm>
#include <limits>

#include "base/parallel/team.h"
#include "mdp/backup/bellman.h"
#include "mdp/fused/model_sample.h"
#include "mdp/process/state_blocks.h"

namespace tidewise::mdp {
namespace {

// Number of slices per piece of work. A piece has as many states as a block (state_blocks.h).
constexpr std::int64_t slices_of_piece = states_of_block / slice_states;

template <class Real>
std::size_t padded_size(std::int32_t state_count) {
  return static_cast<std::size_t>(slice_count(state_count) * slice_states + 2 * slice_room);
}

template <class Real>
SliceRun<Real> make_run(const SliceValues<Real>& value, SliceValues<Real>& next,
                        std::int32_t* action) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  return {0, 0, value.data(), next.data(), action, infinity, -infinity};
}

/// Processes the states of slices in the layout `rows`.
template <class Real>
void run_rows(const ProcessView<Real>& process, SliceRun<Real>& run) {
  const auto end = static_cast<std::int32_t>(
      std::min<std::int64_t>(run.end * slice_states, process.state_count));
  for (auto s = static_cast<std::int32_t>(run.first * slice_states); s < end; ++s) {
    const BestAction<Real> best = best_action(process, run.value, s);
    run.next[s] = best.value;
    if (run.action != nullptr) run.action[s] = best.action;
    const Real change = best.value - run.value[s];
    run.min = change < run.min ? change : run.min;
    run.max = change > run.max ? change : run.max;
  }
}

/// Returns `process` if it may be unloaded and owns its arrays, else null.
template <class Real>
DecisionProcess<Real>* unloadable_of(const DecisionProcess<Real>& process,
                                     const UnloadableProcess& unloadable) {
  const auto* const candidate = std::get_if<DecisionProcess<Real>*>(&unloadable);
  const bool is_borrowed = process.row_begin.is_borrowed() || process.successor.is_borrowed() ||
                           process.probability.is_borrowed() || process.reward.is_borrowed();
  return candidate != nullptr && *candidate == &process && !is_borrowed ? *candidate : nullptr;
}

}  // namespace

template <class Real>
SliceValues<Real>::SliceValues(std::int32_t state_count)
    : state_count_(state_count), values_(padded_size<Real>(state_count), Real(0)) {}

template <class Real>
SliceValues<Real>::SliceValues(const std::vector<Real>& values)
    : SliceValues(static_cast<std::int32_t>(values.size())) {
  std::copy(values.begin(), values.end(), data());
}

template <class Real>
FusedSweeps<Real>::FusedSweeps(const DecisionProcess<Real>& process, FusedLayout layout,
                               std::int32_t threads, const UnloadableProcess& unloadable)
    : process_(process), state_count_(process.state_count), threads_(threads) {
  if (layout == FusedLayout::automatic) layout = host_layout(process);
  if (layout == FusedLayout::rows) return;
  unloaded_ = unloadable_of(process, unloadable);
  packed_ = std::make_unique<PackedProcess<Real>>(
      unloaded_ != nullptr ? PackedProcess<Real>::unload(*unloaded_, threads)
                           : PackedProcess<Real>(process, threads));
}

template <class Real>
FusedSweeps<Real>::~FusedSweeps() {
  if (unloaded_ != nullptr) packed_->restore(*unloaded_, threads_);
}

template <class Real>
void FusedSweeps<Real>::run_slices(SliceRun<Real>& run) const {
  if (packed_ != nullptr) {
    sweep_slices(packed_->slices(), run);
  } else {
    run_rows(view_of(process_), run);
  }
}

template <class Real>
ValueChange FusedSweeps<Real>::run(const SliceValues<Real>& value, SliceValues<Real>& next,
                                   std::int32_t* action) const {
  const std::int64_t whole_slices = state_count_ / slice_states;
  const std::int64_t slices_per_piece =
      threads_ > 1 ? slices_of_piece : std::max(whole_slices, std::int64_t{1});
  auto change = gather_pieces<ValueChange>(
      (whole_slices + slices_per_piece - 1) / slices_per_piece, threads_,
      [&](std::int64_t piece, ValueChange& piece_change) {
        SliceRun<Real> part = make_run(value, next, action);
        part.first = piece * slices_per_piece;
        part.end = std::min(part.first + slices_per_piece, whole_slices);
        run_slices(part);
        piece_change.include({static_cast<double>(part.min), static_cast<double>(part.max)});
      });
  if (whole_slices * slice_states == state_count_) return change;
  // The last slice has lanes without a state, which must not affect the change.
  const auto begin = static_cast<std::int32_t>(whole_slices * slice_states);
  SliceRun<Real> part = make_run(value, next, action);
  part.first = whole_slices;
  part.end = whole_slices + 1;
  run_slices(part);
  for (std::int32_t s = begin; s < state_count_; ++s) {
    change.include(static_cast<double>(next.data()[s] - value.data()[s]));
  }
  return change;
}

template <class Real>
ValueChange FusedSweeps<Real>::sweep(const SliceValues<Real>& value,
                                     SliceValues<Real>& next) const {
  return run(value, next, nullptr);
}

template <class Real>
ValueChange FusedSweeps<Real>::sweep_with_actions(const SliceValues<Real>& value,
                                                  SliceValues<Real>& next,
                                                  std::vector<std::int32_t>& action) const {
  action.resize(static_cast<std::size_t>(slice_count(state_count_) * slice_states));
  const ValueChange change = run(value, next, action.data());
  action.resize(static_cast<std::size_t>(state_count_));
  return change;
}

template <class Real>
ValueChange FusedSweeps<Real>::exact_change(const SliceValues<Real>& value,
                                            const SliceValues<Real>& next) const {
  ValueChange change;
  for (std::int32_t s = 0; s < state_count_; ++s) {
    change.include(static_cast<double>(next.data()[s]) - static_cast<double>(value.data()[s]));
  }
  return change;
}

template <class Real>
std::int64_t FusedSweeps<Real>::model_bytes() const {
  if (packed_ != nullptr) return packed_->model_bytes();
  return static_cast<std::int64_t>(process_.row_begin.size() * sizeof(std::int64_t) +
                                   process_.successor.size() * sizeof(std::int32_t) +
                                   (process_.probability.size() + process_.reward.size()) *
                                       sizeof(Real));
}

template class SliceValues<float>;
template class SliceValues<double>;
template class FusedSweeps<float>;
template class FusedSweeps<double>;

}  // namespace tidewise::mdp
